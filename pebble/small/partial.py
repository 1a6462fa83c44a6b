"""The least excess of partial computation, by best-first search over states.

E4 in docs/theory/search.md has the proof, item by item, that the plays left out are not needed.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from pebble.moves import Move
from pebble.schedule import Schedule
from pebble.small._kernels import partial as k
from pebble.small._kernels.states import Store
from pebble.small.game import BITS, TooLargeError
from pebble.small.plays import StepNotFoundError, path_to_goal
from pebble.small.search import Search, words_of

STEPS = 500  # between two looks at the clock


@dataclass(frozen=True)
class PartialGame:
    """A small game of partial computation.

    Parameters
    ----------
    values
        (v,) the vertices that play a part, rising: all but inputs that nobody reads.
    operand, result
        (m,) the ends of each edge, by their places in `values`.
    words
        (v,) sizes.
    is_output
        (v,) whether a value must end in slow memory.
    memory
        Words of fast memory.
    """

    values: Int32Array
    operand: Int64Array
    result: Int64Array
    words: Int64Array
    is_output: np.ndarray
    memory: int


def partial_game(dag: CDAG, memory: int) -> PartialGame:
    """The game of partial computation on a small DAG.

    Raises
    ------
    TooLargeError
        If it has more than 64 values or edges.
    """
    values = np.flatnonzero(dag.is_computed | dag.is_read).astype(np.int32)
    if values.size > BITS or dag.m > BITS:
        raise TooLargeError(
            f"exact search of partial computation takes at most {BITS} values and {BITS} edges, "
            f"not {values.size} and {dag.m}"
        )
    place = np.zeros(dag.n, np.int64)
    place[values] = np.arange(values.size)
    result = np.repeat(np.arange(dag.n), dag.indegree)
    return PartialGame(
        values=lock(values),
        operand=lock(place[dag.pred_indices]),
        result=lock(place[result]),
        words=lock(dag.sizes[values]),
        is_output=lock(np.isin(values, dag.outputs)),
        memory=min(memory, int(dag.sizes.sum())),
    )


def board_of(game: PartialGame) -> k.PartialBoard:
    """The game as the kernels read it, with room to work in."""
    edges = np.uint64(1) << np.arange(game.operand.size, dtype=np.uint64)
    into, out = (np.zeros(game.values.size, np.uint64) for _ in range(2))
    np.bitwise_or.at(into, game.result, edges)
    np.bitwise_or.at(out, game.operand, edges)
    bits = np.uint64(1) << np.arange(game.values.size, dtype=np.uint64)
    costly = bits[(into != 0) & ~game.is_output]
    return k.PartialBoard(
        operand=game.operand,
        result=game.result,
        into=lock(into),
        out=lock(out),
        words=words_of(game.words),
        costly=np.bitwise_or.reduce(costly, initial=np.uint64(0)),
        full=np.bitwise_or.reduce(edges, initial=np.uint64(0)),
        memory=game.memory,
        choice=np.empty((3, BITS + 2), np.int64),
    )


def partial_search(game: PartialGame) -> Search:
    """The search of a game."""
    board = board_of(game)
    everything = (1 << game.operand.size) - 1
    return Search(
        lambda: board._replace(choice=np.empty_like(board.choice)),
        k.begin,
        k.search,
        keyed=(everything, 0),
        steps=STEPS,
        unit="partial state",
    )


State = tuple[set[int], set[int], set[int]]  # edges done, values that are red, dirty ones of them
Step = tuple[Move, int] | tuple[Move, int, int]


def partial_play(dag: CDAG, game: PartialGame, store: Store) -> Schedule:
    """The play that ends in the goal of a search of all of `dag`.

    Parameters
    ----------
    dag
        The computation.
    game
        Its steps and values as sets of bits.
    store
        The nodes of the search, one of them the goal.

    Raises
    ------
    StepNotFoundError
        If the search is broken.
    """
    steps = _PartialSteps(game)
    path = [_state(store, x) for x in path_to_goal(store)]
    blue = {v for v, edges in enumerate(steps.into) if not edges}
    moves: list[Step] = []
    for state, target in pairwise(path):
        for edge in sorted(target[0] - state[0]):
            leaving, player = steps.leaving(edge, state, target), _Player(steps, state, blue)
            if steps.can_come(edge, state, leaving):
                player.step(edge, leaving)
            if player.state == target:
                break
        else:
            raise StepNotFoundError(f"no step leads from {state} to {target}")
        moves, blue = moves + player.moves, player.blue
    name = game.values.tolist()
    return Schedule.from_moves((move[0], *(name[v] for v in move[1:])) for move in moves)


def _state(store: Store, x: int) -> State:
    fields = (int(store.node[x][name]) for name in ("done", "red", "third"))
    done, red, dirty = ({b for b in range(64) if field >> b & 1} for field in fields)
    return done, red, dirty


class _PartialSteps:
    """The steps of a game, on sets."""

    def __init__(self, game: PartialGame) -> None:
        self.ends = list(zip(game.operand.tolist(), game.result.tolist(), strict=True))
        self.words = game.words.tolist()
        self.is_output = game.is_output.tolist()
        self.memory = game.memory
        self.into: list[set[int]] = [set() for _ in self.words]
        self.out: list[set[int]] = [set() for _ in self.words]
        for e, (u, v) in enumerate(self.ends):
            self.into[v].add(e)
            self.out[u].add(e)

    def leaving(self, edge: int, state: State, target: State) -> set[int]:
        """The values that make room for an edge: those gone afterwards, and still needed.

        Values that nobody needs any more have left by then.
        """
        done, red, _ = target
        removed = state[1] - red - {*self.ends[edge]}
        return {v for v in removed if not (self.into[v] | self.out[v]) <= done}

    def can_come(self, edge: int, state: State, leaving: set[int]) -> bool:
        """Whether an edge can come next, if so many values leave."""
        done, red, _ = state
        ready = self.into[self.ends[edge][0]] <= done
        return ready and self.room(red - leaving | {*self.ends[edge]}) <= self.memory

    def room(self, values: set[int]) -> int:
        """The words of some values."""
        return sum(self.words[v] for v in values)


class _Player:
    """Plays a step, and the steps at once after it."""

    def __init__(self, steps: _PartialSteps, state: State, blue: set[int]) -> None:
        self.steps = steps
        self.done, self.red, self.dirty = (set(part) for part in state)
        self.blue = set(blue)
        self.moves: list[Step] = []

    @property
    def state(self) -> State:
        """The state that has been reached."""
        return self.done, self.red, self.dirty

    def complete(self, v: int) -> bool:
        """Whether all operands of v have been aggregated."""
        return self.steps.into[v] <= self.done

    def step(self, edge: int, leaving: set[int]) -> None:
        """Let values leave, bring the ends of an edge, and do it with all that follows."""
        for v in sorted(leaving):
            self.leave(v)
        for v in self.steps.ends[edge]:
            if v not in self.red and (self.complete(v) or self.steps.into[v] & self.done):
                self.moves.append((Move.LOAD, v))
                self.red.add(v)
        self.mark(edge)
        changed = True
        while changed:
            changed = False
            for e in range(len(self.steps.ends)):
                if e not in self.done and self.comes_at_once(e):
                    self.mark(e)
                    changed = True

    def comes_at_once(self, e: int) -> bool:
        """Whether an aggregation costs nothing that is not paid otherwise."""
        steps, (u, v) = self.steps, self.steps.ends[e]
        if u not in self.red or not self.complete(u):
            return False
        if v in self.red:
            return True
        if steps.into[v] & self.done or u not in self.dirty or steps.out[u] - self.done != {e}:
            return False
        fits = steps.room(self.red | {v}) <= steps.memory
        return fits and steps.words[v] <= steps.words[u]

    def mark(self, e: int) -> None:
        """Aggregate along an edge; values that nobody needs any more leave."""
        u, v = self.steps.ends[e]
        self.moves.append((Move.COMPUTE, v, u))
        self.done.add(e)
        self.red.add(v)
        self.blue.discard(v)
        if self.complete(v) and not self.steps.is_output[v]:
            self.dirty.add(v)
        for x in sorted(self.red):
            if self.complete(x) and self.steps.out[x] <= self.done:
                self.leave(x, needed=False)

    def leave(self, v: int, *, needed: bool = True) -> None:
        """Delete a value, stored where slow memory is to have it and has it not."""
        if v not in self.blue and (needed or self.steps.is_output[v]):
            self.moves.append((Move.STORE, v))
            self.blue.add(v)
        self.moves.append((Move.DELETE, v))
        self.red.discard(v)
        self.dirty.discard(v)
