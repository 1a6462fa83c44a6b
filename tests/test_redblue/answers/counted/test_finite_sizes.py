"""How exponents move when a member is made smaller."""

import numpy as np
import pytest

from dags import Computation
from redblue.answers.counted import counted_curve
from redblue.answers.counted.finite_sizes import bias, halved, halving_bias
from redblue.laws.sandwich import Locals, corridor_of_curve, local_exponents
from tests.command_line import run_redblue


@pytest.mark.parametrize(
    ("spec", "half"),
    [
        ("fft:n=4^20,radix=4", "fft:n=4^10,radix=4"),
        ("fft:radix=4,n=4^20", "fft:radix=4,n=4^10"),
        ("stencil:shape=100x60,steps=51", "stencil:shape=50x30,steps=25"),
        ("dirac:k=6,n4=8,wrap=false", "dirac:k=3,n4=4,wrap=false"),
        ("matmul:m=8,n=16,k=4", "matmul:m=4,n=8,k=2"),
    ],
)
def test_half_of_a_member(spec, half):
    assert halved(spec) == half


def test_the_bias_is_what_half_the_sides_change():
    memories = [10**3, 10**4, 10**5]
    full, half = (corridor_of_curve(counted_curve(f"lu:n={n}", memories)) for n in (40_000, 20_000))
    played, proved = halving_bias(Computation("lu:n=40000"), full)
    current, present = local_exponents(full), local_exponents(half)
    assert played == pytest.approx(np.abs(current.upper - present.upper).max())
    assert 0 <= proved < played


def test_members_without_a_half():
    corridor = corridor_of_curve(counted_curve("matmul:n=1", [4, 8]))
    assert halving_bias(Computation("matmul:n=1"), corridor) is None
    ends = np.array([1.0]), np.array([10.0])
    assert bias(*(Locals(end, end, end) for end in ends)) is None


def test_the_command_tells_it():
    out = run_redblue("law", "lu:n=100000", "--memory", "1e3:1e7:9").out
    assert "At half the size, local exponents differ from these by up to 0.0" in out
