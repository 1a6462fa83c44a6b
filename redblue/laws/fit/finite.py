"""Effects of small memories and small DAGs, which bend a law, for each family."""

from collections.abc import Callable, Mapping
from math import inf, prod
from typing import Any

from dags import CDAG, Member
from pebble import ONE_SHOT, Rules, compulsory_words

OVERHEAD = 2  # words beside a tile: a new value, and one that passes
SINGLE = ("merge_sort", "prefix_scan")  # nothing passes there
GRID_SHARE = 4  # tiles on the shortest side of a grid, at least
STENCIL_SHARE = 3  # the same for a stencil, whose tiles are narrower than their memory is large


def overhead_of(dag: CDAG | Member, rules: Rules = ONE_SHOT) -> int:
    """Return the words of a memory that hold no tile.

    Passes of e levels take r^e words and r with radix r; merges of 2^e lists one beside a key of
    each; strips of a stencil on a line, whose order is searched for with little memory, no more,
    and those of w comparators are 2w keys in 2w words. Where results slide, the new value needs
    none.
    """
    slides = int(rules.sliding)
    if dag.family == "fft":
        return int(dag.params["radix"]) - slides
    if dag.family == "odd_even_transposition_sort":
        return 0
    line = dag.family == "stencil" and len(dag.params["shape"]) == 1
    return (1 if line or dag.family in SINGLE else OVERHEAD) - slides


def once_of(dag: CDAG) -> float:
    """Return the words that are moved once, whatever the memory, as far as that bends the law.

    These are the outputs; where strips sort keys by transposition, all keys come in and go out
    beside what the strips exchange. Grids and stencils have faces instead, where tiles end for
    nothing: with k tiles on a side only k - 1 cuts are paid, 2 words at each of a grid's points and
    4 at each of a stencil's, so that the words of one cut on each side are missing: a negative
    number.
    """
    if dag.family == "odd_even_transposition_sort":
        return float(compulsory_words(dag))
    if dag.family not in ("grid", "stencil"):
        return float(dag.words_of(dag.outputs))
    shape: tuple[int, ...] = dag.params["shape"]
    if dag.family == "grid":
        return -2.0 * (len(shape) - 1) * prod(shape) / min(shape)
    return -4.0 * len(shape) * prod(shape) * int(dag.params["steps"]) / min(shape)


def largest_of(dag: CDAG | Member) -> float:
    """Return the largest memory at which tiles are small against the DAG; infinity if unknown.

    The first pass of a sorting network sorts blocks of 2^e keys on e (e + 1) / 2 levels, and takes
    so many of few stages that powers look better than the logarithm: e is to be a third of the
    stages, and one more, at most.
    """
    return LARGEST[dag.family](dag.params) if dag.family in LARGEST else inf


def widest_network_pass(n: int) -> int:
    """Return the most levels of a pass that are few against the stages of a network of n keys."""
    return depth_of(n) // 3 + 1


def depth_of(n: int, base: int = 2) -> int:
    """Return the levels of a butterfly on n points."""
    depth = 0
    while base**depth < n:
        depth += 1
    return depth


def _network(params: Mapping[str, Any]) -> float:
    return float(2 ** widest_network_pass(params["n"]) + OVERHEAD)


def _grid(params: Mapping[str, Any]) -> float:
    shape = params["shape"]
    return float((min(shape) / GRID_SHARE) ** (len(shape) - 1) + OVERHEAD)


def _stencil(params: Mapping[str, Any]) -> float:
    shape = params["shape"]
    return float((min(shape) / STENCIL_SHARE) ** len(shape) + OVERHEAD)


LARGEST: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "bitonic_sort": _network,
    "grid": _grid,
    "odd_even_merge_sort": _network,
    "stencil": _stencil,
}
