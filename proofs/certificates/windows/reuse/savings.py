"""Savings of values that stay in fast memory from one step to another (W8).

A value that steps touch is loaded for each *pair* of such steps in a row between which it does not
stay; long pairs that are kept take room, short ones lie in windows of A steps, all of which save at
most what steps are charged. With a price g >= 0 of a word in a step, weights W, charges s and S
words of room,

    excess >= sum over u of min(T, P (A - 1) min(W(u), g w)) - A sum over x of s(x) - g S.

Charges hold if no set of steps that a window can hold saves more than it pays: all such sets are
visited, or those that *peeling* meets. *Twins*, vertices with the same two operands that nobody
else reads, may be one step; sets may save only what they can keep *in some order*.

The proof is W8 in docs/theory/windows.md.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dags.arrays import Int64Array, lock
from pebble import Game
from proofs.certificates.windows.reuse._kernels.orders import new_orders
from proofs.certificates.windows.reuse._kernels.peels import peeled
from proofs.certificates.windows.reuse._kernels.visits import least_slacks
from proofs.certificates.windows.reuse.sharing import Sharing
from proofs.core.records import CertificateError, Natural, Positive, Within
from proofs.core.windows import Lemma

MOST_SETS = 100_000_000  # of one step less than a window
LONGEST = 16  # steps of a window,
LONGEST_PEELED = 64  # and of one whose sets are peeled
MOST_PEELED = 2**32  # sets that are peeled, times all steps
LIMIT = 2**50  # of numbers that are added, times the denominator
FAR = 2**62


class Savings:
    """Worth of pairs, at a length of windows and a price of room.

    Parameters
    ----------
    sharing
        The game.
    length
        Steps of a window.
    denominator, price
        All numbers are in such parts of a word; the price of a word for a step.
    ordered
        Whether sets save only what they can keep in some order.
    """

    def __init__(
        self,
        sharing: Sharing,
        length: int,
        denominator: int,
        price: int,
        *,
        ordered: bool = False,
    ) -> None:
        if sharing.is_twin.any() and price > denominator:
            raise CertificateError(
                "price", f"is above {denominator}, a word, where twins are one step"
            )
        self.sharing, self.length, self.price = sharing, length, price
        self.denominator = denominator
        pairs, words = sharing.pairs, sharing.words
        limit = denominator * sum(words.tolist()) * int(sharing.touching.max(initial=0) + 1)
        if (
            max(limit, price * int(words.max(initial=0)) * length, price * abs(sharing.slots))
            > LIMIT
        ):
            raise CertificateError("denominator", "is too large to be checked")
        limit = max((denominator - price) // length, 0) * int(words.max(initial=0))
        self.more = limit if ordered else -1
        self.total = denominator * words * (pairs + sharing.costly)
        self.beside = np.where(sharing.is_twin & (pairs > 0), price * words, 0)
        once = np.where(pairs == 1, np.maximum(self.total - self.beside, 0), self.total)
        share = -(-once // np.maximum(pairs * (length - 1), 1))
        self.weight = lock(np.where(pairs > 0, np.minimum(share, price * words), 0))

    def words(self, charge: Int64Array) -> int:
        """The excess that charges (N,) prove, rounded up, if no set has a negative slack."""
        pairs, inside = self.sharing.pairs, (self.length - 1) * self.weight
        share = self.total // np.maximum(pairs, 1)
        able = np.minimum(self.total, pairs * inside)
        twin = np.minimum(self.total - share, (pairs - 1) * inside)
        twin = twin + np.minimum(share, inside + self.beside)
        able = np.where(self.beside > 0, twin, able)
        spent = self.length * sum(charge.tolist()) + self.price * self.sharing.slots
        words: int = -(-(int(able.sum()) - spent) // self.denominator)
        return words

    def slacks(
        self, charge: Int64Array, first: int, last: int, limit: int, *, counted: int | None = None
    ) -> tuple[int, Int64Array, Int64Array]:
        """How many sets there are, the least slack of each step, and where it is.

        Parameters
        ----------
        charge
            (N,) what each step pays.
        first, last
            The lowest step of the sets is from `first` up to `last`.
        limit
            Sets that are counted at most; -1 of them if there are more.
        counted
            Steps of the largest sets that are counted: one less than of a window, which is much
            faster, or as many if None.
        """
        size = charge.size
        slack = np.full(size, FAR, np.int64)
        witness = np.full((size, self.length), -1, np.int64)
        steps = self.sharing.steps
        counted = self.length if counted is None else counted
        orders = new_orders(self.more) if self.more >= 0 else None
        rows = self.length, counted, first, last, limit, slack, witness
        return int(least_slacks(steps, charge, self.weight, orders, *rows)), slack, witness

    def peeled(
        self, charge: Int64Array, first: int, last: int, limit: int, short: Int64Array
    ) -> tuple[int, int]:
        """How many sets there are to look at, and how many of them pay too little.

        Parameters
        ----------
        charge
            (N,) what each step pays.
        first, last
            The step that sets are built from is from `first` up to `last`.
        limit
            Sets that are looked at, at most; -1 of them if there are more.
        short
            (k, length) for sets that pay too little, -1 behind each; no more than k are found.
        """
        looked, filled = peeled(
            self.sharing.steps, charge, self.weight, self.length, first, last, limit, short
        )
        return int(looked), int(filled)


@dataclass(frozen=True)
class Charges:
    """Length of windows, denominator of all numbers, price of a word for a step, charges of steps.

    "twins" is 1 if twins are one step, "ordered" 1 if sets save what they can keep in some order,
    "peeled" 1 if instead of all sets those are looked at that peeling meets.
    """

    length: Annotated[int, Within(2)]
    denominator: Positive
    price: Natural
    charges: Int64Array
    twins: Natural = 0
    ordered: Natural = 0
    peeled: Natural = 0


def words(game: Game, record: Charges) -> int:
    """The words that charges prove."""
    length, peels = record.length, record.peeled > 0
    if game.rules.recompute:
        raise CertificateError("rules", "values stay or come back only where each is computed once")
    if game.memory < game.least:
        raise CertificateError("memory", f"of {game.memory} words is too small to play at all")
    longest = LONGEST_PEELED if peels else LONGEST
    if length > longest:
        raise CertificateError("length", f"is {length}, more than {longest}")
    if max(record.denominator, record.price) > LIMIT:
        raise CertificateError("denominator", "or price is too large to be checked")
    sharing = Sharing(game.dag, game.memory, game.rules, twins=record.twins > 0)
    numbers = length, record.denominator, record.price
    savings = Savings(sharing, *numbers, ordered=record.ordered > 0)
    charge, limit = record.charges, LIMIT // length**2
    if charge.size != sharing.size or (charge < 0).any() or (charge > limit).any():
        raise CertificateError("charges", f"are not {sharing.size} numbers from 0 to {limit}")
    if peels:
        _require_peeled(savings, lock(charge))
        return game.compulsory + max(0, savings.words(charge))
    steps = 0, sharing.size, MOST_SETS
    sets, slack, _ = savings.slacks(lock(charge), *steps, counted=length - 1)
    if sets < 0:
        raise CertificateError("length", f"gives more than {MOST_SETS} shorter sets")
    if (slack < 0).any():
        step = int(sharing.leaders[int(slack.argmin())])
        raise CertificateError("charges", f"of a set of steps with vertex {step} are too small")
    return game.compulsory + max(0, savings.words(charge))


def most_peeled(sharing: Sharing) -> int:
    """How many sets of a game a checker peels: looking at one takes time for all steps."""
    return MOST_PEELED // max(sharing.size, 1)


def _require_peeled(savings: Savings, charge: Int64Array) -> None:
    """Raise CertificateError unless no set pays too little, and few are looked at for that."""
    sharing, short = savings.sharing, np.empty((1, savings.length), np.int64)
    looked, short_count = savings.peeled(charge, 0, sharing.size, most_peeled(sharing), short)
    if short_count:
        step = int(sharing.leaders[int(short[0, 0])])
        raise CertificateError("charges", f"of a set of steps with vertex {step} are too small")
    if looked < 0:
        raise CertificateError("length", f"gives more than {most_peeled(sharing)} sets to look at")


REUSE = Lemma(Charges, words, lambda _: ("W8",))
