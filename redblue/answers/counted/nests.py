"""Loop nests that are not laid out: plays by tiles, looked for once and counted."""

from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from dags import Computation
from dags.programs.box_nests import BoxNest
from redblue.answers.memories import grid
from schedulers.tilings.hierarchies import hierarchy_plays
from schedulers.tilings.holds import Found, thinned
from schedulers.tilings.search import best_tilings

FEW, FEWER = 24, 8  # sizes of memory for which plays are looked for, where none are named;
MANY = 6  # of more assignments than these, the second

# A plan asks at many sizes of memory.
_found: WeakKeyDictionary[BoxNest, list[Found]] = WeakKeyDictionary()


def look_for_plays(
    known: Computation,
    memories: Iterable[int] | None = None,
    *,
    more: bool = False,
    seconds: float | None = None,
) -> None:
    """Look for plays of a nest at some sizes of memory; of other programs, for none.

    Parameters
    ----------
    known
        The member.
    memories
        Words of fast memory; None for some over all of the range.
    more
        Whether those that were found before stay known; otherwise an answer depends on nothing
        that was asked before.
    seconds
        After which nothing new is begun; None for more, the more sizes are asked for.
    """
    nest = known.nest
    if nest is None:
        return
    least = known.min_memory()
    few = FEWER if is_large(known) else FEW
    sizes = grid(least, known.sizes.vertices + 1, few) if memories is None else memories
    found = best_tilings(nest, [size for size in sizes if size >= least], seconds=seconds)
    _found[nest] = thinned([*(_found.get(nest, []) if more else []), *found])
    if nest.merged is not None:
        room = [size - nest.merged.count for size in sizes if size - nest.merged.count >= least]
        inner = best_tilings(nest.merged.nest, room, seconds=seconds)
        known_plays = _found.get(nest.merged.nest, []) if more else []
        _found[nest.merged.nest] = thinned([*known_plays, *inner])


def is_large(known: Computation) -> bool:
    """Return whether a member is a nest of many assignments, of which little is tried."""
    nest = known.nest
    return nest is not None and len(nest.assignments) > MANY


def best_play(nest: BoxNest, memory: int) -> Found | None:
    """Return the best play of a nest that was found for so much memory; None if there is none."""
    enough = [each for each in _found.get(nest, []) if each.moved.words <= memory]
    return enough[-1] if enough else None


def best_nest(nest: BoxNest, memory: int) -> BoxNest:
    """Return the nest of which the best play is: that of the text, or without its temporaries.

    Parameters
    ----------
    nest
        The nest, of which plays were looked for.
    memory
        Words of fast memory; a nest without temporaries has a word less for each.
    """
    inner = nest.merged
    if inner is None:
        return nest
    best, other = best_play(nest, memory), best_play(inner.nest, memory - inner.count)
    if other is None or (best is not None and best.io <= other.io):
        return nest
    return inner.nest


def plays_of_levels(nest: BoxNest, memories: Sequence[int]) -> tuple[Found, ...]:
    """Return plays that are a play of a hierarchy together; none where none fits the first level.

    Parameters
    ----------
    nest
        The nest, of which plays were looked for at these sizes.
    memories
        Words of each level but the last, rising.
    """
    if best_play(nest, memories[0]) is None:
        return ()
    return hierarchy_plays(nest, memories, _found[nest])
