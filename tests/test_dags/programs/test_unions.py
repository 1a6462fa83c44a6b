"""Items that several accesses touch, held against all of them."""

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import numpy as np

from dags.programs import unions
from dags.programs.box_nests import Access
from dags.programs.tied_loops import Chunked, NotCountedError, Tie
from dags.programs.touched import touched, visits
from dags.programs.unions import in_classes
from dags.work import worked
from tests.test_dags.programs.test_tied_loops import points_of, value


def drawn(rng):
    """One to four accesses whose indices are loops, one loop in several of them perhaps."""
    depth, width = rng.randint(1, 3), rng.randint(1, 3)
    for _ in range(rng.randint(1, 4)):
        box = tuple((low := rng.randint(-2, 3), low + rng.randint(1, 5)) for _ in range(depth))
        single = [
            tuple(int(position == column) for position in range(depth)) for column in range(depth)
        ]
        rows = tuple(rng.choice([*single, *single, (0,) * depth]) for _ in range(width))
        ties = []
        for _ in range(rng.randint(0, 2)):
            first, second = rng.choice(single), rng.choice([*single, (0,) * depth])
            sign = rng.choice([1, -1])
            row = tuple(sign * (a - b) for a, b in zip(first, second, strict=True))
            ties += [Tie(row, rng.randint(-2, 3))] if any(row) else []
        offset = tuple(rng.randint(-2, 2) for _ in range(width))
        yield Access("A", rows, offset, box, tuple(ties))


def every_item(chosen):
    return {
        tuple(
            value(row, point) + extra for row, extra in zip(access.rows, access.offset, strict=True)
        )
        for access in chosen
        for point in points_of(access.box, access.ties)
    }


def test_unions_are_those_of_all_items():
    rng = random.Random(5)
    for _ in range(1500):
        chosen = [*drawn(rng)]
        assert touched(chosen) == len(every_item(chosen)), chosen


def test_unions_of_many_accesses():
    for count in (62, 63, 64, 90):
        rng = random.Random(count)
        chosen = [
            Access("A", ((2,), (3,)), (rng.randint(0, 99), rng.randint(0, 9)), ((0, 4),))
            for _ in range(count)
        ]
        single = [replace(entry, rows=entry.rows[:1], offset=entry.offset[:1]) for entry in chosen]
        assert touched(single) == len(every_item(single))
        products = [
            replace(entry, rows=((2, 0), (0, 3)), box=((0, 4), (0, 3)), ties=()) for entry in chosen
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
        chosen = [triangle, *rng.sample([mixed, diagonal], rng.randint(1, 2))]
        assert touched(chosen) == len(every_item(chosen)), chosen


def turned(first, rng):
    """The same items, by loops of which some run the other way."""
    signs = [rng.choice([1, 1, -1]) for _ in first.box]

    def signed(row):
        return tuple(factor * sign for factor, sign in zip(row, signs, strict=True))

    box = tuple(
        (low, high) if sign > 0 else (1 - high, 1 - low)
        for (low, high), sign in zip(first.box, signs, strict=True)
    )
    ties = tuple(Tie(signed(row), constant) for row, constant in first.ties)
    return replace(first, rows=tuple(map(signed, first.rows)), box=box, ties=ties)


def test_loops_that_run_down_are_counted_as_well():
    rng = random.Random(9)
    counted = 0
    for _ in range(600):
        chosen = [turned(entry, rng) for entry in drawn(rng)]
        with suppress(NotCountedError):
            assert touched(chosen) == len(every_item(chosen)), chosen
            counted += 1
        first, chunks = (
            chosen[0],
            [Chunked(position, rng.randint(1, 3), 0) for position in range(len(chosen[0].box))],
        )
        pairs = {
            (
                tuple(x // chunk.size for x, chunk in zip(point, chunks, strict=True)),
                *every_item([single]),
            )
            for point in points_of(first.box, first.ties)
            for single in [replace(first, box=tuple((x, x + 1) for x in point))]
        }
        assert visits(first, chunks) == len(pairs)
    assert counted > 550


def flat(chosen, lengths):
    """Accesses with their indices in one number, as those of an array in rows of some lengths."""
    for access in chosen:
        row, offset = (0,) * len(access.box), 0
        for second, extra, length in zip(access.rows, access.offset, lengths, strict=True):
            row = tuple(length * factor + b for factor, b in zip(row, second, strict=True))
            offset = length * offset + extra
        yield replace(access, rows=(row,), offset=(offset,))


def test_flat_indices_are_counted_as_rows_are():
    """Also where a row is so short that its end is the beginning of the next one."""
    rng, counted = random.Random(8), 0
    for _ in range(1500):
        chosen = [*drawn(rng)]
        width = len(chosen[0].rows)
        chosen = [*flat(chosen, [rng.choice([4, 7, 12, 13, 30]) for _ in range(width)])]
        with suppress(NotCountedError):
            assert touched(chosen) == len(every_item(chosen)), chosen
            counted += 1
    assert counted > 1300


def test_rows_that_are_not_full_are_counted_at_any_length(monkeypatch):
    """As k and j, not by lists of 965 k + j."""
    monkeypatch.setattr(unions, "MOST_VALUES", 1000)
    for length in (965, 10**9):
        box = ((0, length), (0, length - 4))
        chosen = [
            Access("p", ((length, 1),), (extra,), box) for extra in (0, length, 2, length + 4)
        ]
        assert touched(chosen[:1]) == length * (length - 4)
        assert touched(chosen) == (length + 1) * length - 2
        triangle = [replace(entry, ties=(Tie((1, -1), 0),)) for entry in chosen[:2]]
        minimum = sum(min(k + 1, length - 4) for k in range(length)) if length < 1000 else None
        assert minimum is None or touched(triangle[:1]) == minimum


def test_numbers_are_put_into_the_classes_of_their_sets():
    rng = random.Random(1)
    for _ in range(300):
        sets, listed = [], []
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.5:
                first, step, count = rng.randint(-5, 20), rng.randint(1, 4), rng.randint(0, 12)
                sets.append((first, step, count))
                listed.append({first + step * place for place in range(count)})
            else:
                numbers = sorted(rng.sample(range(-5, 40), rng.randint(0, 12)))
                sets.append(np.array(numbers, np.int64))
                listed.append({*numbers})
        expected = Counter(
            sum(1 << place for place, members in enumerate(listed) if number in members)
            for number in set().union(*listed)
        )
        counts = {mask: count for mask, count in in_classes(sets).items() if count}
        assert counts == expected


def test_numbers_that_are_listed_are_work():
    """A search that counts by lists of numbers ends by the work of making and comparing them."""
    before = worked()
    in_classes([np.arange(0, 1 << 20, 3), np.arange(0, 1 << 21, 2)])
    assert worked() - before > 10_000_000  # nanoseconds
