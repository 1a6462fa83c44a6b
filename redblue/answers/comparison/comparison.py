"""Result of a comparison of schedulers: their plays, and their standings over all of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from statistics import geometric_mean
from typing import TYPE_CHECKING, Any

from dags.cdag.tables import COMPUTED, EDGE, Tabular, own_axes
from pebble import Rules
from redblue.answers.results import BEST, PROGRAM_ORDER, IOCurve
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MEANS = {
    "over_bound": "I/O / bound",
    "over_best": "I/O / best",
    "order_loss": "order's loss",
    "eviction_loss": "eviction's loss",
}


@dataclass(frozen=True)
class Played:
    """I/O of a scheduler on one DAG with one memory size, beside the best bound.

    Parameters
    ----------
    spec, memory, method
        The DAG, the words of fast memory, and the scheduler.
    io
        Words that its schedule moves; None where it cannot play with so little memory.
    bound
        Words that every play must move, by the best bound; None where none is known.
    best
        The least that any of the compared schedulers moves with at most this memory.
    order
        Words that every play in the scheduler's order must move, where that was asked for: no
        eviction can mend the gap between `bound` and `order`.
    """

    spec: str
    memory: int
    method: str
    io: int | None
    bound: int | None
    best: int | None
    order: int | None = None

    @property
    def over_bound(self) -> float | None:
        """`io` over `bound`."""
        return _ratio(self.io, self.bound)

    @property
    def over_best(self) -> float | None:
        """`io` over `best`."""
        return _ratio(self.io, self.best)

    @property
    def order_loss(self) -> float | None:
        """`order` over `bound`: the least loss by the order; times eviction's it is the gap."""
        return _ratio(self.order, self.bound)

    @property
    def eviction_loss(self) -> float | None:
        """`io` over `order`: the most loss by evictions."""
        return _ratio(self.io, self.order)

    def to_dict(self) -> dict[str, Any]:
        """The fields and the ratios."""
        ratios = ("over_bound", "over_best", "order_loss", "eviction_loss")
        return {**asdict(self), **{name: getattr(self, name) for name in ratios}}


@dataclass(frozen=True)
class KernelLine:
    """The best of both sides for one kernel with one memory size, and its own order.

    Parameters
    ----------
    kernel, spec, rules
        Its name, its specification, and the rules of the game.
    memory
        Words of fast memory; None of a kernel whose curve failed.
    best, bound
        Words that the best known schedule moves, and that every schedule moves; None where none
        is known.
    program_order
        Words that its loops move as they are written, by LRU; None where that is not counted.
    status
        "done"; or why there is no more of it.
    """

    kernel: str
    spec: str
    rules: str
    memory: int | None
    best: int | None
    bound: int | None
    program_order: int | None
    status: str = "done"

    @property
    def ratio(self) -> float | None:
        """`best` over `bound`."""
        return _ratio(self.best, self.bound)

    @property
    def order_over_best(self) -> float | None:
        """`program_order` over `best`."""
        return _ratio(self.program_order, self.best)

    def to_dict(self) -> dict[str, Any]:
        """The fields and the ratios."""
        ratios = ("ratio", "order_over_best")
        return {**asdict(self), **{name: getattr(self, name) for name in ratios}}


@dataclass(frozen=True)
class Standing:
    """Standing of a scheduler over all DAGs and sizes.

    Parameters
    ----------
    method
        The scheduler.
    played
        Number of DAGs and sizes with a bound above 0 at which it could play.
    over_bound, over_best, order_loss, eviction_loss
        Geometric means of the ratios of these; None where there are none.
    first
        Number of plays in which no other scheduler moved less.
    """

    method: str
    played: int
    over_bound: float | None
    over_best: float | None
    order_loss: float | None
    eviction_loss: float | None
    first: int


