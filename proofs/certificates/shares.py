"""Checks sums of proofs that share values between them.

`piece` splits what a play moves beyond the compulsory words into the excess of each value,
excess(v) >= 0. A *part* is a set of vertices with a proof of an inequality

    sum over its vertices of use(v) excess(v) >= least,    0 <= use(v) <= 1.

A bound on the piece that the part spans is one with use = 1 everywhere in it. A wavefront at one
moment, of one vertex or of the first of a front, is one in which use(v) is through(v) / (price(v)
words(v)), 0 where its flow does not go: any number of moments can share a value, and all of them
know the ancestors and descendants that their own parts show. Multiply the inequality of each part
with its *share* >= 0. If for no vertex the shares times uses sum to more than 1, then

    excess of the whole = sum over v of excess(v) >= sum over the parts of share times least,

and as the excess is an integer, it is at least that sum rounded up. Certificates of the kind
"parts" are of disjoint pieces, of which each has share 1. Where values may be computed again the
excess of a value is no less than 0 either (`piece`): of bounds on pieces the kinds `parts.ALWAYS`
hold, and add up.
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
    PieceChecker,
    chosen_vertices,
    piece_checkers,
    unknown_proof,
)
from proofs.certificates.pieces import set_wavefronts, wavefronts
from proofs.certificates.pieces.piece import Cutter, Piece
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only, shown, text

# What a kind of moment proves, and the words of each value that it uses.
MOMENTS = {"moment": wavefronts.moment, "front-moment": set_wavefronts.moment}
LIMIT = 2**61  # so that no sum of uses overflows


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has a "denominator" and "parts": a list with, for each, its "vertices" ("all", or a
        rising list), its "share" of the denominator, the kind of its "proof", and what that
        needs as "data": "moment" with the data of a wavefront, "front-moment" with that of a
        front, or a kind of `parts.PIECE_CHECKERS`.
    """
    only(data, ("denominator", "parts"))
    ledger = _Ledger(dag, integer(data, "denominator", least=1))
    return _summed(ledger, memory, rules, data["parts"])


def proven_parts(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that disjoint pieces prove.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has "parts", as for `proven`, but that they have no "share": each has all.
    """
    only(data, ("parts",))
    return _summed(_Ledger(dag, 1), memory, rules, data["parts"], each=1)


def _summed(
    ledger: "_Ledger", memory: int, rules: Rules, parts: Any, *, each: int | None = None
) -> int:
    """Return the words that parts prove; `each` is the share of all of them, if they have none."""
    if not isinstance(parts, list):
        raise CertificateError("parts", "is no list")
    total = 0
    for number, part in enumerate(parts):
        try:
            total += ledger.enter(part, memory, rules, each)
        except CertificateError as error:
            raise CertificateError(f"parts {number}, {error.field}", error.message) from None
    return compulsory_words(ledger.dag) - (-total // ledger.denominator)


class _Ledger:
    """The part of each value's excess that is not used yet, in words times the denominator."""

    def __init__(self, dag: CDAG, denominator: int) -> None:
        self.dag, self.denominator = dag, denominator
        if denominator > LIMIT // (2 * int(dag.sizes.max())):
            raise CertificateError("denominator", f"is {denominator}, too large to be checked")
        self._cutter, self._checkers = Cutter(dag), piece_checkers()
        self._left = np.full(dag.n, -1, np.int64)  # -1: not used yet

    def enter(self, part: Any, memory: int, rules: Rules, each: int | None) -> int:
        """Return what one part proves, times the denominator, and take what it uses."""
        if not isinstance(part, dict):
            raise CertificateError("part", "is no object")
        only(part, ("vertices", *(("share",) if each is None else ()), "proof", "data"))
        if not isinstance(part["data"], Mapping):
            raise CertificateError("data", "is no object")
        share = integer(part, "share", least=1) if each is None else each
        if share > 2 * self.denominator:  # a flow that uses anything uses half of it at least
            raise CertificateError("share", f"is {share}, more than all")
        piece = self._cutter.cut(chosen_vertices(part, self._cutter.dag.n))
        least, words = _inequality(piece, memory, rules, part, self._checkers)
        self._take(piece, share * words)
        return share * least

    def _take(self, piece: Piece, words: Int64Array) -> None:
        """Subtract `words` (p,) from what is left of the piece's values."""
        left = self._left[piece.vertices]
        left = np.where(left < 0, self.denominator * piece.price * piece.words, left) - words
        if (left < 0).any():
            vertex = int(piece.vertices[left.argmin()])
            raise CertificateError("share", f"vertex {vertex} is used more than once in all")
        self._left[piece.vertices] = left


def _inequality(
    piece: Piece,
    memory: int,
    rules: Rules,
    part: Mapping[str, Any],
    checkers: Mapping[str, PieceChecker],
) -> tuple[int, Int64Array]:
    """Return (least, (p,) price times words times use) of the part's inequality."""
    kind = text(part, "proof")
    if kind not in MOMENTS and kind not in PIECE_CHECKERS:
        raise CertificateError("proof", unknown_proof(kind, (*MOMENTS, *PIECE_CHECKERS)))
    if rules.recompute and kind not in ALWAYS:
        message = f"{shown(kind)} holds only where each value is computed once"
        raise CertificateError("proof", message)
    if kind in MOMENTS:
        return MOMENTS[kind](piece, memory, rules, part["data"])
    return checkers[kind](piece, memory, rules, part["data"]), piece.price * piece.words
