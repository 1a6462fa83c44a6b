"""Periodic orders of lattices: what a stream moves, which orders are legal, what they gain."""

from itertools import product
from math import floor

import numpy as np
import pytest

from benchmarks.published import PUBLISHED
from dags import CDAG, binomial, grid, odd_even_transposition_sort, pyramid, stencil
from dags.arrays import lock
from pebble import play
from schedulers import Accesses, accesses, structured
from schedulers.eviction import belady_cost
from schedulers.families.lattice_patterns import (
    Frame,
    Lattice,
    best_patterns,
    pattern_order,
    patterns,
)
from schedulers.families.lattices import GRID_SYSTEMS, GRIDS, LINE, LINE_SYSTEMS
from schedulers.families.sorting import ROUND_SYSTEMS, ROUNDS

CASES = [
    (LINE, LINE_SYSTEMS),
    (ROUNDS, ROUND_SYSTEMS),
    (GRIDS[2], GRID_SYSTEMS[2]),
    (GRIDS[3], GRID_SYSTEMS[3]),
]
FRAMES = [
    (LINE, Frame(((1, 1), (1, 0)), (3, 2))),
    (LINE, Frame(((1, 0), (1, 1)), (2, 3))),
    (LINE, Frame(((1, 1), (1, -1)), (4, 2))),
    (ROUNDS, Frame(((0, 1), (1, 1)), (2, 2))),
    (GRIDS[2], Frame(((0, 1), (1, 1)), (3, 2))),
    (GRIDS[3], Frame(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (2, 2, 2))),
]


def piece_of(lattice, frame, due, periods):
    """(DAG of some periods of a stream, the operands of each vertex), point by point.

    The computed vertices are numbered in order.

    Built from the lattice's own reads: a vertex is (kind, coordinates y), period y[-1] // side.
    """
    matrix = np.array(frame.system)
    inside, numbers = {}, {}
    for r, (place, residue) in product(range(periods), enumerate(frame.residues.tolist())):
        for kind in range(lattice.kinds):
            y = (*residue[:-1], residue[-1] + r * frame.sides[-1])
            inside[kind, y] = r + due[place * lattice.kinds + kind]
    order = sorted(inside, key=lambda v: inside[v])
    reads = {
        (kind, y): [
            (source, tuple((np.array(y) - matrix @ distance).tolist()))
            for source, distance in lattice.reads[kind]
        ]
        for kind, y in order
    }
    for vertex in order:
        for read in reads[vertex]:
            if read not in inside:
                numbers.setdefault(read, len(numbers))
    inputs = len(numbers)
    for vertex in order:
        numbers[vertex] = len(numbers)
    rows = [[numbers[read] for read in reads[vertex]] for vertex in order]
    indptr = np.cumsum([0] * (inputs + 1) + [len(row) for row in rows])
    outputs = [numbers[vertex] for vertex in order if is_read_elsewhere(lattice, frame, vertex)]
    sinks = set(range(inputs, len(numbers))) - {u for row in rows for u in row}
    rising = np.concatenate([sorted(row) for row in rows]).astype(np.int32)
    return CDAG(indptr, rising, outputs=sorted({*outputs, *sinks})), rows


def in_rows(dag, rows):
    """The accesses with the operands of a vertex as they stand in its row."""
    touched, start, last = [], [0], {}
    for v, row in zip(dag.computed.tolist(), rows, strict=True):
        for x in (*row, v):
            last[x] = len(touched)
            touched.append(x)
        start.append(len(touched))
    for place in last.values():
        touched[place] = ~touched[place]
    names = np.arange(dag.n, dtype=np.int32)
    touched, start = (lock(np.array(numbers, np.int32)) for numbers in (touched, start))
    return Accesses(dag, touched, start, names)


