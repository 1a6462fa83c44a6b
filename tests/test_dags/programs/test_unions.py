"""Items that several accesses touch, held against all of them."""

import random
from contextlib import suppress
from dataclasses import replace

from dags.programs import unions
from dags.programs.box_nests import Access
from dags.programs.tied_loops import Chunked, NotCountedError, Tie
from dags.programs.touched import touched, visits
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


def every_item(some):
    return {
        tuple(value(row, at) + more for row, more in zip(one.rows, one.offset, strict=True))
        for one in some
        for at in points_of(one.box, one.ties)
    }


def test_unions_are_those_of_all_items():
    rng = random.Random(5)
    for _ in range(1500):
        some = [*drawn(rng)]
        assert touched(some) == len(every_item(some)), some


def test_unions_of_many_accesses():
    for count in (62, 63, 64, 90):
        rng = random.Random(count)
        some = [
            Access("A", ((2,), (3,)), (rng.randint(0, 99), rng.randint(0, 9)), ((0, 4),))
            for _ in range(count)
        ]
        alone = [replace(each, rows=each.rows[:1], offset=each.offset[:1]) for each in some]
        assert touched(alone) == len(every_item(alone))
        products = [
            replace(each, rows=((2, 0), (0, 3)), box=((0, 4), (0, 3)), ties=()) for each in some
        ]
        assert touched(products) == len(every_item(products))


def test_a_tied_loop_of_any_length_is_a_progression():
    n = 10**12
    index = Access("A", ((1, 0),), (5,), ((0, n), (0, n)), (Tie((1, -1), -1),))
    assert touched([index, replace(index, offset=(6,)), replace(index, offset=(8,))]) == n + 2
    assert touched([replace(index, rows=((-2, 0),))]) == n - 1


def test_triangles_and_rows_of_a_large_matrix():
    n = 5000
    box, row = ((1, n), (0, n), (0, 1)), Tie((0, 1, -1), -1)
    triangle = Access("A", ((1, 0, 0), (0, 1, 0)), (0, 0), box, (row, Tie((1, -1, 0), -1)))
    first = Access("A", ((0, 0, 0), (0, 1, 0)), (0, 0), box, (row,))
    diagonal = Access("A", ((1, 0, 0), (1, 0, 0)), (0, 0), box)
    assert touched([triangle, first, diagonal]) == (n - 2) * (n - 1) // 2 + 2 * (n - 1)


def test_unions_of_triangles_and_of_indices_that_mix_loops():
    rng = random.Random(7)
    mixed = Access("A", ((1, 0), (1, 1)), (0, 0), ((0, 6), (0, 5)))
    for _ in range(200):
        low, size, shift = rng.randint(0, 3), rng.randint(2, 6), rng.randint(-2, 2)
        box, ties = ((low, low + size), (0, size)), (Tie((-1, 1), shift),)
        triangle = Access("A", ((1, 0), (0, 1)), (0, rng.randint(0, 2)), box, ties)
        diagonal = Access(
            "A", ((0, 0, -1), (0, 0, -1)), (9, 9), (*box, (0, size)), (Tie((1, 0, 1), shift - 2),)
        )
        some = [triangle, *rng.sample([mixed, diagonal], rng.randint(1, 2))]
        assert touched(some) == len(every_item(some)), some


def turned(one, rng):
    """The same items, by loops of which some run the other way."""
    signs = [rng.choice([1, 1, -1]) for _ in one.box]

    def signed(row):
        return tuple(by * sign for by, sign in zip(row, signs, strict=True))

    box = tuple(
        (low, high) if sign > 0 else (1 - high, 1 - low)
        for (low, high), sign in zip(one.box, signs, strict=True)
    )
    ties = tuple(Tie(signed(row), constant) for row, constant in one.ties)
    return replace(one, rows=tuple(map(signed, one.rows)), box=box, ties=ties)


def test_loops_that_run_down_are_counted_as_well():
    rng = random.Random(9)
    counted = 0
    for _ in range(600):
        some = [turned(each, rng) for each in drawn(rng)]
        with suppress(NotCountedError):
            assert touched(some) == len(every_item(some)), some
            counted += 1
        one, chunks = some[0], [Chunked(at, rng.randint(1, 3), 0) for at in range(len(some[0].box))]
        pairs = {
            (
                tuple(x // each.size for x, each in zip(at, chunks, strict=True)),
                *every_item([alone]),
            )
            for at in points_of(one.box, one.ties)
            for alone in [replace(one, box=tuple((x, x + 1) for x in at))]
        }
        assert visits(one, chunks) == len(pairs)
    assert counted > 550


def flat(some, lengths):
    """Accesses with their indices in one number, as those of an array in rows of some lengths."""
    for one in some:
        row, offset = (0,) * len(one.box), 0
        for other, more, length in zip(one.rows, one.offset, lengths, strict=True):
            row = tuple(length * by + b for by, b in zip(row, other, strict=True))
            offset = length * offset + more
        yield replace(one, rows=(row,), offset=(offset,))


def test_flat_indices_are_counted_as_rows_are():
    """Also where a row is so short that its end is the beginning of the next one."""
    rng, counted = random.Random(8), 0
    for _ in range(1500):
        some = [*drawn(rng)]
        width = len(some[0].rows)
        some = [*flat(some, [rng.choice([4, 7, 12, 13, 30]) for _ in range(width)])]
        with suppress(NotCountedError):
            assert touched(some) == len(every_item(some)), some
            counted += 1
    assert counted > 1300


def test_rows_that_are_not_full_are_counted_at_any_length(monkeypatch):
    """As k and j, not by lists of 965 k + j."""
    monkeypatch.setattr(unions, "MOST_VALUES", 1000)
    for length in (965, 10**9):
        box = ((0, length), (0, length - 4))
        some = [Access("p", ((length, 1),), (more,), box) for more in (0, length, 2, length + 4)]
        assert touched(some[:1]) == length * (length - 4)
        assert touched(some) == (length + 1) * length - 2
        triangle = [replace(each, ties=(Tie((1, -1), 0),)) for each in some[:2]]
        least = sum(min(k + 1, length - 4) for k in range(length)) if length < 1000 else None
        assert least is None or touched(triangle[:1]) == least
