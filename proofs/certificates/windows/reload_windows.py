"""Checks what is loaded again in windows of a play; it holds where values are computed again.

Let t(x) be the moment just before the computed vertex x is computed for the first time. All
ancestors of x have been in fast memory before, neither x nor a descendant of it has. A *window* of
x lasts from t(x) to its *end*: when y, a descendant of x, is computed for the first time, or when
the play is over. What is x or a descendant of x, and y or an ancestor of y, is computed for the
first time in the window: these are its *targets*; all that are x or descendants of x, if it lasts
to the end of the play.

Let R be what is in fast memory at t(x), and L what is in slow memory at t(x) and loaded in the
window. **Every way from an input to a target meets R or L before it comes to x or a descendant of
x.** Go back along the way from the first such vertex on it, which is x, or an ancestor of y, or any
at all: so it is a target, too, and is computed in the window; then its operand is in fast memory.
That operand was there at t(x); or it was loaded in the window, and it is in L, or it was not in
slow memory at t(x) and so was in fast memory in the window before; or it was computed in the
window, when its own operand on the way was in fast memory. No vertex before that one on the way is
x or a descendant of x, so the same can be said of it. The way begins with an input, which is never
computed and always in slow memory.

Let a flow lead from the inputs that are ancestors of x to the targets, past no other vertex that is
x or a descendant of x, with through(v) words through each value v. Then

    value <= sum over v in R of through(v) + sum over v in L of through(v).

Take several windows of one x, each with a flow: R is the same for all. It has at most K words,
the operands of x among them (`wavefronts` says how many). With through(v) what all these flows
carry through v, and any price >= 0, those in R that are no operands of x carry at most

    price (K - words of the operands) + beyond,
    beyond = sum over v, no operand of x, of max(0, through(v) - price words(v)),

and the operands what goes through them. So with through(v, W) what the flow of a window W carries,

    sum of the values - price (K - words of the operands) - through(operands) - beyond
        <= sum over W, and over v in its L but not in R, of through(v, W).

Each such v, which is no operand of x, is loaded in W. If it is an input, that is not its first
load, for it was in fast memory before t(x). If it is computed, any load exceeds the compulsory
words; and it was stored before t(x), which exceeds them too unless it is an output. So
through(v, W) may be split: a part *stored*, of a value that is computed and no output, is at most
that part times stores(v) / words(v), and the rest at most the rest times loads(v, W) / words(v).

*Stages.* Let z_1, ..., z_k be computed vertices, each an ancestor of the next one, and stage s the
time from t(z_s) to t(z_(s+1)), stage 0 from the beginning, stage k to the end. A window of x
begins no earlier than at t(z_a), with a of the z being x or ancestors of x, and ends no later than
at t(z_(k-b+1)), with b of the z being y or descendants of y. So loads(v, W) is at most the sum of
the loads of v in the stages from a to k - b.

*The sum.* Add up what all moments x show. If no value v is charged for more than words(v) stores,
nor for more than words(v) loads in any stage, then the sum is at most the words that the play moves
beyond the compulsory ones: stores and loads in different stages are different moves. As these are
integers, it may be rounded up.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981 (dominators of what
is computed between two moments). Moments, windows that share what is red, and sums are argued here.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, compulsory_words
from proofs.certificates.pieces.piece import BoolArray, Cutter
from proofs.certificates.pieces.wavefronts import (
    MAX_FLOW,
    edge_flow,
    extra_words,
    relatives,
    through_and_supply,
)
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only, vertices

END = -1  # of a window that lasts to the end of the play
MOST_WINDOWS = 4096
MOST_VERTICES, MOST_STAGES = 4096, 256


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "chain" z; the "denominator" of all amounts; and "moments": a list with, for each,
        its "vertex" x, the "price", and its "windows". Each of these has its "end" (y, or -1 for
        that of the play), a flow: "edges" (rising places in the rows of predecessors) with
        "amounts"; and "stored" (rising vertices), of whose words the "parts" are charged to stores.
    """
    only(data, ("chain", "denominator", "moments"))
    if not isinstance(data["moments"], list):
        raise CertificateError("moments", "is no list")
    ledger = _Ledger(dag, memory, rules, data)
    total = 0
    for number, moment in enumerate(data["moments"]):
        try:
            total += ledger.enter(moment)
        except CertificateError as error:
            raise CertificateError(f"moments {number}, {error.field}", error.message) from None
    return compulsory_words(dag) - (-total // ledger.denominator)


class _Ledger:
    """Words, times the denominator, that are charged to stores, and to loads in each stage."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> None:
        self._piece = Cutter(dag).whole()
        self._memory, self._extra = memory, extra_words(self._piece, rules)
        self.denominator = integer(data, "denominator", least=1)
        # No account exceeds twice what is allowed before it is refused: that has to fit.
        most = MAX_FLOW // (dag.m + 1)
        if self.denominator * int(dag.sizes.sum()) > most:
            raise CertificateError("denominator", f"is {self.denominator}, too large to be checked")
        self._chain = self._checked_chain(dag, integers(data, "chain"))
        self._stores = np.zeros(dag.n, np.int64)
        self._loads = np.zeros((self._chain.size + 1, dag.n), np.int64)
        self._windows = 0

    def _checked_chain(self, dag: CDAG, chain: Int64Array) -> Int64Array:
        """Return the chain, if each is an ancestor of the next one."""
        if dag.n > MOST_VERTICES:
            raise CertificateError("dag", f"has {dag.n} vertices, more than {MOST_VERTICES}")
        if chain.size > MOST_STAGES:
            raise CertificateError("chain", f"has more than {MOST_STAGES} vertices")
        if chain.size and (chain.min() < 0 or chain.max() >= dag.n):
            raise CertificateError("chain", f"is not from 0 to {dag.n - 1}")
        if self._piece.is_input[chain].any():
            raise CertificateError("chain", "has an input")
        for early, late in zip(chain[:-1].tolist(), chain[1:].tolist(), strict=True):
            if not relatives(self._piece, late)[0][early]:
                raise CertificateError("chain", f"{early} is no ancestor of {late}")
        return chain

    def enter(self, moment: Any) -> int:
        """Return what a moment shows, times the denominator, after charging what it uses."""
        if not isinstance(moment, dict):
            raise CertificateError("moment", "is no object")
        only(moment, ("vertex", "price", "windows"))
        x, price = integer(moment, "vertex", least=0), integer(moment, "price", least=0)
        if price > MAX_FLOW // int(self._piece.words.sum()):
            raise CertificateError("price", f"is {price}, too large to be checked")
        if x >= self._piece.size or self._piece.is_input[x]:
            raise CertificateError("vertex", f"{x} is not computed")
        if not isinstance(moment["windows"], list):
            raise CertificateError("windows", "is no list")
        self._windows += len(moment["windows"])
        if self._windows > MOST_WINDOWS:
            raise CertificateError("windows", f"are more than {MOST_WINDOWS}")
        above, below = relatives(self._piece, x)
        value, through = 0, np.zeros(self._piece.size, np.int64)
        for window in moment["windows"]:
            words, carried = self._window(x, above, below, window)
            value += words
            through += carried
            if (through > MAX_FLOW).any():
                raise CertificateError("amounts", "flow through a value is too large")
        return value - self._held(x, price, through)

    def _held(self, x: int, price: int, through: Int64Array) -> int:
        """Return what goes through the values that are red while x is computed, at most."""
        words = self._piece.words
        operands = self._operands(x)
        room = self._memory - int(self._extra[x]) - int(words[operands].sum())
        beyond = np.maximum(through - price * words, 0)
        beyond[operands] = through[operands]
        carried: list[int] = beyond.tolist()
        return price * room + sum(carried)

    def _operands(self, x: int) -> Int64Array:
        """Return the operands of x."""
        rows = self._piece.pred_indptr
        return self._piece.pred_indices[rows[x] : rows[x + 1]].astype(np.int64)

    def _window(
        self, x: int, above: BoolArray, below: BoolArray, window: Any
    ) -> tuple[int, Int64Array]:
        """Return the value of a window's flow and (n,) what it carries, after charging it."""
        if not isinstance(window, dict):
            raise CertificateError("windows", "has no object")
        only(window, ("end", "edges", "amounts", "stored", "parts"))
        end = integer(window, "end", least=END)
        targets, late = below, np.zeros(below.size, np.bool_)
        if end != END:
            if end >= below.size or not below[end]:
                raise CertificateError("end", f"{end} is no descendant of {x}")
            before, late = relatives(self._piece, end)
            before[end] = True
            targets = below & before
        nothing = np.zeros(0, np.int64)
        flow = edge_flow(self._piece, window, "edges", "amounts")
        through, supply = through_and_supply(self._piece, *flow, nothing, nothing)
        if through[below].any():
            raise CertificateError("amounts", f"flow leaves {x} or a descendant of it")
        sources = above & self._piece.is_input
        if supply[~(sources | targets)].any():
            raise CertificateError("amounts", "flow begins or ends on the way")
        charged = through.copy()
        charged[self._operands(x)] = 0
        stored = self._stored(window, charged)
        first = int(above[self._chain].sum() + (self._chain == x).sum())
        last = self._chain.size - int(late[self._chain].sum())
        self._charge(first, last, charged - stored, stored)
        return sum(supply[sources].tolist()), through

    def _stored(self, window: Mapping[str, Any], charged: Int64Array) -> Int64Array:
        """Return (n,) how much of what is charged the stores of each value pay for."""
        some = vertices(window, "stored", charged.size)
        parts = integers(window, "parts")
        if parts.size != some.size or (parts < 0).any() or (parts > charged[some]).any():
            raise CertificateError("parts", "are not from nothing to all that is charged")
        if (self._piece.price[some] != 2).any():
            raise CertificateError("stored", "has an input or an output")
        stored = np.zeros(charged.size, np.int64)
        stored[some] = parts
        return stored

    def _charge(self, first: int, last: int, loads: Int64Array, stores: Int64Array) -> None:
        """Charge loads in the stages from first to last, and stores; refuse more than there are."""
        most = self.denominator * self._piece.words
        self._loads[first : last + 1] += loads
        self._stores += stores
        for account in (*self._loads[first : last + 1], self._stores):
            if (account > most).any():
                vertex = int((account > most).argmax())
                raise CertificateError("amounts", f"vertex {vertex} is used more than once in all")
