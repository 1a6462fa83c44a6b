"""Programs of which every assignment is run on a box, or on a part of one that conditions cut off.

Plays and bounds of tensor operators are counted from a `BoxNest`, at any size, without a DAG: for
each assignment that computes something the box of its loops, the conditions that tie them (of a
triangle, or at the border of a padded image), and which values it reads, as affine functions of
them. The values come from the dataflow of the text (`dags.programs.dataflow`), so that a scalar
that is made anew in each iteration is as many values as it has iterations.

Loops of a nest go up by one. One that goes down in the text, or in steps, is counted; and where
sums are scattered, `y[h + r] += ...`, loops are those of the gathered sum: `p = h + r`, and r.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from dags.programs.tied_loops import Box, Row, Tie


@dataclass(frozen=True)
class Access:
    """An affine function of the loops of an assignment: the items that its instances touch.

    Parameters
    ----------
    array
        The array of inputs, "A_x", or the assignment whose values they are, "S1".
    rows, offset
        Of each index of the item the coefficients of the loops, and the constant.
    box, ties
        The instances that touch one: ends of each loop, and conditions.
    """

    array: str
    rows: tuple[Row, ...]
    offset: tuple[int, ...]
    box: Box
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True)
class Assignment:
    """An assignment that computes values on a box, or on a part of one.

    Parameters
    ----------
    name
        "S1", by its number in the text.
    loops
        The names of its loops, the outermost first.
    box
        The least box with its instances.
    reads
        Their reads, sums up to now apart.
    item
        The array that they make. If the assignment `sums`, all instances with one item are a chain,
        each reading the value of the one before, and nobody else reads but the last; otherwise each
        instance makes an item of its own.
    sums
        Whether they are chains.
    outputs
        The items that are outputs; None if none is.
    target
        The array of the text that it assigns to.
    numbers
        Its place in the text: which thing of several in the outermost block, which one in the
        first loop, and so on; None where its loops are not those of the text.
    size
        The number of instances.
    ties
        The conditions that cut them off the box.
    chain
        Items in the place of `item` whose values are sums, where none is read before the last but
        by the next; None where `item` has such, or there are none.
    text_loops
        Of each loop of the text the coefficients of the loops, and the constant, that say its
        value.
    work
        Operations of an instance.
    """

    name: str
    loops: tuple[str, ...]
    box: Box
    reads: tuple[Access, ...]
    item: Access
    sums: bool
    outputs: Access | None
    target: str
    numbers: tuple[int, ...] | None
    size: int
    ties: tuple[Tie, ...] = ()
    text_loops: tuple[tuple[Row, int], ...] = ()
    chain: Access | None = field(default=None, repr=False)  # certificates name a nest by the rest
    work: int = field(default=1, repr=False)

    def is_whole(self, access: Access) -> bool:
        """Whether all instances have an access."""
        return access.box == self.box and access.ties == self.ties

    @cached_property
    def summed(self) -> tuple[int, ...]:
        """Loops along which values are summed up: those of which items do not depend alone."""
        if not self.sums:
            return ()
        single = {row.index(1) for row in self.item.rows if sum(map(abs, row)) == 1 and 1 in row}
        several = (loop for loop, (low, high) in enumerate(self.box) if high - low > 1)
        return tuple(place for place in several if place not in single)


@dataclass(frozen=True)
class Distance:
    """The least and largest differences of loops between an assignment and its reads.

    Parameters
    ----------
    reader, source
        The assignments.
    pairs
        For each loop of the reader and each loop of the source, by their places, the least and
        the largest value of the first less the second; None without an end.
    """

    reader: str
    source: str
    pairs: Mapping[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, eq=False)
class BoxNest:
    """A program at given sizes whose assignments are run on boxes, or on parts of boxes.

    Parameters
    ----------
    name, digest, sizes
        The program, SHA-256 of its text, and its sizes.
    assignments
        Those that compute something that an output needs, in the order of the text.
    distances
        How far each reads back.
    any_order
        Whether sums may be taken in any order, an operand added in place; otherwise in that of
        the text, each sum a value beside the one before it.
    merged
        The nest in which temporaries are one with their readers; None if there are none.
    """

    name: str
    digest: str
    sizes: Mapping[str, int]
    assignments: tuple[Assignment, ...]
    distances: tuple[Distance, ...]
    any_order: bool = False
    merged: "MergedNest | None" = None

    @property
    def updates(self) -> int:
        """Values that are computed."""
        return sum(assignment.size for assignment in self.assignments)

    @property
    def sums_by_turns(self) -> tuple[str, ...]:
        """Arrays to which several assignments add by turns, each what the others have made."""
        targets = {assignment.name: assignment.target for assignment in self.assignments}
        read = {(distance.reader, distance.source) for distance in self.distances}
        by_turns = (
            targets[reader]
            for reader, source in read
            if reader != source and (source, reader) in read and targets[reader] == targets[source]
        )
        return tuple(sorted({*by_turns}))


@dataclass(frozen=True)
class Joined:
    """What a temporary reads whose value comes to one update alone.

    Parameters
    ----------
    update
        The assignment.
    arrays
        The arrays of inputs, and assignments, that the temporary reads, and neither the update nor
        another of its temporaries.
    """

    update: str
    arrays: frozenset[str]


@dataclass(frozen=True, eq=False)
class MergedNest:
    """A nest in which temporaries are one with their readers, `p = a * b; C += p`.

    Parameters
    ----------
    nest
        The nest.
    count
        How many temporaries an instance has at most.
    joined
        What those temporaries read that read no other.
    """

    nest: BoxNest
    count: int
    joined: tuple[Joined, ...]


def volume(box: Box) -> int:
    """The number of points of a box."""
    return prod(max(0, high - low) for low, high in box)
