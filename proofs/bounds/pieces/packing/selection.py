"""Inequalities and their shares, generated as the prices of values ask."""

from collections.abc import Sequence

import numpy as np

from pebble import Budget, Rules
from proofs.bounds.pieces.packing.accounts import Inequality
from proofs.bounds.pieces.packing.linear_program import Lot, Packed, ShareProgram
from proofs.bounds.pieces.packing.moments import LEAST_PRICE, Moments
from proofs.certificates.pieces.piece import Piece

# After so many turns that improve the program by less than 0.2 %, words may become dearer; with
# one row for each value, which is often only where another program begins, after fewer.
STALLED, SOON_STALLED = 24, 8
# The program begins with so many of the wavefronts that are widest at a low price.
WIDEST = 64
# A first price is tried on so many batches of vertices.
SAMPLE = 2
# The next prices are this share of those before, and for the rest those of the program.
CALM = 0.5
# At first no word is worth more than so many times the first price; but where prices differ from
# moment to moment, they are spread anyhow, and a word may be worth all that it can be.
BOX, FREE = 4.0, 1.0
# Where solutions are nearly the best, the last one takes this share of the time.
RESERVED = 0.08


def pack(
    piece: Piece,
    memory: int,
    rules: Rules,
    *,
    moments: Moments | None = None,
    given: Sequence[Inequality] = (),
    budget: Budget,
) -> Packed:
    """Inequalities on the excess of a piece and the shares in which they prove most.

    Parameters
    ----------
    piece, memory, rules
        The game.
    moments, given
        As for `Packing`.
    budget
        Of the search, about.
    """
    moments = moments or Moments(piece, memory, rules, reach_of(memory))
    return Packing(moments, given).packed(budget)


class Packing:
    """A search for inequalities on the excess of a piece and the shares in which they prove most.

    The dual of the linear program that finds the shares prices the values. In turn we look for the
    wavefronts around vertices that are worth most at these prices, and solve the program with those
    found: column generation. Many prices solve the dual at first, and those of a corner are far
    from the last ones. So prices rise from one wavefront of a turn to the next, by its use, until
    it is worth no more: all together they ask for little that is there once. Words of values can be
    bought, dear at first and dearer later, which spreads the worth; and prices move only part of
    the way at a time.

    Parameters
    ----------
    moments
        Moments to choose from, some of them searched before.
    given
        Inequalities of other kinds.
    start
        Inequalities to begin with.
    """

    def __init__(
        self,
        moments: Moments,
        inequalities: Sequence[Inequality] = (),
        start: Sequence[Inequality] = (),
    ) -> None:
        accounts = moments.accounts
        self._moments, self._varied = moments, accounts.varied
        self._program = ShareProgram(accounts.budget, moments.piece.size)
        self._program.add(start, len(start))
        self._lot = Lot(inequalities, accounts.budget.size)
        self._prices = np.zeros(0)  # none yet
        self._dearest = np.inf

    def packed(self, budget: Budget) -> Packed:
        """The results within a budget, about; another call goes on from there."""
        last = RESERVED * budget.left  # seconds of the last solution
        if not self._prices.size or not self._moments.searched:
            self._begin(budget)
        else:
            self._program.limit(self._dearest)
        self._take_turns(budget, last)
        self._dearest = self._program.dearest
        self._program.limit(np.inf, max(budget.left, last))
        return self._program.packed

    def _begin(self, budget: Budget) -> None:
        """Take the inequalities that are worth something at one price for all values."""
        program, moments = self._program, self._moments
        program.add(self._lot.worth_more(program.worth))
        if not moments.searched:
            widest = moments.widest(budget.share(1 / 2))
            program.add(sorted(widest, key=_least)[-WIDEST:])
        first = _first_price(moments)
        program.add(moments.worth_more(moments.accounts.uniform(first), budget, rising=True))
        program.limit(FREE if self._varied else BOX * first)
        self._prices = program.worth

    def _take_turns(self, budget: Budget, last: float) -> None:
        """Add inequalities worth something at the program's prices, turn by turn.

        Where solutions are nearly the best, so many seconds are kept for the last one.
        """
        program, moments, prices = self._program, self._moments, self._prices
        free, patience = (FREE, STALLED) if self._varied else (1.0, SOON_STALLED)
        stalled = 0
        while stalled < patience or program.dearest <= free:
            began, before = budget.used, program.proved
            program.add(self._lot.worth_more(program.worth))
            prices = CALM * prices + (1 - CALM) * program.worth
            if not program.add(moments.worth_more(prices, budget, rising=True, resting=True)):
                prices = program.worth
                stalled += patience * (
                    not program.add(moments.worth_more(prices, budget, rising=True))
                )
            stalled = 0 if program.proved > before * 1.002 else stalled + 1
            if 2 * (budget.used - began) + last * program.near > budget.left:
                break  # no time for another turn, and the last solution
            if stalled >= patience and program.dearest <= free:
                program.limit(2 * program.dearest)
                stalled = 0
            elif stalled >= patience and program.sharpen():
                stalled = 0
        self._prices = prices


def reach_of(memory: int) -> int:
    """How many ancestors and descendants take part in a flow: enough to fill the memory."""
    return max(512, 32 * memory)


def _least(inequality: Inequality) -> int:
    return inequality.least


def _first_price(moments: Moments) -> float:
    """A price for all values at which few moments are worth something."""
    price = 1.0
    while price > LEAST_PRICE:
        if any(moments.worth_more(moments.accounts.uniform(price), Budget(), SAMPLE)):
            break
        price *= 0.7
    return price
