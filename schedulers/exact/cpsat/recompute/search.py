"""Search for plays of a part that move up to so many words, level by level."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any

from pebble import Move
from schedulers.exact.cpsat.recompute.clauses import Clause, Image, explain, images
from schedulers.exact.cpsat.recompute.free import UndecidedError, Way, free_way
from schedulers.exact.cpsat.recompute.model import build, most_segments, segments_within
from schedulers.exact.cpsat.recompute.part import Part
from schedulers.exact.cpsat.recompute.solution import Segment, Solution, moves_of, solution_of
from schedulers.exact.cpsat.solver import new_solver

Moves = list[tuple[Move, int]]


@dataclass(frozen=True)
class Answer:
    """Answer to the question whether a play moves no more than some words.

    Parameters
    ----------
    moves
        One, if it was found.
    proved
        True if it was proved that there is none.
    """

    moves: Moves | None
    proved: bool


class Levels:
    """Asks about one part, level by level; what was found impossible stays so.

    Parameters
    ----------
    part
        What is played.
    seed
        Of CP-SAT's one worker.
    time_limit
        Seconds for all questions together; None for no limit.
    symmetries
        Returns automorphisms of the part; none if only the identity is known.
    """

    def __init__(
        self,
        part: Part,
        seed: int,
        time_limit: float | None,
        symmetries: Callable[[], list[Image]] = list,
    ) -> None:
        self.part, self.seed = part, seed
        self.symmetries = cache(symmetries)  # it takes long, and is most often not needed
        self.end = None if time_limit is None else monotonic() + time_limit
        self.clauses: dict[Clause, None] = {}  # in the order in which they were found
        self.doubtful: list[Clause] = []

    def ask(self, most: int) -> Answer:
        """Return whether there is a play that moves up to `most` words, within the time limit."""
        if most < self.part.forced:
            return Answer(None, proved=True)
        while self._left() != 0:
            status, solution = self._solve(most)
            if status == "impossible":
                return Answer(None, proved=not self.doubtful)
            if solution is None:
                break
            ways = self._ways(solution)
            if ways is not None:
                return Answer(moves_of(self.part, solution, ways), proved=False)
        return Answer(None, proved=False)

    def _left(self) -> float | None:
        return None if self.end is None else max(self.end - monotonic(), 0.0)

    def _solve(self, most: int) -> tuple[str, Solution | None]:
        """Let CP-SAT answer for the segments."""
        from ortools.sat.python import cp_model

        needed = most_segments(self.part, most)
        segments = min(needed, segments_within(self.part, self._left()))
        model, x = build(self.part, most, segments, [*self.clauses, *self.doubtful])
        solver = new_solver(self.seed, self._left())
        solver.parameters.linearization_level = 0
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return "impossible" if segments == needed else "unknown", None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return "unknown", None
        return "possible", solution_of(self.part, x, solver)

    def _ways(self, solution: Solution) -> list[Way] | None:
        """Return a way through every segment, or None and remember those that have none."""
        ways: list[Any] = [self._way(segment) for segment in solution.segments]
        return None if None in ways else ways

    def _way(self, segment: Segment) -> Way | None:
        try:
            way = free_way(self.part, segment.red, segment.target, segment.fresh)
        except UndecidedError:
            # This very segment is not asked for again, and without it nothing is proved.
            self.doubtful.append(segment.claim)
            return None
        if way is None:
            clause = explain(self.part, segment.claim)
            self.clauses |= dict.fromkeys([clause, *images(clause, self.symmetries())])
        return way
