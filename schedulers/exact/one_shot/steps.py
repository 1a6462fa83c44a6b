"""The steps of a one-shot game in plain Python: what the kernels do, once more."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from schedulers.exact.names import bits
from schedulers.exact.problem import Problem
from schedulers.exact.symmetry import Symmetry


class State(NamedTuple):
    """Computed vertices, red values, and values that slow memory does not have yet."""

    done: int
    red: int
    dirty: int


@dataclass(frozen=True)
class Step:
    """A step of a play: what is computed, after whose leaving, and in whose place (-1: nobody's).

    Parameters
    ----------
    vertex
        Computed vertex.
    out
        Values that leave before.
    slid
        Operand that is needed later and gives its place.
    """

    vertex: int
    out: list[int]
    slid: int = -1


class Steps:
    """The steps of a problem."""

    def __init__(self, problem: Problem, symmetry: Symmetry) -> None:
        self.problem = problem
        self.operands = [int(x) for x in problem.operands]
        self.before = [int(x) for x in problem.before]
        self.readers = [int(x) for x in problem.readers]
        self.value: list[int] = problem.value.tolist()
        self.words: list[int] = problem.words.tolist()
        self.sizes: list[int] = problem.sizes.tolist()
        self.twin: list[int] = symmetry.earlier_twin.tolist()
        self.full = (1 << len(self.operands)) - 1

    def weight(self, values: int) -> int:
        """Return the words of a set of values."""
        return sum(self.sizes[r] for r in bits(values))

    def ready(self, done: int) -> Iterator[int]:
        """Yield the vertices that can be computed, of twins the first."""
        for v in bits(self.full & ~done):
            if not self.before[v] & ~done and (self.twin[v] < 0 or done >> self.twin[v] & 1):
                yield v

    def dying(self, v: int, done: int) -> int:
        """Return the operands of v that nobody reads after v."""
        after = done | 1 << v
        return sum(1 << r for r in bits(self.operands[v]) if not self.readers[r] & ~after)

    def price(self, r: int, dirty: int) -> int:
        """Return what it costs that value r leaves and comes back."""
        return self.sizes[r] * (1 + (dirty >> r & 1))

    def need(self, v: int, state: State, slid: int) -> int:
        """Return the words that must leave before v, computed in the place of `slid`."""
        here = self.weight(state.red | self.operands[v])
        place = here + self.words[v] - self.problem.memory
        if not self.problem.rules.sliding:
            return place
        given = [slid] if slid >= 0 else list(bits(self.dying(v, state.done)))
        return max(
            here - self.problem.memory, place - max((self.sizes[r] for r in given), default=0)
        )

    def after(self, state: State, step: Step) -> State:
        """Return the state after a step."""
        v = step.vertex
        gone = self.dying(v, state.done) | sum(1 << r for r in step.out)
        gone |= 1 << step.slid if step.slid >= 0 else 0
        new = 1 << self.value[v] if self.value[v] >= 0 else 0
        return State(
            state.done | 1 << v,
            (state.red | self.operands[v]) & ~gone | new,
            state.dirty & ~gone | new & self.problem.costly,
        )

    def forced(self, state: State) -> Step | None:
        """Return a step that costs nothing and can only help, as `_kernels.settled` takes."""
        for v in self.ready(state.done):
            dying = self.dying(v, state.done)
            if self.operands[v] & ~state.red & ~dying or self.need(v, state, -1) > 0:
                continue
            own, r = self.words[v], self.value[v]
            freed = [u for u in bits(dying & state.red) if self.sizes[u] >= own]
            price = own * (1 + (self.problem.costly >> r & 1)) if r >= 0 else 0
            if sum(self.price(u, state.dirty) for u in freed) >= price:
                return Step(v, [])
        return None

    def settled(self, state: State) -> tuple[State, list[Step]]:
        """Return the state after all forced steps, and the steps."""
        steps = []
        while step := self.forced(state):
            steps.append(step)
            state = self.after(state, step)
        return state, steps

    def costing(self, state: State, budget: int) -> Iterator[Step]:
        """Yield the steps that cost so much."""
        for v in self.ready(state.done):
            stay = bits(self.operands[v] & ~self.dying(v, state.done))
            for slid in [-1, *(stay if self.problem.rules.sliding else [])]:
                left = budget - (self.price(slid, state.dirty) if slid >= 0 else 0)
                others = list(bits(state.red & ~self.operands[v]))
                for out in self._leaving(others, state.dirty, left, self.need(v, state, slid)):
                    yield Step(v, out, slid)

    def _leaving(
        self, values: list[int], dirty: int, budget: int, need: int
    ) -> Iterator[list[int]]:
        """Yield the subsets of `values` that cost `budget` and free `need` words."""
        if budget == 0 and need <= 0:
            yield []
        if budget <= 0:
            return
        for i, r in enumerate(values):
            left, still = budget - self.price(r, dirty), need - self.sizes[r]
            for others in self._leaving(values[i + 1 :], dirty, left, still):
                yield [r, *others]
