"""Bounds from the values that the windows of a play are computed from."""

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs.base import Bound, of_useful_memory
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.isoperimetry.set_sums import isoperimetric_bound
from proofs.lemmas.isoperimetry import DOMINATED


@of_useful_memory
@thinned
@as_generated
def dominators(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound for any play, by windows of so many first computations each.

    What a window computes is computed from values that are loaded in it or red when it begins,
    which holds also where values are computed again. A set of A vertices can be computed from
    least(A) values outside it and no fewer, by an isoperimetric inequality of the family
    (`proofs.lemmas.sets`). In the leading terms it adds to the stores of the
    outputs, for N vertices, n log2 n / log2 M loads for an FFT of n points and N / (2M) for
    pyramids and stencils on a line; and for one sweep over a grid the loads of what neighbours
    share.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If no such inequality is known for the DAG.

    Examples
    --------
    >>> from dags import fft
    >>> from pebble import rules_named
    >>> dominators(fft(1024), 16, rules=rules_named("recompute")).io
    2461
    """
    found = isoperimetric_bound("windows", DOMINATED, 1, dag, memory, rules, time_limit)
    return Bound("dominators", memory, found[0], rules, found[1])
