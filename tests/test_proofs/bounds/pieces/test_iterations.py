"""Values that wait in iterations: what `slices` proves with them, and what is no sum."""

import pytest

from dags import load
from proofs import CertificateError, compulsory, slices
from proofs.bounds.pieces.iterations import waiting


@pytest.mark.parametrize(
    ("spec", "ways"),
    [("adi:TSTEPS=3,N=8", (1, 2)), ("durbin:N=12", (1, 2)), ("atax:M=7,N=8", (1, 1))],
)
def test_slices_prove_as_much(spec, ways):
    dag = load(f"polybench/{spec}")
    words, room = waiting(dag, *ways)
    assert words > 5 * room
    for memory in (5, 7):
        told = compulsory(dag, memory).io + words - memory * room
        assert told <= slices(dag, memory, time_limit=10.0).io


def test_a_solver_with_two_sweeps_a_step():
    """For T steps: 2 (T - 1) ranges, in each of which (N - 2)^2 values or more wait, twice."""
    for n in (6, 7):
        words, room = waiting(load(f"polybench/adi:TSTEPS=3,N={n}"), 1, 2)
        assert room == 4
        assert words >= room * (n - 2) ** 2


def test_ranges_that_share_a_value_are_no_sum():
    with pytest.raises(CertificateError, match="wait in two ranges"):
        waiting(load("polybench/atax:M=7,N=8"), 1, 2)
