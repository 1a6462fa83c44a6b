"""The cost of a play, in words and moves: with one fast memory, and on any machine."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import MAX_TOTAL, Int32Array, Int64Array, lock
from dags.cdag.tables import text_table
from pebble.rules import Rules


@dataclass(frozen=True)
class ChannelCount:
    """The traffic of one channel.

    Parameters
    ----------
    loads, stores
        Words moved to fast and to slow memory.
    """

    loads: int
    stores: int

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.loads + self.stores


@dataclass(frozen=True)
class IOCount:
    """The cost of a schedule, and the rules of its game.

    Parameters
    ----------
    rules
        The rules of the game.
    loads, stores
        Words moved to fast and to slow memory.
    load_moves, store_moves
        Number of these moves.
    computes
        Computations, with recomputations.
    recomputes
        Computations of a vertex that had been computed before.
    peak
        Largest number of words in fast memory at once.
    work
        Operations of all computations; None where the DAG does not say.
    channels
        Traffic by channel; empty where the DAG has no channels.
    """

    rules: Rules
    loads: int
    stores: int
    load_moves: int
    store_moves: int
    computes: int
    recomputes: int
    peak: int
    work: int | None = None
    channels: dict[int, ChannelCount] = field(default_factory=dict)

    @property
    def io(self) -> int:
        """Words moved both ways: the cost that the game minimises."""
        return self.loads + self.stores

    def __str__(self) -> str:
        names = "words", "loads", "stores", "computations", "computed again", "peak"
        numbers = self.io, self.loads, self.stores, self.computes, self.recomputes, self.peak
        lines = text_table(names, [[f"{number:,}" for number in numbers]], [True] * len(names))
        return (
            f"{lines}\n\n{self.io:,} words move under the rules {self.rules.name}; at most "
            f"{self.peak:,} words are in fast memory at once."
        )

    def to_dict(self) -> dict[str, Any]:
        """The words, computations and peak as plain JSON."""
        return {
            "io": self.io,
            "loads": self.loads,
            "stores": self.stores,
            "computes": self.computes,
            "recomputes": self.recomputes,
            "peak": self.peak,
            "channels": {
                str(tag): {"loads": part.loads, "stores": part.stores}
                for tag, part in self.channels.items()
            },
        }


@dataclass(frozen=True)
class Costs:
    """Prices of the parts of a step.

    Parameters
    ----------
    g
        Of a word between fast and slow memory.
    compute
        Of a computation.
    latency
        Of a step that moves words, besides them.
    link
        Of a word on a link; None for `g`.
    """

    g: float = 1
    compute: float = 1
    latency: float = 0
    link: float | None = None


UNIT_COSTS = Costs()


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps of a play, those without moves left out.

    Parameters
    ----------
    kind
        (s,) the `Move` that is made in it; DELETE where nothing else is.
    most
        (s,) words that the busiest processor moves, or computations that it makes.
    total
        (s,) the same of all processors together.
    """

    kind: Int32Array
    most: Int64Array
    total: Int64Array

    @classmethod
    def of(cls, rows: npt.ArrayLike) -> "Steps":
        """The steps of (kind, most, total)."""
        columns = np.array(rows, np.int64).reshape(-1, 3).T
        kind = lock(columns[0].astype(np.int32))
        return cls(kind, lock(columns[1].copy()), lock(columns[2].copy()))

    def __eq__(self, count: object) -> bool:
        if not isinstance(count, Steps):
            return NotImplemented
        ours, theirs = (
            (count.kind.tolist(), count.most.tolist(), count.total.tolist())
            for count in (self, count)
        )
        return ours == theirs

    def __hash__(self) -> int:
        return hash((self.kind.tobytes(), self.most.tobytes()))


@dataclass(frozen=True)
class MemoryCount:
    """Work and traffic of a memory with an end, and of its processor if it has one.

    Parameters
    ----------
    loads, stores
        Words from and to the memory behind it.
    received, sent
        Words on links.
    computes
        Computations.
    work
        Operations of these; None where the DAG does not say.
    peak
        Most words that were in it at once.
    """

    loads: int
    stores: int
    received: int
    sent: int
    computes: int
    work: int | None
    peak: int

    @property
    def io(self) -> int:
        """Words from and to the memory behind it."""
        return self.loads + self.stores

    @property
    def words(self) -> int:
        """Words moved by it: from and to the memory behind it, and over links."""
        return self.io + self.received + self.sent


