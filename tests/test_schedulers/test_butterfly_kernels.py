"""Kernels of butterflies: their plays, and the transforms that are made of them."""

import numpy as np
import pytest

from dags import fft
from pebble import play
from schedulers import accesses, belady_loads, structured
from schedulers.exact import exact
from schedulers.structured.butterfly_kernels import kernel, kernel_widths
from schedulers.structured.transforms import predicted_io, widest_pass


@pytest.mark.parametrize(("points", "radix"), [(8, 2), (16, 2), (9, 3), (27, 3), (16, 4)])
@pytest.mark.parametrize("memory", [4, 5, 8])
def test_a_kernel_is_an_order_of_its_butterfly(points, radix, memory):
    dag = fft(points, radix=radix)
    found = kernel(points, radix, max(memory, radix + 1))
    assert sorted(found.order) == dag.computed.tolist()
    assert belady_loads(accesses(dag, found.order)).loads_at(max(memory, radix + 1)) <= found.io


@pytest.mark.parametrize("memory", [3, 4, 5, 6, 7, 8, 9])
def test_kernels_of_eight_points_are_optimal(memory):
    assert kernel(8, 2, memory).io == exact(fft(8), memory, time_limit=60).io


@pytest.mark.parametrize("memory", [3, 4, 6, 8, 16, 18, 40])
@pytest.mark.parametrize("depth", [1, 2, 5, 6, 10])
def test_passes_cover_the_levels_and_are_no_dearer_than_the_textbook(memory, depth):
    widest = widest_pass(memory, depth)
    widths = kernel_widths(memory, depth, widest, 2)
    assert sum(widths) == depth
    n = 2**depth
    price = sum(
        2 * n if width <= widest else n // 2**width * kernel(2**width, 2, memory).io
        for width in widths
    )
    assert price <= predicted_io(n, memory)
    assert play(fft(n), structured.blocks(fft(n), memory), memory).io <= price


def test_what_kernels_gain():
    """The 1024-point transform: 20480 and 10240 words by the textbook with 4 and 8 words."""
    io = {
        memory: play(fft(1024), structured.blocks(fft(1024), memory), memory).io
        for memory in (4, 8)
    }
    assert io[4] <= 13056
    assert io[8] <= 8448


def test_the_same_kernel_every_time():
    first = kernel(16, 2, 8)
    kernel.cache_clear()
    again = kernel(16, 2, 8)
    assert again.io == first.io
    assert np.array_equal(again.order, first.order)
