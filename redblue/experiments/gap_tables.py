"""Tables and the figure of the gaps between schedules and bounds."""

from dataclasses import dataclass
from math import exp, log
from typing import Any

from redblue.show.model import Axis, Figure, Series, Table, columns, rows_of

SHOWN = ("matmul", "lu", "fft", "stencil", "matvec", "qr_givens", "pyramid")


@dataclass(frozen=True)
class Gap:
    """I/O of the best schedule and the best bound of a DAG with a memory, in words."""

    spec: str
    memory: int
    upper: int
    scheduler: str
    lower: int
    bound: str

    @property
    def ratio(self) -> float:
        """Return schedule over bound."""
        return self.upper / self.lower


def of_family(found: list[Gap], family: str) -> list[Gap]:
    """Return the gaps of a family."""
    return [gap for gap in found if gap.spec.partition(":")[0] == family]


def mean_ratio(found: list[Gap]) -> float:
    """Return the geometric mean of the ratios."""
    return exp(sum(log(gap.ratio) for gap in found) / len(found))


def gap_table(found: list[Gap]) -> Table:
    """Return the table of all gaps."""
    names = ("DAG", "M [words]", "best schedule [words]", "by", "best bound [words]", "proved by",
             "schedule / bound")  # fmt: skip
    rows = (
        (gap.spec, gap.memory, gap.upper, gap.scheduler, gap.lower, gap.bound, gap.ratio)
        for gap in found
    )
    caption = "The best schedule and the best bound, at two, four and eight smallest memories."
    return Table("gaps", caption, columns(*names), rows_of(*rows))


def family_table(found: list[Gap]) -> Table:
    """Return the table of the families' geometric means."""
    families = dict.fromkeys(gap.spec.partition(":")[0] for gap in found)
    rows = [
        (family, len(here), mean_ratio(here), max(gap.ratio for gap in here))
        for family in families
        for here in (of_family(found, family),)
    ]
    rows.append(("all", len(found), mean_ratio(found), max(gap.ratio for gap in found)))
    names = "family", "points", "geometric mean of schedule / bound", "largest"
    caption = "The gap of each family: geometric mean over sizes and memories."
    return Table("gaps-by-family", caption, columns(*names), rows_of(*rows))


def solved_table(solved: list[dict[str, Any]]) -> Table:
    """Return the table of DAGs that were solved."""
    keys = "spec", "memory", "io", "bound", "method", "proved by"
    names = "DAG", "M [words]", "I/O [words]", "proved [words]", "found by", "proved by"
    rows = (tuple(one[key] for key in keys) for one in solved)
    return Table("gaps-solved", "Small DAGs, solved.", columns(*names), rows_of(*rows))


def gap_figure(found: list[Gap]) -> Figure:
    """Return schedule over bound against memory, for some of the DAGs."""
    series = []
    for spec in dict.fromkeys(gap.spec for gap in found if gap.spec.partition(":")[0] in SHOWN):
        here = [gap for gap in found if gap.spec == spec]
        notes = tuple(
            f"{gap.scheduler}: {gap.upper:,} words; {gap.bound}: at least {gap.lower:,}"
            for gap in here
        )
        x, y = tuple(float(gap.memory) for gap in here), tuple(gap.ratio for gap in here)
        series.append(Series(spec, x, y, "measured", notes))
    return Figure(
        "gaps",
        "The best schedule over the best bound against memory; 1 is optimal.",
        Axis("fast memory M [words]", 2),
        Axis("schedule / bound"),
        tuple(series),
    )
