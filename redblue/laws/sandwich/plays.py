"""The corridor of a DAG: its plays at the memories that tell of a law, and proofs there."""

from dags import CDAG
from pebble import ONE_SHOT, Rules
from redblue.answers.balance.refine import merged
from redblue.answers.curves.curve import io_curve
from redblue.answers.results import IOCurve
from redblue.laws.fit.choice import Fit
from redblue.laws.sandwich.corridor import Corridor, corridor_of


def enclosed(
    dag: CDAG,
    found: Fit,
    curve: IOCurve,
    *,
    rules: Rules = ONE_SHOT,
    jobs: int = 1,
    spec: str = "",
) -> tuple[Corridor, IOCurve]:
    """Return the corridor of a DAG that was played, and its curve with the bounds of that.

    Parameters
    ----------
    dag
        The computation.
    found, curve
        As `redblue.fit_dag` returns them: the bounds that search nothing are asked for at the
        memories that tell of the law.
    rules, jobs, spec
        As for `redblue.io_curve`.

    Examples
    --------
    >>> from dags import matmul
    >>> from redblue.laws.fit import fit_dag
    >>> corridor, _ = enclosed(matmul(24), *fit_dag(matmul(24)))
    >>> bool(corridor.ratios.max() < 1.3)
    True
    """
    memories = [int(memory) for memory in found.points.memories]
    if memories:
        proved = io_curve(dag, memories, schedulers=(), rules=rules, jobs=jobs, spec=spec)
        curve = merged(curve, proved)
    moved, floor = (dict(curve.envelope(kind)) for kind in ("upper", "lower"))
    rows = ((m, moved[m], floor[m]) for m in memories if floor.get(m))
    return corridor_of(rows, found.points.overhead), curve
