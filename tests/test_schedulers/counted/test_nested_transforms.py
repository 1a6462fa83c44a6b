"""Transforms on hierarchies: blocks in blocks, counted and played move for move."""

from functools import cache
from itertools import product

import pytest

from dags import fft
from pebble import Machine, Move, judge_on
from redblue import levels, load
from schedulers.counted.networks import fft_levels
from schedulers.families.transforms import widest_pass
from tests.level_games import leveled

PRICES = [(1, 1), (1, 10), (7, 2)]
MEMORIES = [(3, 5), (3, 8), (4, 9), (6, 6), (6, 16), (10, 20)]


@cache
def cheapest(depth, memories, prices):
    """The cheapest tree of passes: (cost, ((width, its own passes), ...)), all ways tried."""
    if not memories:
        return 0, ()
    if depth == 0:
        return 0, ()
    ways = []
    for width in range(1, min(widest_pass(memories[-1], 64, 2), depth) + 1):
        inside, within = cheapest(width, memories[:-1], prices[:-1])
        after, remaining = cheapest(depth - width, memories, prices)
        ways.append((inside + prices[-1] + after, ((width, within), *remaining)))
    return min(ways)


class Play:
    """The moves of a tree of passes: a block is loaded, played below, and stored."""

    def __init__(self, n, tree, boundaries):
        self.n, self.boundaries, self.moves = n, boundaries, []
        self.runs(tree, 0, range(n), boundaries)

    def runs(self, tree, first, points, level):
        """Play passes on points that are at the level above `level`."""
        for width, within in tree:
            left = set(points)
            while left:
                start = min(left)
                block = [
                    start + sum(bit << (first + position) for position, bit in enumerate(bits))
                    for bits in product((0, 1), repeat=width)
                ]
                left -= {*block}
                self.block(within, first, width, block, level)
            first += width

    def block(self, within, first, width, block, level):
        """Play a block of levels from `first` on, whose points are at the level above."""
        for point in block:
            self.moves.append((Move.LOAD, first * self.n + point, level))
            if level < self.boundaries:  # what is above has given its room
                self.moves.append((Move.DELETE, first * self.n + point, level + 1))
        if level > 1:
            self.runs(within, first, block, level - 1)
        else:
            for position in range(first, first + width):
                self.butterflies(position, block)
        for point in block:
            self.moves.append((Move.STORE, (first + width) * self.n + point, level))
            self.moves.append((Move.DELETE, (first + width) * self.n + point, level))

    def butterflies(self, position, block):
        """Compute a level of a block: pairs of values for pairs, in two more words."""
        for low in block:
            if not low >> position & 1:
                pair = low, low | 1 << position
                for point in pair:
                    self.moves.append((Move.COMPUTE, (position + 1) * self.n + point, 1))
                for point in pair:
                    self.moves.append((Move.DELETE, position * self.n + point, 1))


@pytest.mark.parametrize("memories", [pair for pair in MEMORIES if pair[0] >= 4])
@pytest.mark.parametrize("prices", PRICES)
@pytest.mark.parametrize("n", [8, 32])
def test_the_referee_counts_as_the_formula(n, memories, prices):
    counted = fft_levels({"n": n, "radix": 2}, memories, prices)
    cost, tree = cheapest(n.bit_length() - 1, memories, prices)
    moves = Play(n, tree, len(memories)).moves
    words = judge_on(fft(n), leveled(moves), Machine.levels(memories)).words
    assert (
        sum(price * sum(moved) for price, moved in zip(prices, counted, strict=True))
        == sum(price * word for price, word in zip(prices, words, strict=True))
        == 2 * n * cost
    )


@pytest.mark.parametrize("memories", MEMORIES)
def test_no_bound_of_a_boundary_is_above_it(memories):
    counted = fft_levels({"n": 32, "radix": 2}, memories)
    known = levels("fft:n=32", memories)
    assert all(low <= sum(moved) for low, moved in zip(known.lower, counted, strict=True))


def test_a_large_transform_is_answered_at_once():
    computation = load("fft:n=1048576")
    result, dear = (levels(computation, "16,64K", prices=prices) for prices in ("9,1", "1,9"))
    built = computation.is_built
    assert not built
    first, blocks = dear.plays
    assert (first.method, blocks.method) == ("counted, first level", "counted, blocks in blocks")
    assert result.best.method == first.method
    assert blocks.words[1] == 2 * 2**21 < first.words[1]
    assert all(low <= io for low, io in zip(dear.lower, blocks.words, strict=True))
    assert dear.least_cost <= dear.best.cost(dear.prices) == blocks.words[0] + 9 * blocks.words[1]
