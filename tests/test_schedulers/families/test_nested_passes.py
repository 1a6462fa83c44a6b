"""Passes within passes: orders of Fourier transforms, and what their blocks move."""

import numpy as np
import pytest

from dags import fft
from pebble import ONE_SHOT, play
from schedulers import structured
from schedulers.eviction.policies import joined
from schedulers.families.plays import plays_in_orders
from schedulers.families.searched_blocks import stored_schedule
from schedulers.families.transforms import nested_order, part_of, predicted_io


@pytest.mark.parametrize(("radix", "depth"), [(2, 1), (2, 4), (2, 7), (3, 3), (4, 2)])
def test_each_order_plays_the_transform(radix, depth):
    dag = fft(radix**depth, radix=radix)
    for memory in (radix + 1, 7, 12, 40):
        order = nested_order(radix, depth, memory)
        assert sorted(order.tolist()) == dag.computed.tolist()
        *_, best = plays_in_orders(dag, [order], memory, ONE_SHOT)
        moved = play(dag, joined(best.blocks()), memory).io
        assert moved == best.io == part_of(radix, depth, memory).words
        assert moved >= structured.plan(dag, memory).io


def test_parts_keep_words_that_passes_move():
    for memory in (12, 16, 48, 100):
        assert part_of(2, 6, memory).words <= predicted_io(64, memory)
    assert part_of(2, 6, 10).words < 4 * 64  # two passes of three levels
    assert part_of(2, 9, 200).words < 4 * 512 == predicted_io(512, 200)


def test_larger_blocks_are_the_sum_of_their_parts():
    part = part_of(2, 16, 258)
    assert (part.words, part.order) == (4 * 2**16, None)
    assert np.unique(nested_order(2, 11, 258)).size == 11 * 2**11


def test_blocks_of_the_file_are_played_as_they_are():
    known = stored_schedule((2, (0, 1, 2, 3), 6))
    assert part_of(2, 4, 6).words <= play(fft(16), known, 6).io
