"""The play behind a goal that the search with recomputation found; how, see the one-shot game."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

from dags import CDAG
from pebble import Move, Schedule
from schedulers.exact._kernels import GOAL
from schedulers.exact.names import Names, StepNotFoundError, bits
from schedulers.exact.problem import Problem
from schedulers.exact.recompute import _kernels as k
from schedulers.exact.recompute.search import ways
from schedulers.exact.symmetry import Symmetry


class State(NamedTuple):
    """Outputs that are stored, and red and blue values that lead to others."""

    done: int
    red: int
    blue: int


@dataclass(frozen=True)
class Step:
    """A step of a play.

    Parameters
    ----------
    vertex
        Computed vertex.
    out
        Set of the values that leave before.
    stored
        Those of them, and of the next, that are stored.
    slid
        Set of the operand in whose place the result comes; empty if in nobody's.
    """

    vertex: int
    out: int
    stored: int
    slid: int


class Steps:
    """The steps of a problem, in plain Python: what the kernels do, once more."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.operands = [int(x) for x in problem.operands]
        self.result = [1 << r if r >= 0 else 0 for r in problem.value.tolist()]
        self.words: list[int] = problem.words.tolist()
        self.sizes: list[int] = problem.sizes.tolist()
        self.reach = [int(x) for x in ways(problem)[1]]
        self.inputs = problem.inputs

    def weight(self, values: int) -> int:
        """Return the words of a set of values."""
        return sum(self.sizes[r] for r in bits(values))

    def useful(self, done: int) -> int:
        """Return the values that lead to an output that is not stored."""
        left = self.problem.outputs & ~done
        return sum(1 << r for r, reach in enumerate(self.reach) if reach & left)

    def new_output(self, v: int, done: int) -> int:
        """Return v as a set if it is an output that is not stored, or the empty set."""
        return self.problem.outputs & ~done & 1 << v

    def price(self, v: int, state: State) -> int:
        """Return the words that computing v moves, without what leaves."""
        fetched = self.weight(self.operands[v] & ~state.red)
        return fetched + (self.words[v] if self.new_output(v, state.done) else 0)

    def after(self, state: State, step: Step) -> State:
        """Return the state after a step."""
        v = step.vertex
        output = self.new_output(v, state.done)
        useful = self.useful(state.done | output)
        red = (state.red | self.operands[v]) & ~step.out & ~step.slid | self.result[v]
        blue = state.blue | step.stored | (self.result[v] if output else 0)
        return State(state.done | output, red & useful, blue & useful)

    def costing(self, state: State, cost: int) -> Iterator[Step]:
        """Yield the steps that move so many words."""
        for v, operands in enumerate(self.operands):
            there = state.red | state.blue | self.inputs
            left = cost - self.price(v, state)
            if self.result[v] & state.red or operands & ~there or left < 0:
                continue
            slides = [1 << r for r in bits(operands)] if self.problem.rules.sliding else []
            for slid in [0, *slides]:
                for out in self._leaving(v, state, slid):
                    storable = list(bits((out | slid) & ~state.blue & ~self.inputs))
                    for stored in _subsets(storable, len(storable)):
                        if self.weight(stored) == left:
                            yield Step(v, out, stored, slid)

    def _leaving(self, v: int, state: State, slid: int) -> Iterator[int]:
        """Yield the sets of values that make room for v and have no member too many."""
        here = self.weight(state.red | self.operands[v])
        place = self.words[v] - self.weight(slid)
        need = here + (max(0, place) if slid else place) - self.problem.memory
        # A member frees a word at least.
        for out in _subsets(list(bits(state.red & ~self.operands[v])), max(need, 0)):
            spare = self.weight(out) - need
            if spare >= 0 and all(spare < self.sizes[r] for r in bits(out)):
                yield out


def _subsets(members: list[int], most: int) -> Iterator[int]:
    """Yield the subsets of no more than `most` members."""
    for count in range(min(most, len(members)) + 1):
        for chosen in combinations(members, count):
            yield sum(1 << r for r in chosen)


def witness(dag: CDAG, problem: Problem, symmetry: Symmetry, store: k.Store) -> Schedule:
    """Return the play that ends in the goal of `store`.

    Raises
    ------
    StepNotFoundError
        If the search is broken.
    """
    steps, names, player = Steps(problem), Names(problem, symmetry), _Player(dag)
    path = [int(store.at[GOAL])]
    while store.parent[path[-1]] >= 0:
        path.append(int(store.parent[path[-1]]))
    path.reverse()
    for x, y in pairwise(path):
        state, following = _state(store, x), _state(store, y)
        for step in steps.costing(state, int(store.spent[y] - store.spent[x])):
            renamed = names.following(steps.after(state, step), following)
            if renamed is not None:
                player.play(step, names)
                names = renamed
                break
        else:
            raise StepNotFoundError(f"no step from {state} to {following}")
    return Schedule.from_moves(player.moves)


def _state(store: k.Store, x: int) -> State:
    return State(int(store.done[store.record[x]]), int(store.red[x]), int(store.blue[x]))


class _Player:
    """Turns steps into moves."""

    def __init__(self, dag: CDAG) -> None:
        self.dag = dag
        self.outputs = set(dag.outputs.tolist())
        self.red: set[int] = set()
        self.moves: list[tuple[Move, int]] = []

    def play(self, step: Step, names: Names) -> None:
        """Play a step, whose values have these names."""
        v = int(names.computed[step.vertex])
        stored = {int(names.read[r]) for r in bits(step.stored)}
        out = [int(names.read[r]) for r in bits(step.out)]
        slid = [int(names.read[r]) for r in bits(step.slid)]
        self._do(Move.STORE, [u for u in out if u in stored])
        self._do(Move.DELETE, out)
        row = self.dag.pred_indices[self.dag.pred_indptr[v] : self.dag.pred_indptr[v + 1]]
        self._do(Move.LOAD, [u for u in row.tolist() if u not in self.red])
        self._do(Move.STORE, [u for u in slid if u in stored])
        self._do(Move.COMPUTE, [v])
        self._do(Move.DELETE, slid)
        if v in self.outputs:
            self.outputs.remove(v)
            self._do(Move.STORE, [v])
        self._do(Move.DELETE, [u for u in sorted(self.red) if not self._leads_on(u)])

    def _leads_on(self, u: int) -> bool:
        """Return whether u leads to an output that is not stored."""
        indptr, indices = self.dag.successors
        waiting, seen = [u], {u}
        while waiting:
            x = waiting.pop()
            if x in self.outputs and x != u:
                return True
            new = set(indices[indptr[x] : indptr[x + 1]].tolist()) - seen
            seen |= new
            waiting += new
        return False

    def _do(self, move: Move, vertices: list[int]) -> None:
        self.moves += [(move, u) for u in vertices]
        if move in (Move.LOAD, Move.COMPUTE):
            self.red |= set(vertices)
        elif move is Move.DELETE:
            self.red -= set(vertices)
