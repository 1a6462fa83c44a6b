"""The least excess of the game in which values may be computed again, by best-first search.

E3 in docs/theory/search.md has the proof, item by item, that the plays left out are not needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from operator import or_

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble.schedule import Schedule
from pebble.small._kernels.recompute import search
from pebble.small._kernels.recompute_board import KNOWN, STEP, RecomputeBoard, begin
from pebble.small._kernels.states import FORM, KNOWN_FORMS, Store
from pebble.small.fronts import links, new_flow
from pebble.small.game import SmallGame, mask, members
from pebble.small.plays import State, Step, play_to_goal
from pebble.small.search import Search, words_of
from pebble.small.symmetry import Exchanges, as_bits, swaps, twins

STEPS = 50  # between two looks at the clock: what follows a state may be much
KNOWN_CUTS = 1 << 14  # half a megabyte: a larger table costs more by waiting for memory


@dataclass(frozen=True)
class Sources:
    """A game without the values that come from nothing: they only take room.

    Parameters
    ----------
    game
        The game on the other values.
    free
        (c,) words of the operands of each step that come from nothing, or are outside the game.
    replaceable
        (c,) words of the largest of these.
    """

    game: SmallGame
    free: Int64Array
    replaceable: Int64Array


def without_free_sources(game: SmallGame) -> Sources:
    """The game on the inputs and on the results of steps."""
    kept = [r for r, c in enumerate(game.maker.tolist()) if c >= 0 or game.inputs >> r & 1]
    place = {r: i for i, r in enumerate(kept)}
    free = [[r for r in members(int(x)) if r not in place] for x in game.operands]
    words = [[int(game.sizes[r]) for r in row] for row in free]
    operands = [mask(place[r] for r in members(int(x)) if r in place) for x in game.operands]
    reduced = replace(
        game,
        values=lock(game.values[kept]),
        operands=lock(np.array(operands, np.uint64)),
        result=lock(np.array([place.get(int(r), -1) for r in game.result], np.int64)),
        readers=lock(game.readers[kept]),
        sizes=lock(game.sizes[kept]),
        inputs=mask(place[r] for r in members(game.inputs)),
        outputs=mask(place[r] for r in members(game.outputs) if r in place),
    )
    return Sources(
        game=reduced,
        free=game.outside + np.array([sum(row) for row in words], np.int64),
        replaceable=np.maximum(
            game.replaceable, np.array([max(row, default=0) for row in words], np.int64)
        ),
    )


def recompute_board(game: SmallGame) -> RecomputeBoard:
    """The game as the kernels read it, with room to work in."""
    sources = without_free_sources(game)
    reduced = sources.game
    return RecomputeBoard(
        step=_steps(sources, np.where(reduced.result < 0, twins(game), -1)),
        maker=reduced.maker,
        links=links(reduced),
        sizes=reduced.sizes,
        words=words_of(reduced.sizes),
        own=words_of(reduced.own),
        inputs=np.uint64(reduced.inputs),
        outputs=np.uint64(reduced.outputs),
        goals=np.uint64(mask(np.flatnonzero(reduced.result < 0).tolist())),
        base=sum(int(reduced.sizes[r]) for r in members(reduced.inputs)),
        swaps=as_bits(*swaps(reduced, _room_kinds(sources))),
        memory=game.memory,
        sliding=game.rules.sliding,
        choice=np.empty((3, 66), np.int64),
        flow=new_flow(),
        known=np.zeros(KNOWN_CUTS, KNOWN),
        forms=np.zeros(KNOWN_FORMS, FORM),
    )


def recompute_search(game: SmallGame) -> Search:
    """The search of a game."""
    board = recompute_board(game)
    values = (1 << 64) - 1
    return Search(
        lambda: board._replace(
            choice=np.empty_like(board.choice),
            flow=new_flow(),
            known=np.zeros(KNOWN_CUTS, KNOWN),
            forms=np.zeros(KNOWN_FORMS, FORM),
        ),
        begin,
        search,
        keyed=(int(board.goals), values),
        steps=STEPS,
        unit="recompute state",
    )


def recompute_play(dag: CDAG, game: SmallGame, store: Store) -> Schedule:
    """The play that ends in the goal of a search of all of `dag`."""
    exchanges = Exchanges(*swaps(game, _room_kinds(without_free_sources(game))))
    return play_to_goal(dag, game, RecomputeSteps(game), exchanges, store)


def _steps(sources: Sources, twin: Int64Array) -> npt.NDArray[np.void]:
    """The steps as the kernels read them."""
    game = sources.game
    ends, below = _ways(game)
    step = np.empty(game.steps.size, STEP)
    for name in ("operands", "result", "own"):
        step[name] = getattr(game, name)
    step["ends"], step["below"] = ends, below
    step["free"] = sources.free
    replaced = np.minimum(sources.replaceable, game.own) if game.rules.sliding else 0
    step["beside"] = sources.free + game.own - replaced
    step["twin"] = twin
    return lock(step)


def _ways(game: SmallGame) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """The goals that each step leads to, and the values that lead to it."""
    steps = range(game.steps.size)
    operands, result = [int(x) for x in game.operands], game.result.tolist()
    below, origin = list(operands), [0] * game.values.size
    for v in steps:  # in topological order
        for r in members(operands[v]):
            below[v] |= origin[r]
        if result[v] >= 0:
            origin[result[v]] = below[v]
    goals = [v for v in steps if result[v] < 0]
    results = [1 << r if r >= 0 else 0 for r in result]
    ends = [mask(w for w in goals if w == v or below[w] & results[v]) for v in steps]
    return np.array(ends, np.uint64), np.array(below, np.uint64)


def _room_kinds(sources: Sources) -> Int64Array:
    """(c,) a number of the room that each step takes."""
    rows = np.stack([sources.game.own, sources.free, sources.replaceable])
    _, kinds = np.unique(rows, axis=1, return_inverse=True)
    return kinds.reshape(-1).astype(np.int64)


class RecomputeSteps:
    """The steps of a game.

    The steps of a state are goals that are done, and makers of values that are owed; its third set
    is that of values in slow memory other than inputs.

    Parameters
    ----------
    game
        The game, in which no value comes from nothing.
    """

    def __init__(self, game: SmallGame) -> None:
        self.memory, self.sliding = game.memory, game.rules.sliding
        self.operands = game.operands.tolist()
        self.result = [1 << r if r >= 0 else 0 for r in game.result.tolist()]
        self.own: list[int] = game.own.tolist()
        self.sizes: list[int] = game.sizes.tolist()
        self.maker: list[int] = game.maker.tolist()
        self.inputs, self.outputs = game.inputs, game.outputs
        self.goals = mask(v for v, produced in enumerate(self.result) if not produced)
        self.size: int | None = self.sizes[0] if len(set(self.sizes)) == 1 else None
        self._made: dict[int, int] = {}  # from makers to what they make
        self._making: dict[int, int] = {}  # and back
        self._leading: dict[int, int] = {}  # from goals to the values that lead to them
        self.below: list[int] = []  # values that lead to a step
        for operands in self.operands:
            made_of = [self.below[self.maker[r]] for r in members(operands) if self.maker[r] >= 0]
            self.below.append(operands)
            for below in made_of:
                self.below[-1] |= below

    def settled(self, state: State) -> tuple[State, list[Step]]:
        """The state after all steps that come at once, and these."""
        steps: list[Step] = []
        while True:
            count = len(steps)
            for v in range(len(self.operands)):
                if self._possible(v, state) and self._at_once(v, state):
                    state = self._after(state, v, 0, 0)
                    steps.append(Step(v, state.red, 0))
            if len(steps) == count:
                return state, steps

    def following(self, state: State, spent: int, out: int = 0) -> Iterator[tuple[State, Step]]:
        """Yield the steps after which no more than `spent` words are spent, and their states."""
        available, forced = state.red | state.third | self.inputs, out
        for v, operands in enumerate(self.operands):
            if not self._possible(v, state) or operands & ~available:
                continue
            for slid in [0, *(1 << r for r in members(operands) if self.sliding)]:
                if (operands | self.result[v]) & forced & ~slid:
                    continue
                for out in self._leaving(v, state, slid, state.red & forced & ~slid):
                    storable = members((out | slid) & self._useful_after(v, state.done))
                    fresh = [r for r in storable if not (state.third | self.inputs) >> r & 1]
                    for stored in _subsets(fresh, len(fresh)):
                        after = self._after(state, v, out | slid, stored)
                        if after.spent <= spent:
                            yield after, Step(v, after.red, stored)

    def to_come(self, done: int) -> int:
        """The values that lead to a goal that is not done."""
        left = self.goals & ~done
        if left not in self._leading:
            self._leading[left] = reduce(or_, (self.below[w] for w in members(left)), 0)
        return self._leading[left]

    def _possible(self, v: int, state: State) -> bool:
        """Whether v leads to a goal, its result is not there, and it is not owed."""
        leads = not self.result[v] or self.to_come(state.done) & self.result[v]
        return bool(leads) and not state.done >> v & 1 and not self.result[v] & state.red

    def _useful_after(self, v: int, done: int) -> int:
        return self.to_come(done | 1 << v if not self.result[v] else done)

    def _owed(self, done: int) -> int:
        """The values whose makers are among the steps that are done."""
        makers = done & ~self.goals
        if makers not in self._made:
            self._made[makers] = reduce(or_, (self.result[v] for v in members(makers)), 0)
        return self._made[makers]

    def _makers(self, values: int) -> int:
        if values not in self._making:
            self._making[values] = mask(self.maker[r] for r in members(values))
        return self._making[values]

    def _weight(self, values: int) -> int:
        if self.size is not None:
            return self.size * values.bit_count()
        return sum(self.sizes[r] for r in members(values))

    def _after(self, state: State, v: int, out: int, stored: int) -> State:
        """The state after v, for which the values `out` leave, some of them stored."""
        produced, fetched = self.result[v], self.operands[v] & ~state.red
        owed, useful = self._owed(state.done), self._useful_after(v, state.done)
        done = state.done | (0 if produced else 1 << v)
        done = done & ~self._makers(owed & (fetched | ~useful)) | self._makers(stored)
        return State(
            done,
            (state.red | self.operands[v] | produced) & useful & ~out,
            (state.third | produced & self.outputs) & useful | stored,
            state.spent + self._weight(fetched & ~owed) + 2 * self._weight(stored),
        )

    def _need(self, v: int, state: State, slid: int) -> int:
        """The words that must leave before v, computed in the place of `slid`."""
        useful = self._useful_after(v, state.done)
        occupied = self._weight(state.red & useful | self.operands[v])
        beside = self.own[v] - self._weight(slid)
        return occupied + (max(0, beside) if slid else beside) - self.memory

    def _leaving(self, v: int, state: State, slid: int, forced: int) -> Iterator[int]:
        """Yield the sets of values, `forced` ones among them, that just make room for v."""
        need = self._need(v, state, slid)
        optional = state.red & self._useful_after(v, state.done) & ~self.operands[v] & ~forced
        # A member frees a word at least.
        for others in _subsets(members(optional), max(need - self._weight(forced), 0)):
            out = forced | others
            spare = self._weight(out) - need
            if spare >= 0 and all(spare < self.sizes[r] for r in members(out)):
                yield out

    def _at_once(self, v: int, state: State) -> bool:
        missing = self.operands[v] & ~state.red
        if self.result[v]:
            return not missing and self._weight(state.red) + self.own[v] <= self.memory
        useful = self._useful_after(v, state.done)
        if missing & ~self.inputs or missing & useful:
            return False
        dying = members(self.operands[v] & ~useful) if self.sliding else []
        return min(self._need(v, state, slid) for slid in [0, *(1 << r for r in dying)]) <= 0


def _subsets(values: list[int], words: int) -> Iterator[int]:
    """Yield the subsets of no more than `words` values."""
    for count in range(min(words, len(values)) + 1):
        for chosen in combinations(values, count):
            yield mask(chosen)
