"""Placements of buffers by complete search over such as are pushed down, in several orders.

A placement in which no buffer can be moved down alone is made from below: each buffer lies at 0,
at its fixed address, or on one that is there at the same time. If there is a placement there is one
with the least sum of addresses, which is pushed down; the search makes it buffer by buffer in the
order of addresses, and cuts what that one cannot be:

- a buffer is not placed first at an address from which on another fits under it: that one could
  be moved down, and the sum of addresses would be less;
- of buffers at one address, which never meet, the one of lower rank is placed first;
- the buffers still to be placed at a moment need the sum of their sizes above the lowest address
  that one of them can have.

Parts of what is left that no lifetime joins are placed one after the other, each whatever the
others are: where one has no placement, nothing of the others is tried again. The order in which
buffers of one address are tried decides how long a search takes: three orders take turns, each
going on where it stopped. Work is what kernels count, so the same
input gives the same answer on every machine.

Source
------
M. D. Moffitt, MiniMalloc: a lightweight memory allocator for hardware-accelerated machine learning,
ASPLOS 2023: placements that are pushed down, inference by sections, decomposition, three orders in
turns. The proof by the least sum of addresses, fixed addresses within it and the account of work
are ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Literal

import numpy as np

from dags.arrays import Int64Array, lock
from dags.work import charge
from pebble import MOST_WORDS, UNLIMITED, Budget
from pebble.placement import Buffer, judge_placement, live_load, require_buffers
from schedulers.placement import _kernels

Status = Literal["placed", "impossible", "not proved"]
WORK = 2_000_000_000  # some ten seconds
TURN = 4_000_000
MOST_PAIRS = 50_000_000  # of buffers that meet: memory of what a search may take back
MOST_CELLS = 200_000_000  # buffers times the sections of each, which every step looks through
SHARES = 8  # of the work: what one size may take where the least is sought
# Buffers come by the first key that differs, the largest first; in the orders marked, the buffers
# of a part come by the load that is left when it is cut off.
ORDERS = (
    ("load", "width", "area", False),
    ("load", "area", "width", True),
    ("width", "area", "load", True),
)
RANKS = 64  # times the buffers: how often parts are ordered again


@dataclass(frozen=True)
class Placed:
    """Result of a search for addresses of buffers: the placement or the proof that none exists.

    Parameters
    ----------
    buffers
        The buffers.
    capacity
        The size of memory that was asked for; None where the least was.
    offsets
        The address of each buffer; None where no placement was found.
    height
        The end of the highest buffer; None likewise.
    bound
        No smaller memory holds the buffers, which is proved: by the load of a moment, or by a
        complete search.
    bound_by
        "live load" or "complete search".
    status
        "placed"; "impossible", which is proved; or "not proved": none was found with the work
        allowed.
    work
        Steps of the search.
    """

    buffers: tuple[Buffer, ...]
    capacity: int | None
    offsets: tuple[int, ...] | None
    height: int | None
    bound: int
    bound_by: str
    status: Status
    work: int

    @property
    def least(self) -> bool:
        """Whether no placement is lower, which is proved."""
        return self.height == self.bound


def place(
    buffers: Sequence[Buffer],
    capacity: int,
    *,
    work: int = WORK,
    budget: Budget = UNLIMITED,
) -> Placed:
    """Find addresses for buffers in memory of a given size, or prove that there are none.

    Parameters
    ----------
    buffers
        The buffers.
    capacity
        The size of memory.
    work
        Steps after which the search gives up.
    budget
        A clock that can only cut the search.

    Examples
    --------
    >>> place([Buffer("a", 0, 2, 3), Buffer("b", 1, 3, 4), Buffer("c", 2, 4, 3)], 7).height
    7
    """
    require_buffers(buffers)
    unit, scaled = _in_units(buffers)
    load = max(live_load(buffers), live_load(scaled) - unit + 1)
    known = Placed(tuple(buffers), capacity, None, None, load, "live load", "impossible", 0)
    if load > capacity or _taller(buffers, capacity):
        return known
    orders = _Orders(buffers if capacity % unit else scaled)
    status = orders.search(capacity, work, budget)
    if status == _kernels.IMPOSSIBLE:
        step = orders.step
        bound = max(load, (capacity // step + 1) * step)
        return replace(known, bound=bound, bound_by="complete search", work=orders.work)
    if orders.offsets is None:
        return replace(known, status="not proved", work=orders.work)
    height = judge_placement(buffers, orders.offsets, capacity)
    return replace(known, offsets=orders.offsets, height=height, status="placed", work=orders.work)


def least_memory(
    buffers: Sequence[Buffer], *, work: int = WORK, budget: Budget = UNLIMITED
) -> Placed:
    """Find the least memory that holds buffers, from both sides.

    The load of the busiest moment is tried first, with all of the work. Where that decides nothing,
    sizes between it and the lowest placement are tried by halves, each with a share of as much.

    Parameters
    ----------
    buffers, work, budget
        As for `place`.

    Examples
    --------
    >>> least_memory([Buffer("a", 0, 2, 3), Buffer("b", 1, 3, 4)]).height
    7
    """
    require_buffers(buffers)
    unit, scaled = _in_units(buffers)
    bound = max(live_load(buffers), live_load(scaled) - unit + 1)
    bound = max([bound, *(b.offset + b.size for b in buffers if b.offset is not None)])
    known = Placed(tuple(buffers), None, None, None, bound, "live load", "not proved", 0)
    if not buffers:
        return replace(known, offsets=(), height=0, status="placed")
    orders = _Orders(buffers)
    low = -(-bound // orders.step) * orders.step
    upper = sum(b.size + b.alignment - 1 for b in buffers) + bound
    best, share = None, work // SHARES
    for capacity in (low, upper):
        status = orders.search(capacity, work, budget)
        if status == _kernels.PLACED:
            best = orders.offsets
            break
        if status == _kernels.IMPOSSIBLE:
            known = replace(known, bound=capacity + orders.step, bound_by="complete search")
    if best is None:
        impossible = status == _kernels.IMPOSSIBLE  # fixed addresses overlap
        return replace(known, status="impossible" if impossible else "not proved", work=orders.work)
    height = judge_placement(buffers, best)
    low += orders.step
    end = orders.work + work
    while low < height and not budget.over and orders.work < end:
        middle = (low + height - 1) // 2 // orders.step * orders.step
        status = orders.search(middle, share, budget)
        if status == _kernels.PLACED and orders.offsets is not None:
            best, height = orders.offsets, judge_placement(buffers, orders.offsets)
            continue
        low = middle + orders.step
        if status == _kernels.IMPOSSIBLE:
            known = replace(known, bound=low, bound_by="complete search")
    return replace(known, offsets=best, height=height, status="placed", work=orders.work)


def _in_units(buffers: Sequence[Buffer]) -> tuple[int, list[Buffer]]:
    """The unit of all addresses, and the buffers with sizes rounded up to it.

    What lies above a buffer begins at a multiple of the unit, so above its rounded end; and it ends
    in a memory of whole units if and only if its rounded end is there. In another memory, with
    less than a unit more, rounded ends are below the next whole number of units.
    """
    unit = gcd(*(b.alignment for b in buffers)) or 1
    return unit, [replace(b, size=-(-b.size // unit) * unit) for b in buffers]


def _taller(buffers: Sequence[Buffer], capacity: int) -> bool:
    """Whether a fixed buffer ends above the memory."""
    return any(b.offset is not None and b.offset + b.size > capacity for b in buffers)


class _Orders:
    """The searches of all orders for the same buffers."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers
        self.work = 0
        self.offsets: tuple[int, ...] | None = None
        self.size = np.array([b.size for b in buffers], np.int64)
        self.align = np.array([b.alignment for b in buffers], np.int64)
        self.fixed = np.array([-1 if b.offset is None else b.offset for b in buffers], np.int64)
        # addresses of placements that are pushed down are sums of these
        self.step = gcd(*self.size.tolist(), *self.align.tolist())
        self.step = gcd(self.step, *(b.offset for b in buffers if b.offset is not None))
        lower, upper = (np.array([getattr(b, end) for b in buffers]) for end in ("lower", "upper"))
        self.first, self.last, self.sections = sections(lower, upper)
        load = np.zeros(self.sections + 1, np.int64)
        np.add.at(load, self.first, self.size)
        np.subtract.at(load, self.last, self.size)
        self.load = np.cumsum(load)[:-1]
        tops = [self.load[a:b].max() for a, b in zip(self.first, self.last, strict=True)]
        wide = (upper - lower).astype(float)
        keys = {"load": np.array(tops), "width": wide, "area": wide * self.size}
        self.orders = [
            (np.lexsort([-keys[name] for name in reversed(names)]), is_repeated)
            for *names, is_repeated in ORDERS
        ]

    def search(self, capacity: int, work: int, budget: Budget) -> int:
        """Search in memory of a size, in all orders by turns; return how that ended."""
        self.offsets = None
        if self.too_large():
            return _kernels.FULL
        runs = [_Run(self, order, capacity, by_load) for order, by_load in self.orders]
        end = self.work + work
        while runs and self.work < end and not budget.over:
            for run in list(runs):
                status = run.go_on(min(TURN, max(end - self.work, 1)))
                if status == _kernels.PLACED:
                    self.offsets = run.offsets()
                if status in (_kernels.PLACED, _kernels.IMPOSSIBLE):
                    return status
                if status == _kernels.FULL:
                    runs.remove(run)
        return _kernels.UNDECIDED

    def too_large(self) -> bool:
        """Whether a search would take too much memory, or time for a step."""
        begins, ends = np.sort(self.first), np.sort(self.last)
        self.pairs = int(
            (np.searchsorted(begins, self.last) - np.searchsorted(ends, self.first, "right")).sum()
        )
        return self.pairs > MOST_PAIRS or int((self.last - self.first).sum()) > MOST_CELLS


