"""Sides of tiles to choose from, for lengths and memories of any size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

FEW = 512  # numbers of parts, and sides, that are all tried
GROWTH = 1.03  # between those beyond


def sides(length: int, most: int) -> list[int]:
    """Return sides up to `most` that cut a length into parts as equal as can be, rising.

    All sides that make few parts are there, all that are small, and some in between.
    """
    found = {1, min(length, most)}
    for parts in numbers(length):
        found |= {parts, -(-length // parts)}
    return sorted(side for side in found if side <= most)


def evened(length: int, side: int) -> int:
    """Return the smallest side that cuts a length into as many parts as `side` does."""
    parts = -(-length // side)
    return -(-length // parts)


def blocks(
    rows: int, columns: int, fit: Callable[[int], int], io: Callable[[int, int], int]
) -> tuple[int, int]:
    """Return the a x b block of which the fewest words move.

    Parameters
    ----------
    rows, columns
        Of the matrix that is cut into blocks; blocks are no larger.
    fit
        Returns the most columns of a block of `a` rows, less than 1 if there is none.
    io
        Returns the words that move with blocks of a x b.

    A block of one entry is taken where `fit` has none.
    """
    return min({(1, 1), *_shapes(rows, columns, fit)}, key=lambda shape: (io(*shape), shape))


def _shapes(rows: int, columns: int, fit: Callable[[int], int]) -> Iterable[tuple[int, int]]:
    for a in sides(rows, rows):
        b = min(columns, fit(a))
        if b < 1:
            break
        yield evened(rows, a), evened(columns, b)


def numbers(most: int, few: int = FEW) -> list[int]:
    """Return numbers from 1 to `most`: all up to `few`, larger ones in about equal ratios."""
    found = list(range(1, min(most, few) + 1))
    while found[-1] < most:
        found.append(min(most, max(found[-1] + 1, int(GROWTH * found[-1]))))
    return found


def boxes(
    lengths: Sequence[int], fits: Callable[[tuple[int, ...]], bool]
) -> Iterator[tuple[int, ...]]:
    """Yield boxes as large as fit: their sides differ by 1 at most, or one is made longer.

    Sides are no longer than the lengths; there is none if not even single points fit.

    Parameters
    ----------
    lengths
        Of the axes that are cut into boxes.
    fits
        Returns whether a box of given sides does; no larger one does if it does not.
    """

    def near(length: int, more: Sequence[int]) -> tuple[int, ...]:
        return tuple(min(length + one, most) for one, most in zip(more, lengths, strict=True))

    low, high = 0, max(lengths, default=1) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fits(near(middle, [0] * len(lengths))):
            low = middle
        else:
            high = middle
    for length, more in product({low, low - 1} - {0, -1}, product((0, 1), repeat=len(lengths))):
        own = near(length, more)
        if fits(own):
            yield own
            for axis in range(len(lengths)):
                yield _lengthened(own, axis, lengths[axis], fits)


def _lengthened(
    box: tuple[int, ...], axis: int, most: int, fits: Callable[[tuple[int, ...]], bool]
) -> tuple[int, ...]:
    """Return the box with one side as long as fits."""
    low, high = box[axis], most + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fits((*box[:axis], middle, *box[axis + 1 :])):
            low = middle
        else:
            high = middle
    return (*box[:axis], low, *box[axis + 1 :])