@dataclass(frozen=True)
class MachineCount:
    """Cost of a play on a machine.

    Parameters
    ----------
    rules
        The rules of the game.
    each
        The moves of each memory with an end.
    links
        Words on each link that was used, by (sender, receiver).
    steps
        The cost of each step.
    recomputes
        Computations of a value that had been computed before, wherever.
    """

    rules: Rules
    each: tuple[MemoryCount, ...]
    links: dict[tuple[int, int], int]
    steps: Steps
    recomputes: int

    @property
    def loads(self) -> int:
        """Words from the memory behind each, of all memories."""
        return sum(traffic.loads for traffic in self.each)

    @property
    def stores(self) -> int:
        """Words to the memory behind each, of all memories."""
        return sum(traffic.stores for traffic in self.each)

    @property
    def io(self) -> int:
        """Words both ways between memories and those behind them."""
        return self.loads + self.stores

    @property
    def words(self) -> tuple[int, ...]:
        """Words across each boundary of a hierarchy, both ways."""
        return tuple(traffic.io for traffic in self.each)

    @property
    def peaks(self) -> tuple[int, ...]:
        """Most words that each memory held at once."""
        return tuple(traffic.peak for traffic in self.each)

    @property
    def messages(self) -> int:
        """Words on all links."""
        return sum(self.links.values())

    @property
    def computes(self) -> int:
        """Computations of all processors, the repeated ones among them."""
        return sum(traffic.computes for traffic in self.each)

    @property
    def busiest(self) -> int:
        """Most words that one processor moves."""
        return max(traffic.words for traffic in self.each)

    def weighed(self, prices: Sequence[int]) -> int:
        """The words across each boundary times the price of a word there, in all."""
        return sum(price * words for price, words in zip(prices, self.words, strict=True))

    def cost(self, costs: Costs = UNIT_COSTS) -> float:
        """The cost of all steps, one after another: in each, the cost of the busiest one.

        A step of words costs `g` (or `link`) for each and the latency; one of computations
        `compute` for each. Deletions are free.
        """
        total: float = sum(self.costs_of_steps(costs).tolist())
        return total

    def costs_of_steps(self, costs: Costs = UNIT_COSTS) -> Any:
        """(s,) the cost of each step; integers where the prices are."""
        link = costs.g if costs.link is None else costs.link
        # by the code of the move: load, store, compute, delete, receive
        price = np.array([costs.g, costs.g, costs.compute, 0, link])
        once = np.array([costs.latency, costs.latency, 0, 0, costs.latency])
        maxima = self.steps.most
        if maxima.max(initial=0) * float(abs(price).max()) > MAX_TOTAL:  # as Python's numbers then
            maxima, price = maxima.astype(object), price.astype(object)
        return maxima * price[self.steps.kind] + once[self.steps.kind]

    def by_level(self) -> dict[str, Any]:
        """The words, computations and peaks of a hierarchy as plain JSON."""
        return {
            "words": list(self.words),
            "loads": [traffic.loads for traffic in self.each],
            "stores": [traffic.stores for traffic in self.each],
            "peaks": list(self.peaks),
            "computes": self.computes,
            "recomputes": self.recomputes,
        }

    def to_dict(self) -> dict[str, Any]:
        """The words by processor and link as plain JSON."""
        return {
            "io": self.io,
            "loads": self.loads,
            "stores": self.stores,
            "messages": self.messages,
            "computes": self.computes,
            "recomputes": self.recomputes,
            "steps": int(self.steps.kind.size),
            "processors": len(self.each),
            "each": [asdict(traffic) for traffic in self.each],
            "links": [{"from": a, "to": b, "words": n} for (a, b), n in self.links.items()],
        }


@dataclass(frozen=True)
class Again:
    """Computations that a play repeats, and their work.

    Parameters
    ----------
    values
        Computations of values that had been computed before.
    operations
        Operations of these computations, one each where the DAG does not say.
    once
        Operations that computing every value once takes.
    """

    values: int
    operations: int
    once: int

    @property
    def share(self) -> float:
        """Operations that are repeated, as a share of those that have to be done once."""
        return self.operations / self.once if self.once else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain JSON."""
        return {"values": self.values, "operations": self.operations, "share": self.share}


def computed_again(dag: CDAG, count: IOCount) -> Again:
    """The computations that a play of a DAG repeats."""
    once = count.computes - count.recomputes
    if count.work is None or dag.work is None:
        return Again(count.recomputes, count.recomputes, once)
    needed = int(dag.work.sum())
    return Again(count.recomputes, count.work - needed, needed)


def rank_of(dag: CDAG, count: IOCount, price_of_work: float = 0.0) -> tuple[float, int, int]:
    """The key by which plays are compared: cost, then work, then computations.

    Parameters
    ----------
    dag
        The computation.
    count
        The cost of the play.
    price_of_work
        Words that a recomputed operation costs.
    """
    recomputed = computed_again(dag, count)
    cost = count.io + price_of_work * recomputed.operations if price_of_work else count.io
    return cost, recomputed.operations, recomputed.values