class _Run:
    """The search in one order."""

    def __init__(self, orders: _Orders, order: Int64Array, capacity: int, by_load: bool) -> None:
        n = order.size
        self.orders, self.order = orders, order
        columns = (orders.first, orders.last, orders.size, orders.align, orders.fixed)
        parts = [lock(column[order]) for column in columns]
        first, last, size, align, fixed = parts
        self.buffers = _kernels.Buffers(
            first, last, size, align, fixed, min(capacity, MOST_WORDS), int(by_load)
        )
        frames = np.full((n + 1, _kernels.FIELDS), -1, np.int64)
        frames[0, [_kernels.END, _kernels.NEXT]] = n, 0
        self.state = _kernels.PlacementSearch(
            low=np.maximum(fixed, 0),
            address=np.full(n, -1),
            perm=np.argsort(first, kind="stable"),
            rank=np.arange(n),
            left=orders.load.copy(),
            floor=np.zeros(orders.sections, np.int64),
            load=np.zeros(n, np.int64),
            sorted=np.zeros(n, np.int64),
            trail=np.zeros((2, orders.pairs + n), np.int64),
            ranks=np.zeros((2, RANKS * n), np.int64),
            frames=frames,
            head=np.array([0, 0, 0, _kernels.DEEPER, 0]),
        )

    def go_on(self, turn: int) -> int:
        """Search for some more work; return how that ended."""
        before = int(self.state.head[_kernels.WORK])
        status = _kernels.search(self.buffers, self.state, np.int64(before + turn))
        work = int(self.state.head[_kernels.WORK]) - before
        self.orders.work += work
        charge("placement", work)
        return int(status)

    def offsets(self) -> tuple[int, ...]:
        """The addresses in the order of the buffers as given."""
        placed = np.empty(self.order.size, np.int64)
        placed[self.order] = self.state.address
        return tuple(placed.tolist())


def sections(lower: Int64Array, upper: Int64Array) -> tuple[Int64Array, Int64Array, int]:
    """Lifetimes as ranges of sections, and how many sections there are.

    A section is a moment at which a buffer has begun since the last end, and one ends next. The
    buffers of any moment are among those of a section.

    Parameters
    ----------
    lower, upper
        (n,) the lifetimes.
    """
    times = np.unique(np.concatenate((lower, upper)))
    begins, ends = (np.searchsorted(times, moments) for moments in (lower, upper))
    starts, stops = np.zeros(times.size, bool), np.zeros(times.size, bool)
    starts[begins], stops[ends] = True, True
    kept = np.flatnonzero(starts[:-1] & stops[1:])
    return np.searchsorted(kept, begins), np.searchsorted(kept, ends), kept.size
