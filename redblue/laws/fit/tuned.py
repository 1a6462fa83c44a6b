"""Sizes of memory at which a family's schedule is tuned: where its tiles fit exactly."""

from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words, min_memory
from redblue.laws.fit.finite import OVERHEAD, depth_of, largest_of, widest_network_pass
from redblue.laws.fit.points import CLEAR_OF_COMPULSORY

PER_OCTAVE = 2  # sizes in a grid for DAGs that are not known
FIRST = 2  # such a grid begins at this multiple of the smallest memory
FEWEST = 3  # a law needs at least so many sizes

Tuned = Callable[[Mapping[str, Any]], list[int]]


def tuned_memories(dag: CDAG, *, rules: Rules = ONE_SHOT) -> list[int]:
    """Return words of fast memory, rising, at which to play `dag` to find its law.

    For families that are known, sizes that their tiles fill and at which these are small against
    the DAG; otherwise a geometric grid from two smallest memories to all words of the DAG.

    - *Butterflies, merges*: 2^e and the overhead for e levels a pass that divide the levels; if
      these are fewer than three, the smallest e for each number of passes.
    - *Sorting networks*: all e up to `largest_of`.
    - *Products*: b^2 + b + 2 for b x b blocks that cut the matrix into equal parts, four or more.
    - *Grids and stencils*: a geometric grid up to `largest_of`.

    Examples
    --------
    >>> from dags import fft, matmul
    >>> tuned_memories(fft(4096))
    [10, 18, 66]
    >>> tuned_memories(matmul(24))
    [14, 22, 32, 44]
    """
    least = min_memory(dag, rules=rules)
    if dag.family in TUNED:
        sizes = [size for size in TUNED[dag.family](dag.params) if size >= least]
        if sizes:
            return sizes
    return geometric(max(FIRST * least, 1), int(min(dag.sizes.sum(), largest_of(dag))))


def ends(dag: CDAG, io: int) -> bool:
    """Return whether so few words are moved that larger memories do not show a growing law."""
    compulsory = compulsory_words(dag)
    return io <= CLEAR_OF_COMPULSORY * compulsory


def geometric(first: int, last: int) -> list[int]:
    """Return a grid from `first` with two sizes an octave, not beyond `last`."""
    sizes, step = [first], 0
    while sizes[-1] < last:
        step += 1
        sizes.append(min(round(first * 2 ** (step / PER_OCTAVE)), last))
    return sizes


def _passes(depth: int, base: int, overhead: int) -> list[int]:
    """Return sizes for passes of e of `depth` levels; single tricks win where e is only 2."""
    dividing = [e for e in range(2, depth) if depth % e == 0]
    choices = [e for e in dividing if e > 2], dividing, _changing(depth)
    each = next((some for some in choices if len(some) >= FEWEST), choices[-1])
    return [base**e + overhead for e in each]


def _changing(depth: int) -> list[int]:
    """Return from 2 on the fewest levels a pass for each number of passes but one."""
    return sorted({ceil(depth / passes) for passes in range(2, depth)} - {1})


def _fft(params: Mapping[str, Any]) -> list[int]:
    radix = int(params["radix"])
    return _passes(depth_of(params["n"], radix), radix, radix)


def _merges(params: Mapping[str, Any]) -> list[int]:
    return _passes(depth_of(params["n"]), 2, 1)


def _scan(params: Mapping[str, Any]) -> list[int]:
    return _merges(params) if params["network"] == "kogge-stone" else []


def _network(params: Mapping[str, Any]) -> list[int]:
    return [2**e + OVERHEAD for e in range(2, widest_network_pass(params["n"]) + 1)]


def _product(params: Mapping[str, Any]) -> list[int]:
    side = min(params["m"], params["n"])
    blocks = sorted({ceil(side / parts) for parts in range(4, side + 1)})
    return [b * b + b + 2 for b in blocks if b >= 3 and side > 12]


TUNED: dict[str, Tuned] = {
    "bitonic_sort": _network,
    "fft": _fft,
    "matmul": _product,
    "merge_sort": _merges,
    "odd_even_merge_sort": _network,
    "prefix_scan": _scan,
}
