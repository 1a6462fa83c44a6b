"""Inequalities and their shares, by generating what the prices of values ask for."""

import time
from collections.abc import Sequence

import numpy as np

from pebble import Rules
from proofs.bounds.pieces.packing.inequality import Inequality
from proofs.bounds.pieces.packing.linear_program import Lot, Packed, Program
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
    start: Sequence[Inequality] = (),
    seconds: float,
) -> Packed:
    """Return inequalities on the excess of a piece and the shares in which they prove most.

    The dual of the linear program that finds the shares prices the values. In turn we look for
    the wavefronts around vertices that are worth most at these prices, and solve the program with
    what was found: column generation. Many prices solve the dual at first, and those of a
    corner are far from the last ones. So prices rise from one wavefront of a turn to the next, by
    what it uses, until it is worth no more: all together they ask for little that is there once.
    Words of values can be bought, dear at first and dearer later, which spreads the worth; and
    prices move only part of the way at a time.

    Parameters
    ----------
    piece, memory, rules
        The game.
    moments
        Moments to choose from, some of them searched before; None for all, one row for each value.
    given
        Inequalities of other kinds.
    start
        Inequalities to begin with.
    seconds
        When to stop, about.
    """
    began = time.monotonic()
    end = began + seconds
    moments = moments or Moments(piece, memory, rules, reach_of(memory))
    accounts = moments.accounts
    program = Program(accounts.budget, piece.size)
    program.add(start, len(start))
    lot = Lot(given, accounts.budget.size)
    program.add(lot.worth_more(program.worth))
    if not moments.searched:
        program.add(sorted(moments.widest(began + seconds / 2), key=_least)[-WIDEST:])
    first = _first_price(moments)
    program.add(moments.worth_more(accounts.uniform(first), end, rising=True))
    program.limit(FREE if accounts.varied else BOX * first)
    prices, stalled = program.worth, 0
    free = FREE if accounts.varied else 1.0
    patience = STALLED if accounts.varied else SOON_STALLED
    while stalled < patience or program.dearest <= free:
        began, before = time.monotonic(), program.proved
        program.add(lot.worth_more(program.worth))
        prices = CALM * prices + (1 - CALM) * program.worth
        if not program.add(moments.worth_more(prices, end, rising=True, resting=True)):
            prices = program.worth
            stalled += patience * (not program.add(moments.worth_more(prices, end, rising=True)))
        stalled = 0 if program.proved > before * 1.002 else stalled + 1
        now = time.monotonic()
        last = RESERVED * seconds * program.near  # of the last solution
        if now + 2 * (now - began) + last > end:  # time for another turn, and the last solution
            break
        if stalled >= patience and program.dearest <= free:
            program.limit(2 * program.dearest)
            stalled = 0
        elif stalled >= patience and program.sharpen():
            stalled = 0
    program.limit(np.inf, max(end - time.monotonic(), RESERVED * seconds))
    return program.packed


def reach_of(memory: int) -> int:
    """Return how many ancestors and descendants take part in a flow: enough to fill the memory."""
    return max(512, 32 * memory)


def _least(inequality: Inequality) -> int:
    return inequality.least


def _first_price(moments: Moments) -> float:
    """Return a price for all values at which few moments are worth something."""
    price = 1.0
    while price > LEAST_PRICE:
        if any(moments.worth_more(moments.accounts.uniform(price), np.inf, SAMPLE)):
            break
        price *= 0.7
    return price
