from math import sqrt

import pytest

from dags import matmul
from pebble import play
from redblue.answers.hardware import InvalidMachineError
from redblue.papers.models.decompositions import (
    fft_costs,
    grid_costs,
    matmul_costs,
    matvec_costs,
    merge_sort_costs,
    triangular_solve_costs,
)
from schedulers import structured


@pytest.mark.parametrize("block", [2, 3, 4, 6])
def test_a_played_product_costs_what_its_steps_cost(block):
    n = 12
    step, steps = matmul_costs(n, block**2), (n // block) ** 2
    memory = block**2 + block + 2  # the block, a row, an operand and a new sum
    count = play(matmul(n), structured(matmul(n), memory), memory)
    assert (count.work, count.io) == (steps * step.compute, steps * step.io)


@pytest.mark.parametrize("memory", [1, 9, 4096])
def test_the_ratio_of_a_product(memory):
    for n in (100, 10**9):
        expected = sqrt(memory) / (1 + sqrt(memory) / (2 * n))
        assert matmul_costs(n, memory).ratio == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("dimensions", [1, 2, 3, 4])
def test_the_ratio_of_a_grid_grows_as_its_law(dimensions):
    small, large = (grid_costs(dimensions, memory).ratio for memory in (5.0, 5.0 * 2**dimensions))
    assert large / small == pytest.approx(2)


def test_a_grid_counts_its_faces():
    side = 5
    for dimensions in (1, 2, 3):
        faces = 2 * dimensions * side ** (dimensions - 1)
        costs = grid_costs(dimensions, side**dimensions)
        assert (costs.compute, costs.io) == pytest.approx((side**dimensions, 2 * faces))


@pytest.mark.parametrize("costs", [fft_costs, merge_sort_costs])
def test_logarithmic_ratios_at_dividing_sizes(costs):
    for block_levels in (1, 2, 3, 4, 6, 12):
        assert costs(12, block_levels).ratio == block_levels / 2
    assert costs(12, 5).ratio == 12 / 2 / 3  # three passes, the last of them not full
    assert costs(12, 13).ratio == 12 / 2  # all fits


def test_what_no_memory_helps():
    for n in (1, 10, 1000):
        assert matvec_costs(n).ratio < 2
        assert triangular_solve_costs(n).ratio < 2
    assert matvec_costs(128).io == 16640
    assert triangular_solve_costs(128).io == 8512


@pytest.mark.parametrize(
    "ask",
    [
        lambda: matmul_costs(0, 4),
        lambda: matmul_costs(3, 0.5),
        lambda: grid_costs(0, 4),
        lambda: fft_costs(4, 0),
        lambda: merge_sort_costs(-1, 2),
        lambda: matvec_costs(1.5),
    ],
)
def test_nonsense(ask):
    with pytest.raises(InvalidMachineError, match="at least"):
        ask()
