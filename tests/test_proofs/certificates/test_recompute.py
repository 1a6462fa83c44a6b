"""Exhaustive search of pieces whose values may be computed again."""

from heapq import heappop, heappush

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, from_edges, load, pyramid
from pebble import RULES, compulsory_words, min_memory
from proofs.bounds.pieces.layouts import connected
from proofs.certificates import CertificateError
from proofs.certificates.pieces.exhaustive import EXACT, least_excess
from proofs.certificates.pieces.piece import Cutter
from tests.oracles import optimum
from tests.strategies import dags, memories

AGAIN = [rules for rules in RULES.values() if rules.recompute]


def naive_excess(piece, memory, rules):
    """The least excess of a piece as `piece` defines it: Dijkstra over (red, blue, computed).

    Operands outside the piece take room while a step is computed; its result may slide onto one. A
    value without operands in the piece comes from nothing.
    """
    size = range(piece.size)
    operands = [
        piece.pred_indices[a:b].tolist()
        for a, b in zip(piece.pred_indptr[:-1], piece.pred_indptr[1:], strict=True)
    ]
    words = piece.words.tolist()
    read = {u for row in operands for u in row}
    used = sum(words[v] for v in size if piece.is_input[v] and v in read)
    stored = sum(words[v] for v in size if piece.is_output[v])
    done = frozenset(v for v in size if not piece.is_input[v])
    out = frozenset(v for v in size if piece.is_output[v])
    start = frozenset(), frozenset(v for v in size if piece.is_input[v]), frozenset()
    best, queue, count = {start: 0}, [(0, 0, start)], 0
    while queue:
        cost, _, state = heappop(queue)
        red, blue, computed = state
        if cost > best[state]:
            continue
        if done <= computed and out <= blue:
            return cost - used - stored
        room = memory - sum(words[v] for v in red)
        following = []
        for v in size:
            if v in red:
                following.append((0, (red - {v}, blue, computed)))
                if v not in blue:
                    following.append((words[v], (red, blue | {v}, computed)))
            elif v in blue and words[v] <= room:
                following.append((words[v], (red | {v}, blue, computed)))
            if v in red or piece.is_input[v] or not set(operands[v]) <= red:
                continue
            beside = room - (int(piece.outside[v]) if operands[v] else 0)
            if beside < 0:
                continue
            slid = int(piece.replaceable[v]) if rules.sliding and operands[v] else 0
            if words[v] <= beside + slid:
                following.append((0, (red | {v}, blue, computed | {v})))
            following += [
                (0, (red - {u} | {v}, blue, computed | {v}))
                for u in (operands[v] if rules.sliding else ())
                if words[v] <= beside + words[u]
            ]
        for price, after in following:
            if cost + price < best.get(after, cost + price + 1):
                best[after] = cost + price
                count += 1
                heappush(queue, (cost + price, count, after))
    return None


@given(st.data())
@settings(max_examples=120)
def test_the_search_finds_the_optimum(data):
    dag = data.draw(dags(max_vertices=7))
    rules = data.draw(st.sampled_from(AGAIN))
    memory = data.draw(memories(dag, rules))
    proof = least_excess(Cutter(dag).whole(), memory, rules)
    assert proof.complete
    assert compulsory_words(dag) + proof.excess == optimum(dag, memory, rules)


@given(st.data())
@settings(max_examples=60)
def test_the_search_of_a_piece_finds_its_least_excess(data):
    dag = data.draw(dags(max_vertices=7))
    rules = data.draw(st.sampled_from(AGAIN))
    memory = max(1, min_memory(dag, rules=rules))
    vertices = sorted(data.draw(st.sets(st.integers(0, dag.n - 1), min_size=1, max_size=5)))
    piece = Cutter(dag).cut(np.array(vertices))
    assert least_excess(piece, memory, rules).excess == naive_excess(piece, memory, rules)


def test_operands_outside_a_piece_take_room():
    edges = [(0, 2), (1, 2), (2, 3), (1, 3), (0, 4), (3, 4)]
    piece = Cutter(from_edges(5, edges)).cut(np.array([0, 2, 3, 4]))
    rules = RULES["recompute"]
    # 1, 2 and 3 fill the memory at the third step, and 0 is loaded again for the last.
    assert least_excess(piece, 3, rules).excess == naive_excess(piece, 3, rules) == 1


@given(st.data())
@settings(max_examples=60)
def test_pieces_add_up_to_no_more_than_the_optimum(data):
    dag = data.draw(dags(max_vertices=7))
    rules = data.draw(st.sampled_from(AGAIN))
    minimum = max(1, min_memory(dag, rules=rules))
    memory = data.draw(st.integers(minimum, minimum + 2))
    place = np.array(data.draw(st.lists(st.integers(0, 1), min_size=dag.n, max_size=dag.n)))
    cutter = Cutter(dag)
    pieces = [cutter.cut(np.flatnonzero(place == part)) for part in range(2)]
    total = sum(least_excess(piece, memory, rules).excess for piece in pieces)
    assert compulsory_words(dag) + total <= optimum(dag, memory, rules)


# Theory sheet, section 5, and the optima of two by two products.
@pytest.mark.parametrize(
    ("spec", "memory", "io"),
    [
        *(("fft:n=4", memory, io) for memory, io in ((3, 14), (4, 11), (5, 9), (6, 8))),
        *(("matmul:n=2,form=multiply-add", memory, io) for memory, io in ((4, 17), (7, 12))),
        *(("tree:height=3", memory, io) for memory, io in ((3, 15), (4, 11), (5, 9))),
    ],
)
def test_known_optima(spec, memory, io):
    dag = load(spec)
    proof = least_excess(Cutter(dag).whole(), memory, RULES["recompute"])
    assert (compulsory_words(dag) + proof.excess, proof.complete) == (io, True)


def test_free_sources_do_not_help_where_memory_is_too_small():
    """The upper two levels of a butterfly: each result is a tree, which takes four words."""
    dag = fft(8)
    upper, *_ = connected(Cutter(dag), np.flatnonzero(dag.level > 0), 4)
    assert not upper.is_input.any()
    results = [least_excess(upper, memory, RULES["recompute"]) for memory in (3, 4)]
    assert [(entry.excess > 0, entry.complete) for entry in results] == [
        (True, True),
        (False, True),
    ]


def test_what_nobody_reads_must_be_computed_in_its_piece():
    """The first two levels of a butterfly, in parts of four points, whose results are not read."""
    dag = fft(8)
    piece, *_ = connected(Cutter(dag), np.flatnonzero(dag.level < 3), 3)
    proof = least_excess(piece, 3, RULES["recompute"])
    assert (proof.excess, proof.complete) == (14 - 8, True)


def test_the_checker_confirms_what_the_search_found_and_no_more():
    piece = Cutter(pyramid(height=4)).whole()
    rules = RULES["recompute"]
    assert [EXACT.proven(piece, 4, rules, {"excess": claim}) for claim in (0, 2, 4)] == [0, 2, 4]
    with pytest.raises(CertificateError, match="excess: is 5, but a play has 4"):
        EXACT.proven(piece, 4, rules, {"excess": 5})
    sample = least_excess(piece, 3, rules, limit=100)
    assert 0 < sample.excess < 12
    assert not sample.complete
