"""Computations that a play repeats, and its cost with a price for them."""

from dataclasses import dataclass
from typing import Any

from dags import CDAG
from pebble.count import IOCount


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
        """Return the numbers as plain JSON."""
        return {"values": self.values, "operations": self.operations, "share": self.share}


def computed_again(dag: CDAG, count: IOCount) -> Again:
    """Return the computations that a play of a DAG repeats."""
    once = count.computes - count.recomputes
    if count.work is None or dag.work is None:
        return Again(count.recomputes, count.recomputes, once)
    needed = int(dag.work.sum())
    return Again(count.recomputes, count.work - needed, needed)


def rank_of(dag: CDAG, count: IOCount, price_of_work: float = 0.0) -> tuple[float, int, int]:
    """Return the key by which plays are compared: cost, then work, then computations.

    Parameters
    ----------
    dag
        The computation.
    count
        What the play costs.
    price_of_work
        Words that an operation counts as which is done again.
    """
    again = computed_again(dag, count)
    cost = count.io + price_of_work * again.operations if price_of_work else count.io
    return cost, again.operations, again.values
