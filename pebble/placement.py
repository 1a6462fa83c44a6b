"""Addresses: buffers with lifetimes, and the referee of where they are put in memory.

A word of the game may be anywhere; a tensor lies in one piece. A buffer is what takes one piece of
memory from one moment to another: the stay of a value in fast memory, from the move that brings
it to the move that deletes it. A placement gives each buffer an offset, and is right if no two
buffers that are there at the same moment share an address, each offset is a multiple of the
buffer's alignment, and nothing leaves the memory.

The referee is plain Python, shares no code with what searches placements, and is the definition.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import lcm

from dags import CDAG, RedBlueError
from dags.errors import one_line
from pebble.moves import Move
from pebble.rules import MOST_WORDS, ONE_SHOT, Rules
from pebble.schedule import Schedule


class InvalidBufferError(RedBlueError, ValueError):
    """A buffer that no memory can hold: no size, no lifetime, or more than 64 bits count."""


class IllegalPlacementError(RedBlueError):
    """A placement that the referee refuses: shared addresses, alignment, or out of memory."""


@dataclass(frozen=True)
class Buffer:
    """What takes one piece of memory from one moment to another.

    Parameters
    ----------
    name
        A name for messages and tables.
    lower, upper
        Its lifetime: the moments t with lower <= t < upper.
    size
        Bytes, or words: whatever addresses count.
    alignment
        Its offset is a multiple of this.
    offset
        The address at which it has to be, or None where any will do.

    Examples
    --------
    >>> Buffer("weights", 0, 10, 4096, alignment=64).size
    4096
    """

    name: str
    lower: int
    upper: int
    size: int
    alignment: int = 1
    offset: int | None = None

    def __post_init__(self) -> None:
        buffer = f"buffer {one_line(self.name, 40)}"
        if self.upper <= self.lower:
            raise InvalidBufferError(
                f"{buffer} ends at {self.upper}, which is not after {self.lower}, where it begins"
            )
        moments = max(abs(self.lower), abs(self.upper))
        if not 1 <= self.size <= MOST_WORDS or moments > MOST_WORDS:
            problem = f"moment {moments}" if 1 <= self.size <= MOST_WORDS else f"size {self.size}"
            raise InvalidBufferError(
                f"{buffer} has {problem}: sizes are 1 to 2^62, moments at most 2^62"
            )
        if not 1 <= self.alignment <= MOST_WORDS:
            raise InvalidBufferError(f"{buffer} has alignment {self.alignment}, not 1 to 2^62")
        if self.offset is not None and (self.offset < 0 or self.offset % self.alignment):
            raise InvalidBufferError(
                f"{buffer} is to be at {self.offset}, which is no multiple of "
                f"{self.alignment} from 0"
            )


def require_buffers(buffers: Sequence[Buffer]) -> None:
    """Raise InvalidBufferError if 64 bits do not count all addresses that may be needed.

    Every search stays below the sum of all sizes, each with its alignment, and the last fixed end.
    """
    total = sum(buffer.size + buffer.alignment - 1 for buffer in buffers)
    total += max((b.offset + b.size for b in buffers if b.offset is not None), default=0)
    if total > MOST_WORDS:
        raise InvalidBufferError(
            f"the sizes of {len(buffers):,} buffers sum to {total:,} with their alignments: "
            "at most 2^62 can be placed"
        )


def live_load(buffers: Iterable[Buffer]) -> int:
    """The most that buffers take at one moment: no memory that is smaller can hold them.

    Examples
    --------
    >>> live_load([Buffer("a", 0, 2, 3), Buffer("b", 1, 3, 4), Buffer("c", 2, 4, 5)])
    9
    """
    events = [(b.lower, b.size) for b in buffers] + [(b.upper, -b.size) for b in buffers]
    load = peak = 0
    for _, change in sorted(events):  # of one moment, ends come first: their change is negative
        load += change
        peak = max(peak, load)
    return peak


def judge_placement(
    buffers: Sequence[Buffer], offsets: Sequence[int], capacity: int | None = None
) -> int:
    """The height of a placement: the end of its highest buffer.

    Parameters
    ----------
    buffers
        The buffers.
    offsets
        The address of each.
    capacity
        The size of memory; None for one without end.

    Raises
    ------
    IllegalPlacementError
        If two buffers share an address while both are there, an offset is no multiple of the
        alignment or not the one that is asked for, or a buffer ends above the memory.

    Examples
    --------
    >>> judge_placement([Buffer("a", 0, 2, 3), Buffer("b", 1, 3, 4)], [4, 0], 7)
    7
    """
    if len(offsets) != len(buffers):
        raise IllegalPlacementError(f"{len(offsets)} offsets for {len(buffers)} buffers")
    for buffer, offset in zip(buffers, offsets, strict=True):
        _require_offset(buffer, offset, capacity)
    events = [(b.lower, 1, index) for index, b in enumerate(buffers)]
    events += [(b.upper, 0, index) for index, b in enumerate(buffers)]
    present: list[tuple[int, int]] = []  # (offset, index), rising, and disjoint by induction
    for _, begins, index in sorted(events):
        entry = (offsets[index], index)
        place = bisect_left(present, entry)
        if not begins:
            del present[place]
            continue
        for _, neighbour in present[max(place - 1, 0) : place + 1]:
            _require_apart(buffers, offsets, index, neighbour)
        insort(present, entry)
    return max((offset + b.size for b, offset in zip(buffers, offsets, strict=True)), default=0)


def _require_offset(buffer: Buffer, offset: int, capacity: int | None) -> None:
    """Raise IllegalPlacementError for an offset that the buffer alone forbids."""
    subject, end = f"buffer {one_line(buffer.name, 40)} at {offset:,}", offset + buffer.size
    if offset < 0 or offset % buffer.alignment:
        raise IllegalPlacementError(f"{subject}: no multiple of {buffer.alignment} from 0")
    if buffer.offset is not None and offset != buffer.offset:
        raise IllegalPlacementError(f"{subject}: it has to be at {buffer.offset:,}")
    if capacity is not None and end > capacity:
        raise IllegalPlacementError(f"{subject} ends at {end:,}, in memory of {capacity:,}")


def _require_apart(
    buffers: Sequence[Buffer], offsets: Sequence[int], index: int, neighbour: int
) -> None:
    """Raise IllegalPlacementError if two buffers that are there together share an address."""
    (low, first), (high, second) = sorted(
        ((offsets[index], buffers[index]), (offsets[neighbour], buffers[neighbour])),
        key=lambda pair: pair[0],
    )
    if low + first.size > high:
        moment = max(first.lower, second.lower)
        raise IllegalPlacementError(
            f"buffers {one_line(first.name, 40)}, at {low:,} to {low + first.size:,}, and "
            f"{one_line(second.name, 40)}, at {high:,} to {high + second.size:,}, overlap: "
            f"both are there at moment {moment:,}"
        )


@dataclass(frozen=True)
class Stay:
    """A stay of a value in fast memory.

    Parameters
    ----------
    vertex
        The value.
    begin
        The move that brings it: a LOAD or a COMPUTE.
    end
        The move that deletes it; the number of moves where none does. The place of a value that
        is slid into is free from the computation on, one move earlier.
    """

    vertex: int
    begin: int
    end: int


def stays(dag: CDAG, schedule: Schedule, *, rules: Rules = ONE_SHOT) -> tuple[Stay, ...]:
    """The stays of values in fast memory during a legal play, in the order they begin.

    Under sliding rules an operand that is deleted at once after a computation leaves its place to
    the result, if the rules let that slide onto it; only there may the result lie where an operand
    was.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves with one fast memory.
    rules
        The rules of the game.

    Examples
    --------
    >>> from dags.families.trees import chain
    >>> moves = [Move.LOAD, Move.COMPUTE, Move.DELETE, Move.STORE]
    >>> stays(chain(2), Schedule(moves, [0, 1, 0, 1]))
    (Stay(vertex=0, begin=0, end=2), Stay(vertex=1, begin=1, end=4))
    """
    since: dict[int, int] = {}
    list_of_stays: list[Stay] = []
    computed = -1  # the value of the last move, if that is a computation
    for index, action in enumerate(schedule.actions()):
        v = action.vertex
        if action.move is Move.DELETE:
            slid = rules.sliding and computed >= 0 and _may_replace(dag, computed, v)
            list_of_stays.append(Stay(v, since.pop(v), index - slid))
        elif action.move is not Move.STORE and v not in since:
            since[v] = index
        computed = v if action.move is Move.COMPUTE else -1
    list_of_stays += [Stay(v, begin, len(schedule)) for v, begin in since.items()]
    return tuple(sorted(list_of_stays, key=lambda stay: stay.begin))


def _may_replace(dag: CDAG, vertex: int, operand: int) -> bool:
    """Whether sliding rules let a value take the place of another."""
    sizes, marks = dag.sizes, dag.in_place
    marked = marks is None or bool(marks[vertex] and sizes[operand] == sizes[vertex])
    return marked and operand in _operands(dag, vertex)


def in_place_pairs(dag: CDAG, spans: Sequence[Stay]) -> list[tuple[int, int]]:
    """Which stays are those of an operand and of the result that takes its place.

    None where any value may slide: then it may share some addresses with the operand and not all.

    Parameters
    ----------
    dag
        The computation.
    spans
        The stays of its values.
    """
    if dag.in_place is None:
        return []
    ending: dict[int, list[int]] = {}
    for index, stay in enumerate(spans):
        ending.setdefault(stay.end, []).append(index)
    return [
        (before, after)
        for after, stay in enumerate(spans)
        for before in ending.get(stay.begin, ())
        if _may_replace(dag, stay.vertex, spans[before].vertex)
    ]


def judge_stays(
    dag: CDAG,
    spans: Sequence[Stay],
    offsets: Sequence[int],
    capacity: int | None = None,
    *,
    alignment: int = 1,
    word_bytes: int = 1,
) -> int:
    """The height of a placement of stays, which does all that the computation demands.

    Parameters
    ----------
    dag
        The computation, with its demands on alignment, addresses and spills.
    spans
        The stays of its values.
    offsets
        The address of each.
    capacity
        The size of memory; None for one without end.
    alignment, word_bytes
        As for `buffers_of`.

    Raises
    ------
    IllegalPlacementError
        As for `judge_placement`; if a value that is computed in place shares some addresses with
        its operand and has another; or if a value that is never to be spilled has two stays.
    """
    buffers = buffers_of(dag, spans, alignment=alignment, word_bytes=word_bytes)
    height = judge_placement(buffers, offsets, capacity)
    for before, after in in_place_pairs(dag, spans):
        low, high, size = offsets[before], offsets[after], buffers[after].size
        if low != high and abs(low - high) < size:
            raise IllegalPlacementError(
                f"{one_line(buffers[after].name, 40)}, at {high:,}, shares addresses with its "
                f"operand {one_line(buffers[before].name, 40)}, at {low:,}: in place is at the same"
            )
    unspilled = set() if dag.demands is None else set(dag.demands.unspilled.nonzero()[0].tolist())
    seen: set[int] = set()
    for stay, buffer in zip(spans, buffers, strict=True):
        if stay.vertex in seen & unspilled:
            raise IllegalPlacementError(
                f"{one_line(buffer.name, 40)} is never to be spilled, and comes into fast memory "
                f"again at move {stay.begin}"
            )
        seen.add(stay.vertex)
    return height


def _operands(dag: CDAG, vertex: int) -> list[int]:
    """The operands of a vertex."""
    row = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
    return [int(u) for u in row]


def buffers_of(
    dag: CDAG, spans: Sequence[Stay], *, alignment: int = 1, word_bytes: int = 1
) -> tuple[Buffer, ...]:
    """A buffer for each stay, with sizes in bytes, and with the demands on its address.

    Parameters
    ----------
    dag
        The computation.
    spans
        The stays of its values.
    alignment
        Every offset is a multiple of a given number of bytes.
    word_bytes
        Bytes of a word.
    """
    sizes, names = dag.sizes.tolist(), dag.labels
    units, anywhere = [1] * dag.n, [-1] * dag.n
    known = dag.demands
    aligned = units if known is None else known.alignment.tolist()
    pinned = anywhere if known is None else known.address.tolist()
    return tuple(
        Buffer(
            str(stay.vertex) if names is None else str(names[stay.vertex]),
            stay.begin,
            stay.end,
            sizes[stay.vertex] * word_bytes,
            lcm(alignment, aligned[stay.vertex]),
            None if pinned[stay.vertex] < 0 else pinned[stay.vertex],
        )
        for stay in spans
    )
