"""Hierarchies of memories: random plays, legal and broken, and the optimum of tiny games."""

from heapq import heappop, heappush

import numpy as np

from dags import CDAG
from pebble import Move, Schedule, min_memory


def small_dag(rng, *, most_vertices=7):
    """Draw a DAG of few vertices; values sometimes have sizes."""
    n, limit = rng.randint(3, most_vertices), rng.randint(1, 3)
    rows = [
        sorted(rng.sample(range(v), rng.randint(0 if v < 2 else 1, min(limit, v))))
        for v in range(n)
    ]
    return CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=[rng.randint(1, 2) for _ in rows] if rng.random() < 0.25 else None,
        outputs=[v for v in range(n) if rows[v] and rng.random() < 0.2],
    )


def hierarchy(rng, dag, *, levels=3):
    """Draw words of each level but the last, tight ones: not always rising."""
    largest = int(dag.sizes.max())
    first = max(min_memory(dag), 1) + rng.choice([0, 0, 1])
    return [first, *(largest + rng.randint(0, 3) for _ in range(levels - 2))]


def random_play(rng, dag, memories):
    """The moves of a legal play: values pass all levels, now and then copies stay."""
    rows = [row.tolist() for row in np.split(dag.pred_indices, dag.pred_indptr[1:-1])]
    words, last = dag.sizes.tolist(), len(memories) + 1
    held = [set() for _ in range(last + 1)]
    held[last] = set(dag.inputs.tolist())
    moves = []

    def free(level, need, keep):
        while level < last and sum(words[v] for v in held[level]) + need > memories[level - 1]:
            v = rng.choice(sorted(held[level] - keep))
            if not any(v in held[higher] for higher in range(level + 1, last + 1)):
                up(v, level)
            moves.append((Move.DELETE, v, level))
            held[level].remove(v)

    def up(v, level):
        free(level + 1, words[v], set())
        moves.append((Move.STORE, v, level))
        held[level + 1].add(v)

    def down(v, keep):
        lowest = min(level for level in range(1, last + 1) if v in held[level])
        for level in range(lowest - 1, 0, -1):
            free(level, words[v], keep if level == 1 else {v})
            moves.append((Move.LOAD, v, level))
            held[level].add(v)

    for v in dag.computed.tolist():
        for u in rows[v]:
            down(u, {*rows[v]})
        free(1, words[v], {*rows[v]})
        moves.append((Move.COMPUTE, v, 1))
        held[1].add(v)
    for v in dag.outputs.tolist():
        level = max(level for level in range(1, last + 1) if v in held[level])
        for position in range(level, last):
            up(v, position)
    return moves


def leveled(moves):
    """The schedule of (move, vertex, level) triples."""
    op, vertex, level = zip(*moves, strict=True)
    return Schedule(op, vertex, place=np.array(level) - 1)


def changed(rng, moves, dag, levels):
    """The moves with one to three of them changed."""
    moves = list(moves)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(moves))
        second = rng.choice(list(Move)[:4]), rng.randint(-1, dag.n), rng.randint(1, levels)
        kind = rng.choice(["drop", "insert", "replace", "double", "swap"])
        if kind == "drop" and len(moves) > 1:
            del moves[place]
        elif kind == "insert":
            moves.insert(place, second)
        elif kind == "replace":
            moves[place] = second
        elif kind == "double":
            moves.insert(place, moves[place])
        else:
            moves[place - 1], moves[place] = moves[place], moves[place - 1]
    return leveled(moves)


def cheapest_on_levels(dag, memories, costs):
    """The least cost of a one-shot play; Dijkstra over elementary moves in plain Python."""
    rows = [frozenset(row.tolist()) for row in np.split(dag.pred_indices, dag.pred_indptr[1:-1])]
    words, last, outputs = dag.sizes.tolist(), len(memories) + 1, set(dag.outputs.tolist())
    empty = frozenset()
    start = (empty, *(empty for _ in memories), frozenset(dag.inputs.tolist()))
    best, queue, count = {start: 0}, [(0, 0, start)], 0
    while queue:
        cost, _, state = heappop(queue)
        if cost > best[state]:
            continue
        if outputs <= state[last]:
            return cost
        for price, after in _steps(rows, words, memories, costs, state):
            if cost + price < best.get(after, cost + price + 1):
                best[after] = cost + price
                count += 1
                heappush(queue, (cost + price, count, after))
    return None


def _steps(rows, words, memories, costs, state):
    """Yield (price, state) of every legal move, but those that nobody could want."""
    done, last = state[0], len(memories) + 1
    unread = {u for v, row in enumerate(rows) for u in row if v not in done}

    def fits(v, level):
        used = sum(words[u] for u in state[level])
        return level == last or used + words[v] <= memories[level - 1]

    def put(level, values, computed=done):
        return (computed, *state[1:level], values, *state[level + 1 :])

    for level in range(1, last):
        for v in state[level]:
            yield 0, put(level, state[level] - {v})
            if v not in state[level + 1] and fits(v, level + 1):
                yield costs[level - 1] * words[v], put(level + 1, state[level + 1] | {v})
        for v in state[level + 1] - state[level]:
            if v in unread and fits(v, level):
                yield costs[level - 1] * words[v], put(level, state[level] | {v})
    for v, row in enumerate(rows):
        if row and v not in done and row <= state[1] and v not in state[1] and fits(v, 1):
            yield 0, put(1, state[1] | {v}, done | {v})
