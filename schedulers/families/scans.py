"""Trees, chains and prefix scans: one subtree after another, or passes over the levels."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from schedulers.families.tiles import sorted_by
from schedulers.families.transforms import pass_widths, widest_pass
from schedulers.orders import depth_first


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of a prefix scan.

    - "sklansky" and "brent-kung": position by position, and level by level in each. Only sums
      that end a block of 2^l positions serve further right, one for each l: 2n - 1 words, which
      are compulsory, from ceil(log2 n) + 2 words on.
    - "kogge-stone": passes of e levels. Levels b..b+e-1 leave the positions equal modulo 2^b to
      themselves; these enter one after another, and all sums at one are computed. Level b + j
      reads back over 2^j of them, 2^e - 1 in all; with 2^e + 1 words a pass loads and stores
      each position once: 2n ceil(d / e) words for d = ceil(log2 n) levels.
    """
    n, network = dag.params["n"], dag.params["network"]
    vertices = np.arange(n, dag.n, dtype=np.int32)
    levels = list(_LEVELS[network](n))
    position = np.concatenate(levels)
    level = np.repeat(np.arange(len(levels)), [array.size for array in levels])
    if network != "kogge-stone":
        yield sorted_by(vertices, position, level)
        return
    depth = len(levels)
    widest = widest_pass(memory + 1, depth)
    for width in dict.fromkeys((widest, min(widest + 1, depth))):
        ends = np.cumsum(pass_widths(depth, width))
        number = np.searchsorted(ends, level, side="right")
        first = np.concatenate(([0], ends))[number]
        yield sorted_by(vertices, number, position % (1 << first), position, level)


def _kogge_stone(n: int) -> Iterator[Int64Array]:
    for level in range((n - 1).bit_length()):
        yield np.arange(1 << level, n)


def _sklansky(n: int) -> Iterator[Int64Array]:
    for level in range((n - 1).bit_length()):
        position = np.arange(n)
        yield position[position >> level & 1 == 1]


def _brent_kung(n: int) -> Iterator[Int64Array]:
    top = n.bit_length() - 1
    for level in range(1, top + 1):
        yield np.arange((1 << level) - 1, n, 1 << level)
    for level in reversed(range(top)):
        yield np.arange((3 << level) - 1, n, 2 << level)


_LEVELS = {"kogge-stone": _kogge_stone, "sklansky": _sklansky, "brent-kung": _brent_kung}


def walk_orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield the depth-first order, which needs the least memory on trees of unit size.

    The complete binary tree of height h moves its 2^h + 1 compulsory words from h + 2 words of
    memory on; a chain moves two words with two.

    Source
    ------
    R. Sethi and J. D. Ullman, J. ACM 17, 1970; J. W. H. Liu, ACM TOMS 12, 1986.
    """
    del memory  # the order is the same for every size
    yield depth_first(dag)
