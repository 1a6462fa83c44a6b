"""The words across each boundary of a hierarchy."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dags import InvalidSpecError
from dags.arrays import Int32Array
from dags.cdag.tables import Tabular, own_axes
from dags.errors import shown
from proofs import Bound
from redblue.answers.results import Row
from redblue.show.answer import Part
from redblue.show.model import Figure, Role
from redblue.show.printed import Printed
from redblue.show.rows import table
from schedulers.tilings.shown import ShownTiling

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class MachineLevels:
    """The memories of a machine as levels, the smallest first.

    Parameters
    ----------
    machine
        Its name in the catalogue.
    names
        (L,) of all levels; the last one has room for everything.
    memories
        (L - 1,) words of each level but the last.
    rates
        (L - 1,) words a second across each boundary; None where no bandwidth is published.
    sources
        (L - 1,) where each size stands.
    """

    machine: str
    names: tuple[str, ...]
    memories: tuple[int, ...]
    rates: tuple[float | None, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Crossing:
    """The words that a play moves across each boundary.

    Parameters
    ----------
    method
        Name of the play: its order, and who leaves.
    loads, stores
        (L - 1,) words across each boundary, down and up.
    curve
        The smallest memory, and the words that a level of each size from it on lets through; None
        where they are not counted.
    order, policy
        The order of the play, and who leaves.
    tiling
        The loops of a program's order, where it goes by tiles.
    """

    method: str
    loads: tuple[int, ...]
    stores: tuple[int, ...]
    curve: tuple[int, tuple[int, ...]] | None = field(default=None, repr=False)
    order: Int32Array | None = field(default=None, repr=False, compare=False)
    policy: str = "lru"
    tiling: ShownTiling | None = None

    @property
    def words(self) -> tuple[int, ...]:
        """(L - 1,) words across each boundary, both ways."""
        return tuple(down + up for down, up in zip(self.loads, self.stores, strict=True))

    def cost(self, prices: Sequence[Fraction] = ()) -> Fraction | int:
        """The words across all boundaries at a price for each; () for 1 at all."""
        return cost_of(self.words, prices)


@dataclass(frozen=True, repr=False)
class Levels(Printed, Tabular):
    """Words across each boundary of a memory hierarchy: of schedules, and lower bounds.

    Parameters
    ----------
    dag
        Its sizes, as results have them: spec, vertices, edges, ...
    memories
        (L - 1,) words of each level but the last, rising.
    names
        (L,) names of the levels.
    bounds
        (L - 1,) lower bounds on the words across each boundary, each for all memory below it;
        rows where there is no DAG.
    plays
        Schedules that are legal on the whole hierarchy, the best one last.
    alone
        (L - 1,) least known words across each boundary alone, and the method of that schedule.
    rates
        (L - 1,) words a second across each boundary; None where that is not known.
    notes
        Sentences on how the words were found.
    prices
        (L - 1,) price of a word across each boundary; () where each costs 1.
    """

    dag: dict[str, Any]
    memories: tuple[int, ...]
    names: tuple[str, ...]
    bounds: tuple[Bound | Row, ...]
    plays: tuple[Crossing, ...]
    alone: tuple[tuple[str, int], ...]
    rates: tuple[float | None, ...]
    notes: tuple[str, ...] = ()
    prices: tuple[Fraction, ...] = ()

    @property
    def best(self) -> Crossing:
        """The play that costs least in all."""
        return self.plays[-1]

    @property
    def lower(self) -> tuple[int, ...]:
        """(L - 1,) words that every play moves across each boundary at least."""
        return tuple(bound.io or 0 for bound in self.bounds)

    def __repr__(self) -> str:
        words = ", ".join(f"{one:,}" for one in self.best.words)
        return f"<Levels of {self.dag['spec']}: {words} words by {self.best.method}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each boundary and method, as `--json` prints them."""
        rows: list[dict[str, Any]] = []
        for place, bound in enumerate(self.bounds):
            where = {
                "boundary": place + 1,
                "below": self.names[place],
                "above": self.names[place + 1],
                "memory": self.memories[place],
            }
            rows.append(
                {**where, "kind": "lower", "method": bound.method, "io": bound.io}
                | {"loads": None, "stores": None, "memory_below": bound.memory}
            )
            rows += [
                {**where, "kind": "upper", "method": play.method, "io": play.words[place]}
                | {"loads": play.loads[place], "stores": play.stores[place]}
                for play in self.plays
            ]
            method, io = self.alone[place]
            rows.append(
                {**where, "kind": "alone", "method": method, "io": io}
                | {"loads": None, "stores": None}
            )
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {
            "dag": self.dag,
            "rules": "one-shot",
            "memories": list(self.memories),
            "levels": list(self.names),
            "rows": self.rows(),
            "best": self.best.method,
            "words": list(self.best.words),
            "lower": list(self.lower),
            "rates": list(self.rates),
            **({} if self.best.tiling is None else self.best.tiling.to_dict()),
            **self._priced(),
        }

    def _priced(self) -> dict[str, Any]:
        """The prices, and both sides of the cost, where there are prices."""
        if not self.prices:
            return {}
        costs = {"cost": self.best.cost(self.prices), "least_cost": self.least_cost}
        return {"prices": [plain(price) for price in self.prices]} | {
            name: plain(cost) for name, cost in costs.items()
        }

    @property
    def least_cost(self) -> Fraction | int:
        """The cost of every play at least: bounds of all boundaries hold together."""
        return cost_of(self.lower, self.prices)

    def shown(self) -> Iterator[Part]:
        """Yield a table with a line for each boundary, and sentences."""
        total, least = sum(self.best.words), sum(self.lower)
        yield table(
            "levels", f"words across each boundary: {self.dag['spec']}, one-shot",
            range(len(self.bounds)), ("below", lambda place: self.names[place]),
            ("above", lambda place: self.names[place + 1]),
            ("words below", lambda place: self.memories[place]),
            *((play.method, play.words.__getitem__) for play in self.plays),
            ("alone", lambda place: self.alone[place][1]),
            ("at least", lambda place: self.lower[place]), ("best / least", self._over_least),
            keys=3,
        )  # fmt: skip
        tiling = self.best.tiling
        fed = [
            f"{name} is fed with {rate:,.4g} words/s: {words / rate:.4g} s at least for these words"
            for name, rate, words in zip(self.names, self.rates, self.best.words, strict=False)
            if rate is not None
        ]
        sentence = (
            f"{self.best.method} moves {total:,} words across all boundaries, and every schedule "
            f"at least {least:,}; 'alone' is the best schedule for that boundary alone"
        )
        if self.prices:
            prices = ", ".join(f"{plain(price):,}" for price in self.prices)
            cost, lowest = plain(self.best.cost(self.prices)), plain(self.least_cost)
            sentence += (
                f"; at prices of {prices} for a word across each boundary it costs {cost:,}, the "
                f"least of all schedules tried, and every schedule costs at least {lowest:,}"
            )
        yield "\n".join((sentence, *([] if tiling is None else tiling.lines()), *fed))

    def _over_least(self, place: int) -> float | None:
        least = self.lower[place]
        return round(self.best.words[place] / least, 2) if least else None

    def to_frame(self) -> "pd.DataFrame":
        """A table with a line for each boundary and method."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the words across each boundary against the memory below it; return the axes."""
        from redblue.show.drawing import draw_into
        from redblue.show.looks import INK, RULE

        title = f"{self.dag['spec']}: {len(self.memories)} boundaries"
        axes = draw_into(own_axes(ax), self.figure(), title)
        axes.set_xlabel("memory of the level below a boundary (words)")
        for words, name in zip(self.memories, self.names, strict=False):
            axes.axvline(words, color=RULE, linewidth=1.0, zorder=0)
            axes.annotate(
                name,
                (words, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(3, -10),
                textcoords="offset points",
                fontsize=8,
                color=INK,
            )
        return axes

    def figure(self) -> Figure:
        """The figure: a line a play, at all sizes where they are counted; and bounds."""
        from redblue.show.against_memory import Points, memory_figure

        lines: list[tuple[str, Points, Role]] = []
        for play in self.plays:
            points = list(zip(self.memories, play.words, strict=True))
            if play.curve is not None:
                first, words = play.curve
                most = max(2 * self.memories[-1] - first, 0)
                points = [(first + i, io) for i, io in enumerate(words[:most])]
            lines.append((play.method, points, "upper"))
        # A bound of a boundary holds for all memory below it, and so for less at that level.
        sizes, words = self.memories, self.lower
        least = min((play.curve[0] for play in self.plays if play.curve), default=sizes[0])
        floor = [(min(least, sizes[0]), words[0]), (sizes[0], words[0])]
        for (left, _), point in pairwise(zip(sizes, words, strict=True)):
            floor += [(left, point[1]), point]
        lines.append(("bound of each boundary", floor, "lower"))
        return memory_figure("levels", lines, "words across the boundary")


def cost_of(words: Sequence[int], prices: Sequence[Fraction]) -> Fraction | int:
    """Words across all boundaries at a price for each; without prices their sum."""
    if not prices:
        return sum(words)
    return sum(
        (price * count for price, count in zip(prices, words, strict=True)), start=Fraction(0)
    )


def plain(number: Fraction | int) -> int | float:
    """A number as JSON has it: whole where it is whole."""
    return int(number) if number == int(number) else float(number)


def prices_of(prices: str | Iterable[Any] | None, boundaries: int) -> tuple[Fraction, ...]:
    """The price of a word across each boundary; () where none is given.

    Parameters
    ----------
    prices
        Numbers, or a text like "1,5,60".
    boundaries
        How many there are.

    Raises
    ------
    InvalidSpecError
        If there are not as many positive numbers.
    """
    if prices is None:
        return ()
    given = prices.split(",") if isinstance(prices, str) else list(prices)
    try:
        numbers = tuple(Fraction(str(price).strip()) for price in given)
    except (ValueError, ZeroDivisionError):
        numbers = ()
    if len(numbers) != boundaries or not all(price > 0 for price in numbers):
        text = ",".join(map(str, given))
        raise InvalidSpecError(
            f"{boundaries} boundaries take as many prices, numbers above 0: not {shown(text)}"
        )
    return numbers


def require_rising(memories: Sequence[int]) -> None:
    """Raise InvalidSpecError for memories that do not rise from level to level."""
    if list(memories) != sorted(memories):
        sizes = ", ".join(f"{words:,}" for words in memories)
        raise InvalidSpecError(f"memories rise from level to level: not {sizes} words")
