"""Hypothesis strategies for everything that the project computes with."""

import itertools
from random import Random

import numpy as np
from hypothesis import strategies as st

from dags import CDAG
from pebble import ONE_SHOT, Move, Schedule, min_memory

MAX_WORDS = 5
SEEDS = st.integers(0, 2**32 - 1)  # one draw for what would be dozens, which take most of the time


@st.composite
def dags(draw, max_vertices=12, weighted=None, labels=None, in_place=False):
    """Draw a CDAG: chains, fans, isolated vertices, outputs with successors, several channels.

    `weighted` says whether values have sizes (None: sometimes); `labels` is a strategy of names;
    `in_place` whether some values are marked as computed in place, of those that can be.
    """
    n = draw(st.sampled_from(range(1, max_vertices + 1)))
    random = Random(draw(SEEDS))
    limit = random.randint(1, 4)
    rows = [sorted(random.sample(range(v), random.randint(0, min(limit, v)))) for v in range(n)]
    named = [v for v in range(n) if rows[v] and random.random() < 0.4]
    has_words = draw(st.booleans()) if weighted is None else weighted
    words = _column(random, n, 1, 2 if in_place else MAX_WORDS) if has_words else [1] * n
    alike = [any(words[u] == words[v] for u in row) for v, row in enumerate(rows)]
    return CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=words if has_words else None,
        work=_column(random, n, 0, 9) if draw(st.booleans()) else None,
        outputs=named,
        channel=_column(random, n, 0, 2) if draw(st.booleans()) else None,
        labels=None if labels is None else draw(_column_of(labels, n)),
        in_place=[can and random.random() < 0.5 for can in alike] if in_place else None,
    )


def _column(random, n, minimum, limit):
    return [random.randint(minimum, limit) for _ in range(n)]


def _column_of(labels, n):
    return st.lists(labels, min_size=n, max_size=n, unique=True)


def some_of(draw, items, minimum=1, limit=None):
    """Draw some of the items, rising: from `least` to `most`, or all."""
    random, items = Random(draw(SEEDS)), sorted(items)
    count = random.randint(minimum, len(items) if limit is None else min(limit, len(items)))
    return sorted(random.sample(items, count))


def numbers(draw, count, minimum, limit):
    """Draw some whole numbers from `least` to `most`."""
    return _column(Random(draw(SEEDS)), count, minimum, limit)


@st.composite
def memories(draw, dag, rules=ONE_SHOT):
    """Draw a fast memory in which `dag` can be played, most often a tight one."""
    minimum = max(min_memory(dag, rules=rules), 1)
    return draw(
        st.integers(minimum, minimum + 3) | st.integers(minimum, minimum + int(dag.sizes.sum()))
    )


@st.composite
def legal_schedules(draw, dag, memory, rules=ONE_SHOT):
    """Draw a legal play: a random order, random evictions, now and then a needless move."""
    return _RandomPlayer(dag, memory, rules, Random(draw(SEEDS))).play()


@st.composite
def broken_schedules(draw, dag, memory, rules=ONE_SHOT):
    """Draw a legal play with one to three moves changed; most are illegal, some still legal."""
    moves = list(draw(legal_schedules(dag, memory, rules)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(moves)))
        move = draw(st.sampled_from(list(Move)[:4]))
        vertex = draw(st.integers(-1, dag.n))
        change = draw(st.sampled_from(["drop", "insert", "replace", "double", "swap", "cut"]))
        if change == "insert" or not moves[place:]:
            moves.insert(place, (move, vertex))
        elif change == "drop":
            del moves[place]
        elif change == "replace":
            moves[place] = (move, vertex)
        elif change == "double":
            moves.insert(place, moves[place])
        elif change == "swap":
            moves[place - 1], moves[place] = moves[place], moves[place - 1]
        else:
            del moves[place:]
    return Schedule.from_moves(moves)


def may_slide(dag, v, u):
    """Whether sliding rules let v take the place of its operand u."""
    marks = dag.in_place
    return marks is None or bool(marks[v] and dag.sizes[u] == dag.sizes[v])


class _RandomPlayer:
    """Plays legally, and not well."""

    def __init__(self, dag, memory, rules, random):
        self.dag, self.memory, self.rules, self.random = dag, memory, rules, random
        self.words = dag.sizes.tolist()
        self.preds = [
            dag.pred_indices[a:b].tolist() for a, b in itertools.pairwise(dag.pred_indptr.tolist())
        ]
        self.unread = [set() for _ in range(dag.n)]
        for v, row in enumerate(self.preds):
            for u in row:
                self.unread[u].add(v)
        self.red, self.blue = set(), set(dag.inputs.tolist())
        self.moves = []

    def play(self):
        waiting = set(self.dag.computed.tolist())
        while waiting:
            ready = sorted(v for v in waiting if not waiting & set(self.preds[v]))
            v = self.random.choice(ready)
            self.compute(v)
            waiting.remove(v)
            for u in self.preds[v]:
                self.unread[u].discard(v)
            if self.random.random() < 0.2 and v not in self.blue:
                self.do(Move.STORE, v)
        for v in self.dag.outputs.tolist():
            if v not in self.blue:
                self.do(Move.STORE, v)
        return Schedule.from_moves(self.moves)

    def do(self, move, v):
        self.moves.append((move, v))
        if move is Move.STORE:
            self.blue.add(v)
        elif move is Move.DELETE:
            self.red.remove(v)
        else:
            self.red.add(v)

    def compute(self, v):
        row = self.preds[v]
        for u in self.random.sample(row, len(row)):
            if u not in self.red:
                self.make_room(self.words[u], keep=row)
                repeated = self.rules.recompute and self.preds[u] and set(self.preds[u]) <= self.red
                self.do(Move.COMPUTE if repeated and self.random.random() < 0.7 else Move.LOAD, u)
        onto = [u for u in row if may_slide(self.dag, v, u)] if self.rules.sliding else []
        if onto and self.random.random() < 0.5:
            self.slide(v, onto)
        else:
            fits = sum(self.words[u] for u in row) + self.words[v] <= self.memory
            if not fits:
                self.slide(v, onto)
                return
            self.make_room(self.words[v], keep=row)
            self.do(Move.COMPUTE, v)

    def slide(self, v, onto):
        """Compute v in the place of the largest operand of which it may take the place."""
        row = self.preds[v]
        u = max(onto, key=lambda operand: self.words[operand])
        self.make_room(self.words[v] - self.words[u], keep=row)
        self.save(u, reader=v)
        self.do(Move.COMPUTE, v)
        self.do(Move.DELETE, u)

    def make_room(self, words, keep):
        while sum(self.words[u] for u in self.red) + words > self.memory:
            u = self.random.choice(sorted(self.red - set(keep)))
            self.save(u)
            self.do(Move.DELETE, u)

    def save(self, u, reader=None):
        """Store u if it will be missed: it is read later, or an output."""
        needed = self.unread[u] - {reader} or u in self.dag.outputs
        if needed and u not in self.blue:
            self.do(Move.STORE, u)
