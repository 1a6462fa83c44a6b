"""Least boundaries less prices of sets of vertices."""

from dataclasses import dataclass

from dags.arrays import Int64Array
from proofs.core.windows import Count


@dataclass(frozen=True)
class Priced:
    """Least boundaries of sets of each size, with the prices of their vertices.

    Parameters
    ----------
    vertices
        How many vertices are computed.
    waived
        Prices of all sets together, and values that boundaries count though they are compulsory, or
        do not exist; in parts of a move.
    least
        (A+1,) the least that a set of a given number of vertices exchanges and pays, in parts.
    """

    vertices: int
    waived: int
    least: Int64Array

    def count(self, parts: int) -> Count:
        """The count, in so many parts of a move."""
        known = self.least.tolist()
        return Count(self.vertices, known.__getitem__, self.waived, 1, len(known) - 1, parts)
