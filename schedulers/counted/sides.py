"""Sides of tiles to choose from, for lengths and memories of any size."""

from collections.abc import Callable, Iterable

FEW = 512  # numbers of parts, and sides, that are all tried
GROWTH = 1.03  # between those beyond


def sides(length: int, most: int) -> list[int]:
    """Return sides up to `most` that cut a length into parts as equal as can be, rising.

    All sides that make few parts are there, all that are small, and some in between.
    """
    found = {1, min(length, most)}
    for parts in _numbers(length):
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


def _numbers(length: int) -> list[int]:
    """Return numbers from 1 to `length`: few of them all, larger ones in about equal ratios."""
    numbers = list(range(1, min(length, FEW) + 1))
    while numbers[-1] < length:
        numbers.append(min(length, int(GROWTH * numbers[-1])))
    return numbers
