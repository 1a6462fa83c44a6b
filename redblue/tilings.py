"""The tiles and loops of schedules of programs, in words."""

from typing import TYPE_CHECKING

from dags import CDAG
from pebble import Schedule
from schedulers.nests.scheduler import tiling_of
from schedulers.search.sequences import first_computes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedulers.search import Candidate


def tiling_in(dag: CDAG, schedule: Schedule) -> str | None:
    """Return the tiles and loops of a schedule; None where it computes in no order of tiles."""
    return None if dag.origin is None else tiling_of(dag, first_computes(dag, schedule))


def best_tiling(dag: CDAG, plays: "Iterable[Candidate] | None") -> tuple[str, int] | None:
    """Return the best of plays that go by tiles: tiles and loops, and the words that it moves."""
    if dag.origin is None:
        return None
    for play in sorted(plays or (), key=lambda play: play.io):
        tiling = tiling_of(dag, play.order)
        if tiling is not None:
            return tiling, play.io
    return None
