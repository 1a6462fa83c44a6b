"""The way back from the states of a search to a play.

The search keeps states up to symmetry, and no moves. Between a state and the next one on the way to
a goal the step is found again by trying all that spend as much, in plain Python, until a state that
follows is the next one, taken to its image by the same swaps as in the search. These swaps say
where the real vertices are from then on.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol

from dags import CDAG
from pebble.moves import Move
from pebble.schedule import Schedule
from pebble.small._kernels import states as k
from pebble.small.game import SmallGame, members
from pebble.small.symmetry import Exchanges


class StepNotFoundError(AssertionError):
    """No step leads from a state of the search to the next one: the search is broken."""


class State(NamedTuple):
    """A set of steps and two of values, as the search keeps them, and the words spent."""

    done: int
    red: int
    third: int
    spent: int


@dataclass(frozen=True)
class Step:
    """A step of a play, in the numbers of the state before.

    Parameters
    ----------
    number
        The step that is computed.
    red
        Values in fast memory after it.
    stored
        Values that are stored before, or as, they leave.
    """

    number: int
    red: int
    stored: int


class Steps(Protocol):
    """The steps of a game in plain Python."""

    def settled(self, state: State) -> tuple[State, list[Step]]:
        """The state after all steps that come at once, and these."""

    def following(self, state: State, spent: int, out: int = 0) -> Iterator[tuple[State, Step]]:
        """Yield the steps after which no more than `spent` words are spent, and their states.

        Parameters
        ----------
        state
            The state before.
        spent
            Words.
        out
            Values, all to come, that must not be in fast memory after the step.
        """

    def to_come(self, done: int) -> int:
        """The values that are of use when so many steps are done."""


def play_to_goal(
    dag: CDAG, game: SmallGame, steps: Steps, exchanges: Exchanges, store: k.Store
) -> Schedule:
    """The play that ends in the goal of a search.

    Parameters
    ----------
    dag, game
        The DAG, and the game on all of it.
    steps, exchanges
        The steps of the game, and its symmetries, as the search has them.
    store
        The states of the search.

    Raises
    ------
    StepNotFoundError
        If the search is broken.
    """
    player = _Player(dag, game)
    path = [_state(store, x) for x in path_to_goal(store)]
    start, settling = steps.settled(State(0, 0, 0, 0))
    if exchanges.lowered(start[:3])[0] != path[0][:3]:
        raise StepNotFoundError("the search begins elsewhere")
    player.take(settling, exchanges.lowered(start[:3])[1], exchanges)
    for state, target in pairwise(path):
        # Neither steps that come at once nor swaps take these values away.
        out = steps.to_come(target.done) & exchanges.unmoved & ~target.red
        for after, step in steps.following(state, target.spent, out):
            place, settling = steps.settled(after)
            if place.spent != target.spent or _counts(place) != _counts(target):
                continue
            image, swaps = exchanges.lowered(place[:3])
            if image == target[:3]:
                player.take([step, *settling], swaps, exchanges)
                break
        else:
            raise StepNotFoundError(f"no step leads from {state} to {target}")
    return Schedule.from_moves(player.moves)


def _counts(state: State) -> tuple[int, ...]:
    return tuple(x.bit_count() for x in state[:3])


def path_to_goal(store: k.Store) -> list[int]:
    """The nodes on the way to the goal."""
    path = [int(store.at[k.GOAL])]
    while store.node["parent"][path[-1]] >= 0:
        path.append(int(store.node["parent"][path[-1]]))
    return path[::-1]


def _state(store: k.Store, x: int) -> State:
    node = store.node[x]
    return State(int(node["done"]), int(node["red"]), int(node["third"]), int(node["spent"]))


class _Player:
    """Turns steps into moves of the real vertices."""

    def __init__(self, dag: CDAG, game: SmallGame) -> None:
        self.steps: list[int] = game.steps.tolist()
        self.values: list[int] = game.values.tolist()
        self.words = dag.sizes.tolist()
        self.rows = [
            dag.pred_indices[a:b].tolist()
            for a, b in zip(dag.pred_indptr[:-1], dag.pred_indptr[1:], strict=True)
        ]
        self.missing = set(dag.outputs.tolist())
        self.red: set[int] = set()
        self.moves: list[tuple[Move, int]] = []

    def take(self, steps: Iterable[Step], swaps: list[int], exchanges: Exchanges) -> None:
        """Play some steps, and let the vertices change places after them."""
        for step in steps:
            self._play(step)
        for swap in swaps:
            self.steps = _moved(self.steps, exchanges.steps[swap].tolist())
            self.values = _moved(self.values, exchanges.values[swap].tolist())

    def _play(self, step: Step) -> None:
        v = self.steps[step.number]
        operands = self.rows[v]
        kept = {self.values[r] for r in members(step.red)}
        stored = {self.values[r] for r in members(step.stored)}
        leaving = sorted(self.red - kept - set(operands))
        self._do(Move.STORE, [u for u in leaving if u in stored])
        self._do(Move.DELETE, leaving)
        self._do(Move.LOAD, [u for u in operands if u not in self.red])
        # The largest first: the result takes its place where the game slides.
        removed = sorted((u for u in operands if u not in kept), key=lambda u: -self.words[u])
        self._do(Move.STORE, [u for u in removed if u in stored])
        self._do(Move.COMPUTE, [v])
        self._do(Move.DELETE, removed)
        if v in self.missing:
            self.missing.remove(v)
            self._do(Move.STORE, [v])
        self._do(Move.DELETE, sorted(self.red - kept))

    def _do(self, move: Move, vertices: list[int]) -> None:
        self.moves += [(move, u) for u in vertices]
        if move in (Move.LOAD, Move.COMPUTE):
            self.red |= set(vertices)
        elif move is Move.DELETE:
            self.red -= set(vertices)


def _moved(names: list[int], places: list[int]) -> list[int]:
    """The names after each has gone to its place."""
    moved = names.copy()
    for name, place in zip(names, places, strict=True):
        moved[place] = name
    return moved
