from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import RedBlueError, matmul
from pebble import play
from proofs.laws import CONSTANT, LOGARITHM, Law
from redblue import io_curve
from redblue.answers.hardware import (
    InvalidMachineError,
    ProcessingElement,
    balancing_memory,
    law_memory,
    rebalanced,
)
from schedulers import structured

# H. T. Kung, Memory requirements for balanced computer architectures, 1986: a cell of CMU's Warp.
WARP = ProcessingElement(compute=10e6, bandwidth=20e6, memory=65536)


def test_the_balance_of_warp():
    assert WARP.balance == 0.5


def test_time_is_that_of_the_slower_side():
    assert WARP.seconds(work=10_000_000, io=1000) == 1.0
    assert WARP.seconds(work=1000, io=20_000_000) == 1.0
    assert WARP.seconds(work=10_000_000, io=20_000_000) == 1.0


@pytest.mark.parametrize("name", ["compute", "bandwidth", "memory"])
@pytest.mark.parametrize("value", [0, -1, nan, inf])
def test_what_no_machine_has(name, value):
    numbers = {"compute": 1.0, "bandwidth": 1.0, "memory": 1, name: value}
    with pytest.raises(InvalidMachineError, match=f"{name} must be .*, not {value}") as caught:
        ProcessingElement(**numbers)
    assert isinstance(caught.value, RedBlueError)


def test_the_smallest_memory_that_balances():
    memories, io = [64, 16, 256], [1200, 2500, 400]  # in any order
    assert balancing_memory(WARP, 1000, memories, io) == 64
    assert balancing_memory(WARP, 600, memories, io) == 64  # exactly: neither side waits
    assert balancing_memory(WARP, 599, memories, io) == 256
    assert balancing_memory(WARP, 1, memories, io) is None
    assert balancing_memory(WARP, 1, [], []) is None


def test_a_word_count_for_every_memory():
    with pytest.raises(ValueError, match="shorter"):
        balancing_memory(WARP, 1000, [16, 64], [2500])


@given(
    st.integers(1, 100),
    st.integers(1, 100),
    st.integers(1, 10**6),
    st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 10**6)), unique_by=lambda p: p[0]),
)
def test_balanced_means_that_arithmetic_takes_as_long_as_words(compute, bandwidth, work, points):
    element = ProcessingElement(compute, bandwidth, memory=1)
    result = balancing_memory(element, work, [m for m, _ in points], [io for _, io in points])
    waits = {m: Fraction(io, bandwidth) > Fraction(work, compute) for m, io in points}
    assert result == min((m for m, waiting in waits.items() if not waiting), default=None)


def test_a_played_curve():
    n, memories = 12, range(8, 160)
    curve = io_curve(matmul(n), memories, schedulers=["natural+belady"], bounds=["compulsory"])
    sizes, io = zip(*curve.envelope("upper"), strict=True)
    work = 2 * n**3
    slow, fast = (ProcessingElement(rate, 1.0, memory=1) for rate in (1.0, 1e9))
    assert balancing_memory(slow, work, sizes, io) == 8
    assert balancing_memory(fast, work, sizes, io) is None
    element = ProcessingElement(4.0, 1.0, memory=1)
    needed = balancing_memory(element, work, sizes, io)
    assert needed is not None
    place = sizes.index(needed)
    assert element.seconds(work, io[place]) == work / 4
    assert element.seconds(work, io[place - 1]) > work / 4


LAWS = [Law("power", p) for p in (1, 1 / 2, 1 / 3, 1 / 4, 0.37)] + [LOGARITHM]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("alpha", [0.5, 1, 1.5, 2, 3])
def test_rebalancing_grows_the_ratio_by_alpha(law, alpha):
    law = Law(law.kind, law.exponent, coefficient=0.7)
    memory = 1000
    old = ProcessingElement(law.ratio(memory) * 3.0, 3.0, memory)
    new = rebalanced(old, law, alpha)
    assert new.bandwidth == old.bandwidth
    assert new.balance == pytest.approx(alpha * old.balance)
    assert law.ratio(new.memory) == pytest.approx(new.balance)
    assert law_memory(old, law) == pytest.approx(memory)
    assert law_memory(new, law) == pytest.approx(new.memory)


def test_what_cannot_be_rebalanced():
    with pytest.raises(InvalidMachineError, match="2 times the arithmetic for the law constant"):
        rebalanced(WARP, CONSTANT, 2)
    with pytest.raises(InvalidMachineError, match="no memory"):
        rebalanced(WARP, LOGARITHM, 1000)  # beyond what a number holds
    assert rebalanced(WARP, CONSTANT, 1) == WARP


def test_memory_by_a_constant_law():
    reads_once = Law("constant", coefficient=2.0)
    assert law_memory(ProcessingElement(2.0, 1.0, 1), reads_once) == 1
    assert law_memory(ProcessingElement(2.1, 1.0, 1), reads_once) == inf
    assert law_memory(ProcessingElement(1e9, 1.0, 1), LOGARITHM) == inf


def test_a_law_through_a_played_curve():
    """What the law says of twice the arithmetic is what is played with four times the memory."""
    n, block = 48, 4
    memories = [side**2 + side + 2 for side in (block, 2 * block)]
    io = [play(matmul(n), structured(matmul(n), memory), memory).io for memory in memories]
    ratios = [2 * n**3 / (words - n * n) for words in io]  # without storing the result
    element = ProcessingElement(ratios[0], 1.0, block**2)
    assert rebalanced(element, Law("power", 0.5), 2).balance == pytest.approx(ratios[1])
