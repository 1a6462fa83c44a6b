"""Overlapping tiles of a stencil: what each choice costs by closed form, and the best one."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from dags import CDAG, InvalidDAGError
from dags.arrays import Int64Array, lock
from schedulers.families.tiles import divisions


class _Axis(NamedTuple):
    """One axis of a stencil, its sides, and whether tiles are swept along it, not cut."""

    length: int
    side: int
    periodic: bool
    swept: bool

    def reach(self, first: Int64Array, before: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return from where to where tiles that begin at `first` need points; as `Trapezoids`."""
        low = first - before
        high = np.minimum(first + self.side, self.length) + before
        if not self.periodic:
            return np.maximum(low, 0), np.minimum(high, self.length)
        if self.swept:
            return low, high
        round_about = high - low > self.length
        return np.where(round_about, 0, low), np.where(round_about, self.length, high)


def _widths(along: _Axis, height: int) -> Int64Array:
    """Return (height + 1, tiles) how many points each tile needs j steps before its end."""
    before = np.arange(height + 1)[:, None]
    first, last = along.reach(np.arange(0, along.length, along.side), before)
    return last - first


@lru_cache(maxsize=1 << 12)  # plans differ in one side, mostly
def _widest(along: _Axis, height: int) -> Int64Array:
    """Return (height + 1,) how many points the largest tile needs j steps before its end."""
    return lock(_widths(along, height).max(axis=1))


@lru_cache(maxsize=1 << 12)
def _loaded(along: _Axis, height: int) -> int:
    """Return how many points all tiles together need at first."""
    return int(_widths(along, height)[-1].sum())


@dataclass(frozen=True)
class Trapezoids:
    """A way to play a stencil by tiles that compute again what lies between them.

    A band of steps is played at a time, and in it one tile after another. A tile is cut in all
    axes but one, along which it is swept. It loads its points and as many around it as the band
    has steps, computes at each step what the steps left need of it, and stores its points.

    Parameters
    ----------
    shape, steps, periodic
        Of the stencil.
    axis
        Along which tiles are swept.
    sides
        Of a tile, for each axis; that of `axis` itself is not cut.
    height
        Steps in a band, the last one perhaps fewer.
    """

    shape: tuple[int, ...]
    steps: int
    periodic: bool
    axis: int
    sides: tuple[int, ...]
    height: int

    @property
    def io(self) -> int:
        """Words moved: in each band all points once out, and in as often as tiles need them.

        Leading order: with tiles b on each side in the d - 1 axes and bands of h steps, ((b +
        2h)^(d-1) + b^(d-1)) / (b^(d-1) h) words a vertex, while 2 sum_(j<=h) (b + 2j)^(d-1) words
        are kept: 4 / S for d = 1 (nothing to overlap), 7.35 / S^(1/2) for d = 2 with b = 2h, and
        12.0 / S^(1/3) for d = 3 with b = 3.7 h.
        """
        axes = range(len(self.shape))
        loads = {
            band: prod(_loaded(self._along(axis), band) for axis in axes) for band in {*self.bands}
        }
        return sum(prod(self.shape) + loads[band] for band in self.bands)

    @property
    def bands(self) -> list[int]:
        """The steps of each band."""
        whole, rest = divmod(self.steps, self.height)
        return [self.height] * whole + [rest] * (rest > 0)

    @property
    def peak(self) -> int:
        """Memory that is enough, in words: two layers of each step, a third one, and what lags.

        Where tiles have w_j points across at the j-th step from the end, 2 (w_1 + ... + w_h) +
        w_h, the current value, and the points of the layer read last that wait for it: a row of
        points, or two on a ring that is not cut, as its ends read each other.
        """
        widths = [_widest(self._along(axis), self.height) for axis in self.cut]
        across = reduce(np.multiply, widths, np.ones(self.height + 1, np.int64))
        lag, row = 0, 1
        for axis, width in zip(reversed(self.cut), reversed(widths), strict=True):
            lag += row * (2 if width[-1] == self.shape[axis] and self.periodic else 1)
            row *= int(width[-1])
        return int(2 * across[1:].sum() + across[-1]) + lag + 1

    def reach(
        self, axis: int, first: Int64Array, before: Int64Array
    ) -> tuple[Int64Array, Int64Array]:
        """Return from where to where a tile needs points some steps before its end.

        On a ring this may begin below 0; no point is in it twice, but for the swept axis.
        """
        return self._along(axis).reach(first, before)

    def _along(self, axis: int) -> _Axis:
        """Return one axis."""
        swept = axis == self.axis
        return _Axis(self.shape[axis], self.sides[axis], self.periodic, swept)

    @property
    def cut(self) -> list[int]:
        """The axes along which tiles end."""
        return [axis for axis in range(len(self.shape)) if axis != self.axis]


def best_trapezoids(dag: CDAG, memory: int) -> Trapezoids | None:
    """Return the tiles that move least with so much memory, or None if the smallest need more.

    Raises
    ------
    InvalidDAGError
        If `dag` was not made by `dags.stencil`.
    """
    fitting = (plan for plan in trapezoids(dag, memory) if plan.peak <= memory)
    return min(fitting, key=lambda plan: plan.io, default=None)


def trapezoids(dag: CDAG, memory: int) -> Iterator[Trapezoids]:
    """Yield the largest tiles that fit for each swept axis, height and all sides but one."""
    if dag.family != "stencil":
        raise InvalidDAGError(f"{dag!r} is no stencil")
    shape, steps, periodic = dag.params["shape"], dag.params["steps"], dag.params["periodic"]
    for axis in range(len(shape)):
        others = [divisions(n) if a != axis else [n] for a, n in enumerate(shape)]
        free = 0 if axis else len(shape) - 1  # the axis whose side is as long as fits
        lengths, others[free] = others[free], [1]
        for height, sides in product(divisions(steps), product(*others)):
            if 2 * height <= max(memory, 2):
                base = Trapezoids(shape, steps, periodic, axis, sides, height)
                longer = [_with_side(base, free, length) for length in lengths]
                fitting = bisect_right(longer, memory, key=lambda plan: plan.peak)
                yield longer[max(fitting - 1, 0)]


def _with_side(plan: Trapezoids, axis: int, side: int) -> Trapezoids:
    return replace(plan, sides=(*plan.sides[:axis], side, *plan.sides[axis + 1 :]))
