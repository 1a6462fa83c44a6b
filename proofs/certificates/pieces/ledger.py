"""Sums of proofs that share the stores of values, and their loads stage by stage (P5).

A *part* is a piece with a proof, and has a *share*. A moment charges what goes through v to the
stores of v, by a quota, and to the loads in each stage in which it may be; a bound on a piece
charges all that values exceed by which somebody in it reads. If for no v the shares charge more
than words(v) stores, or words(v) loads in any stage, they add up to at most the excess of the
whole. Where values may be computed again only bounds on pieces hold, of the kinds `ALWAYS`.

Certificates come in three forms. In a "staged" one values have stages, so that one that waits, is
read, and waits again counts for every time: an entry of a matrix in every product with it. In
"shares" each value has one stage, and moments charge half of what goes through to its stores; in
"parts", besides, each piece has share 1, and no value is read in two of them.

The proof is P5 in docs/theory/pieces.md.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, compulsory_words
from proofs.certificates.pieces import (
    balances,
    exhaustive,
    forests,
    reloads,
    set_wavefronts,
    wavefronts,
)
from proofs.certificates.pieces.orders import Orders
from proofs.certificates.pieces.piece import BoolArray, Cutter, Piece
from proofs.certificates.pieces.stages import Stages, ranges
from proofs.core.certificate import CertificateError, farewell
from proofs.core.fields import integer, integers, only, shown, text, vertices

PieceChecker = Callable[[Piece, int, Rules, Mapping[str, Any]], int]
PIECE_CHECKERS: dict[str, PieceChecker] = {
    "balances": balances.proven,
    "exact": exhaustive.proven,
    "forest": forests.excess,
    "front": set_wavefronts.proven,
    "reloads": reloads.proven,
    "wavefront": wavefronts.proven,
}
# What proofs of parts rest on; a search on none.
THEOREMS = {
    "balances": "P9",
    "forest": "P7",
    "front": "P4",
    "front-moment": "P4",
    "moment": "P3",
    "order": "P6",
    "reloads": "P8",
    "wavefront": "P3",
}
ALWAYS = ("exact", "reloads")  # hold also where values may be computed again
# How a moment is checked, and the field that says which vertices it is about, by the names of each
# form.
VERTEX, FRONT = (wavefronts.moment, "vertex"), (set_wavefronts.moment, "front")
STAGED = {"moment": VERTEX, "front": FRONT}
PLAIN = {"moment": VERTEX, "front-moment": FRONT}
LIMIT = 2**61  # so that no sum of charges overflows
QUOTAS = {"stored": 2, "loaded": 0}  # halves that are charged to stores
NOTHING = np.zeros(0, np.int64)


def proven_parts(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that disjoint pieces prove.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has "parts", as for `proven_shares`, but that they have no "share": each has all.
    """
    only(data, ("parts",))
    return _Ledger(dag, memory, rules, 1, PLAIN).sum(data["parts"], share=1)


