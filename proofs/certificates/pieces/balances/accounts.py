"""Checks balances of values, summed over every order of the steps.

Take a play of a piece in which each value is computed once. Its *steps*, the computed vertices with
operands, come in some order, and the steps done before each of them are an *ideal*: they hold all
steps that they need. Let D be one, and x the step that comes next. A value is *alive* if it has
been computed or read by a step of D, and some reader of it is not in D. In `pieces.wavefronts` it
is argued that while x is computed its operands are in fast memory, and of the alive values besides
these no more than room(x) words, the memory less x's operands and less what x takes itself. All
that a play moves beyond the compulsory words is

    words(v) each time that v is loaded, but for the first time if v is an input, and
    words(v) when v is first stored, unless v is an input or an output.

Just after a step has been computed a value v that is alive, at the ideal D that is done by then, is
*fresh*: in fast memory alone; *stored*: in both memories; or *away*: in slow memory alone. (An
input is never fresh; what an output is stored for is compulsory.) Give v, D and each state a
*balance*, any whole number of parts of a word, q to a word: 0 if v is fresh, stored(v, D), and
away(v, D). It is 0 as well before v is alive, and once it no longer is. From D to the next ideal
D' = D + x the balance of v grows by some amount, and v pays what is moved of it meanwhile. Over the
whole play all balances grow by 0. So

    q excess = the sum over all steps of what is paid, less what balances grow by.

From one state to another a value pays at least

    fresh to fresh 0, fresh to stored or away: a store; stored to stored or away: 0;
    away to away 0, away to stored: a load; and it never becomes fresh again.

Where v is not an operand of x, it is in the same memories when x is computed and just after. So of
these values no more than room(x) words are fresh or stored at D'. Operands of x are in fast memory
when x is computed: those that were away pay a load, in any case. Under sliding rules x may take the
place of one: then that one is away after it has been in fast memory. A value that comes to be alive
by x is fresh, or it is a source, an operand of x, and may have been stored. The step from D to D'
has at least the sum over all values of the least that each has, by these rules, the states before
and after being free, less what the room saves: the values that are not operands have some least if
away at D' and some least if not, and the most that room(x) words of them save by not being away,
values being split, is a knapsack, rounded up. So gain(D, x) knows nothing of the play but D and x,
and

    q excess >= the least sum of gain(D, x) over all ways from no step to all steps.

Any balances are valid: they come from the certificate, one for each *account*. Values at different
ideals may have one account in common: a value after the same readers, the same number of steps and
the same number of the steps that its readers need ("progress"), or each value at each ideal has its
own ("ideals"). With the best balances of each value at each ideal this is the best sum of functions
of single values below what is yet to pay in each state of the game.

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

from dags.arrays import Int64Array, lock
from pebble import Rules
from pebble.small import BITS, TooLargeError, small_game
from proofs.certificates.pieces.balances import _kernels
from proofs.certificates.pieces.balances.lattice import MOST_WAYS, lattice_of
from proofs.certificates.pieces.balances.ways import KEYS, MOST_ENTRIES, Laid, laid, new_desk
from proofs.certificates.pieces.exhaustive import Form
from proofs.certificates.pieces.piece import Piece
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only, shown, text

LIMIT = 2**30  # of the parts of all words of a piece, so that no product overflows
FIELDS = ("parts", "keys", "away", "stored")


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess that the certificate proves.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has the "parts" of a word, the "keys" by which values share accounts, and the balance of
        each account if its value is "away", and if it is "stored".
    """
    only(data, FIELDS)
    parts, keys = integer(data, "parts", least=1), text(data, "keys")
    if keys not in KEYS:
        raise CertificateError("keys", f"are {shown(keys)}, not one of {', '.join(KEYS)}")
    if rules.recompute:
        raise CertificateError("rules", "each value has to be computed once")
    found = _laid(Form(piece, memory, rules))
    words = max(int(found.lattice.game.sizes.sum()), 1)
    if parts > LIMIT // words:
        raise CertificateError("parts", f"are {parts}, too many to be checked")
    accounts, count = KEYS[keys](found)
    away, stored = (_balances(data, name, count, parts * words) for name in ("away", "stored"))
    return -(-least_gain(found, parts, accounts, away, stored) // parts)


def least_gain(found: Laid, parts: int, accounts: Any, away: Int64Array, stored: Int64Array) -> int:
    """Return the parts of words that all orders pay at least.

    Parameters
    ----------
    found
        The ideals.
    parts
        Parts of a word.
    accounts
        (entries,) the account of each value at each ideal.
    away, stored
        (accounts,) balances, locked.
    """
    ways = found.ways(accounts)
    gains, kept = np.empty(ways.steps.size, np.int64), np.empty(ways.steps.size, np.uint64)
    active, to_come = np.ones(ways.alive.size, np.bool_), np.empty(ways.alive.size, np.int64)
    board = found.board(parts)
    _kernels.weigh_ways(board, ways, away, stored, new_desk(), active, gains, kept)
    _kernels.least_ways(ways, gains, to_come)
    return int(to_come[0])


def _balances(data: Mapping[str, Any], name: str, count: int, most: int) -> Int64Array:
    """Return (count,) balances, none beyond `most`."""
    balances = integers(data, name)
    if balances.size != count:
        raise CertificateError(name, f"are {balances.size}, not one for each of {count} accounts")
    if balances.size and max(balances.max(), -balances.min()) > most:
        raise CertificateError(name, f"are not all within {most}, the parts of all values")
    return lock(balances.copy())


@lru_cache(maxsize=4)
def _laid(form: Form) -> Laid:
    """Return the ideals of a form.

    Raises
    ------
    CertificateError
        If they are too many, or it cannot be played.
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
    found = laid(lattice)
    if found is None:
        raise CertificateError("vertices", f"have more than {MOST_ENTRIES} values alive at ideals")
    return found
