"""Partial computation: random plays, legal and broken, and the optimum of tiny games; no engine."""

import random
from heapq import heappop, heappush

import numpy as np

from dags import CDAG
from pebble import PARTIAL, Move, Schedule, min_memory


def tiny_dag(rng, *, most_vertices=8, most_edges=11):
    """Draw a DAG of few vertices that read much of each other; values sometimes have sizes."""
    while True:
        n, limit = rng.randint(3, most_vertices), rng.randint(1, 4)
        rows = [
            sorted(rng.sample(range(v), rng.randint(0 if v < 3 else 1, min(limit, v))))
            for v in range(n)
        ]
        if 0 < sum(map(len, rows)) <= most_edges:
            return CDAG(
                np.cumsum([0, *map(len, rows)]),
                np.array([u for row in rows for u in row], np.int32),
                words=[rng.randint(1, 4) for _ in rows] if rng.random() < 0.4 else None,
                work=[rng.randint(0, 3) for _ in rows] if rng.random() < 0.3 else None,
                channel=[rng.randint(0, 2) for _ in rows] if rng.random() < 0.3 else None,
                outputs=[v for v in range(n) if rows[v] and rng.random() < 0.3],
            )


def tight_memory(rng, dag):
    """Draw a memory in which the DAG can be played, most often the least."""
    return min_memory(dag, rules=PARTIAL) + rng.choice([0, 0, 0, 1, 2])


class RandomPlayer:
    """Plays legally, and not well."""

    def __init__(self, rng, dag, memory):
        self.rng, self.dag, self.memory = rng, dag, memory
        self.words = dag.sizes.tolist()
        self.rows = [
            dag.pred_indices[a:b].tolist()
            for a, b in zip(dag.pred_indptr, dag.pred_indptr[1:], strict=False)
        ]
        self.added = [set() for _ in self.rows]
        self.red, self.blue = set(), set(dag.inputs.tolist())
        self.moves = []

    def play(self):
        """The moves of a play."""
        while edges := self.open_edges():
            u, v = self.rng.choice(edges)
            missing = [w for w in self.rows[v] if w not in self.added[v]]
            together = sum(self.words[w] for w in (*missing, v)) <= self.memory
            ready = all(self.complete(w) for w in missing)
            full = ready and together and self.rng.random() < 0.3
            for w in missing if full else [u]:
                self.bring(w, keep=(*missing, v) if full else (u, v))
            if self.added[v]:
                self.bring(v, keep=(*missing, v) if full else (u, v))
            elif v not in self.red:
                self.make_room(self.words[v], (*missing, v) if full else (u, v))
            self.moves.append((Move.COMPUTE, v) if full else (Move.COMPUTE, v, u))
            self.red.add(v)
            self.blue.discard(v)
            self.added[v] |= set(missing) if full else {u}
            if self.rng.random() < 0.1 and v not in self.blue:
                self.store(v)
        for v in self.dag.outputs.tolist():
            if v not in self.blue:
                self.store(v)
        return self.moves

    def complete(self, v):
        """Whether all operands of v have been aggregated."""
        return len(self.added[v]) == len(self.rows[v])

    def open_edges(self):
        """The edges along which an operand could be aggregated next."""
        return [
            (u, v)
            for v, row in enumerate(self.rows)
            for u in row
            if u not in self.added[v] and self.complete(u)
        ]

    def bring(self, v, keep):
        """Load a value, unless it is there."""
        if v not in self.red:
            self.make_room(self.words[v], keep)
            self.moves.append((Move.LOAD, v))
            self.red.add(v)

    def make_room(self, words, keep):
        """Let values leave at random."""
        while sum(self.words[v] for v in self.red) + words > self.memory:
            v = self.rng.choice(sorted(self.red - set(keep)))
            if v not in self.blue:
                self.store(v)
            self.moves.append((Move.DELETE, v))
            self.red.remove(v)

    def store(self, v):
        """Store a value."""
        self.moves.append((Move.STORE, v))
        self.blue.add(v)


def random_schedule(rng, dag, memory, *, broken=0):
    """Draw a legal play, or one in which so many moves have been changed."""
    moves = RandomPlayer(rng, dag, memory).play()
    for _ in range(broken):
        place = rng.randrange(len(moves))
        vertex, operand = (rng.randint(-1, dag.n) for _ in range(2))
        second = rng.choice([(rng.choice(list(Move)[:4]), vertex), (Move.COMPUTE, vertex, operand)])
        change = rng.choice(["drop", "insert", "replace", "double", "swap"])
        if change == "drop" and len(moves) > 1:
            del moves[place]
        elif change == "insert":
            moves.insert(place, second)
        elif change == "replace":
            moves[place] = second
        elif change == "double":
            moves.insert(place, moves[place])
        else:
            moves[place - 1], moves[place] = moves[place], moves[place - 1]
    return Schedule.from_moves(moves)


def seeded(seed, case):
    """The generator of a case."""
    return random.Random(f"{seed} {case}")


def partial_optimum(dag, memory):
    """The fewest words that any legal play moves, or None; Dijkstra in plain Python.

    A state is (operands aggregated into each value, red values, blue values); all moves of the
    rules are tried, but the deletion of a value that is nowhere else and still needed.
    """
    rows = [
        frozenset(dag.pred_indices[a:b].tolist())
        for a, b in zip(dag.pred_indptr, dag.pred_indptr[1:], strict=False)
    ]
    words, outputs = dag.sizes.tolist(), set(dag.outputs.tolist())
    start = (
        tuple(frozenset() for _ in rows),
        frozenset(),
        frozenset(v for v, row in enumerate(rows) if not row),
    )
    best, queue, count = {start: 0}, [(0, 0, start)], 0
    while queue:
        cost, _, state = heappop(queue)
        if cost > best[state]:
            continue
        added, _, blue = state
        if all(v in blue and added[v] == rows[v] for v in outputs):
            return cost
        for price, after in _moves(rows, words, outputs, memory, *state):
            if cost + price < best.get(after, cost + price + 1):
                best[after] = cost + price
                count += 1
                heappush(queue, (cost + price, count, after))
    return None


def _moves(rows, words, outputs, memory, added, red, blue):
    room = memory - sum(words[v] for v in red)
    unread = {u for v, row in enumerate(rows) for u in row - added[v]}
    for v, row in enumerate(rows):
        if v in red:
            needed = v in unread or added[v] != row or v in outputs
            if v in blue or not needed:
                yield 0, (added, red - {v}, blue)
            if v not in blue:
                yield words[v], (added, red, blue | {v})
        elif v in blue and words[v] <= room and (v in unread or added[v] != row):
            yield words[v], (added, red | {v}, blue)
        if v not in red and (added[v] or words[v] > room):
            continue
        for u in row - added[v]:
            if u in red and added[u] == rows[u]:
                extra = (*added[:v], added[v] | {u}, *added[v + 1 :])
                yield 0, (extra, red | {v}, blue - {v})