def proven_shares(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that parts prove of values with one stage each.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has a "denominator" and "parts": a list with, for each, its "vertices" ("all", or a
        rising list), its "share" of the denominator, the kind of its "proof", and what that
        needs as "data": "moment" with the data of a wavefront, "front-moment" with that of a
        front, or a kind of `PIECE_CHECKERS`.
    """
    only(data, ("denominator", "parts"))
    denominator = integer(data, "denominator", least=1)
    return _Ledger(dag, memory, rules, denominator, PLAIN).sum(data["parts"])


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that parts prove of values with stages.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has "owners" and "readers", the chosen readers of values; and as for `proven_shares` a
        "denominator" and "parts". Of these the "proof" is "moment" or "front" with the data of such
        a wavefront and two fields besides, "order" with a moment of one order, "all" vertices and
        share 1, or another kind of `PIECE_CHECKERS`. The two fields are "stored", values whose
        quota is all, and "loaded", those whose quota is nothing, rising places in the piece. The
        quota of others is a half, of inputs and outputs nothing.
    """
    only(data, ("owners", "readers", "denominator", "parts"))
    denominator = integer(data, "denominator", least=1)
    readers = integers(data, "owners"), integers(data, "readers")
    return _Ledger(dag, memory, rules, denominator, STAGED, readers).sum(data["parts"])


class _Ledger:
    """Half words, times the denominator, that are charged to stores and to stages so far."""

    def __init__(
        self,
        dag: CDAG,
        memory: int,
        rules: Rules,
        denominator: int,
        moments: Mapping[str, tuple[Callable[..., tuple[int, Int64Array]], str]],
        readers: tuple[Int64Array, Int64Array] = (NOTHING, NOTHING),
    ) -> None:
        if denominator > LIMIT // (8 * int(dag.sizes.max())):
            raise CertificateError("denominator", f"is {denominator}, too large to be checked")
        self.denominator = denominator
        self._moments, self._stages = moments, Stages(dag, *readers)
        self._memory, self._rules = memory, rules
        self._cutter, self._whole = Cutter(dag), Cutter(dag).whole()
        # Searches of the pieces of one certificate share their states.
        self._checkers = {**PIECE_CHECKERS, "exact": exhaustive.Searches().proven}
        self._stores = np.zeros(dag.n, np.int64)
        self._loads = np.zeros(self._stages.count, np.int64)
        self._orders = Orders(self._whole, self._stages, memory, rules)

    def sum(self, parts: Any, *, share: int | None = None) -> int:
        """Return the words that parts prove; `share` is that of all of them, if they have none."""
        if not isinstance(parts, list):
            raise CertificateError("parts", "is no list")
        total = 0
        for number, part in enumerate(parts):
            try:
                total += self._enter(part, share)
            except CertificateError as error:
                raise CertificateError(f"parts {number}, {error.field}", error.message) from None
        total += self._orders.held()
        return compulsory_words(self._cutter.dag) + max(0, -(-total // self.denominator))

    def _enter(self, part: Any, each: int | None) -> int:
        """Return what one part proves, times the denominator, after charging what it uses."""
        if not isinstance(part, dict):
            raise CertificateError("part", "is no object")
        only(part, ("vertices", *(("share",) if each is None else ()), "proof", "data"))
        kind, data = text(part, "proof"), part["data"]
        if not isinstance(data, Mapping):
            raise CertificateError("data", "is no object")
        share = integer(part, "share", least=1) if each is None else each
        if share > 2 * self.denominator:  # what charges anything charges a half word at least
            raise CertificateError("share", f"is {share}, more than all")
        known = *self._moments, *(("order",) if self._moments is STAGED else ()), *PIECE_CHECKERS
        if kind not in known:
            unknown = f"is {shown(kind)}, not one of {', '.join(dict.fromkeys(known))}"
            raise CertificateError("proof", farewell(kind) or unknown)
        if self._rules.recompute and kind not in ALWAYS:
            once = f"{shown(kind)} holds only where each value is computed once"
            raise CertificateError("proof", once)
        piece = self._cutter.cut(_chosen(part, self._whole.size))
        if kind in self._moments:
            return share * self._moment(piece, kind, data, share)
        if kind == "order":
            return self._of_order(piece, data, share)
        least = self._checkers[kind](piece, self._memory, self._rules, data)
        self._charge_all(piece, share)
        return share * least

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
        check, where = self._moments[kind]
        quota = QUOTAS if self._moments is STAGED else {}
        flow = {name: data[name] for name in data if name not in quota}
        least, through = check(piece, self._memory, self._rules, flow)
        halves = quotas(piece, {name: data.get(name) for name in quota})
        front = piece.vertices[np.atleast_1d(data[where])]
        first, last = self._stages.span(front, piece.vertices)
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
    """Return (p,) how many halves of each value's words are charged to its stores.

    Parameters
    ----------
    piece
        The piece.
    data
        Values whose quota is no half, by the names of `QUOTAS`.
    """
    costly: BoolArray = piece.price == 2
    halves = costly.astype(np.int64)
    for name in data:
        some = vertices(data, name, piece.size)
        if not costly[some].all():
            raise CertificateError(name, "has an input or an output")
        halves[some] = QUOTAS[name]
    return halves


def _chosen(part: Mapping[str, Any], n: int) -> Int64Array:
    """Return the vertices of a part, rising: all `n` where it says "all"."""
    if isinstance(part["vertices"], str) and part["vertices"] == "all":
        return np.arange(n)
    return vertices(part, "vertices", n)
