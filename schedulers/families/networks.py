"""Networks whose levels mix the points that differ in one digit: which passes are cheapest.

A pass plays some levels that follow each other block by block: the levels mix e digits of the
index, and a block has the r^e points that agree in all other digits. Blocks that fit into memory
load and store each point once. Larger ones, played as a search plays them, move more words, but
fewer for each level: with 8 words 8 points take 20 words for 3 levels, where two levels alone take
16.

Source
------
J.-W. Hong and H. T. Kung, STOC 1981, section 4, for blocks that fit. The searched
blocks are ours.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from dags import CDAG, fft
from dags.arrays import Int32Array, Int64Array
from schedulers.families.searched_blocks import BlockPlay, searched_play, stored_play

# Points of a searched block; more are worth their search with nearly enough words, or, in
# transforms, with very few.
FEW_POINTS, MANY_POINTS = 16, 32


class Pass(NamedTuple):
    """Levels that are played block by block.

    Attributes
    ----------
    levels
        Their numbers.
    words
        That the pass moves for each point.
    is_searched
        Whether blocks do not fit into memory and are played as a search found.
    """

    levels: range
    words: float
    is_searched: bool

    def order(self, radix: int, digits: Sequence[int], memory: int) -> Int32Array:
        """The order of a block, in the numbering of `block`, given the levels' digits."""
        if not self.is_searched:
            return level_by_level(radix, digits)
        return block_play(radix, renamed(digits), memory).order


def block(radix: int, digits: Sequence[int]) -> CDAG:
    """A block: point p of level l is vertex (l + 1) r^e + p, as in `dags.fft`.

    Level l mixes the points that differ in digit `digits[l]`; e different ones occur, 0..e-1.
    """
    width = max(digits) + 1
    if list(digits) == list(range(width)):
        return fft(radix**width, radix=radix)
    points = np.arange(radix**width)
    operands = []
    for level, digit in enumerate(digits):
        stride = radix**digit
        first = points - points // stride % radix * stride
        operands.append(level * points.size + first[:, None] + stride * np.arange(radix))
    computed = len(operands) * points.size
    indptr = np.zeros(points.size + computed + 1, np.int64)
    indptr[points.size :] = radix * np.arange(computed + 1)
    return CDAG(indptr, np.concatenate(operands).astype(np.int32).reshape(-1))


def renamed(digits: Sequence[int]) -> tuple[int, ...]:
    """The digits by number, those that occur first lowest."""
    number = {digit: place for place, digit in enumerate(dict.fromkeys(digits))}
    return tuple(number[digit] for digit in digits)


@cache
def block_play(radix: int, digits: tuple[int, ...], memory: int) -> BlockPlay:
    """The best play known of a block.

    Parameters
    ----------
    radix, digits
        The block, as for `block`.
    memory
        Words of fast memory.
    """
    piece = block(radix, digits)
    return stored_play(piece, (radix, digits, memory)) or searched_play(piece, memory)


def cheapest_passes(digits: Sequence[int], memory: int, widest: int, radix: int = 2) -> list[Pass]:
    """The cheapest way found to cut levels into passes.

    Parameters
    ----------
    digits
        Which digit each level mixes.
    memory
        Words of fast memory.
    widest
        Digits of a block that fits.
    radix
        The digits' base.
    """
    cheapest: list[tuple[float, list[Pass]]] = [(0.0, [])]
    for end in range(1, len(digits) + 1):
        ways = []
        for start in reversed(range(end)):
            words = _price(digits, range(start, end), memory, widest, radix)
            if words is not None:
                before, passes = cheapest[start]
                candidate = Pass(range(start, end), words, len(set(digits[start:end])) > widest)
                ways.append((before + words, [*passes, candidate]))
            if len(set(digits[start:end])) > max(widest, MANY_POINTS.bit_length()):
                break
        cheapest.append(min(ways, key=lambda way: way[0]))
    return cheapest[-1][1]


def _price(
    digits: Sequence[int], levels: range, memory: int, widest: int, radix: int
) -> float | None:
    """The words a point that a pass moves, None where it is not worth looking at.

    A searched block has levels that all mix different digits, whatever these are, or the first
    levels on one digit more than fit.
    """
    mixed = renamed(digits[levels.start : levels.stop])
    width = max(mixed) + 1
    if width <= widest:
        return 2.0
    points: int = radix**width
    nearly = 4 * memory >= 3 * points
    transform = len(set(digits)) == len(digits)
    is_wide = nearly or (memory < 10 and transform)
    small = points <= (MANY_POINTS if is_wide else FEW_POINTS)
    if len(levels) == len(digits) or not small or width > widest + (3 if transform else 1):
        return None
    if width < len(mixed):
        returns = levels.stop < len(digits) and digits[levels.stop] in digits[: levels.stop]
        if levels.start > 0 or width > widest + 1 or returns or not nearly:
            return None
    return block_play(radix, mixed, memory).io / points


def bases(n: int, radix: int, digits: Sequence[int], backwards: bool) -> Int32Array:
    """The first points of the blocks of a pass, in order of play.

    Parameters
    ----------
    n, radix
        Points of the network, and the base of the digits.
    digits
        Which digit each level of the pass mixes.
    backwards
        Whether the last block comes first: values computed last are then read first.
    """
    base = np.zeros(1, np.int32)
    size = 1
    for digit in sorted(set(digits)):
        base = (np.arange(0, radix**digit, size, dtype=np.int32)[:, None] + base).reshape(-1)
        size = radix ** (digit + 1)
    base = (np.arange(0, n, size, dtype=np.int32)[:, None] + base).reshape(-1)
    return base[::-1] if backwards else base


def within(radix: int, digits: Sequence[int], play: Int32Array) -> tuple[Int64Array, Int64Array]:
    """The level of the pass and the point, less its block's first one, for an order.

    The order is that of a block, in the numbering of `block`.
    """
    names = list(dict.fromkeys(digits))
    level, point = np.divmod(play.astype(np.int64), radix ** len(names))
    spread = np.zeros_like(point)
    for place, digit in enumerate(names):
        spread += point // radix**place % radix * radix**digit
    return level - 1, spread


def level_by_level(radix: int, digits: Sequence[int]) -> Int32Array:
    """The plain order of a block, those with equal operands side by side."""
    names = renamed(digits)
    size: int = radix ** (max(names) + 1)
    rows = []
    for level, digit in enumerate(names):
        points = np.arange(size, dtype=np.int32).reshape(-1, radix, radix**digit)
        rows.append((level + 1) * size + points.swapaxes(1, 2).reshape(-1))
    return np.concatenate(rows)
