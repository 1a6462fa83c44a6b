"""The least excess of the game in which each value is computed once, by best-first search.

E1 in docs/theory/search.md has the proof, item by item, that the plays left out are not needed, E2
that of pairs of steps.
"""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble.schedule import Schedule
from pebble.small._kernels import one_shot as k
from pebble.small._kernels.states import FORM, KNOWN_FORMS, Store
from pebble.small.fronts import fronts
from pebble.small.game import SmallGame, mask, members
from pebble.small.plays import State, Step, play_to_goal
from pebble.small.search import Search, words_of
from pebble.small.symmetry import Exchanges, as_bits, swaps, twins

STEPS = 500  # between two looks at the clock


def one_shot_board(game: SmallGame) -> k.OneShotBoard:
    """The game as the kernels read it, with room to work in."""
    step = np.empty(game.steps.size, k.STEP)
    for name in ("operands", "before", "result", "own", "outside"):
        step[name] = getattr(game, name)
    step["replaceable"] = game.replaceable if game.rules.sliding else 0
    step["twin"] = twins(game)
    step["other"] = pairs(game)
    marks = fronts(game)
    front = np.empty(marks.steps.shape, k.FRONT)
    front["steps"], front["score"] = marks.steps, marks.scores
    return k.OneShotBoard(
        step=lock(step),
        readers=game.readers,
        words=words_of(game.sizes),
        costly=np.uint64(game.costly),
        full=np.uint64((1 << game.steps.size) - 1),
        swaps=as_bits(*swaps(game, game.room_kinds)),
        front=lock(front),
        paired=np.uint64(mask(np.flatnonzero(step["other"] >= 0).tolist())),
        memory=game.memory,
        sliding=game.rules.sliding,
        choice=np.empty((4, 66), np.int64),
        forms=np.zeros(KNOWN_FORMS, FORM),
    )


def one_shot_search(game: SmallGame) -> Search:
    """The search of a game."""
    return _search_on(one_shot_board(game), game)


def _search_on(board: k.OneShotBoard, game: SmallGame) -> Search:
    everything = (1 << game.steps.size) - 1
    return Search(
        lambda: board._replace(
            choice=np.empty_like(board.choice), forms=np.zeros(KNOWN_FORMS, FORM)
        ),
        k.begin,
        k.search,
        keyed=(everything, 0),
        steps=STEPS,
        unit="state",
    )


def one_shot_play(dag: CDAG, game: SmallGame, store: Store) -> Schedule:
    """The play that ends in the goal of a search of all of `dag`."""
    exchanges = Exchanges(*swaps(game, game.room_kinds))
    return play_to_goal(dag, game, OneShotSteps(game), exchanges, store)


