"""The loops of schedules of programs."""

from typing import TYPE_CHECKING

from dags import CDAG
from pebble import Schedule
from redblue.show.model import Passage
from schedulers.search.sequences import first_computes
from schedulers.tilings.scheduler import is_tiled, tiling_of
from schedulers.tilings.shown import ShownTiling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedulers.search import Candidate


def tiling_in(dag: CDAG, schedule: Schedule) -> ShownTiling | None:
    """The loops of a schedule; None where it computes in no order of tiles."""
    return tiling_of(dag, first_computes(dag, schedule)) if is_tiled(dag) else None


def best_tiling(dag: CDAG, plays: "Iterable[Candidate] | None") -> tuple[ShownTiling, int] | None:
    """The best of plays that go by tiles: its loops, and the words that it moves."""
    for play in sorted(plays or (), key=lambda play: play.io):
        tiling = tiling_of(dag, play.order)
        if tiling is not None:
            return tiling, play.io
    return None


def tile_passages(
    tilings: "Sequence[tuple[int, int | None, ShownTiling | None]]",
) -> tuple[Passage, ...]:
    """The passage of a report on tilings, as pseudo-C; none where no schedule goes by tiles.

    Parameters
    ----------
    tilings
        The words of fast memory, the words moved, and the loops if the schedule has them.
    """
    text = "The loops of the best schedules that go by tiles, and what each keeps in fast memory."
    lines: list[str] = []
    for memory, io, tiling in tilings:
        if tiling is not None:
            lines += [f"M = {memory:,}, {io:,} words:", *tiling.lines()]
    return (Passage("Tiles", text, tuple(lines)),) if lines else ()
