"""A comparison as tables for CSV and LaTeX."""

from redblue.comparison.comparison import Comparison
from redblue.show.model import Table
from redblue.show.rows import table


def tables_of(found: Comparison) -> tuple[Table, Table]:
    """Return the plays, a line each, and how the schedulers stand."""
    losses = "order's loss <- order_loss", "eviction's loss <- eviction_loss"
    orders = bool(found.order_io)
    plays = table(
        "plays", f"I/O in words, {found.rules.name}, beside the best lower bound.", found.plays,
        "DAG <- spec", "M <- memory", "scheduler <- method", "I/O <- io", "best bound <- bound",
        "I/O / bound <- over_bound", "I/O / best <- over_best",
        *(("least I/O of the order <- order", *losses) if orders else ()),
    )  # fmt: skip
    standings = table(
        "standings", f"Geometric means over all DAGs and memory sizes, {found.rules.name}.",
        found.standings, "scheduler <- method", "played <- played", "best in <- first",
        "I/O / bound <- over_bound", "I/O / best <- over_best", *(losses if orders else ()),
    )  # fmt: skip
    return plays, standings
