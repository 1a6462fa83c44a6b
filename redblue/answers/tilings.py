"""The loops of schedules of programs."""

from typing import TYPE_CHECKING

from dags import CDAG
from pebble import Schedule
from schedulers.search.sequences import first_computes
from schedulers.tilings.scheduler import is_tiled, tiling_of
from schedulers.tilings.shown import ShownTiling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedulers.search import Candidate


def tiling_in(dag: CDAG, schedule: Schedule) -> ShownTiling | None:
    """Return the loops of a schedule; None where it computes in no order of tiles."""
    return tiling_of(dag, first_computes(dag, schedule)) if is_tiled(dag) else None


def best_tiling(dag: CDAG, plays: "Iterable[Candidate] | None") -> tuple[ShownTiling, int] | None:
    """Return the best of plays that go by tiles: its loops, and the words that it moves."""
    for play in sorted(plays or (), key=lambda play: play.io):
        tiling = tiling_of(dag, play.order)
        if tiling is not None:
            return tiling, play.io
    return None
