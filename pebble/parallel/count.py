"""Cost of a play by several processors: words of each, of each link, and of each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dags.arrays import MAX_TOTAL, Int32Array, Int64Array, lock
from pebble.rules import Rules


@dataclass(frozen=True)
class Costs:
    """Prices of what a step does.

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
        (s,) the `ParallelMove` that is made in it; DELETE where nothing else is.
    most
        (s,) words that the busiest processor moves, or computations that it makes.
    total
        (s,) the same of all processors together.
    """

    kind: Int32Array
    most: Int64Array
    total: Int64Array

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int]]) -> "Steps":
        """Return the steps of (kind, most, total)."""
        columns = np.array(rows, np.int64).reshape(-1, 3).T
        kind = lock(columns[0].astype(np.int32))
        return cls(kind, lock(columns[1].copy()), lock(columns[2].copy()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Steps):
            return NotImplemented
        mine, theirs = (
            (one.kind.tolist(), one.most.tolist(), one.total.tolist()) for one in (self, other)
        )
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.kind.tobytes(), self.most.tobytes()))


@dataclass(frozen=True)
class ProcessorCount:
    """Work and traffic of one processor.

    Parameters
    ----------
    loads, stores
        Words from and to slow memory.
    received, sent
        Words on links.
    computes
        Computations.
    work
        Operations of these; None where the DAG does not say.
    peak
        Most words that were in its fast memory at once.
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
        """Words from and to slow memory."""
        return self.loads + self.stores

    @property
    def words(self) -> int:
        """Words moved by it: from and to slow memory, and over its links."""
        return self.io + self.received + self.sent


@dataclass(frozen=True)
class ParallelCount:
    """Cost of a play by several processors.

    Parameters
    ----------
    rules
        The rules under which it was played.
    processors
        What each of them did.
    links
        Words on each link that was used, by (sender, receiver).
    steps
        What each step took.
    recomputes
        Computations of a value that had been computed before, by whichever processor.
    """

    rules: Rules
    processors: tuple[ProcessorCount, ...]
    links: dict[tuple[int, int], int]
    steps: Steps
    recomputes: int

    @property
    def loads(self) -> int:
        """Words from slow memory, of all processors."""
        return sum(one.loads for one in self.processors)

    @property
    def stores(self) -> int:
        """Words to slow memory, of all processors."""
        return sum(one.stores for one in self.processors)

    @property
    def io(self) -> int:
        """Words from and to slow memory, of all processors."""
        return self.loads + self.stores

    @property
    def messages(self) -> int:
        """Words on all links."""
        return sum(self.links.values())

    @property
    def computes(self) -> int:
        """Computations of all processors, the repeated ones among them."""
        return sum(one.computes for one in self.processors)

    @property
    def busiest(self) -> int:
        """Most words that one processor moves."""
        return max(one.words for one in self.processors)

    def cost(self, costs: Costs = UNIT_COSTS) -> float:
        """Return the cost of all steps, one after another: in each, what the busiest one takes.

        A step of words costs `g` (or `link`) for each and the latency; one of computations
        `compute` for each. Deletions are free.
        """
        total: float = sum(self.costs_of_steps(costs).tolist())
        return total

    def costs_of_steps(self, costs: Costs = UNIT_COSTS) -> Any:
        """Return (s,) the cost of each step; integers where the prices are."""
        link = costs.g if costs.link is None else costs.link
        # by the code of the move: load, store, compute, delete, receive
        price = np.array([costs.g, costs.g, costs.compute, 0, link])
        once = np.array([costs.latency, costs.latency, 0, 0, costs.latency])
        most = self.steps.most
        if most.max(initial=0) * float(abs(price).max()) > MAX_TOTAL:  # as Python's numbers then
            most, price = most.astype(object), price.astype(object)
        return most * price[self.steps.kind] + once[self.steps.kind]

    def to_dict(self) -> dict[str, Any]:
        """Return the words by processor and link as plain JSON."""
        return {
            "io": self.io,
            "loads": self.loads,
            "stores": self.stores,
            "messages": self.messages,
            "computes": self.computes,
            "recomputes": self.recomputes,
            "steps": int(self.steps.kind.size),
            "processors": len(self.processors),
            "each": [
                {
                    "loads": one.loads,
                    "stores": one.stores,
                    "received": one.received,
                    "sent": one.sent,
                    "computes": one.computes,
                    "work": one.work,
                    "peak": one.peak,
                }
                for one in self.processors
            ],
            "links": [{"from": a, "to": b, "words": n} for (a, b), n in self.links.items()],
        }