@dataclass(frozen=True, repr=False)
class Comparison(Printed, Tabular):
    """Curves of several DAGs by the same schedulers.

    Parameters
    ----------
    rules
        The rules of the game.
    curves
        One for each DAG.
    order_io
        Least I/O of the orders, by (spec, method, memory), where that was asked for.
    names
        Names of the curves' kernels; by default their specifications.
    failed
        Why kernels have no curve, by name.
    """

    rules: Rules
    curves: tuple[IOCurve, ...]
    order_io: dict[tuple[str, str, int], int]
    names: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        best = min(self.standings, key=lambda one: one.over_best or float("inf"), default=None)
        first = "" if best is None else f", nearest to the best: {best.method}"
        counts = f"{len(self.methods)} schedulers on {len(self.curves)} DAGs"
        return f"<Comparison of {counts}, {self.rules.name}{first}>"

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The schedulers, in the order in which they were asked for."""
        return tuple(
            dict.fromkeys(name for curve in self.curves for name in curve.methods("upper"))
        )

    @cached_property
    def plays(self) -> tuple[Played, ...]:
        """All plays: DAG by DAG, size by size, scheduler by scheduler."""
        return tuple(play for curve in self.curves for play in self._plays_of(curve))

    def _plays_of(self, curve: IOCurve) -> Iterator[Played]:
        """Yield the plays of a curve, size by size, scheduler by scheduler."""
        floor, best = dict(curve.envelope("lower")), dict(curve.envelope("upper"))
        for memory in curve.memories:
            for row in curve.rows:
                if (row.kind, row.memory) == ("upper", memory) and row.method != BEST:
                    spec, method = curve.dag["spec"], row.method
                    yield Played(
                        spec=spec,
                        memory=memory,
                        method=method,
                        io=row.words,
                        bound=floor.get(memory),
                        best=best.get(memory),
                        order=self.order_io.get((spec, method, memory)),
                    )

    @cached_property
    def kernels(self) -> tuple[KernelLine, ...]:
        """A line for each kernel and memory size, and one for each kernel that failed."""
        names = self.names or tuple(curve.dag["spec"] for curve in self.curves)
        lines = [
            KernelLine(
                kernel=name,
                spec=curve.dag["spec"],
                rules=curve.rules.name,
                memory=memory,
                best=dict(curve.envelope("upper")).get(memory),
                bound=dict(curve.envelope("lower")).get(memory),
                program_order=program_order(curve, memory),
            )
            for name, curve in zip(names, self.curves, strict=True)
            for memory in curve.memories
        ]
        lost = (None, None, None, None)
        lines += [KernelLine(name, name, "", *lost, why) for name, why in self.failed.items()]
        return tuple(lines)

    @property
    def rules_named(self) -> str:
        """The rules of all curves, in words."""
        named = dict.fromkeys(curve.rules.name for curve in self.curves)
        return " and ".join(named) or self.rules.name

    def kernel_table(self) -> Table:
        """The table of all kernels: best, bound, and the loops as they are written."""
        several = len({line.rules for line in self.kernels if line.rules}) > 1
        return table(
            "kernels", f"I/O (words) of kernels, {self.rules_named}", self.kernels,
            "kernel <- kernel", *(("rules <- rules",) if several else ()), "M <- memory",
            "best <- best", "bound <- bound", ("best / bound", _rounded("ratio")),
            "program order <- program_order",
            ("program order / best", _rounded("order_over_best")),
            *(("status <- status",) if self.failed else ()), keys=3 if several else 2,
        )  # fmt: skip

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Standing of each scheduler over all plays."""
        return tuple(
            _standing(name, [play for play in self.plays if play.method == name])
            for name in self.methods
        )

    def tables(self) -> tuple[Table, Table, Table]:
        """The plays, a line each, how the schedulers stand, and the kernels, for files."""
        losses = "order's loss <- order_loss", "eviction's loss <- eviction_loss"
        orders = bool(self.order_io)
        plays = table(
            "plays", f"I/O in words, {self.rules_named}, beside the best lower bound.", self.plays,
            "DAG <- spec", "M <- memory", "scheduler <- method", "I/O <- io",
            "best bound <- bound", "I/O / bound <- over_bound", "I/O / best <- over_best",
            *(("least I/O of the order <- order", *losses) if orders else ()),
        )  # fmt: skip
        standings = table(
            "standings", f"Geometric means over all DAGs and memory sizes, {self.rules_named}.",
            self.standings, "scheduler <- method", "played <- played", "best in <- first",
            "I/O / bound <- over_bound", "I/O / best <- over_best", *(losses if orders else ()),
        )  # fmt: skip
        return plays, standings, self.kernel_table()

    def shown(self) -> tuple[Table, Table]:
        """A line per DAG and memory, the best in bold, and the standings, best first."""
        rows: list[tuple[object, ...]] = []
        bold: list[tuple[int, int]] = []
        for curve in self.curves:
            plays = {(play.memory, play.method): play for play in self._plays_of(curve)}
            spec, floor = curve.dag["spec"], dict(curve.envelope("lower"))
            for memory in curve.memories:
                line = [plays.get((memory, method)) for method in self.methods]
                name = Path(spec).name if memory == curve.memories[0] else ""
                bold += [
                    (len(rows), x + 2)
                    for x, play in enumerate(line)
                    if play is not None and play.io is not None and play.io == play.best
                ]
                rows.append((name, memory, *map(_words, line), floor.get(memory, "-")))
        title = f"I/O (words), {self.rules_named}; how many times the best bound"
        names = ("DAG", "M", *self.methods, "bound")
        means = list(MEANS)[: 4 if self.order_io else 2]
        standings = table(
            "standings", "Over all of them (geometric means)",
            sorted(self.standings, key=lambda one: one.over_best or float("inf")),
            "scheduler <- method",
            *((MEANS[name], partial(_mean_of, name)) for name in means),
            "best in <- first", "of <- played",
        )  # fmt: skip
        return table("plays", title, rows, *names, keys=2, bold=bold), standings

    def to_frame(self) -> "pd.DataFrame":
        """A table with a line for each play."""
        import pandas as pd

        frame = pd.DataFrame([play.to_dict() for play in self.plays])
        whole = ["io", "bound", "best", "order"]
        return frame.astype(dict.fromkeys(whole, "Int64")) if len(frame) else frame

    def summary_frame(self) -> "pd.DataFrame":
        """A table with a line for each scheduler: its standing over all plays."""
        import pandas as pd

        frame = pd.DataFrame([asdict(one) for one in self.standings])
        return frame.dropna(axis="columns", how="all")

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw how many times the best bound each scheduler moves, all plays; return the axes."""
        axes = own_axes(ax)
        for row, one in enumerate(self.standings):
            own = [play.over_bound for play in self.plays if play.method == one.method]
            ratios = [ratio for ratio in own if ratio is not None]
            axes.plot(ratios, [row] * len(ratios), "|", color=EDGE, markersize=10)
            if one.over_bound is not None:
                axes.plot([one.over_bound], [row], "o", color=COMPUTED)
        axes.set_yticks(range(len(self.standings)), [one.method for one in self.standings])
        axes.set_xlabel("I/O / best bound (each schedule, and the geometric mean)")
        axes.invert_yaxis()
        return axes

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`; of one DAG it has the keys of `curve` too."""
        return {
            **(self.curves[0].to_dict() if len(self.curves) == 1 else {}),
            "rules": self.rules.name,
            "curves": [curve.to_dict() for curve in self.curves],
            "kernels": [line.to_dict() for line in self.kernels],
            "plays": [play.to_dict() for play in self.plays],
            "standings": [asdict(standing) for standing in self.standings],
        }


