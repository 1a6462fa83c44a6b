"""Items that several accesses touch, held against all of them."""

import random

from dags.programs.box_nests import Access
from dags.programs.tied_loops import Tie
from dags.programs.touched import touched
from tests.test_dags.programs.test_tied_loops import points_of, value


def drawn(rng):
    """One to four accesses whose indices are loops, one loop in several of them perhaps."""
    depth, width = rng.randint(1, 3), rng.randint(1, 3)
    for _ in range(rng.randint(1, 4)):
        box = tuple((low := rng.randint(-2, 3), low + rng.randint(1, 5)) for _ in range(depth))
        alone = [tuple(int(at == one) for at in range(depth)) for one in range(depth)]
        rows = tuple(rng.choice([*alone, *alone, (0,) * depth]) for _ in range(width))
        ties = []
        for _ in range(rng.randint(0, 2)):
            one, other = rng.choice(alone), rng.choice([*alone, (0,) * depth])
            sign = rng.choice([1, -1])
            row = tuple(sign * (a - b) for a, b in zip(one, other, strict=True))
            ties += [Tie(row, rng.randint(-2, 3))] if any(row) else []
        offset = tuple(rng.randint(-2, 2) for _ in range(width))
        yield Access("A", rows, offset, box, tuple(ties))


def test_unions_are_those_of_all_items():
    rng = random.Random(5)
    for _ in range(1500):
        some = [*drawn(rng)]
        every = {
            tuple(value(row, at) + more for row, more in zip(one.rows, one.offset, strict=True))
            for one in some
            for at in points_of(one.box, one.ties)
        }
        assert touched(some) == len(every), some


def test_triangles_and_rows_of_a_large_matrix():
    n = 5000
    box, row = ((1, n), (0, n), (0, 1)), Tie((0, 1, -1), -1)
    triangle = Access("A", ((1, 0, 0), (0, 1, 0)), (0, 0), box, (row, Tie((1, -1, 0), -1)))
    first = Access("A", ((0, 0, 0), (0, 1, 0)), (0, 0), box, (row,))
    diagonal = Access("A", ((1, 0, 0), (1, 0, 0)), (0, 0), box)
    assert touched([triangle, first, diagonal]) == (n - 2) * (n - 1) // 2 + 2 * (n - 1)
