"""Assignments that are the first link of sums: `C = beta * C` before `C += A * B`.

A value that is read by nobody but the sum that begins with it is the first link of that sum. Both
assignments are one then, whose sums have a link more, which reads something else. The DAG is the
same; in its plays a tile of first values becomes the tile of sums place by place, where two
assignments would hold two tiles.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dags.programs.box_nests import Access, Assignment, BoxNest, Distance
from dags.programs.tied_loops import Row, Tie


def linked(nest: BoxNest) -> BoxNest | None:
    """A nest with such assignments in the sums that they begin.

    Parameters
    ----------
    nest
        The nest.

    Returns
    -------
    BoxNest or None
        A nest of the same DAG up to the names of instances; None where there are none.
    """
    whole = nest
    while (link := _link_of(whole)) is not None:
        whole = link.joined(whole)
    return None if whole is nest else whole


@dataclass(frozen=True)
class _Link:
    """An assignment whose values are the first ones of the sums of another.

    Parameters
    ----------
    sums, link
        The two.
    along
        The loop along which sums go on.
    loops
        Of each loop of the link that of the sums, and what it is more there.
    """

    sums: Assignment
    link: Assignment
    along: int
    loops: tuple[tuple[int, int], ...]

    @property
    def value(self) -> int:
        """The value of the loop of sums at the link."""
        return self.sums.box[self.along][0] - 1

    def joined(self, nest: BoxNest) -> BoxNest:
        """The nest with both as one assignment."""
        gone, name = self.link.name, self.sums.name
        return replace(
            nest,
            assignments=tuple(
                self._both() if assignment.name == name else assignment
                for assignment in nest.assignments
                if assignment.name != gone
            ),
            distances=tuple(
                self._renamed(far, nest)
                for far in nest.distances
                if (far.reader, far.source) != (name, gone)
            ),
            merged=None,
        )

    def _both(self) -> Assignment:
        """The sums with a link more."""
        sums, link = self.sums, self.link
        box = list(sums.box)
        box[self.along] = self.value, box[self.along][1]
        return replace(
            sums,
            box=tuple(box),
            reads=(
                *(read for read in sums.reads if read.array != link.name),
                *map(self._moved, link.reads),
            ),
            item=replace(sums.item, box=tuple(box)),
            numbers=None,
            size=sums.size + link.size,
        )

    def _moved(self, access: Access) -> Access:
        """An access of the link as one of the sums."""
        box = list(self.sums.box)
        box[self.along] = self.value, self.value + 1
        for (low, high), (loop, more) in zip(access.box, self.loops, strict=True):
            box[loop] = low + more, high + more
        moved = [self._form(*form) for form in zip(access.rows, access.offset, strict=True)]
        rows, offset = tuple(row for row, _ in moved), tuple(constant for _, constant in moved)
        return Access(access.array, rows, offset, tuple(box), self.ties(access.ties))

    def ties(self, ties: Sequence[Tie]) -> tuple[Tie, ...]:
        """Conditions on the link as conditions on the sums."""
        return tuple(Tie(*self._form(*tie)) for tie in ties)

    def _form(self, row: Row, constant: int) -> tuple[Row, int]:
        """A form of loops of the link as one of those of the sums."""
        coefficients = [0] * len(self.sums.box)
        for by, (loop, more) in zip(row, self.loops, strict=True):
            coefficients[loop] = by
            constant -= by * more
        return tuple(coefficients), constant

    def _renamed(self, far: Distance, nest: BoxNest) -> Distance:
        """How far back the link reads, by the loops of the sums."""
        if far.reader != self.link.name:
            return far
        (box,) = (
            assignment.box for assignment in nest.assignments if assignment.name == far.source
        )
        pairs = {}
        for there, (low, high) in enumerate(box):
            pairs[self.along, there] = self.value - high + 1, self.value - low
            for here, (loop, more) in enumerate(self.loops):
                least, most = far.pairs[here, there]
                pairs[loop, there] = least + more, most + more
        return Distance(self.sums.name, far.source, pairs)


def _link_of(nest: BoxNest) -> _Link | None:
    """The first assignment that is a link of the sums of another one."""
    readers: dict[str, set[str]] = {}
    for assignment in nest.assignments:
        for access in assignment.reads:
            readers.setdefault(access.array, set()).add(assignment.name)
    for sums in nest.assignments:
        if sums.sums and len(sums.summed) == 1 and _rises(nest, sums):
            for link in nest.assignments:
                if readers.get(link.name) == {sums.name}:
                    candidate = _first(sums, link)
                    if candidate is not None:
                        return candidate
    return None


def _rises(nest: BoxNest, sums: Assignment) -> bool:
    """Whether sums go on from smaller values of their loop to larger ones, and freely."""
    (along,) = sums.summed
    own = (
        distance for distance in nest.distances if {distance.reader, distance.source} == {sums.name}
    )
    return not any(tie.row[along] for tie in sums.ties) and all(
        distance.pairs[along, along][0] > 0 for distance in own
    )


def _first(sums: Assignment, link: Assignment) -> _Link | None:
    """The link with which all sums begin, if an assignment is that."""
    (along,) = sums.summed
    low, _ = sums.box[along]
    begin = (*sums.box[:along], (low, low + 1), *sums.box[along + 1 :])
    reads = [read for read in sums.reads if read.array == link.name]
    if link.sums or link.outputs is not None or link.chain is not None or len(reads) != 1:
        return None
    if reads[0].box != begin or reads[0].ties != sums.ties:
        return None
    here, there = _single(reads[0]), _single(link.item)
    if here is None or there is None:
        return None
    loops = {
        axis: (loop, more - constant)
        for (loop, constant), (axis, more) in zip(here, there, strict=True)
    }
    around = {*range(len(sums.box))} - {along}
    if {loop for loop, _ in loops.values()} != around or len(loops) != len(link.box):
        return None
    candidate = _Link(sums, link, along, tuple(loops[axis] for axis in range(len(loops))))
    same = all(
        sums.box[loop] == (low + more, high + more)
        for (low, high), (loop, more) in zip(link.box, candidate.loops, strict=True)
    )
    return candidate if same and {*candidate.ties(link.ties)} == {*sums.ties} else None


def _single(access: Access) -> list[tuple[int, int]] | None:
    """Return of each index the only loop that it is, and what it is more; None if it is not so."""
    pairs = []
    for row, constant in zip(access.rows, access.offset, strict=True):
        loops = [loop for loop, by in enumerate(row) if by]
        if len(loops) != 1 or row[loops[0]] != 1:
            return None
        pairs.append((loops[0], constant))
    return pairs if len({loop for loop, _ in pairs}) == len(pairs) else None
