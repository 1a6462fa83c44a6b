"""Iterations of shared loops: which are alike, and the items that accesses hold in them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import floor, prod
from typing import NamedTuple

from dags.programs.box_nests import Access, Assignment, volume
from dags.programs.tied_loops import Box, NotCountedError, Row, Tie
from dags.programs.touched import touched, values_within
from dags.programs.unions import values_taken

MOST_BORDERS = 64  # values at which a condition cuts something off


class ChunkRun(NamedTuple):
    """Chunks of loops that are alike: the first value, how many values, and how many chunks."""

    start: int
    size: int
    alike: int


def alike(accesses: Sequence[Access], moves: Sequence[object]) -> list[list[Access]]:
    """Accesses in groups that move alike."""
    found: dict[object, list[Access]] = {}
    for access, how in zip(accesses, moves, strict=True):
        found.setdefault(how, []).append(access)
    return list(found.values())


def widened(
    members: Sequence[Assignment], accesses: Sequence[Sequence[Access]], loops: Sequence[int]
) -> tuple[list[Assignment], list[list[Access]]]:
    """Assignments and accesses in all iterations of a loop that they share."""
    boxes = [each.box[loop] for each, loop in zip(members, loops, strict=True)]
    ends = (min(low for low, _ in boxes), max(high for _, high in boxes))

    def wide(box: Box, loop: int) -> Box:
        return (*box[:loop], ends, *box[loop + 1 :])

    return (
        [replace(each, box=wide(each.box, at)) for each, at in zip(members, loops, strict=True)],
        [
            [replace(each, box=wide(each.box, loop)) for each in several]
            for several, loop in zip(accesses, loops, strict=True)
        ],
    )


def within(ends: tuple[int, int], part: ChunkRun) -> tuple[int, int]:
    """The first value of a loop in some chunk, and the one behind the last."""
    low, high = max(ends[0], part.start), min(ends[1], part.start + part.size)
    return low, max(low, high)


def parts(
    members: Sequence[Assignment],
    accesses: Sequence[Sequence[Access]],
    loops: tuple[int, ...],
    chunk: int,
    low: int,
    others: Sequence[tuple[int, ...]] = (),
) -> Iterator[ChunkRun]:
    """Yield the chunks of a loop that some assignments share, those alike together.

    Parameters
    ----------
    members, accesses
        The assignments, and the accesses of each.
    loops
        The loop, by its place in each.
    chunk, low
        Values in a chunk, and the first one.
    others
        Other loops that they share, and that go on in chunks as well.
    """
    boxes = [each.box[loop] for each, loop in zip(members, loops, strict=True)]
    high = max(end for _, end in boxes)
    ends = set()
    varies = False
    for several, loop, box in zip(accesses, loops, boxes, strict=True):
        ends |= {*box, *(end for each in several for end in each.box[loop])}
        for access in several:
            ends |= {end for tie in access.ties for end in _border(tie, access, loop, chunk, low)}
        varies |= any(row[loop] for each in several for row in each.rows)
    where = [[each[member] for each in (loops, *others)] for member in range(len(loops))]
    some = [(each, tuple(at)) for one, at in zip(accesses, where, strict=True) for each in one]
    chunks = range(low, high + chunk, chunk)
    for one, other in combinations(dict.fromkeys(some), 2):
        ends |= _meetings(one, other, chunks)
    if ends == {low, high} and not varies:  # how long a chunk is makes no difference
        yield ChunkRun(low, min(chunk, high - low), -(-(high - low) // chunk))
        return
    count = -(-(high - low) // chunk)
    cut = {(end - low) // chunk for end in ends if low < end < high and (end - low) % chunk}
    cut |= {count - 1} if (high - low) % chunk else set()
    edges = {(end - low) // chunk for end in ends if low < end < high}
    borders = sorted({0, count, *edges, *cut, *(place + 1 for place in cut)})
    for first, behind in pairwise(borders):
        start = low + first * chunk
        yield ChunkRun(start, min(chunk, high - start), behind - first)


Shared = tuple[Access, tuple[int, ...]]  # an access, with the places of shared loops


@lru_cache(maxsize=1 << 12)
def _meetings(one: Shared, other: Shared, chunks: range) -> set[int]:
    """Ends of chunks of a loop of which two accesses have as many items in common.

    Between these ends the values of an index of one access lie among those of the other, or beside
    them. Where another loop tells as well which it is, or both accesses move, that is not asked.

    Parameters
    ----------
    one, other
        The accesses; the loop is the first that they share.
    chunks
        The first value of each chunk, and an end.

    Raises
    ------
    NotCountedError
        If they are many.
    """
    (mine, (at, *more)), (theirs, (there, *also)) = one, other
    told = _is_told(mine, at) and _is_told(theirs, there)
    found: set[int] = set()
    for row, shift, line, less in zip(
        mine.rows, mine.offset, theirs.rows, theirs.offset, strict=True
    ):
        if not (by := row[at] - line[there]):
            continue
        a = values_within(_still(row, at), shift, mine.box)
        b = values_within(_still(line, there), less, theirs.box)
        begin, until, last, end = sorted(Fraction(x - y, by) for x, y in product(b, a))
        if chunks.step > 1 and row[at] and line[there]:
            spans = [(Fraction(chunks.start), Fraction(chunks.stop))]
        elif told and all(row[x] == line[y] for x, y in zip(more, also, strict=True)):
            spans = [(begin, until), (last, end)]
        else:
            spans = [(begin, end)]
        for first, behind in spans:
            low, high = (floor(each - chunks.start) // chunks.step for each in (first, behind))
            some = chunks[min(max(low, 0), len(chunks)) : max(high + 2, 0)]
            if len(some) > MOST_BORDERS:
                raise NotCountedError("an array is touched several times in different directions")
            found |= {*some}
    return found


def _still(row: Row, at: int) -> Row:
    return (*row[:at], 0, *row[at + 1 :])


def _is_told(access: Access, loop: int) -> bool:
    """Whether each index takes all values of an interval, whatever the others are."""
    several = {at for at, (low, high) in enumerate(access.box) if high - low > 1} - {loop}
    moves = [[(at, by) for at, by in enumerate(row) if by and at in several] for row in access.rows]
    loops = [at for some in moves for at, _ in some]
    steps = {abs(by) for some in moves for _, by in some}
    alone = len({*loops}) == len(loops) and all(len(some) < 2 for some in moves)
    return alone and not access.ties and steps <= {1}


def _border(tie: Tie, access: Access, loop: int, chunk: int, first: int) -> range:
    """Values of a loop at which a condition begins or ends to cut off other ones.

    Where they are many, it is the ends of all chunks with one, which begin at the first value.

    Raises
    ------
    NotCountedError
        If they are many.
    """
    by = tie.row[loop]
    if not by:
        return range(0)
    ends = values_within(tie.row, tie.constant, access.box)
    low, high = access.box[loop]
    least = ends[0] - min(by * low, by * (high - 1))  # of the other loops
    free = -(least // by) if by > 0 else -least // by  # from there, or up to there, nothing is cut
    some = range(low, min(free, high) + 1) if by > 0 else range(max(free, low), high + 1)
    if len(some) > MOST_BORDERS:
        begin, until = ((each - first) // chunk for each in (some[0], some[-1]))
        some = range(first + begin * chunk, first + (until + 2) * chunk, chunk)
    if len(some) > MOST_BORDERS:
        raise NotCountedError("an array is touched several times in a triangle")
    return some


def of_one(access: Access, last: int | None) -> int:
    """How many items of one access are held, as iterations of a loop go on."""
    exact = touched([access])
    loops = range(len(access.box))
    if last is None or any(sum(1 for row in access.rows if row[at]) > 1 for at in loops):
        return exact
    factor = 1
    for row in access.rows:
        wide = [(by, high - low) for by, (low, high) in zip(row, access.box, strict=True)]
        span = 1 + sum(abs(by) * (size - 1) for by, size in wide)
        size = values_taken(row, access.box)
        others = any(by and many > 1 for at, (by, many) in enumerate(wide) if at != last)
        factor *= span if row[last] and others else size
    return max(exact, factor) if exact else 0


def hull(accesses: Sequence[Access]) -> int:
    """The size of the least box with all that several accesses touch."""
    ends = [
        [values_within(row, by, each.box) for row, by in zip(each.rows, each.offset, strict=True)]
        for each in accesses
        if volume(each.box)
    ]
    if not ends:
        return 0
    indices = zip(*ends, strict=True)
    return prod(max(high for _, high in one) - min(low for low, _ in one) + 1 for one in indices)
