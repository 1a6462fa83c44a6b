"""The way from the goal of a search of partial computation back to a play."""

from collections.abc import Iterator
from itertools import combinations, pairwise

from dags import CDAG
from pebble.moves import Move
from pebble.schedule import Schedule
from pebble.small._kernels import states as k
from pebble.small.partial import PartialGame
from pebble.small.plays import StepNotFoundError, path_to_goal

State = tuple[set[int], set[int], set[int]]  # edges done, values that are red, dirty ones of them
Step = tuple[Move, int] | tuple[Move, int, int]


def partial_play(dag: CDAG, game: PartialGame, store: k.Store) -> Schedule:
    """Return the play that ends in the goal of a search of all of `dag`.

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
    steps = _Steps(game)
    path = [_state(store, x) for x in path_to_goal(store)]
    blue = {v for v, edges in enumerate(steps.into) if not edges}
    moves: list[Step] = []
    for state, target in pairwise(path):
        for edge, leaving in steps.choices(state):
            player = _Player(steps, state, blue)
            player.step(edge, leaving)
            if player.state == target:
                break
        else:
            raise StepNotFoundError(f"no step leads from {state} to {target}")
        moves, blue = moves + player.moves, player.blue
    name = game.values.tolist()
    return Schedule.from_moves((move[0], *(name[v] for v in move[1:])) for move in moves)


def _state(store: k.Store, x: int) -> State:
    fields = (int(store.node[x][name]) for name in ("done", "red", "third"))
    done, red, dirty = ({b for b in range(64) if field >> b & 1} for field in fields)
    return done, red, dirty


class _Steps:
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

    def choices(self, state: State) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the edges that can come next, each with the sets of values that may leave."""
        done, red, _ = state
        for e, ends in enumerate(self.ends):
            if e in done or not self.into[ends[0]] <= done:
                continue
            need = self.room(red | {*ends}) - self.memory
            others = sorted(red - {*ends})
            for count in range(len(others) + 1):
                for leaving in combinations(others, count):
                    spare = sum(self.words[v] for v in leaving) - need
                    if spare >= 0 and all(self.words[v] > spare for v in leaving):
                        yield e, leaving

    def room(self, values: set[int]) -> int:
        """Return the words of some values."""
        return sum(self.words[v] for v in values)


class _Player:
    """Plays a step, and what comes at once after it."""

    def __init__(self, steps: _Steps, state: State, blue: set[int]) -> None:
        self.steps = steps
        self.done, self.red, self.dirty = (set(part) for part in state)
        self.blue = set(blue)
        self.moves: list[Step] = []

    @property
    def state(self) -> State:
        """The state that has been reached."""
        return self.done, self.red, self.dirty

    def complete(self, v: int) -> bool:
        """Return whether all operands of v have been aggregated."""
        return self.steps.into[v] <= self.done

    def step(self, edge: int, leaving: tuple[int, ...]) -> None:
        """Let values leave, bring the ends of an edge, and do it with all that follows."""
        for v in leaving:
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
        """Return whether an aggregation costs nothing that is not paid otherwise."""
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
        """Aggregate along an edge; what nobody needs any more leaves."""
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
