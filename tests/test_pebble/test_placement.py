"""The referee of placements, and the stays of values during a play."""

import numpy as np
import pytest

from dags import CDAG, fft, from_edges
from dags.cdag.demands import Demands
from pebble import RULES, Move, Schedule, play
from pebble.placement import (
    Buffer,
    IllegalPlacementError,
    InvalidBufferError,
    Stay,
    buffers_of,
    in_place_pairs,
    judge_placement,
    judge_stays,
    live_load,
    require_buffers,
    stays,
)
from schedulers import scheduler_named


def is_apart(first, second, position, right):
    """Whether two buffers share no byte at any moment, byte by byte and moment by moment."""
    moments = set(range(first.lower, first.upper)) & set(range(second.lower, second.upper))
    return not moments or not set(range(position, position + first.size)) & set(
        range(right, right + second.size)
    )


def test_the_referee_accepts_what_no_byte_forbids():
    rng = np.random.default_rng(5)
    verdicts = {True: 0, False: 0}
    for _ in range(600):
        buffers = [
            Buffer(str(k), low, low + int(rng.integers(1, 4)), int(rng.integers(1, 4)))
            for k, low in enumerate(rng.integers(0, 5, int(rng.integers(1, 7))).tolist())
        ]
        offsets = rng.integers(0, 9, len(buffers)).tolist()
        capacity = int(rng.integers(6, 12))
        inside = all(
            offset + b.size <= capacity for b, offset in zip(buffers, offsets, strict=True)
        )
        right = inside and all(
            is_apart(buffers[i], buffers[j], offsets[i], offsets[j])
            for i in range(len(buffers))
            for j in range(i)
        )
        verdicts[right] += 1
        if right:
            height = judge_placement(buffers, offsets, capacity)
            assert height == max(
                offset + b.size for b, offset in zip(buffers, offsets, strict=True)
            )
        else:
            with pytest.raises(IllegalPlacementError):
                judge_placement(buffers, offsets, capacity)
    assert min(verdicts.values()) > 100


@pytest.mark.parametrize(
    ("offsets", "capacity", "message"),
    [
        ((0, 2), 9, "buffers a, at 0 to 3, and b, at 2 to 6, overlap: both are there at moment 1"),
        ((0, 6), 9, "buffer b at 6 ends at 10, in memory of 9"),
        ((-1, 4), 9, "buffer a at -1: no multiple of 1 from 0"),
        ((0, 3), 9, "buffer b at 3: no multiple of 2 from 0"),
        ((0,), 9, "1 offsets for 2 buffers"),
    ],
)
def test_a_refused_placement_is_explained(offsets, capacity, message):
    buffers = [Buffer("a", 0, 2, 3), Buffer("b", 1, 3, 4, alignment=2)]
    with pytest.raises(IllegalPlacementError, match=message):
        judge_placement(buffers, offsets, capacity)


def test_a_fixed_address_is_kept():
    with pytest.raises(IllegalPlacementError, match="it has to be at 4"):
        judge_placement([Buffer("a", 0, 2, 3, offset=4)], [0])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ((3, 3, 1), "ends at 3, which is not after 3"),
        ((3, 1, 1), "ends at 1, which is not after 3"),
        ((0, 1, 0), "size 0: sizes are 1 to"),
        ((0, 1, -4), "size -4"),
        ((0, 1, 2**62 + 1), "size 4611686018427387905"),
        ((0, 2**70, 1), "moment"),
        ((0, 1, 1, 0), "alignment 0"),
        ((0, 1, 1, 4, 6), "to be at 6, which is no multiple of 4"),
    ],
)
def test_buffers_that_no_memory_holds_are_refused(fields, message):
    with pytest.raises(InvalidBufferError, match=message):
        Buffer("x", *fields)


def test_more_than_64_bits_count_is_refused():
    with pytest.raises(InvalidBufferError, match="at most 2\\^62 can be placed"):
        require_buffers([Buffer("a", 0, 1, 2**62), Buffer("b", 0, 1, 2**62)])


def test_stays_are_those_of_the_play():
    dag = from_edges(3, [(0, 1), (1, 2)])
    moves = [Move.LOAD, Move.COMPUTE, Move.DELETE, Move.COMPUTE, Move.STORE]
    schedule = Schedule(moves, [0, 1, 0, 2, 2])
    assert stays(dag, schedule) == (Stay(0, 0, 2), Stay(1, 1, 5), Stay(2, 3, 5))


def test_a_value_that_slides_may_lie_where_its_operand_was():
    dag = from_edges(2, [(0, 1)])
    moves = [Move.LOAD, Move.COMPUTE, Move.DELETE, Move.STORE]
    schedule = Schedule(moves, [0, 1, 0, 1])
    slid = buffers_of(dag, stays(dag, schedule, rules=RULES["one-shot-sliding"]))
    full = buffers_of(dag, stays(dag, schedule))
    assert judge_placement(slid, [0, 0]) == 1
    with pytest.raises(IllegalPlacementError):
        judge_placement(full, [0, 0])


@pytest.mark.parametrize("memory", [4, 6, 9])
def test_the_load_of_all_stays_is_the_peak_of_the_play(memory):
    dag = fft(16)
    schedule = scheduler_named("natural+belady")(dag, memory)
    assert live_load(buffers_of(dag, stays(dag, schedule))) == play(dag, schedule, memory).peak


PAIR = CDAG([0, 0, 1], [0], words=[4, 4], labels=["x", "y"], in_place=[False, True])


@pytest.mark.parametrize(("offset", "legal"), [(8, True), (12, True), (4, True), (9, False)])
def test_a_value_that_is_computed_in_place_lies_where_its_operand_is_or_elsewhere(offset, legal):
    moves = [Move.LOAD, Move.COMPUTE, Move.DELETE, Move.STORE]
    spans = stays(PAIR, Schedule(moves, [0, 1, 0, 1]), rules=RULES["one-shot-sliding"])
    assert in_place_pairs(PAIR, spans) == [(0, 1)]
    if legal:
        assert judge_stays(PAIR, spans, [8, offset]) == max(12, offset + 4)
    else:
        with pytest.raises(IllegalPlacementError, match=r"y, at 9, shares addresses with .* x, at"):
            judge_stays(PAIR, spans, [8, offset])


def test_what_is_not_marked_does_not_lie_where_its_operand_is():
    dag = CDAG(PAIR.pred_indptr, PAIR.pred_indices, words=PAIR.words, in_place=[False, False])
    moves = [Move.LOAD, Move.COMPUTE, Move.DELETE, Move.STORE]
    spans = stays(dag, Schedule(moves, [0, 1, 0, 1]), rules=RULES["one-shot-sliding"])
    assert spans[0].end == 2
    with pytest.raises(IllegalPlacementError, match="overlap"):
        judge_stays(dag, spans, [0, 0])


def test_demands_are_judged():
    demands = Demands([16, 1], [-1, 32], [True, False])
    dag = PAIR.with_demands(demands)
    spans = (Stay(0, 0, 1), Stay(0, 2, 4), Stay(1, 3, 5))
    with pytest.raises(IllegalPlacementError, match=r"x is never to be spilled.* at move 2"):
        judge_stays(dag, spans, [0, 0, 32])
    with pytest.raises(IllegalPlacementError, match="no multiple of 16"):
        judge_stays(dag, spans, [0, 8, 32])
    with pytest.raises(IllegalPlacementError, match="has to be at 32"):
        judge_stays(dag, spans, [0, 0, 40])
    assert judge_stays(dag, spans[1:], [0, 32], 36) == 36
