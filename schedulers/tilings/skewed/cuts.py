"""Tiles that lean over in time."""

from dataclasses import dataclass

Point = tuple[int, ...]


@dataclass(frozen=True)
class Lean:
    """A coordinate that rises from what is read to what reads it.

    Parameters
    ----------
    axes
        How often each axis is in it.
    slope
        How often the step is in it.
    shifts
        What is added for each assignment, in the order of the text.
    """

    axes: Point
    slope: int
    shifts: Point


@dataclass(frozen=True)
class Skewed:
    """Tiles of the instances of loops over time.

    Parameters
    ----------
    height
        Steps of a band.
    sides
        Of a tile in the coordinate of each axis; 0 where it is not cut.
    leans
        The coordinate of each axis that is cut.
    along
        An axis that is not cut, along whose coordinate a tile is run; None where it is run step
        after step. Instances of one step and one assignment are run in the order of the text.
    keeps
        Whether inputs that are read in many steps are kept while each step reads them.
    """

    height: int
    sides: Point
    leans: tuple[Lean | None, ...]
    along: int | None = None
    keeps: bool = False
