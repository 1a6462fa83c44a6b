"""Checks sums of proofs that share the stores of values, and their loads stage by stage.

`pieces.stages` splits the excess of a value v into stores(v) and loads(v, i), by stages i. As in
`shares` a *part* is a piece with a proof, and a *share* s >= 0.

*Moments.* A wavefront around x (`pieces.wavefronts`), or while x is the first of a set to be
computed (`pieces.set_wavefronts`), shows, for values of its piece, that

    sum of through(v) over the values v that are away at x >= least.

Split what goes through v: a quota q(v) of it, 0, a half or all, is charged to the stores of v, and
what is left to the loads in the stage in which x is computed. Only the stores of values that are
computed and no outputs can be charged. By `pieces.stages` the play has words(v) of either, or more,
for each v that is away; so with i(v) the stage of v in which x is computed,

    least <= sum over v of through(v) / words(v) (q(v) stores(v) + (1 - q(v)) loads(v, i(v))).

*Pieces.* A bound on the least excess of a piece, of any other kind, is one on what the values
exceed by that someone in the piece reads: others need neither be loaded nor, but for the
compulsory store, be stored, so a play of the piece without those moves is as legal. So

    least <= sum over v that are read in the piece of stores(v) + sum over all i of loads(v, i).

*Moments of one order*: `pieces.orders` proves one inequality from all of them together, of the
same kind, on stores(v) and loads(v, i) with what they charge.

Add all up, each part times its share. If for no v the shares charge more than words(v) stores, nor
more than words(v) loads in any stage, where a moment counts **in every stage that x may be computed
in**, then the sum is at most the excess of the whole, whatever the play: in the stage in which x is
computed it does count. And as the excess is an integer, it is at least that sum rounded up.

*Where values may be computed again* only the bounds on pieces hold, of the kinds `parts.ALWAYS`:
a play of the whole is one of every piece (`pieces.piece`), and without the moves of values that
nobody in the piece reads it is as legal. They charge all stages of a value alike, so that it does
not matter which times the stages tell apart.

With one stage for each value this is `shares`. With more, a value that waits, is read, and waits
again counts for every time: an entry of a matrix in every product with it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, compulsory_words
from proofs.certificates.parts import (
    ALWAYS,
    PIECE_CHECKERS,
    chosen_vertices,
    piece_checkers,
    unknown_proof,
)
from proofs.certificates.pieces import set_wavefronts, wavefronts
from proofs.certificates.pieces.orders import Orders
from proofs.certificates.pieces.piece import BoolArray, Cutter, Piece
from proofs.certificates.pieces.stages import Stages, ranges
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only, shown, text, vertices

# How a moment is checked, and the field that says which vertices it is about.
MOMENTS = {"moment": (wavefronts.moment, "vertex"), "front": (set_wavefronts.moment, "front")}
LIMIT = 2**61  # so that no sum of charges overflows
FIELDS = ("vertices", "share", "proof", "data")
QUOTAS = {"stored": 2, "loaded": 0}  # halves that are charged to stores


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has "owners" and "readers", the chosen readers of values; a "denominator"; and "parts": a
        list with, for each, its "vertices" ("all", or a rising list), its "share" of the
        denominator, the kind of its "proof" and what that needs as "data": "moment" or "front"
        with the data of such a wavefront and two fields besides, "order" with a moment of one
        order, "all" vertices and share 1, or another kind of `parts.PIECE_CHECKERS`. The two fields
        are "stored", values whose quota is all, and "loaded", those whose quota is nothing, rising
        places in the piece. The quota of others is a half, of inputs and outputs nothing.
    """
    only(data, ("owners", "readers", "denominator", "parts"))
    if not isinstance(data["parts"], list):
        raise CertificateError("parts", "is no list")
    ledger = _Ledger(dag, memory, rules, data)
    total = 0
    for number, part in enumerate(data["parts"]):
        try:
            total += ledger.enter(part)
        except CertificateError as error:
            raise CertificateError(f"parts {number}, {error.field}", error.message) from None
    total += ledger.held()
    return max(0, -(-total // ledger.denominator)) + compulsory_words(dag)


class _Ledger:
    """Half words, times the denominator, that are charged to stores and to stages so far."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> None:
        self.denominator = integer(data, "denominator", least=1)
        if self.denominator > LIMIT // (8 * int(dag.sizes.max())):
            raise CertificateError("denominator", f"is {self.denominator}, too large to be checked")
        self._stages = Stages(dag, integers(data, "owners"), integers(data, "readers"))
        self._memory, self._rules = memory, rules
        self._cutter, self._checkers = Cutter(dag), piece_checkers()
        self._whole = self._cutter.whole()
        self._stores = np.zeros(dag.n, np.int64)
        self._loads = np.zeros(self._stages.count, np.int64)
        self._orders = Orders(self._whole, self._stages, memory, rules)

    def enter(self, part: Any) -> int:
        """Return what one part proves, times the denominator, after charging what it uses."""
        if not isinstance(part, dict):
            raise CertificateError("part", "is no object")
        only(part, FIELDS)
        kind = text(part, "proof")
        if not isinstance(part["data"], Mapping):
            raise CertificateError("data", "is no object")
        share = integer(part, "share", least=1)
        if share > 2 * self.denominator:  # what charges anything charges a half word at least
            raise CertificateError("share", f"is {share}, more than all")
        piece = self._cutter.cut(chosen_vertices(part, self._cutter.dag.n))
        if self._rules.recompute and kind not in ALWAYS:
            raise CertificateError(
                "proof", f"{shown(kind)} holds only where each value is computed once"
            )
        if kind == "order":
            return self._of_order(piece, part["data"], share)
        if kind in MOMENTS:
            return share * self._moment(piece, kind, part["data"], share)
        if kind not in PIECE_CHECKERS:
            known = (*MOMENTS, "order", *PIECE_CHECKERS)
            raise CertificateError("proof", unknown_proof(kind, known))
        least = self._checkers[kind](piece, self._memory, self._rules, part["data"])
        self._charge_all(piece, share)
        return share * least

    def held(self) -> int:
        """Return what moments of one order hold against each other, times the denominator."""
        return self._orders.held()

    def _of_order(self, piece: Piece, data: Mapping[str, Any], share: int) -> int:
        """Return what a moment of the order proves by itself, after charging what it uses."""
        if share != 1 or piece.size < self._whole.size:
            raise CertificateError("order", "is of a part, or has a share that is not 1")
        least, stores, loads = self._orders.enter(data)
        values, rows = self._whole.vertices, np.arange(loads.size)
        self._charge(self._stores, values, values, 2 * stores)
        self._charge(self._loads, rows, rows, 2 * loads, self._stages.values)
        return least

    def _moment(self, piece: Piece, kind: str, data: Mapping[str, Any], share: int) -> int:
        """Return what a wavefront proves, after charging what it uses."""
        check, where = MOMENTS[kind]
        flow = {name: data[name] for name in data if name not in QUOTAS}
        least, through = check(piece, self._memory, self._rules, flow)
        halves = quotas(piece, data)
        front = piece.vertices[np.atleast_1d(data[where])]
        first, last = (row[piece.vertices] for row in self._stages.span(front))
        self._charge(self._stores, piece.vertices, piece.vertices, share * halves * through)
        self._charge(self._loads, first, last, share * (2 - halves) * through, piece.vertices)
        return least

    def _charge_all(self, piece: Piece, share: int) -> None:
        """Charge all that values exceed by which are read in the piece."""
        values = piece.vertices[np.diff(piece.successors[0]) > 0]
        whole = self._whole.words[values] * 2 * share
        costly = self._whole.price[values] == 2
        self._charge(self._stores, values[costly], values[costly], whole[costly])
        self._charge(
            self._loads, self._stages.first[values], self._stages.last[values], whole, values
        )

    def _charge(
        self,
        account: Int64Array,
        first: Int64Array,
        last: Int64Array,
        words: Int64Array,
        values: Int64Array | None = None,
    ) -> None:
        """Add half words to rows of an account, and refuse more than there are.

        Parameters
        ----------
        account
            What is charged so far, row by row.
        first, last
            (p,) the rows of each value that are charged; no row is one of two values.
        words
            (p,) half words, times the denominator.
        values
            (p,) whose rows they are; the rows themselves if None.
        """
        some = np.flatnonzero(words)
        rows = ranges(first[some], last[some])
        many = np.repeat(some, last[some] - first[some] + 1)
        account[rows] += words[many]
        owner = rows if values is None else values[many]
        over = account[rows] > 2 * self.denominator * self._whole.words[owner]
        if over.any():
            vertex = int(owner[over][0])
            raise CertificateError("share", f"vertex {vertex} is used more than once in all")


def quotas(piece: Piece, data: Mapping[str, Any]) -> Int64Array:
    """Return (p,) how many halves of each value's words are charged to its stores."""
    costly: BoolArray = piece.price == 2
    halves = costly.astype(np.int64)
    for name, half in QUOTAS.items():
        some = vertices(data, name, piece.size)
        if not costly[some].all():
            raise CertificateError(name, "has an input or an output")
        halves[some] = half
    return halves
