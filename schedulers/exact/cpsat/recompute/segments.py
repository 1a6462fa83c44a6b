"""Variables of the CP-SAT model: what each segment of a play does."""

from dataclasses import dataclass
from typing import Any

Row = dict[int, Any]


@dataclass(frozen=True)
class Segments:
    """The variables: for each segment, and each value or vertex that may be computed, a Boolean.

    The first segment has no loads; the others may be used or not, those that are come first.

    Parameters
    ----------
    used
        Whether there is such a segment.
    opening
        Whether it begins with the computation of this vertex.
    red
        What is red then.
    kept
        What of it is red at the end of the segment before; one row more, for the end.
    loaded
        What of it is loaded; one row more, for what is loaded at the end.
    computed
        What is computed in the segment.
    known
        What has been computed by its end, or was red at the beginning.
    fresh
        What is known by its end, and was not before.
    stored
        Whether a value is ever stored; it is as soon as it is known.
    slid
        Whether this operand leaves for the opening result; none does without sliding.
    """

    used: list[Any]
    opening: list[Row]
    red: list[Row]
    kept: list[Row]
    loaded: list[Row]
    computed: list[Row]
    known: list[Row]
    fresh: list[Row]
    stored: Row
    slid: list[Row]
