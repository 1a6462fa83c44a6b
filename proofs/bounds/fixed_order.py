"""Lower bounds on the I/O of one order: for every play in that order, not for the DAG.

It separates the loss by an order from the loss by an eviction policy: an order whose bound is above
another play cannot be mended by evictions.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.fixed_order import KIND, proven_in_order

Whole = npt.NDArray[np.int64]


class RoomPrices(Protocol):
    """Prices of room in fast memory, step by step: integers over a denominator, none below 0."""

    @property
    def denominator(self) -> int:
        """All prices are multiples of its inverse."""

    @property
    def before(self) -> Whole:
        """(N,) a word of room at each step just before the computation."""

    @property
    def after(self) -> Whole:
        """(N,) and just after it."""

    @property
    def slide_step(self) -> Whole:
        """(K,) a step."""

    @property
    def slide_operand(self) -> Whole:
        """(K,) an operand of it."""

    @property
    def slide(self) -> Whole:
        """(K,) the right to put the step's result in the operand's place."""


@dataclass(frozen=True)
class OrderBound:
    """Lower bound on the I/O of any play that computes every vertex once, in a given order.

    It is no `Bound`: another order may cost less.

    Parameters
    ----------
    memory
        The fast memory, in words, for which it holds; it holds for every smaller one too.
    io
        Words of loads and stores, end to end.
    rules
        The rules for which it holds.
    certificate
        The order, and the proof; `check_order` verifies it.
    """

    memory: int
    io: int
    rules: Rules
    certificate: Certificate


def fixed_order(
    dag: CDAG,
    order: npt.ArrayLike,
    memory: int,
    *,
    prices: RoomPrices | None = None,
    rules: Rules = ONE_SHOT,
) -> OrderBound:
    """The least cost of `order`, however values are evicted.

    Any prices prove something; those of the linear program over gaps, as
    `schedulers.exact.fixed_order.optimal_eviction` returns them, prove most: where values are of
    one size nearly always all that the order costs. The proof is in
    `proofs.certificates.fixed_order`.

    Parameters
    ----------
    dag, memory, rules
        The game.
    order
        (N,) the computed vertices, operands before results.
    prices
        Prices of room; None for none, which proves the compulsory words.

    Raises
    ------
    CertificateError
        If these are no prices, or `order` is none.

    Examples
    --------
    >>> from dags import fft
    >>> fixed_order(fft(8), fft(8).computed, 4).io
    16
    """
    data = _data(np.asarray(order).tolist(), prices)
    certificate = Certificate(KIND, data)
    return OrderBound(memory, proven_in_order(dag, memory, rules, certificate), rules, certificate)


def check_order(dag: CDAG, memory: int, bound: OrderBound) -> None:
    """Verify that `bound` holds for all plays of `dag` with `memory` words in its order.

    Parameters
    ----------
    dag, memory
        The game; the rules are the bound's.
    bound
        The claim, with its certificate.

    Raises
    ------
    CertificateError
        If the certificate proves another number than the bound says, or none.
    """
    if memory > bound.memory:
        raise CertificateError("memory", f"the bound is for {bound.memory} words, not {memory}")
    proven = proven_in_order(dag, bound.memory, bound.rules, bound.certificate)
    if proven != bound.io:
        raise CertificateError("io", f"is {bound.io}, but the certificate proves {proven}")


def _data(order: list[int], prices: RoomPrices | None) -> dict[str, Any]:
    """The fields of the certificate."""
    data: dict[str, Any] = {"order": order}
    if prices is None:
        nothing: dict[str, Any] = {"before": [0] * len(order), "after": [0] * len(order)}
        return (
            data | {"denominator": 1, "slide_step": [], "slide_operand": [], "slide": []} | nothing
        )
    return data | {
        "denominator": prices.denominator,
        "before": prices.before.tolist(),
        "after": prices.after.tolist(),
        "slide_step": prices.slide_step.tolist(),
        "slide_operand": prices.slide_operand.tolist(),
        "slide": prices.slide.tolist(),
    }
