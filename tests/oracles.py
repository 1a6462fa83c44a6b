"""The exact optimum of tiny games, by exhaustive search over states; plain Python, no engine."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush

from dags import CDAG
from pebble import Rules

State = tuple[int, int, int]


def optimum(dag: CDAG, memory: int, rules: Rules, order: Sequence[int] | None = None) -> int | None:
    """Return the fewest words that any legal play moves, or None if there is no legal play.

    With an `order`, of plays that compute every vertex once, in this order.

    Dijkstra's algorithm over the states (red, blue, computed), sets of vertices kept as bits;
    what is still to be stored is added to a state's place in the queue. Under rules that allow
    a value to be computed again, which ones have been computed does not matter and is not kept.

    Two things are left out that no cheapest play needs. A value leaves only where some value
    would not fit beside what is there: it could as well leave later. And a value that no
    computation can read any more is stored at once if it must be stored, and leaves.
    """
    return _least(dag, memory, rules, None if order is None else tuple(map(int, order)))


@lru_cache(maxsize=4096)  # many tests ask about the same DAGs
def _least(dag: CDAG, memory: int, rules: Rules, order: tuple[int, ...] | None) -> int | None:
    game = _Game(dag, memory, rules if order is None else replace(rules, recompute=False))
    game.after = _turns(order)
    start = (0, sum(1 << int(v) for v in dag.inputs), 0)
    best = {start: 0}
    queue = [(game.still_to_store(start), 0, start)]
    while queue:
        _, cost, state = heappop(queue)
        if cost > best[state]:
            continue
        if not game.still_to_store(state):
            return cost
        for price, following in map(game.settled, game.moves(*state)):
            total = cost + price
            if total < best.get(following, total + 1):
                best[following] = total
                heappush(queue, (total + game.still_to_store(following), total, following))
    return None


def _turns(order: tuple[int, ...] | None) -> dict[int, int]:
    """Return the set of vertices that come before each vertex of `order`."""
    turns, done = {}, 0
    for v in order or ():
        turns[v] = done
        done |= 1 << v
    return turns


class _Game:
    """The moves of a game, on sets of vertices kept as bits."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules) -> None:
        rows = zip(dag.pred_indptr[:-1].tolist(), dag.pred_indptr[1:].tolist(), strict=True)
        self.preds = [dag.pred_indices[a:b].tolist() for a, b in rows]
        self.operands = [sum(1 << u for u in preds) for preds in self.preds]
        self.readers = [
            sum(1 << v for v, preds in enumerate(self.preds) if u in preds) for u in range(dag.n)
        ]
        self.words = [1] * dag.n if dag.words is None else dag.words.tolist()
        self.outputs = set(dag.outputs.tolist())
        self.memory = memory
        self.rules = rules
        self.after: dict[int, int] = {}  # what must have been computed before a vertex

    def still_to_store(self, state: State) -> int:
        """Return the words of outputs that are not in slow memory: each costs a store yet."""
        _, blue, _ = state
        return sum(self.words[v] for v in self.outputs if not blue >> v & 1)

    def moves(self, red: int, blue: int, done: int) -> list[tuple[int, State]]:
        """Return (words moved, state) of the legal moves."""
        occupied = sum(words for v, words in enumerate(self.words) if red >> v & 1)
        room = self.memory - occupied
        found: list[tuple[int, State]] = []
        for v, words in enumerate(self.words):
            bit = 1 << v
            if red & bit:
                if room < max(self.words):
                    found.append((0, (red ^ bit, blue, done)))
                if not blue & bit:
                    found.append((words, (red, blue | bit, done)))
                continue
            if blue & bit and words <= room:
                found.append((words, (red | bit, blue, done)))
            if not self.preds[v] or self.operands[v] & ~red or done & bit:
                continue
            if v in self.after and done != self.after[v]:
                continue
            computed = done if self.rules.recompute else done | bit
            if words <= room:
                found.append((0, (red | bit, blue, computed)))
            if self.rules.sliding:
                found += [
                    (0, ((red | bit) ^ (1 << u), blue, computed))
                    for u in self.preds[v]
                    if words <= room + self.words[u]
                ]
        return found

    def settled(self, move: tuple[int, State]) -> tuple[int, State]:
        """Return `move` with what nobody can read any more stored, if it must be, and gone."""
        price, (red, blue, done) = move
        for v, words in enumerate(self.words):
            bit = 1 << v
            if red & bit and not self.readers[v] & ~done:
                red ^= bit
                if v in self.outputs and not blue & bit:
                    blue |= bit
                    price += words
        return price, (red, blue, done)