class OneShotSteps:
    """The steps of a game; the third set of a state is that of dirty values.

    Parameters
    ----------
    game
        The game.
    """

    def __init__(self, game: SmallGame) -> None:
        self.memory, self.sliding, self.costly = game.memory, game.rules.sliding, game.costly
        self.operands = game.operands.tolist()
        self.before = game.before.tolist()
        self.twin = twins(game).tolist()
        self.readers = game.readers.tolist()
        self.result = [1 << r if r >= 0 else 0 for r in game.result.tolist()]
        self.own: list[int] = game.own.tolist()
        self.outside: list[int] = game.outside.tolist()
        self.replaceable: list[int] = game.replaceable.tolist()
        self.sizes: list[int] = game.sizes.tolist()
        self.size: int | None = self.sizes[0] if len(set(self.sizes)) == 1 else None
        self.fresh = sum(1 << r for r, c in enumerate(game.maker.tolist()) if c < 0) & self.costly

    def settled(self, state: State) -> tuple[State, list[Step]]:
        """The state after all steps that come at once, and these."""
        steps: list[Step] = []
        while True:
            count = len(steps)
            for v in range(len(self.operands)):
                if self._ready(v, state.done) and self._at_once(v, state):
                    state, step = self._after(state, v, 0)
                    steps.append(step)
            if len(steps) == count:
                return state, steps

    def following(self, state: State, spent: int, out: int = 0) -> Iterator[tuple[State, Step]]:
        """Yield the steps after which just `spent` words are spent, and their states."""
        for v in range(len(self.operands)):
            if not self._ready(v, state.done):
                continue
            stay = self.operands[v] & ~self._dying(v, state.done)
            away = members(state.red & ~self.operands[v])
            for slid in [0, *(1 << r for r in members(stay) if self.sliding)]:
                budget = spent - state.spent - self._price(slid, self._dirty(state, v))
                need = self._need(v, state, slid)
                for leaving in self._leaving(away, state.third, budget, need):
                    after, step = self._after(state, v, leaving | slid)
                    if not after.red & out:
                        yield after, step

    def to_come(self, done: int) -> int:
        """The values that some step which is not done reads."""
        return mask(r for r, readers in enumerate(self.readers) if readers & ~done)

    def _ready(self, v: int, done: int) -> bool:
        """Whether step v can come next; of twins only the first."""
        first = self.twin[v] < 0 or done >> self.twin[v] & 1
        return bool(first and not done >> v & 1 and not self.before[v] & ~done)

    def _weight(self, values: int) -> int:
        if self.size is not None:
            return self.size * values.bit_count()
        return sum(self.sizes[r] for r in members(values))

    def _price(self, values: int, dirty: int) -> int:
        """The cost of values that leave and come back."""
        return self._weight(values) + self._weight(values & dirty)

    def _dying(self, v: int, done: int) -> int:
        """The operands of v that no step reads after v."""
        after = done | 1 << v
        return sum(1 << r for r in members(self.operands[v]) if not self.readers[r] & ~after)

    def _dirty(self, state: State, v: int) -> int:
        """The dirty values when v is computed, with those that come from nothing for it."""
        new = self.operands[v] & self.fresh & ~state.red
        return state.third | sum(1 << r for r in members(new) if not self.readers[r] & state.done)

    def _need(self, v: int, state: State, slid: int) -> int:
        """The words that must leave before v, computed in the place of `slid`."""
        occupied = self._weight(state.red | self.operands[v]) + self.outside[v]
        if not self.sliding:
            return occupied + self.own[v] - self.memory
        chosen = [slid] if slid else [1 << r for r in members(self._dying(v, state.done))]
        largest = max([0 if slid else self.replaceable[v], *map(self._weight, chosen)])
        return max(occupied, occupied + self.own[v] - largest) - self.memory

    def _after(self, state: State, v: int, out: int) -> tuple[State, Step]:
        """The state after v, for which the values `out` leave; and the step."""
        dying = self._dying(v, state.done)
        produced, dirty = self.result[v], self._dirty(state, v)
        red = (state.red | self.operands[v]) & ~dying & ~out | produced
        after = State(
            state.done | 1 << v,
            red,
            dirty & ~dying & ~out | produced & self.costly,
            state.spent + self._price(out, dirty),
        )
        return after, Step(v, red, out & dirty)

    def _at_once(self, v: int, state: State) -> bool:
        dying = self._dying(v, state.done)
        if self.operands[v] & ~state.red & ~dying or self._need(v, state, 0) > 0:
            return False
        own_room, produced = self.own[v], self.result[v]
        freed = [1 << u for u in members(dying & state.red) if self.sizes[u] >= own_room]
        due = own_room * (1 + (self.costly & produced != 0)) if produced else 0
        return sum(self._price(u, state.third) for u in freed) >= due

    def _leaving(self, values: list[int], dirty: int, budget: int, need: int) -> Iterator[int]:
        """Yield the sets of `values` that cost `budget` and free `need` words, none too many."""
        if need <= 0:
            if budget == 0:
                yield 0
            return
        for i, r in enumerate(values):
            left = budget - self._price(1 << r, dirty)
            if left >= 0:
                for further in self._leaving(values[i + 1 :], dirty, left, need - self.sizes[r]):
                    yield further | 1 << r


def pairs(game: SmallGame) -> Int64Array:
    """(c,) the other step of the pair of each step, or -1."""
    partner = np.full(game.steps.size, -1, np.int64)
    if game.rules.sliding or (game.sizes != 1).any() or (game.own != 1).any():
        return lock(partner)
    for operands in {
        int(operand_bits)
        for operand_bits in game.operands
        if operand_bits & operand_bits - np.uint64(1)
    }:
        readers = {int(game.readers[r]) for r in members(operands)}
        steps = members(readers.pop())
        alike = {(int(game.operands[c]), int(game.before[c]), int(game.outside[c])) for c in steps}
        if not readers and len(steps) == 2 and len(alike) == 1 and not game.outside[steps].any():
            partner[steps] = steps[::-1]
    return lock(partner)
