"""The best split of area: against a search of all splits, closed forms, and lattice QCD."""

from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from proofs.laws import CONSTANT, LOGARITHM, Law
from redblue.answers.hardware import InvalidMachineError
from redblue.papers.models import (
    AreaBudget,
    Die,
    best_chip,
    best_measured_split,
    best_split,
    law_split,
)
from redblue.papers.models.area_split import split_at
from redblue.papers.models.dirac_operator import local_words, neighbour_words

BUDGETS = st.builds(
    AreaBudget,
    area=st.floats(100, 1e6),
    word_area=st.floats(0.01, 10),
    unit_area=st.floats(0.1, 1e4),
    bandwidth=st.floats(0.01, 100),
)
LAWS = [Law("power", 1 / d, 0.7) for d in (1, 2, 3, 4)] + [Law("logarithmic", coefficient=3.0)]


@given(BUDGETS, st.sampled_from(LAWS), st.floats(1, 1e12))
def test_no_split_is_better(budget, law, work):
    split = best_split(budget, work, lambda memory: work / law.ratio(memory), least=2)

    def cycles(memory):
        units = (budget.area - budget.word_area * memory) / budget.unit_area
        return max(work / units, work / law.ratio(memory) / budget.bandwidth)

    assert split.cycles == pytest.approx(cycles(split.memory))
    end = budget.area / budget.word_area * (1 - 1e-9)
    remaining = [2 * (end / 2) ** (place / 300) for place in range(301)]
    assert split.cycles <= min(map(cycles, remaining)) * (1 + 1e-9)
    searched = minimize_scalar(cycles, bounds=(2, end), method="bounded", options={"xatol": 1e-9})
    assert split.cycles <= searched.fun * (1 + 1e-6)  # its F is what memory leaves, rounded


@given(BUDGETS, st.sampled_from(LAWS))
def test_all_area_is_used_and_nothing_waits(budget, law):
    split = law_split(budget, law, least=2)
    used = budget.word_area * split.memory + budget.unit_area * split.units
    assert used == pytest.approx(budget.area)
    assert split.unit_share == pytest.approx(budget.unit_area * split.units / budget.area)
    if split.memory > 2:
        assert split.compute_cycles == pytest.approx(split.transfer_cycles)
        assert split.units == pytest.approx(budget.bandwidth * law.ratio(split.memory))
    else:
        assert split.compute_cycles >= split.transfer_cycles


@given(BUDGETS)
def test_the_square_root_law_in_closed_form(budget):
    """a_F b r + a_M r^2 = A for r = sqrt(m)."""
    wires = budget.unit_area * budget.bandwidth
    discriminant = wires**2 + 4 * budget.word_area * budget.area
    root = 2 * budget.area / (sqrt(discriminant) + wires)  # a difference would cancel
    split = law_split(budget, Law("power", 1 / 2))
    assert split.memory == pytest.approx(max(root**2, 1), rel=1e-9)


def test_where_memory_does_not_help_there_are_no_units_that_pins_do_not_feed():
    budget = AreaBudget(area=1000.0, word_area=1.0, unit_area=10.0, bandwidth=3.0)
    split = law_split(budget, CONSTANT)
    assert split.units == pytest.approx(3.0)
    assert split.cycles == pytest.approx(split_at(budget, 1, 1, 1).cycles)


@pytest.mark.parametrize(("d", "coefficient"), [(1, 1e-6), (2, 0.02), (3, 0.02), (4, 0.02)])
def test_shares_of_growing_dies(d, coefficient):
    """Pins go with the side and area with its square: sqrt(M) keeps the share that it has.

    Where the law is weaker, M^(1/d) with d > 2, units find less and less room; where it is
    stronger, more and more.
    """
    law = Law("power", 1 / d, coefficient)
    shares = [law_split(Die(side).budget, law).unit_share for side in (1e7, 1e8, 1e9)]
    if d == 2:
        assert shares == pytest.approx([shares[0]] * 3)
    else:
        assert shares == sorted(shares, reverse=d > 2)
        assert shares[0] != pytest.approx(shares[-1], rel=1e-2)


@st.composite
def tables(draw):
    """Memories and I/O, rising and falling."""
    memories = sorted(draw(st.sets(st.integers(1, 2000), min_size=1, max_size=12)))
    drops = draw(st.lists(st.integers(0, 500), min_size=len(memories), max_size=len(memories)))
    io = [sum(drops[place:]) + 1 for place in range(len(memories))]
    return memories, io


@given(BUDGETS, tables(), st.floats(1, 1e6))
def test_tables_are_steps(budget, table, work):
    """At each memory what the next smaller one of the table moves."""
    memories, io = table

    def exchange(memory):
        known = [words for size, words in zip(memories, io, strict=True) if size <= memory]
        return known[-1] if known else inf

    if budget.units(memories[0]) <= 0:
        with pytest.raises(InvalidMachineError, match="leaves arithmetic any of an area"):
            best_measured_split(budget, work, memories, io)
        return
    measured = best_measured_split(budget, work, memories, io)
    assert measured.memory in memories
    searched = best_split(budget, work, exchange, least=memories[0])
    assert searched.cycles == pytest.approx(measured.cycles, rel=1e-9)
    for memory, words in zip(memories, io, strict=True):
        if budget.units(memory) > 0:
            assert measured.cycles <= split_at(budget, work, memory, words).cycles


@pytest.mark.parametrize("side", [5e4, 1e5, 4e5, 1.6e6])
def test_lattice_qcd_is_a_case_of_it(side):
    """With the sublattice of the best chip, the general split is that chip."""
    die, n4 = Die(side), 128
    chip = best_chip(die, "large", n4=n4)

    def exchange(memory):
        local = local_words(chip.k, n4, memory * (1 + 1e-12))
        return inf if local is None else local + neighbour_words(chip.k, n4)

    split = best_split(die.budget, 2328 * chip.sites, exchange)
    assert split.memory == pytest.approx(chip.memory / die.word_bits)
    assert split.units == pytest.approx(chip.flops)
    assert split.unit_share == pytest.approx(chip.unit_share)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: AreaBudget(0, 1, 1, 1), "area must be positive and finite, not 0"),
        (lambda: AreaBudget(1, 1, 1, -1), "bandwidth must be positive"),
        (lambda: split_at(AreaBudget(10, 1, 1, 1), 0, 1, 1), "work must be positive"),
        (lambda: split_at(AreaBudget(10, 1, 1, 1), 1, 0, 1), "memory must be positive"),
        (lambda: split_at(AreaBudget(10, 2, 1, 1), 1, 5, 1), "5 words take 10 of an area of 10"),
        (lambda: law_split(AreaBudget(10, 20, 1, 1), LOGARITHM), "2 words take 40"),
    ],
)
def test_nonsense(ask, message):
    with pytest.raises(InvalidMachineError, match=message):
        ask()
