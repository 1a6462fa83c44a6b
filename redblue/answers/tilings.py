"""The tiles and loops of schedules of programs, in words."""

from typing import TYPE_CHECKING

from dags import CDAG
from pebble import Schedule
from schedulers.search.sequences import first_computes
from schedulers.tilings.scheduler import is_tiled, tiling_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedulers.search import Candidate


def tiling_in(dag: CDAG, schedule: Schedule) -> str | None:
    """Return the tiles and loops of a schedule; None where it computes in no order of tiles."""
    return tiling_of(dag, first_computes(dag, schedule)) if is_tiled(dag) else None


def best_tiling(dag: CDAG, plays: "Iterable[Candidate] | None") -> tuple[str, int] | None:
    """Return the best of plays that go by tiles: tiles and loops, and the words that it moves."""
    for play in sorted(plays or (), key=lambda play: play.io):
        tiling = tiling_of(dag, play.order)
        if tiling is not None:
            return tiling, play.io
    return None