def is_read_elsewhere(lattice, frame, vertex):
    """Whether a reader of a value is in another stream."""
    kind, y = vertex
    matrix, across = np.array(frame.system), np.array(frame.sides[:-1])
    return any(
        ((np.array(y) + matrix @ distance)[:-1] // across).any()
        for reads in lattice.reads
        for source, distance in reads
        if source == kind
    )


@pytest.mark.parametrize(("lattice", "frame"), FRAMES)
@pytest.mark.parametrize("memory", [4, 5, 7])
def test_a_stream_moves_what_its_piece_does(lattice, frame, memory):
    own_part = patterns.stream(lattice, frame)
    for due in (
        own_part.plain,
        own_part.annealed(memory, 200),
        own_part.annealed(memory, 200, seed=7),
    ):
        counts = []
        for periods in (own_part.periods, 4 * own_part.periods):
            dag, rows = piece_of(lattice, frame, due, periods)
            moved = belady_cost(in_rows(dag, rows), memory)
            counts.append(moved.io - dag.words_of(dag.outputs))
        a_period = (counts[1] - counts[0]) / (3 * own_part.periods) + own_part.exported.sum()
        assert own_part.words(due, memory) == pytest.approx(a_period / own_part.classes)


@pytest.mark.parametrize(("lattice", "frame"), FRAMES)
def test_what_streams_store_and_load_at_least(lattice, frame):
    own_part = patterns.stream(lattice, frame)
    periods = 6
    dag, _ = piece_of(lattice, frame, own_part.plain, periods)
    assert dag.computed.size == periods * own_part.classes
    everything = own_part.words(own_part.plain, 10**6)
    assert everything == pytest.approx(own_part.least)
    elsewhere = sum(
        is_read_elsewhere(lattice, frame, (kind, tuple(residue)))
        for residue in frame.residues.tolist()
        for kind in range(lattice.kinds)
    )
    assert elsewhere == own_part.exported.sum()


@pytest.mark.parametrize(("lattice", "frame"), FRAMES)
@pytest.mark.parametrize("seed", range(5))
def test_annealed_times_are_behind_those_of_all_operands(lattice, frame, seed):
    own_part = patterns.stream(lattice, frame)
    due = own_part.annealed(4, 300, seed=seed + 1)
    reader = np.repeat(np.arange(own_part.classes), np.diff(own_part.first))
    within = own_part.slot < own_part.classes
    assert (due[own_part.slot[within]] - own_part.back[within] < due[reader[within]]).all()
    assert np.unique(due % 1).size == own_part.classes


def naive_order(pattern, points, kinds):
    """The places in the order of a pattern, by sorting tuples."""
    number = {tuple(y): i for i, y in enumerate(pattern.frame.residues.tolist())}
    keys = []
    for place, point in enumerate(points.T.tolist()):
        y = [sum(a * x for a, x in zip(row, point, strict=True)) for row in pattern.frame.system]
        tiles, residue = zip(*map(divmod, y, pattern.frame.sides), strict=True)
        for kind in range(kinds):
            due = pattern.due[number[residue] * kinds + kind]
            key = (*tiles[:-1], tiles[-1] + floor(due), due - floor(due))
            keys.append((key, place * kinds + kind))
    return [place for _, place in sorted(keys)]


@pytest.mark.parametrize(("lattice", "systems"), CASES)
@pytest.mark.parametrize("memory", [4, 9])
def test_orders_as_by_sorting_tuples(lattice, systems, memory):
    axes = len(systems[0])
    points = np.indices((5, 9, 4)[:axes]).reshape(axes, -1) - 2
    for pattern in best_patterns(lattice, systems, memory):
        expected = naive_order(pattern, points, lattice.kinds)
        assert pattern_order(pattern, points, lattice.kinds).tolist() == expected


def test_patterns_are_the_same_every_time_and_the_best_comes_first():
    first = best_patterns(GRIDS[2], GRID_SYSTEMS[2], 4)
    best_patterns.cache_clear()
    repeated = best_patterns(GRIDS[2], GRID_SYSTEMS[2], 4)
    assert [pattern.words for pattern in first] == [pattern.words for pattern in repeated]
    assert all(np.array_equal(a.due, b.due) for a, b in zip(first, repeated, strict=True))
    assert [pattern.frame for pattern in first] == [pattern.frame for pattern in repeated]
    assert sorted(first, key=lambda pattern: pattern.words) == list(first)


def test_operands_that_are_ahead_and_unsound_frames_are_refused():
    ahead = Lattice((((0, (1, -1)),),))
    with pytest.raises(ValueError, match="is ahead"):
        patterns.stream(ahead, Frame(((1, 0), (0, 1)), (2, 2)))
    with pytest.raises(ValueError, match="does not lead"):
        patterns.stream(LINE, Frame(((1, 1), (1, -1)), (3, 2)))


# Words with so much memory: by strips alone, as counted without patterns, and by patterns (what the
# search finds, and a few percent, for another machine's exponential function may lead elsewhere).
GAINS = [
    (pyramid(100), 3, 10099, 7700),
    (pyramid(100), 5, 3368, 3200),
    (binomial(120), 4, 7318, 6300),
    (grid((40, 60)), 3, 4679, 3550),
    (grid((40, 60)), 5, 1520, 1400),
    (grid((20, 20, 20)), 8, 12422, 11700),
    (odd_even_transposition_sort(100), 4, 10000, 8000),
    (odd_even_transposition_sort(100), 6, 5052, 3700),
    (odd_even_transposition_sort(100), 8, 3432, 2900),
    (stencil((200,), 100), 5, 39505, 35000),
    (stencil((200,), 100), 6, 26860, 20000),
]


@pytest.mark.parametrize(("dag", "memory", "strips", "words"), GAINS)
def test_what_patterns_gain(dag, memory, strips, words):
    assert play(dag, structured(dag, memory), memory).io <= words < strips
    if PUBLISHED[dag.family].finite:
        assert words < PUBLISHED[dag.family].words(dag, memory)


@pytest.mark.parametrize("memory", [3, 4, 5, 6, 7, 10, 15])
def test_orders_are_legal_for_shapes_that_fit_no_tile(memory):
    """`accesses` refuses what is no order of the DAG."""
    for dag in (pyramid(17), binomial(16), grid((7, 19)), grid((5, 6, 7)), stencil((23,), 11)):
        if memory > max(3, dag.indegree.max()):
            for order in structured.families[dag.family](dag, memory):
                accesses(dag, order)
    dag = odd_even_transposition_sort(19)
    for order in structured.families[dag.family](dag, memory):
        accesses(dag, order)
