"""From an answer of CP-SAT to segments, and from segments to moves."""

from dataclasses import dataclass
from typing import Any

from pebble import Move
from schedulers.exact.cpsat.recompute.clauses import Clause
from schedulers.exact.cpsat.recompute.free import Way
from schedulers.exact.cpsat.recompute.part import Part, bits, set_of
from schedulers.exact.cpsat.recompute.segments import Segments


@dataclass(frozen=True)
class Segment:
    """A batch of loads, and computations up to the next one.

    Parameters
    ----------
    loaded
        What is loaded.
    red
        What is red then.
    target
        What is kept at the end.
    fresh
        What is computed for the first time, and stored then.
    """

    loaded: int
    red: int
    target: int
    fresh: int

    @property
    def claim(self) -> Clause:
        """Clause that holds if the segment has no way."""
        return Clause(self.red, self.target, self.fresh)


@dataclass(frozen=True)
class Solution:
    """Solution of the model: a play but for the order in which it computes.

    Parameters
    ----------
    stored
        What is stored of what is red at the beginning.
    segments
        One after another; the last one is of the loads at the end alone.
    """

    stored: int
    segments: list[Segment]


def solution_of(part: Part, x: Segments, solver: Any) -> Solution:
    """Return what an answer says."""

    def chosen(row: dict[int, Any]) -> int:
        return set_of(v for v, variable in row.items() if solver.value(variable))

    stored = chosen(x.stored)
    segments = []
    for s, used in enumerate(x.used):
        if solver.value(used):
            red = chosen(x.red[s]) if s else part.red
            fresh = chosen(x.fresh[s]) & stored
            segments.append(Segment(chosen(x.loaded[s]), red, chosen(x.kept[s + 1]), fresh))
    segments.append(Segment(chosen(x.loaded[-1]), part.target, part.target, 0))
    return Solution(stored & part.red, segments)


def moves_of(part: Part, solution: Solution, ways: list[Way]) -> list[tuple[Move, int]]:
    """Return the moves of a part, with a way through each segment."""
    moves = [(Move.STORE, v) for v in bits(solution.stored)]
    red = part.red
    for segment, way in zip(solution.segments, ways, strict=True):
        moves += [(Move.DELETE, v) for v in bits(red & ~segment.red)]
        # What need not stay may still be there: the way so far had no reason to delete it.
        moves += [(Move.LOAD, v) for v in bits(segment.loaded & ~red)]
        red, owed = segment.red, segment.fresh
        for made, after in way:
            moves += _step(part, red, made, after, owed)
            red = after
            owed &= ~(0 if made is None else 1 << made)
    return [*moves, *((Move.DELETE, v) for v in bits(red & ~part.target))]


def _step(part: Part, red: int, made: int | None, after: int, owed: int) -> list[tuple[Move, int]]:
    """Return the moves of a step of a way.

    Of the operands that leave, the largest goes first: the result may take its place.
    """
    if made is None:
        return [(Move.DELETE, u) for u in bits(red & ~after)]
    moves = [(Move.COMPUTE, made)]
    leaving = list(bits((red | 1 << made) & ~after))
    operands = [u for u in leaving if u in part.operands[made]]
    if operands:
        first = max(operands, key=part.words.__getitem__)
        moves.append((Move.DELETE, first))
        leaving.remove(first)
    if owed >> made & 1:
        moves.append((Move.STORE, made))
    return [*moves, *((Move.DELETE, u) for u in leaving)]
