"""Programs that are not laid out: plays by tiles, counted, and bounds by windows."""

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from dags.programs.members import NestMember
from redblue.memories import grid
from schedulers.tilings.holds import Found, thinned
from schedulers.tilings.search import best_tilings

FEW = 24  # sizes of memory for which plays are looked for, where none are named

# Plays are looked for once for each program: a plan asks at many sizes.
_found: WeakKeyDictionary[NestMember, list[Found]] = WeakKeyDictionary()


def look_for_plays(known: NestMember, memories: Iterable[int] | None = None) -> None:
    """Look for plays of a program at some sizes of memory, or at sizes over all of its range."""
    least = known.min_memory()
    sizes = grid(least, known.sizes.vertices + 1, FEW) if memories is None else memories
    more = best_tilings(known.nest, [size for size in sizes if size >= least])
    _found[known] = thinned([*_found.get(known, []), *more])


def best_play(known: NestMember, memory: int) -> Found | None:
    """Return the best play that was found for so much memory; None where there is none."""
    if known not in _found:
        look_for_plays(known, [memory])
    enough = [each for each in _found[known] if each.moved.words <= memory]
    return enough[-1] if enough else None
