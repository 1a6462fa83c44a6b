"""Checks charges on values that are away, summed over every order of the steps.

Take a play of a piece in which each value is computed once. Its *steps*, the computed vertices with
operands, come in some order, and the steps done before each of them are an *ideal*: they hold all
steps that they need. Let D be the ideal of t steps, and x the step that comes next. A value is
*alive* if it has been computed or read by a step of D, and some reader of it is not in D. In
`pieces.wavefronts` it is argued that while x is computed,

- its operands are in fast memory, and of the alive values besides these no more than room(x) words,
  the memory less x's operands and less what x takes itself;
- an alive value v that is not there, that is *away*, is loaded again before the next reader of v is
  computed or for it; and if it is no input and no output, it is stored in some step of the play.

Let k of the readers of v be done: that is *stage* k of v. Two different stages of v have nothing in
common, and so a play has, beyond the compulsory words,

    words(v) loads in each stage of v in which v is away at some step, or more, and
    words(v) stores if v is away at some step, or more, unless v is an input or an output.

Choose charges load(v, k, t) >= 0 and store(v, t) >= 0, whole parts of a word, q parts each, such
that

    sum over t of load(v, k, t) <= q words(v),    sum over t of store(v, t) <= q words(v),

and store(v, t) = 0 for inputs and outputs. As there is one step at each time t, what the values
that are away are charged over the whole play is at most q times its excess, whatever its order.

At time t, with D done and x to come, let d(v) = load(v, k, t) + store(v, t), k being known from D.
Those away are charged the sum of d over all alive values but x's operands, less the sum over those
that are in fast memory. The latter is at most what the room holds where values may be split: those
with most d for each word come first, and of the last of them the part that fits, rounded up. The
difference is gain(D, x). It knows nothing of the play but D and x. So

    q excess >= the least sum of gain(D, x) over all ways from no step to all steps,

one step after another: a shortest path over the ideals, which the checker finds among all of them.
All orders are looked at, so that what waits at one moment is consistent with what waits at another;
what is in fast memory is not remembered from one step to the next, so that charges are shared in
advance between the times at which a value may be away. Any charges that keep to their sums are
valid: they come from the certificate, and all else is computed here.

Source
------
D. P. de Farias and B. Van Roy, The linear programming approach to approximate dynamic programming,
Operations Research 51 (2003): values of states as sums of functions of their parts. The argument is
complete as it stands here.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from pebble.small import BITS, TooLargeError, small_game
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import integer, integers, only
from proofs.certificates.pieces.exhaustive import Form
from proofs.certificates.pieces.ideals.lattice import MOST_WAYS, Lattice, lattice_of
from proofs.certificates.pieces.piece import Piece

LIMIT = 2**30  # of the parts of all words of a piece, so that no product overflows


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess that the certificate proves.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has the "parts" of a word, and lists of charges: "loads", for each value that is read and
        each number of its readers but the last those of all times, and "stores", for each value
        those of all times.
    """
    only(data, ("parts", "loads", "stores"))
    parts = integer(data, "parts", least=1)
    if rules.recompute:
        raise CertificateError("rules", "each value has to be computed once")
    lattice = checked_lattice(Form(piece, memory, rules))
    if parts > LIMIT // max(int(lattice.game.sizes.sum()), 1):
        raise CertificateError("parts", f"are {parts}, too many to be checked")
    budgets = parts * lattice.game.sizes
    counts = np.diff(lattice.first)
    loads = _charges(data, "loads", np.repeat(budgets, counts), lattice)
    stores = _charges(data, "stores", np.where(lattice.costly, budgets, 0), lattice)
    least = lattice.least(lattice.gains(loads + np.repeat(stores, counts, axis=1)))
    return -(-least // parts)


def _charges(
    data: Mapping[str, Any], name: str, budgets: Int64Array, lattice: Lattice
) -> Int64Array:
    """Return (times, rows) charges, none below 0, of which no row has more than its budget."""
    charges = integers(data, name)
    times = len(lattice.layers)
    if charges.size != budgets.size * times:
        raise CertificateError(name, f"are {charges.size}, not {budgets.size} times {times}")
    table = charges.reshape(budgets.size, times)
    if (table < 0).any() or (table > budgets[:, None]).any():
        raise CertificateError(name, "are not all between 0 and the parts of a value")
    if (table.sum(axis=1) > budgets).any():
        raise CertificateError(name, "are more than the parts of a value together")
    return np.ascontiguousarray(table.T)


@lru_cache(maxsize=4)
def checked_lattice(form: Form) -> Lattice:
    """Return the lattice of a form.

    Raises
    ------
    CertificateError
        If it is too large, or cannot be played.
    """
    try:
        game = small_game(form.piece, form.memory, form.rules)
    except TooLargeError:
        raise CertificateError("vertices", f"are more than {BITS}: too many to search") from None
    if not game.playable:
        raise CertificateError("memory", f"of {form.memory} words is too small to play the piece")
    lattice = lattice_of(form.piece, game)
    if lattice is None:
        raise CertificateError("vertices", f"have more than {MOST_WAYS} ways from ideal to ideal")
    return lattice
