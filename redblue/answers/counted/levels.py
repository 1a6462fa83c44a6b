"""Words across each boundary of a hierarchy, of members that are not laid out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

from dags import Computation, InvalidSpecError
from pebble import ONE_SHOT, MemoryTooSmallError
from redblue.answers.building import LARGEST_MEMBER, closed_notes, is_closed
from redblue.answers.counted.curves import (
    PLAY,
    QUICK,
    TILES,
    bound_row,
    counted_row,
    described,
    require_formulas,
)
from redblue.answers.counted.nests import look_for_plays, plays_of_levels
from redblue.answers.hierarchies.results import Crossing, Levels, MachineLevels, require_rising
from redblue.answers.results import Row
from schedulers import COUNTED_PLAYS
from schedulers.tilings.words import shown_tiling


def closed_levels(
    computation: Computation,
    levels: MachineLevels,
    prices: Sequence[Fraction] = (),
    *,
    counted: bool = False,
    moves: bool = False,
) -> Levels | None:
    """The words by closed formulas where they answer alone; None where the DAG is built.

    Of a large member of a family that is where its schedule is nearly as good as what is proved.

    Parameters
    ----------
    computation
        The computation.
    levels
        The levels, and their memories.
    prices
        Of a word across each boundary; () for 1 at all.
    counted
        Whether no DAG is to be built if it is large.
    moves
        Whether the DAG is built for its schedule where that is possible.
    """
    if is_closed(computation, counted=counted):
        return counted_levels(computation, levels, prices)
    if moves or computation.is_given or computation.family not in COUNTED_PLAYS:
        return None
    counts = computation.sizes
    large = counts.vertices + counts.edges > LARGEST_MEMBER
    if not large or levels.memories[0] < computation.min_memory():
        return None
    found = counted_levels(computation, levels, prices)
    pairs = [*zip(found.best.words, found.lower, strict=False)]
    nested = COUNTED_PLAYS[computation.family].levels is not None
    near = nested or not any(io > QUICK * low for io, low in pairs)
    if len(found.bounds) < len(levels.memories) or not near:
        return None
    return replace(found, notes=(*found.notes, "--out DIR builds the DAG, which takes minutes"))


def counted_levels(
    known: Computation, levels: MachineLevels, prices: Sequence[Fraction] = ()
) -> Levels:
    """The words across each boundary: of plays of all of the hierarchy, and at least.

    A play is one order of the loops of a nest, cut into tiles for each level, or a play for the
    first level alone, whose words go through all others. Each boundary's bound is that of a fast
    memory of all words below it, as for DAGs (`redblue.answers.hierarchies.crossing`).

    Parameters
    ----------
    known
        The member.
    levels
        The levels, and their memories.
    prices
        Of a word across each boundary; () for 1 at all.

    Raises
    ------
    MemoryTooSmallError
        If the first level has less room than any play that is known takes.
    """
    memories = levels.memories
    require_formulas(known, ONE_SHOT)
    require_rising(memories)
    look_for_plays(known, memories, levels=True)
    alone = [counted_row(known, size) for size in memories]
    first, rows = alone[0], [row for row in alone if row is not None]
    if first is None or len(rows) < len(memories):
        if memories[0] < known.min_memory():
            raise MemoryTooSmallError(memories[0], known.min_memory(), f"of {known.family}")
        raise InvalidSpecError(
            f"no schedule of {known.spec} has a closed form with {memories[0]:,} words"
        )
    plays = sorted(_plays(known, memories, first, prices), key=lambda play: -play.cost(prices))
    bounds = [bound_row(known, size, ONE_SHOT) for size in accumulate(memories)]
    return Levels(
        dag=described(known),
        memories=memories,
        names=levels.names,
        bounds=tuple(row for row in bounds if row is not None),
        plays=tuple(plays),
        alone=tuple((row.method, row.io or 0) for row in rows),
        rates=levels.rates,
        prices=tuple(prices),
        notes=closed_notes(known),
    )


def _plays(
    known: Computation, memories: Sequence[int], first: Row, prices: Sequence[Fraction]
) -> Iterator[Crossing]:
    """Yield the play for the first level, which leaves the others alone, and tiles for each."""
    loads, stores = ((words or 0,) * len(memories) for words in (first.loads, first.stores))
    yield Crossing(f"{first.method}, first level", loads, stores, tiling=first.tiling)
    nested = COUNTED_PLAYS.get(known.family or "")
    if nested is not None and nested.levels is not None:
        crossed = nested.levels(known.params, memories, prices)
        down, up = zip(*crossed, strict=True)
        yield Crossing(f"{PLAY}, blocks in blocks", down, up)
    found = plays_of_levels(known, memories, prices)
    if found is not None:
        nest, tiles = found
        moved = [(each.moved.loads, each.moved.stores) for each in tiles]
        told = shown_tiling(nest, tiles[-1].tiling)
        down, up = zip(*moved, strict=True)
        yield Crossing(TILES, down, up, tiling=told)
