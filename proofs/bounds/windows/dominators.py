"""Bounds from the values that the windows of a play are computed from."""

import time

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs.base import Bound, NotApplicableError, of_useful_memory
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.computed_windows import computed_windows
from proofs.bounds.windows.isoperimetry.set_sums import isoperimetric_bound
from proofs.certificates import Certificate
from proofs.certificates.windows.isoperimetry import DOMINATED


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

    What a window computes is computed from values that are loaded in it or red when it begins. It
    holds also where values are computed again, and comes from two sources; the larger one counts.

    - A set of A vertices can be computed from least(A) values outside it and no fewer, by an
      isoperimetric inequality of the family (`proofs.certificates.windows.dominators`). In the
      leading terms it adds to the stores of the outputs, for N vertices, n log2 n / log2 M loads
      for an FFT of n points and N / (2M) for pyramids and stencils on a line; and for one sweep
      over a grid the loads of what neighbours share.
    - In a DAG of any kind with at most 400 vertices, what the windows must load is computed, by
      branch and bound with minimum cuts (`proofs.certificates.windows.computed_windows`). This
      proves nothing where few values determine all others, as the one input of a grid does.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If no such inequality is known for the DAG, and it is too large for computing.

    Examples
    --------
    >>> from dags import fft
    >>> from pebble import rules_named
    >>> dominators(fft(1024), 16, rules=rules_named("recompute")).io
    2461
    """
    io, certificate = max(_found(dag, memory, rules, time_limit), key=lambda found: found[0])
    return Bound("dominators", memory, io, rules, certificate)


def _found(
    dag: CDAG, memory: int, rules: Rules, time_limit: float | None
) -> list[tuple[int, Certificate]]:
    """Return what the sources prove that apply."""
    begun = time.monotonic()
    found: list[tuple[int, Certificate]] = []
    refusals: list[NotApplicableError] = []
    try:
        found.append(isoperimetric_bound("windows", DOMINATED, 1, dag, memory, rules, time_limit))
    except NotApplicableError as refusal:
        refusals.append(refusal)
    left = None if time_limit is None else begun + time_limit - time.monotonic()
    try:
        found.append(computed_windows(dag, memory, rules, left))
    except NotApplicableError as refusal:
        refusals.append(refusal)
    if not found:
        raise NotApplicableError("; ".join(map(str, refusals)))
    return found
