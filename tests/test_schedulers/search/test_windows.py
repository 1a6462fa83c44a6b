"""Stretches of plays that are played anew: legal, never worse, and optimal where one has it all."""

from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import random_layered
from pebble import ONE_SHOT, RULES, judge, min_memory
from schedulers.exact import exact
from schedulers.exact.first_play import one_at_a_time
from schedulers.exact.one_shot_plays import Play, play_of, schedule_of, words_moved
from schedulers.search import windows
from schedulers.search.replay import new_replay
from schedulers.search.stretches import Stretches
from schedulers.search.windows import windowed
from tests.strategies import dags, memories

ONCE = [rules for rules in RULES.values() if not rules.recompute and not rules.partial]


@settings(max_examples=30)
@given(st.data(), st.sampled_from(ONCE), st.booleans())
def test_a_stretch_of_all_steps_is_played_optimally(data, rules, poor):
    dag = data.draw(dags(max_vertices=12).filter(lambda dag: dag.computed.size))
    memory = data.draw(memories(dag, rules))
    first = one_at_a_time(dag) if poor else _natural(dag, memory, rules)
    made = windowed(dag, first, memory, rules=rules)
    assert judge(dag, made, memory, rules=rules).io == exact(dag, memory, rules=rules).io


@settings(max_examples=30)
@given(st.sampled_from(ONCE), st.integers(0, 99))
def test_a_stretch_gains_what_its_game_does(rules, seed):
    rng = np.random.default_rng(seed)
    dag = random_layered(24, seed=seed, max_words=int(rng.integers(1, 4)))
    memory = min_memory(dag, rules=rules) + int(rng.integers(3))
    play = play_of(dag, _natural(dag, memory, rules))
    stretches = Stretches(dag, memory, sliding=rules.sliding, play=play)
    begin = int(rng.integers(dag.computed.size - 3))
    end = int(rng.integers(begin + 3, dag.computed.size + 1))
    part = stretches.stretch(begin, end)
    steps = None if part is None else part.better(1 << 14, bool)
    if steps is None:
        return
    new = stretches.played(begin, end, steps)
    io = judge(dag, schedule_of(dag, *_fields(new)), memory, rules=rules).io
    assert io == words_moved(dag, new) < words_moved(dag, play)
    assert new.order[:begin] == play.order[:begin]
    assert new.order[end:] == play.order[end:]


def test_nothing_is_tried_without_time_or_beyond_a_goal(monkeypatch):
    dag = random_layered(40, seed=1)
    first = one_at_a_time(dag)
    io = judge(dag, first, 5).io
    assert windowed(dag, first, 5, rules=ONE_SHOT, end=perf_counter()) is first
    assert windowed(dag, first, 5, rules=ONE_SHOT, goal=io) is first
    monkeypatch.setattr(windows, "LARGEST", 39)
    assert windowed(dag, first, 5, rules=ONE_SHOT) is first


def test_an_interrupt_leaves_what_there_is(monkeypatch):
    def interrupted(self, *anew):
        calls.append(anew)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return played(self, *anew)

    calls, played = [], Stretches.played
    monkeypatch.setattr(Stretches, "played", interrupted)
    dag = random_layered(40, seed=1)
    first = one_at_a_time(dag)
    made = windowed(dag, first, 5, rules=ONE_SHOT)
    assert judge(dag, made, 5).io < judge(dag, first, 5).io


@pytest.mark.parametrize("sizes", [(8,), (6, 14)])
def test_each_stretch_is_tried_until_none_gains(sizes, monkeypatch):
    monkeypatch.setattr(windows, "SIZES", sizes)
    dag = random_layered(50, seed=2)
    made = windowed(dag, one_at_a_time(dag), 5, rules=ONE_SHOT)
    assert windowed(dag, made, 5, rules=ONE_SHOT) is made


def _natural(dag, memory, rules):
    replay = new_replay(dag, memory, rules=rules)
    replay.start(dag.computed)
    return replay.schedule()


def _fields(play: Play):
    return play.order, play.loaded
