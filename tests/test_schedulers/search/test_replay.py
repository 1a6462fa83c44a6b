"""Playing a changed order again in part says what playing all of it says, and what sets say."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dags import fft, load, matmul, random_layered, tree
from pebble import RULES, judge, min_memory, play
from schedulers import ORDERS
from schedulers.eviction import belady_cost
from schedulers.orders.access_order import accesses
from schedulers.search._kernels import annealing as _kernels
from schedulers.search.replay import Replay, new_replay
from tests.naive import rows
from tests.strategies import dags, may_slide, memories

ROOT = Path(__file__).resolve().parents[3]
ALWAYS, NEVER = 1e18, 1e-9  # temperatures
GAMES = [RULES["one-shot"], RULES["one-shot-sliding"]]


def naive_io(dag, order, memory, slides, price=2.0):
    """Count what `order` moves, with sets and lists; choices as the kernels' legend says."""
    preds, words, outputs = rows(dag), dag.sizes.tolist(), set(dag.outputs.tolist())
    reads = {u: [t for t, v in enumerate(order) if u in preds[v]] for u in range(dag.n)}
    red, blue, io = set(), set(dag.inputs.tolist()), sum(words[v] for v in outputs)

    def following(u):
        return min((s for s in reads[u] if s > t), default=None)

    def settled(u):
        return u in blue or u in outputs

    def leave(u):
        red.discard(u)
        stored = 0 if settled(u) else words[u]
        blue.add(u)
        return stored

    def victim(candidates):
        groups = [[u for u in candidates if settled(u) == clean] for clean in (True, False)]
        far = [max((following(u) for u in group), default=None) for group in groups]
        dirty = far[0] is None or (
            far[1] is not None and far[1] > far[0] and far[1] - t > price * (far[0] - t)
        )
        last = [u for u in groups[dirty] if following(u) == far[dirty]]
        return next(u for u in preds[order[far[dirty]]] if u in last)

    for t in range(len(order)):
        v, row = order[t], preds[order[t]]
        present = sum(words[u] for u in row)
        onto = [u for u in row if may_slide(dag, v, u)]
        dying = [words[u] for u in onto if following(u) is None]
        need = present + words[v]
        if slides:
            need = max(present, need - max(dying, default=0))
        while red - set(row) and sum(words[u] for u in red - set(row)) + need > memory:
            io += leave(victim(red - set(row)))
        io += sum(words[u] for u in row if u not in red)
        under = None
        if need > memory:
            fitting = [u for u in onto if present - words[u] + words[v] <= memory]
            under = min(fitting, key=lambda u: words[u] * (1 if settled(u) else price))
            io += leave(under)
        red |= {*row, v} - {under}
        red -= {u for u in red if following(u) is None}
    return io


