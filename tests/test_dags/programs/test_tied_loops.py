"""Counts in tied loops, held against all points."""

import itertools
import random

import pytest

from dags.programs.tied_loops import (
    Chunked,
    NotCountedError,
    Tie,
    common_of,
    count_of,
    span_of,
    values_of,
)
from dags.programs.unions import numbers_of, tied_progression


def value(row, point):
    return sum(factor * position for factor, position in zip(row, point, strict=True))


def points_of(box, ties):
    everything = itertools.product(*(range(*ends) for ends in box))
    return [
        position
        for position in everything
        if all(value(row, position) + extra >= 0 for row, extra in ties)
    ]


def drawn(rng):
    """A box, conditions (of differences in half of the cases), indices and chunks."""
    width = rng.randint(1, 3)
    box = tuple((low := rng.randint(-3, 3), low + rng.randint(1, 6)) for _ in range(width))
    differences = width > 1 and rng.random() < 0.5
    ties = []
    for _ in range(rng.randint(0, 3)):
        row = [0] * width if differences else [rng.randint(-3, 3) for _ in box]
        if differences:
            row[(position := rng.randrange(width))] = 1
            row[position - rng.randint(1, width - 1)] = -1
        ties.append(Tie(tuple(row), rng.randint(-4, 6)))
    rows = []
    for _ in range(rng.randint(0, 2)):
        row = [rng.randint(-3, 3) for _ in box]
        if rng.random() < 0.6:
            row = [0] * width
            row[rng.randrange(width)] = rng.choice([1, 1, -1, 2])
        rows.append(tuple(row))
    chunks = [
        Chunked(position, rng.randint(1, 4), box[position][0] - rng.randint(0, 2))
        for position in range(width)
        if rng.random() < 0.5
    ]
    return box, tuple(ties), tuple(rows), tuple(chunks)


def test_counts_are_those_of_all_points():
    rng, counted = random.Random(3), 0
    for _ in range(2000):
        box, ties, rows, chunks = drawn(rng)
        everything = points_of(box, ties)
        texts = {
            (
                *((position[chunk.loop] - chunk.first) // chunk.size for chunk in chunks),
                *(value(row, position) for row in rows),
            )
            for position in everything
        }
        try:
            assert count_of(box, ties, rows, chunks) == len(texts), (box, ties, rows, chunks)
            counted += 1
        except NotCountedError:
            continue
        for row in rows[:1]:
            values = sorted({value(row, position) for position in everything})
            assert values_of(box, ties, row).tolist() == values
            if any(row) and (run := tied_progression(box, ties, row)) is not None:
                assert numbers_of(run).tolist() == values
    assert counted > 1900


@pytest.mark.parametrize("n", [10**6, 5 * 10**9, 10**12, 10**20])
def test_triangles_of_any_size(n):
    box = ((0, n), (0, n))
    single = ((1, 0), (0, 1))
    assert count_of(box, (Tie((1, -1), -1),), single) == n * (n - 1) // 2
    assert count_of(box, (Tie((-1, -1), n - 1),), single) == n * (n + 1) // 2


def test_points_that_are_too_many_to_be_counted_one_by_one():
    n = 10**12
    ties = (Tie((1, -1, 2), 0),)
    with pytest.raises(NotCountedError):
        count_of(((0, n), (0, n), (0, 2 * 10**6)), ties, ((1, 0, 0),))


def test_what_triangles_have_in_common():
    rng = random.Random(4)
    single = ((1, 0), (0, 1))
    for _ in range(300):
        chosen = []
        for _ in range(2):
            box = tuple((low := rng.randint(0, 3), low + rng.randint(1, 6)) for _ in range(2))
            tie = Tie(rng.choice([(1, -1), (-1, 1)]), rng.randint(-3, 3))
            offset = rng.randint(-2, 2), rng.randint(-2, 2)
            items = {(i + offset[0], j + offset[1]) for i, j in points_of(box, (tie,))}
            chosen.append((span_of(box, (tie,), single, offset), items))
        common = chosen[0][1] & chosen[1][1]
        assert common_of(tuple(span for span, _ in chosen)) == len(common)
    assert common_of((span_of(((0, 5),), (), ((1,), (1,)), (0, 1)),)) == 5  # a diagonal


def test_long_loops_are_counted_at_once():
    triangle = Tie((-1, 0, 1), 0), Tie((0, 1, -1), 0)
    n = 10**5
    count = count_of(((0, n),) * 3, triangle, ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert count == n * (n + 1) * (n + 2) // 6
    border = Tie((2, 3), -4), Tie((-2, -3), 2 * 10**6)
    assert count_of(((0, 10**6), (0, 3)), border, ((2, 3),), (Chunked(0, 1, 0),)) == 3 * (10**6 - 2)


def test_too_many_are_not_counted():
    with pytest.raises(NotCountedError):
        count_of(((0, 10**4),) * 3, (Tie((2, 3, 5), -7),), ((2, 3, 5),))