def program_order(curve: IOCurve, memory: int) -> int | None:
    """The words that the loops of a curve's text move as they are written; None if unknown.

    Parameters
    ----------
    curve, memory
        The curve, and words of fast memory.
    """
    return dict(curve.points("upper", PROGRAM_ORDER[0])).get(memory)


def _rounded(name: str) -> Callable[[KernelLine], float | None]:
    """A function that reads a ratio of a line with three digits."""

    def read(line: KernelLine) -> float | None:
        ratio: float | None = getattr(line, name)
        return None if ratio is None else round(ratio, 3)

    return read


def _words(play: Played | None) -> str:
    """The words of a play, with their ratio to the bound."""
    if play is None or play.io is None:
        return "-"
    return f"{play.io:,}" + ("" if play.over_bound is None else f" {play.over_bound:6.2f}")


def _mean_of(name: str, standing: Standing) -> str:
    mean = getattr(standing, name)
    return "-" if mean is None else f"{mean:.3f}"


def _ratio(words: int | None, base: int | None) -> float | None:
    return words / base if words and base else None


def _mean(ratios: Iterable[float | None]) -> float | None:
    """The geometric mean of those that are known; None if none is."""
    known = [ratio for ratio in ratios if ratio is not None]
    return geometric_mean(known) if known else None


def _standing(method: str, plays: Sequence[Played]) -> Standing:
    return Standing(
        method=method,
        played=sum(play.over_bound is not None for play in plays),
        over_bound=_mean(play.over_bound for play in plays),
        over_best=_mean(play.over_best for play in plays),
        order_loss=_mean(play.order_loss for play in plays),
        eviction_loss=_mean(play.eviction_loss for play in plays),
        first=sum(play.io is not None and play.io == play.best for play in plays),
    )