def changed(replay: Replay, order, moves, temperature, seed):
    """Start from `order` and try `moves` changes; return the words that the search claims."""
    total = replay.start(order)
    work = np.empty((_kernels.TURNS, 3), np.int32), np.empty(_kernels.TURNS, np.int32)
    best = replay.order().copy()
    state = np.array([seed + 1], np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    numbers = replay.memory, replay.price, temperature, moves, total, total, True
    arrays = replay.game, replay.play, replay.room, work, state, best
    total, minimum, _ = _kernels.anneal(*arrays, *numbers)
    return total, minimum, best


def agree(dag, memory, rules, order, moves, seed, spacing=None):
    replay = new_replay(dag, memory, rules=rules)
    if spacing is not None:
        replay = with_spacing(replay, spacing)
    total, minimum, best = changed(replay, order, moves, ALWAYS, seed)
    repeated = new_replay(dag, memory, rules=rules)
    assert repeated.start(replay.order()) == total
    for field in ("pos", "first", "after", "before", "gone", "paid", "trace", "spared"):
        assert np.array_equal(getattr(repeated.play, field), getattr(replay.play, field)), field
    assert (replay.room.pending == -1).all()
    assert not replay.room.clean.any()
    assert not replay.room.dirty.any()
    count = play(dag, replay.schedule(), memory, rules=rules)
    assert count.io == total
    assert repeated.start(best) == minimum
    return replay, total


def with_spacing(replay, spacing):
    """Give a new replay another distance between checkpoints."""
    slots = replay.play.order.size // spacing + 1
    entries = replay.play.kept.shape[2]
    replay.play = replay.play._replace(
        kept=np.empty((2, slots, entries), np.int32),
        held=np.zeros((2, slots), np.int32),
        side=np.zeros(slots, np.uint8),
        spacing=np.array([spacing]),
    )
    return replay


@pytest.mark.parametrize("in_place", [False, True])
@given(st.data(), st.sampled_from(GAMES), st.sampled_from(sorted(ORDERS)))
def test_a_whole_play_is_its_naive_twin(in_place, data, rules, name):
    dag = data.draw(dags(max_vertices=16, in_place=in_place))
    memory = data.draw(memories(dag, rules))
    order = ORDERS[name](dag).tolist()
    replay = new_replay(dag, memory, rules=rules)
    assert replay.start(order) == naive_io(dag, order, memory, rules.sliding)
    assert judge(dag, replay.schedule(), memory, rules=rules).io == replay.io


@given(st.data(), st.sampled_from(GAMES), st.integers(0, 12), st.integers(1, 4))
def test_a_changed_play_is_its_naive_twin(data, rules, moves, spacing):
    dag = data.draw(dags(max_vertices=16))
    memory = data.draw(memories(dag, rules))
    if not dag.computed.size:
        return
    seed = data.draw(st.integers(0, 2**32))
    replay, total = agree(dag, memory, rules, dag.computed, moves, seed, spacing)
    assert total == naive_io(dag, replay.order().tolist(), memory, rules.sliding)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    "dag",
    [
        fft(32),
        matmul(5),
        tree(6),
        random_layered(300, max_indegree=4, seed=1),
        random_layered(300, max_indegree=9, max_words=6, seed=2),
    ],
    ids=str,
)
def test_many_changes_on_larger_dags(dag, rules):
    smallest = min_memory(dag, rules=rules)
    for memory in (smallest, smallest + 2, 2 * smallest + 1, 6 * smallest):
        for spacing in (1, 7, 32):
            for moves in (1, 2, 3, 50, 400):
                agree(dag, memory, rules, dag.computed, moves, moves + spacing, spacing)


@pytest.mark.parametrize("dag", [fft(32), matmul(4)], ids=str)
def test_on_values_of_one_word_it_evicts_as_belady_cost(dag):
    for memory in range(4, 20, 3):
        for order in ORDERS.values():
            io = belady_cost(accesses(dag, order(dag)), memory).io
            assert new_replay(dag, memory).start(order(dag)) == io


def test_a_search_that_takes_nothing_back_leaves_no_trace():
    dag = load("random_layered:n=200,seed=4")
    replay = new_replay(dag, 8)
    order = ORDERS["depth-first"](dag)
    io = replay.start(order)
    total, _, _ = changed(replay, order, 3000, NEVER, 5)
    assert total <= io
    assert new_replay(dag, 8).start(replay.order()) == total


IN_PYTHON = """
import numpy as np
from dags import fft
from schedulers.search.replay import new_replay
replay = new_replay(fft(32), 6)
replay.start(fft(32).computed)
print(replay.io, replay.play.held.max())
"""


def test_plain_python_plays_as_compiled_code_does_beyond_what_a_byte_counts():
    off = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    printed = subprocess.run(
        [sys.executable, "-c", IN_PYTHON], env=off, capture_output=True, text=True, check=True
    )
    replay = new_replay(fft(32), 6)
    replay.start(fft(32).computed)
    assert printed.stdout.split() == [str(replay.io), str(replay.play.held.max())]
