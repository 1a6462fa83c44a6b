"""The law of a DAG: plays at tuned sizes, up to where larger ones add nothing, and a fit."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Rules, min_memory
from redblue.answers.balance.refine import merged
from redblue.answers.curves.curve import GENERIC_SCHEDULERS, io_curve
from redblue.answers.refining import refined
from redblue.answers.results import BEST, IOCurve
from redblue.deadline import Deadline
from redblue.laws.fit.choice import FLAT, FLAT_OCTAVES, SOON, Fit, fit
from redblue.laws.fit.points import points_of
from redblue.laws.fit.tuned import ends, tuned_memories
from redblue.progress import Progress
from schedulers import FAMILIES, Scheduler

BATCH = 4  # sizes that are played before it is asked whether more are worth while


def fit_dag(
    dag: CDAG,
    memories: Iterable[int] | None = None,
    *,
    schedulers: Iterable[str | Scheduler] | None = None,
    rules: Rules = ONE_SHOT,
    jobs: int = 1,
    spec: str = "",
    progress: Progress | None = None,
    deadline: Deadline | None = None,
    effort: str = "quick",
) -> tuple[Fit, IOCurve]:
    """Return the law that schedules of `dag` follow, and the curve that shows it.

    Parameters
    ----------
    dag
        The computation.
    memories
        Words of fast memory; by default `tuned_memories`, up to where so little moves that
        larger ones add nothing.
    schedulers
        Names or functions; by default the structured one where the family is known, else four
        generic ones. At each size the best one counts.
    rules, jobs, spec, progress
        As for `io_curve`; progress begins again with each batch of sizes.
    deadline
        As for `io_curve`; the law is then that of the sizes that were played.
    effort
        How hard to search at these sizes, as for `io_curve`.

    Examples
    --------
    >>> from dags import matvec
    >>> found, curve = fit_dag(matvec(64))
    >>> found.law.kind
    'constant'
    """
    known = dag.as_generated
    methods = list(schedulers or default_players(known))

    def play(sizes: Sequence[int]) -> IOCurve:
        return io_curve(
            dag,
            sizes,
            schedulers=methods,
            bounds=("compulsory",),
            rules=rules,
            jobs=jobs,
            spec=spec,
            progress=progress,
            deadline=deadline,
        )

    if memories is None:
        curve = as_far_as_it_tells(known, play, rules=rules, deadline=deadline)
    else:
        curve = play(sorted(set(memories)))
    if effort != "quick":
        rows = [row for row in curve.rows if row.method != BEST]
        game = {"rules": rules, "seed": 0}
        told: dict[str, Any] = {"jobs": jobs, "progress": progress}
        best, spent = refined(
            dag, rows, curve.memories, game, name=effort, deadline=deadline, **told
        )
        curve = replace(curve, rows=best, effort=spent)
    points = points_of(known, curve.envelope("upper"), rules=rules)
    return fit(points), curve


def default_players(dag: CDAG) -> tuple[str, ...]:
    """Return the schedulers whose best play is fitted: where the family is known, its own."""
    return ("structured",) if dag.family in FAMILIES else GENERIC_SCHEDULERS


def as_far_as_it_tells(
    dag: CDAG,
    play: Callable[[Sequence[int]], IOCurve],
    *,
    rules: Rules = ONE_SHOT,
    deadline: Deadline | None = None,
) -> IOCurve:
    """Return the curve at tuned sizes of memory, up to where larger ones no longer show a law.

    Parameters
    ----------
    dag
        The computation.
    play
        Returns the curve of `dag` at given sizes of memory, in words.
    rules
        The rules of the game.
    deadline
        When to play no further sizes; None for never.
    """
    sizes = tuned_memories(dag, rules=rules)
    soon = SOON * min_memory(dag, rules=rules)
    curve = play(sizes[:BATCH])
    for start in range(BATCH, len(sizes), BATCH):
        late = deadline is not None and not deadline.left
        if late or _told(dag, curve.envelope("upper"), soon):
            break
        curve = merged(curve, play(sizes[start : start + BATCH]))
    return curve


def _told(dag: CDAG, points: Sequence[tuple[int, int]], soon: int) -> bool:
    """Return whether larger sizes add nothing, neither to a growing law nor to a constant one."""
    if not points or not ends(dag, points[-1][1]):
        return False
    memory, io = points[-1]
    early = [io for memory, io in points if memory <= soon]
    constant_yet = not early or early[-1] <= FLAT * io
    return not constant_yet or memory >= 2**FLAT_OCTAVES * soon
