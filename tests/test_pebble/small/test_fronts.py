"""Fronts: what waits before the first of a set of steps."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pebble import ONE_SHOT, min_memory
from pebble.small.fronts import fronts
from pebble.small.game import small_game, whole_dag
from tests.naive import rows
from tests.strategies import dags
from tests.test_proofs.certificates.pieces.test_exhaustive import butterfly


@given(st.data())
@settings(max_examples=60)
def test_fronts_never_say_more_than_any_order_shows(data):
    """Whatever is computed when, at each front's moment at least its cut is alive."""
    dag = data.draw(dags(max_vertices=9))
    memory = min_memory(dag)
    board = small_game(whole_dag(dag), memory, ONE_SHOT)
    order = np.array(data.draw(st.permutations(range(dag.n))))
    done = [int(v) for v in topological(dag, order)]
    marks = fronts(board)
    number = {int(v): i for i, v in enumerate(board.steps)}
    for theta in (1, 2):
        for front, score in zip(marks.steps[theta - 1], marks.scores[theta - 1], strict=True):
            if score > 0:
                position = next(i for i, v in enumerate(done) if int(front) >> number[v] & 1)
                alive = alive_words(dag, done[:position], done[position], theta)
                x = done[position]
                assert score <= alive - theta * (memory - int(dag.sizes[x]))


def topological(dag, order):
    """The computed vertices in the order of their ranks, operands first."""
    preds, done = rows(dag), []
    waiting = [int(v) for v in order if dag.indegree[v]]
    while waiting:
        v = next(v for v in waiting if not set(preds[v]) & set(waiting))
        waiting.remove(v)
        done.append(v)
    return done


def alive_words(dag, done, x, theta):
    """What the values that have come and have readers to come count while x is computed."""
    preds = rows(dag)
    come = set(done) | {u for v in [*done, x] for u in preds[v]}
    waiting = [v for v in range(dag.n) if preds[v] and v not in done]
    alive = {u for v in waiting for u in preds[v]} & come
    outputs = set(dag.outputs.tolist())
    return sum(int(dag.sizes[u]) * (1 if not preds[u] or u in outputs else theta) for u in alive)


def test_fronts_of_a_butterfly():
    marks = fronts(small_game(butterfly(3), 4, ONE_SHOT))
    assert marks.scores[1][0] == 2 * (8 + 1 - 4)
