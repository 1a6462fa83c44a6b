from itertools import product
from math import inf

import pytest

from proofs.laws import CONSTANT, LOGARITHM, Law
from redblue.answers.hardware import (
    InvalidMachineError,
    ProcessingElement,
    ProcessorArray,
    machine_named,
)

ONE = ProcessingElement(compute=64.0, bandwidth=2.0, memory=4096)


def law_of_dimension(d):
    return Law("power", 1 / d)


def test_growth_of_memory_as_published(golden):
    laws = {"matmul/triang": 2, "grid d=1": 1, "grid d=2": 2, "grid d=3": 3, "grid d=4": 4}
    for alpha, row in golden["models"]["kung_Mnew"].items():
        for name, d in laws.items():
            grown = law_of_dimension(d).rebalance(float(alpha), 1024)
            assert grown == pytest.approx(row[f"{name} M=1024"], rel=1e-12)
        assert LOGARITHM.rebalance(float(alpha), 1024) == row["fft/sort M=1024"]


def test_arrays_as_published(golden):
    for name, factor in golden["models"]["kung_arrays"]["examples p=10"].items():
        d, j = (int(part[2:]) for part in name.split(","))
        array = ProcessorArray(ONE, side=10, dimensions=j)
        needed = array.memory_per_element(law_of_dimension(d))
        assert needed / ONE.memory == pytest.approx(factor, rel=1e-12)


def test_warp_as_published(golden):
    printed = golden["models"]["kung_warp"]
    cell = machine_named("Warp").element()
    assert (cell.compute, cell.bandwidth, cell.memory) == (
        printed["C"],
        printed["IO"],
        printed["M"],
    )
    array = ProcessorArray(cell, side=10, dimensions=1)
    assert cell.balance == printed["C/IO one cell"]
    assert array.balance == printed["C/IO 10-cell array"]
    matrix = Law("power", 0.5)
    assert array.memory(matrix) == printed["total memory for 10 cells, matrix law"]
    assert array.memory_per_element(matrix) == printed["per cell"]


@pytest.mark.parametrize(("side", "dimensions"), [*product(range(1, 7), (1, 2, 3)), (2, 4)])
def test_boundary_by_counting(side, dimensions):
    array = ProcessorArray(ONE, side, dimensions)
    elements = list(product(range(side), repeat=dimensions))
    # along each axis an element at an end has a link that leaves, at both ends if p = 1
    links = [
        sum((position == 0) + (position == side - 1) for position in place) for place in elements
    ]
    assert array.elements == len(elements)
    assert array.boundary_links == sum(links)
    assert array.boundary_elements == sum(leaving > 0 for leaving in links)
    assert array.boundary_links / (2 * dimensions) == array.bandwidth / ONE.bandwidth
    if dimensions == 2 and side > 1:
        assert array.boundary_elements == 4 * side - 4  # as the paper counts them


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("j", [1, 2, 3, 4])
def test_an_array_balances_itself_exactly_in_its_own_dimension(d, j):
    array = ProcessorArray(ONE, side=7, dimensions=j)
    expected = "balanced" if d == j else "memory to spare" if d < j else "memory must grow"
    assert array.verdict(law_of_dimension(d)) == expected
    full = array.as_element(law_of_dimension(d))
    # the law's ratio has grown by as much as C / IO has
    ratio = law_of_dimension(d).ratio
    assert full.balance / ONE.balance == pytest.approx(7)
    assert ratio(full.memory) / ratio(ONE.memory) == pytest.approx(7)


def test_the_fourier_transform_in_an_array():
    array = ProcessorArray(ProcessingElement(1.0, 1.0, 16), side=3, dimensions=2)
    assert array.memory(LOGARITHM) == 16**3
    assert array.memory_per_element(LOGARITHM) == 16**3 / 9
    assert array.verdict(LOGARITHM) == "memory must grow"


def test_what_no_array_balances():
    array = ProcessorArray(ONE, side=2, dimensions=2)
    assert array.memory(CONSTANT) == inf
    assert array.verdict(CONSTANT) == "impossible"
    with pytest.raises(InvalidMachineError, match="memory"):
        array.as_element(CONSTANT)


def test_one_element_is_no_array():
    array = ProcessorArray(ONE, side=1, dimensions=3)
    for law in (CONSTANT, LOGARITHM, law_of_dimension(2)):
        assert array.verdict(law) == "balanced"
        assert array.as_element(law) == ONE


@pytest.mark.parametrize(("side", "dimensions"), [(0, 1), (2, 0), (-1, 2), (1.5, 2)])
def test_no_array(side, dimensions):
    with pytest.raises(InvalidMachineError, match="whole number of at least 1"):
        ProcessorArray(ONE, side, dimensions)
