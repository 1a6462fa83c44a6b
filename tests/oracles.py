"""The exact optimum of tiny games, by exhaustive search over states; plain Python, no engine."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import heappop, heappush

from dags import CDAG
from pebble import Rules

State = tuple[int, int, int]


def optimum(dag: CDAG, memory: int, rules: Rules, order: Sequence[int] | None = None) -> int | None:
    """The fewest words that any legal play moves, or None if there is no legal play.

    With an `order`, of plays that compute every vertex once, in this order.

    The A* algorithm over the states (red, blue, computed), sets of vertices kept as bits; what is
    still to be moved at least is added to a state's place in the queue. Under rules that allow
    a value to be computed again, which ones have been computed does not matter and is not kept.

    What no cheapest play needs is left out. A value leaves only where some value would not fit
    beside what is there: it could as well leave later. It is stored just before it leaves, or at
    the end: while it is red, it does not matter whether it is blue. And a value that no computation
    can read any more is stored at once if it must be stored, and leaves.
    """
    return _least(dag, memory, rules, None if order is None else tuple(map(int, order)))


@lru_cache(maxsize=4096)  # many tests ask about the same DAGs
def _least(dag: CDAG, memory: int, rules: Rules, order: tuple[int, ...] | None) -> int | None:
    game = _Game(dag, memory, rules if order is None else replace(rules, recompute=False))
    game.after = _turns(order)
    start = (0, game.inputs, 0)
    best: dict[State, int] = {start: 0}
    queue = [(0, 0, start)]
    while queue:
        minimum, cost, state = heappop(queue)
        if -cost > best[state]:
            continue
        if game.is_over(state):
            return minimum
        for price, following in game.moves(*state):
            total = price - cost
            if total < best.get(following, total + 1):
                best[following] = total
                still = game.still_to_move(following)
                if still is not None:
                    heappush(queue, (total + still, -total, following))
    return None


def _turns(order: tuple[int, ...] | None) -> dict[int, int]:
    """The set of vertices that come before each vertex of `order`."""
    turns, done = {}, 0
    for v in order or ():
        turns[v] = done
        done |= 1 << v
    return turns


@lru_cache(maxsize=1 << 16)
def _members(vertices: int) -> tuple[int, ...]:
    """The vertices of a set."""
    return tuple(v for v in range(vertices.bit_length()) if vertices >> v & 1)


class _Game:
    """The moves of a game, on sets of vertices kept as bits."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules) -> None:
        rows = zip(dag.pred_indptr[:-1].tolist(), dag.pred_indptr[1:].tolist(), strict=True)
        preds = [dag.pred_indices[a:b].tolist() for a, b in rows]
        self.operands = [sum(1 << u for u in row) for row in preds]
        self.computed = sum(1 << v for v, row in enumerate(preds) if row)
        self.size = [1] * dag.n if dag.words is None else dag.words.tolist()
        self.largest = max(self.size)
        self.rules = rules
        self.replaceable = [self._replaceable(dag, v, row) for v, row in enumerate(preds)]
        self.inputs = sum(1 << int(v) for v in dag.inputs)
        self.outputs = sum(1 << int(v) for v in dag.outputs)
        self.memory = memory
        self.after: dict[int, int] = {}  # what must have been computed before a vertex
        self._words: dict[int, int] = {0: 0}
        self._wanted: dict[int, int] = {}
        self._read: dict[int, int] = {}

    def _replaceable(self, dag: CDAG, v: int, row: list[int]) -> int:
        """The operands whose place a vertex may take."""
        if not self.rules.sliding:
            return 0
        if dag.in_place is None:
            return self.operands[v]
        alike = (1 << u for u in row if self.size[u] == self.size[v])
        return sum(alike) if dag.in_place[v] else 0

    def words(self, vertices: int) -> int:
        """The words of a set of values."""
        if vertices not in self._words:
            self._words[vertices] = sum([self.size[v] for v in _members(vertices)])
        return self._words[vertices]

    def wanted(self, done: int) -> int:
        """The values that computations which are still possible read."""
        if done not in self._wanted:
            self._wanted[done] = self._operands_of(self.computed & ~done)
        return self._wanted[done]

    def _operands_of(self, vertices: int) -> int:
        read = 0
        for v in _members(vertices):
            read |= self.operands[v]
        return read

    def is_over(self, state: State) -> bool:
        """Whether all outputs are there: those that are red are still to be stored."""
        red, blue, _ = state
        return not self.outputs & ~blue & ~red

    def still_to_move(self, state: State) -> int | None:
        """Words that every play from here moves at least, or None if there is none.

        Each output that is not blue is stored. A value that will be read and is not red is loaded
        if it cannot be computed: because it is an input, or has been computed once.
        """
        red, blue, done = state
        if self.rules.recompute:
            missed = self._inputs_missed(red, blue)
        else:
            missed = self.wanted(done) & ~red & (done | self.inputs)
            if (missed | self.outputs & done & ~red) & ~blue:
                return None
        return self.words(self.outputs & ~blue) + self.words(missed)

    def _inputs_missed(self, red: int, blue: int) -> int:
        """Return the inputs that are not red and read by what must still be computed."""
        present = red | blue
        if present not in self._read:
            self._read[present] = self._inputs_read(~present)
        return self._read[present] & ~red

    def _inputs_read(self, nowhere: int) -> int:
        """The inputs that are read by what must still be computed.

        That are the outputs which are nowhere, and the values that are nowhere and read by these.
        """
        result = extra = self.outputs & nowhere
        read = 0
        while extra:
            operands = self._operands_of(extra)
            read |= operands
            extra = operands & nowhere & ~result
            result |= extra
        return read & self.inputs

    def moves(self, red: int, blue: int, done: int) -> list[tuple[int, State]]:
        """(words moved, state) of the legal moves."""
        results: list[tuple[int, State]] = []
        room = self.memory - self.words(red)
        if room < self.largest:
            for v in _members(red):
                self._leave(results, v, red, blue, done)
        for v in _members(blue & ~red & self.wanted(done)):
            if self.size[v] <= room:
                self._settle(results, self.size[v], red | 1 << v, blue, done)
        for v in _members(self.computed & ~red & ~done):
            if not self.operands[v] & ~red and self.after.get(v, done) == done:
                computed = done if self.rules.recompute else done | 1 << v
                if self.size[v] <= room:
                    self._settle(results, 0, red | 1 << v, blue, computed)
                for u in _members(self.replaceable[v]):
                    if self.size[v] <= room + self.size[u]:
                        self._leave(results, u, red | 1 << v, blue, computed)
        return results

    def _leave(
        self, result: list[tuple[int, State]], u: int, red: int, blue: int, done: int
    ) -> None:
        """Add the ways in which a red value can leave.

        It is not lost where it will be read and can neither be loaded nor computed again.
        """
        left = red & ~(1 << u)
        if blue >> u & 1:
            self._settle(result, 0, left, blue, done)
            return
        if self.rules.recompute or not (self.wanted(done) | self.outputs) >> u & 1:
            self._settle(result, 0, left, blue, done)
        self._settle(result, self.size[u], left, blue | 1 << u, done)

    def _settle(
        self, result: list[tuple[int, State]], price: int, red: int, blue: int, done: int
    ) -> None:
        """Add a move, with what nobody can read any more stored, if it must be, and gone."""
        wanted = self.wanted(done)
        stored = red & ~wanted & self.outputs & ~blue
        if stored:
            price += self.words(stored)
        result.append((price, (red & wanted, (blue | stored) & (wanted | self.outputs), done)))
