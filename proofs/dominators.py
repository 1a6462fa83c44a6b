"""What the windows of a play are computed from."""

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs.base import Bound
from proofs.certificates.isoperimetry import DOMINATED
from proofs.isoperimetric import isoperimetric_bound


def dominators(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Return the best bound by cutting any play into windows of so many first computations each.

    A set of A vertices can be computed from least(A) values outside it and no fewer, by an
    isoperimetric inequality of the family; less what is red at the cuts, all of them are
    loaded. It holds also where values are computed again.
    `proofs.certificates.windows` has the theorem, `proofs.certificates.isoperimetry` the
    inequalities, both with their proofs. In the leading terms it adds to the stores of the
    outputs, for N vertices, n log2 n / log2 M loads for an FFT of n points and N / (2M) for
    pyramids and stencils on a line; and for one sweep over a grid the loads of what neighbours
    share.

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
    io, certificate = isoperimetric_bound("windows", DOMINATED, 1, dag, memory, rules, time_limit)
    return Bound("dominators", memory, io, rules, certificate)
