"""A comparison as tables for CSV and LaTeX."""

from redblue.comparison.comparison import Comparison
from redblue.show.model import Column, Table


def tables_of(found: Comparison) -> tuple[Table, Table]:
    """Return the plays, a line each, and how the schedulers stand."""
    orders = bool(found.order_io)
    return _plays(found, orders), _standings(found, orders)


def _plays(found: Comparison, orders: bool) -> Table:
    names = ("DAG", "M", "scheduler", "I/O", "best bound", "I/O / bound", "I/O / best")
    more = ("least I/O of the order", "order's loss", "eviction's loss") if orders else ()
    return Table(
        name="plays",
        caption=f"I/O in words, {found.rules.name}, beside the best lower bound.",
        columns=tuple(map(Column, (*names, *more))),
        rows=tuple(
            (
                *(play.spec, play.memory, play.method, play.io, play.bound),
                *(play.over_bound, play.over_best),
                *((play.order, play.order_loss, play.eviction_loss) if orders else ()),
            )
            for play in found.plays
        ),
    )


def _standings(found: Comparison, orders: bool) -> Table:
    names = ("scheduler", "played", "best in", "I/O / bound", "I/O / best")
    more = ("order's loss", "eviction's loss") if orders else ()
    return Table(
        name="standings",
        caption=f"Geometric means over all DAGs and memory sizes, {found.rules.name}.",
        columns=tuple(map(Column, (*names, *more))),
        rows=tuple(
            (
                *(one.method, one.played, one.first, one.over_bound, one.over_best),
                *((one.order_loss, one.eviction_loss) if orders else ()),
            )
            for one in found.standings
        ),
    )
