"""The result of `solve`: a schedule, a bound, and the gap between them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dags.cdag.tables import COMPUTED, EDGE, Tabular, own_axes
from pebble import Again, IOCount, Move, Rules, Schedule
from proofs import Bound
from redblue.answers.prices import again_phrase
from redblue.answers.results import Status
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.proofs_in_words import proved
from redblue.show.rows import table
from schedulers.tilings.shown import ShownTiling

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, repr=False)
class Solution(Printed, Tabular):
    """A schedule that was replayed, a proved bound, and the gap between them.

    Parameters
    ----------
    dag
        The DAG's sizes.
    rules, memory
        The game.
    schedule
        The best schedule found.
    count
        The engine's count of it.
    method
        The method behind it.
    lower_bound
        Lower bound on the I/O of any legal schedule, in words.
    proved_by
        The method that proved the bound.
    bound
        The best bound that has a certificate; `lower_bound` is larger only where a solver without
        one found it. Where the schedule meets it, the certificate holds the schedule, too.
    seconds
        Time that it took.
    states
        States or changes that the searches looked at.
    again
        The computations that the schedule repeats.
    price_of_work
        Words that a recomputed operation costs.
    tiled
        The loops of the best tiling of a program, and the words that it moves; None where there
        is none.
    """

    dag: dict[str, Any]
    rules: Rules
    memory: int
    schedule: Schedule
    count: IOCount
    method: str
    lower_bound: int
    proved_by: str
    bound: Bound
    seconds: float
    states: int
    again: Again
    price_of_work: float = 0.0
    tiled: tuple[ShownTiling, int] | None = None

    def __repr__(self) -> str:
        name, words = Path(self.dag["spec"]).name, f"{self.count.io} words with M = {self.memory}"
        return f"<Solution of {name}: {words}, at least {self.lower_bound}, {self.status}>"

    @property
    def cost(self) -> float:
        """I/O of the schedule and the price of its repeated computations, in words."""
        priced = self.price_of_work * self.again.operations
        return self.count.io + priced if priced else self.count.io

    @property
    def status(self) -> Status:
        """Return "optimal" where the schedule meets a bound with a certificate."""
        return "optimal" if self.cost == self.bound.io else "feasible"

    @property
    def tiling(self) -> ShownTiling | None:
        """The tiles of a program's loops and their order that move as little as the schedule."""
        return self.tiled[0] if self.tiled is not None and self.tiled[1] == self.count.io else None

    @property
    def gap(self) -> float:
        """The share of the schedule's cost that the bound leaves open: (cost - bound) / cost."""
        return (self.cost - self.lower_bound) / max(self.cost, 1)

    def shown(self) -> tuple[str]:
        """The result, the bound, and the tiles of a program, a line each."""
        return ("\n".join(self.lines()),)

    def overview(self) -> tuple[Table]:
        """The result in a line."""
        made = table(
            "solution", f"{self.dag['spec']}, {self.rules.name}", [self], "M <- memory",
            "words <- count.io", "loads <- count.loads", "stores <- count.stores",
            "at least <- lower_bound", "status <- status", "schedule <- method",
            "proved by <- proved_by",
        )  # fmt: skip
        return (made,)

    def lines(self, besides: str = "") -> list[str]:
        """The lines of `shown`, with the other work after the seconds."""
        count = self.count
        again = again_phrase(self.again, count.io, self.cost)
        how = (
            f"optimal, proved by {self.proved_by};"
            if self.status == "optimal"
            else proved(count.io, self.lower_bound, self.proved_by)
        )
        lines = [
            f"{count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored) "
            f"with {self.memory:,} words of fast memory{again}, by {self.method}",
            f"{how} {self.seconds:.1f} s{besides}",
        ]
        if self.tiled is not None:
            tiling, io = self.tiled
            if io != count.io:
                lines.append(f"these loops by themselves move {io:,} words:")
            lines += tiling.lines()
        return lines

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        shared = {"memory": self.memory, "seconds": round(self.seconds, 6)}
        upper: dict[str, Any] = {
            "kind": "upper",
            "method": self.method,
            "io": self.count.io,
            "loads": self.count.loads,
            "stores": self.count.stores,
            "status": self.status,
        }
        if self.tiling is not None:
            upper |= self.tiling.to_dict()
        lower = {
            "kind": "lower",
            "method": self.proved_by,
            "io": self.lower_bound,
            "loads": None,
            "stores": None,
            "status": "bound",
        }
        rows = [{**upper, **shared}, {**lower, **shared}]
        rows += [{**row, "method": "best"} for row in rows]
        tiled = {}
        if self.tiled is not None:
            tiled = {**self.tiled[0].to_dict(), "tiled_io": self.tiled[1]}
        return {
            "dag": self.dag,
            "rules": self.rules.name,
            "status": self.status,
            "certificate": self.bound.certificate.kind,
            "gap": self.gap,
            "states": self.states,
            **self._repeated(),
            "rows": rows,
            **tiled,
        }

    def _repeated(self) -> dict[str, Any]:
        """The work done again as plain JSON, where the rules allow it."""
        if not self.rules.recompute:
            return {}
        return {
            "again": self.again.to_dict(),
            "price_of_work": self.price_of_work,
            "cost": self.cost,
        }

    def to_frame(self) -> "pd.DataFrame":
        """A table of two lines: the schedule, and the bound."""
        import pandas as pd

        frame = pd.DataFrame(self.to_dict()["rows"][:2])
        return frame.astype(dict.fromkeys(["io", "loads", "stores"], "Int64"))

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw loads and stores up to each move of the schedule; return the axes."""
        axes = own_axes(ax)
        for kind, label, colour in ((Move.LOAD, "loads", COMPUTED), (Move.STORE, "stores", EDGE)):
            axes.plot(np.cumsum(self.schedule.op == kind), color=colour, label=label)
        axes.set_xlabel("moves of the schedule")
        axes.set_ylabel("values moved so far")
        axes.set_title(repr(self).strip("<>"), fontsize=10)
        axes.legend(frameon=False)
        return axes
