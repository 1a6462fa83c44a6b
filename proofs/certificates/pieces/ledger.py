"""Sums of proofs that share the stores of values, and their loads stage by stage (P5).

A *part* is a piece with a proof, and has a *share*. A moment charges the flow through v to the
stores of v, by a quota, and to the loads in each stage in which it may be; a bound on a piece
charges all that values exceed by which somebody in it reads. If for no v the shares charge more
than words(v) stores, or words(v) loads in any stage, they add up to at most the excess of the
whole. Where values may be computed again only bounds on pieces hold, of the kinds `ALWAYS`.

Certificates come in three forms. In a "staged" one values have stages, so that one that waits, is
read, and waits again counts for every time: an entry of a matrix in every product with it. In
"shares" each value has one stage, and moments charge half of the flow through to its stores; in
"parts", besides, each piece has share 1, and no value is read in two of them.

The proof is P5 in docs/theory/pieces.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Game
from proofs.certificates.pieces import exhaustive
from proofs.certificates.pieces.balances import BALANCES
from proofs.certificates.pieces.exhaustive import EXACT
from proofs.certificates.pieces.forests import FORESTS
from proofs.certificates.pieces.orders import OfOrder, Orders
from proofs.certificates.pieces.piece import BoolArray, Cutter, Piece, PieceLemma, Stages, ranges
from proofs.certificates.pieces.wavefronts import FRONT, RELOADS, WAVEFRONT
from proofs.core.records import CertificateError, Positive, farewell, integers, read, rising, shown
from proofs.core.windows import Lemma

PIECES: dict[str, PieceLemma[Any]] = {
    "balances": BALANCES,
    "exact": EXACT,
    "forest": FORESTS,
    "front": FRONT,
    "reloads": RELOADS,
    "wavefront": WAVEFRONT,
}
ALWAYS = ("exact", "reloads")  # hold also where values may be computed again
ORDER = "order"
# Moments by the names that each form has for them.
STAGED: dict[str, PieceLemma[Any]] = {"moment": WAVEFRONT, "front": FRONT}
PLAIN: dict[str, PieceLemma[Any]] = {"moment": WAVEFRONT, "front-moment": FRONT}
LIMIT = 2**61  # so that no sum of charges overflows
QUOTAS = ("stored", "loaded")
NOTHING = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Part:
    """Vertices, "all" or a rising list, the kind of a proof, and its data.

    That is a moment, by its name in the form, or a kind of `PIECES`; of "staged" ones "order", too,
    with all vertices and share 1.
    """

    vertices: Any
    proof: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Share(Part):
    """A part with a share, of a denominator."""

    share: Positive


@dataclass(frozen=True)
class Quotas:
    """Places in a piece of values whose quota is all, and of those whose quota is nothing.

    Of others it is a half, of inputs and outputs nothing.
    """

    stored: Int64Array
    loaded: Int64Array


@dataclass(frozen=True)
class Parts:
    """Disjoint pieces."""

    parts: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Shares(Parts):
    """Parts of values with one stage each, with shares of the denominator."""

    denominator: Positive


@dataclass(frozen=True)
class Staged(Shares):
    """Parts of values with stages: the chosen readers of their owners."""

    owners: Int64Array
    readers: Int64Array


def words(game: Game, record: Parts) -> int:
    """The words that parts prove."""
    ledger = _Ledger(game, record)
    total = 0
    for number, part in enumerate(record.parts):
        try:
            total += ledger.enter(part)
        except CertificateError as error:
            raise CertificateError(f"parts {number}, {error.field}", error.message) from None
    return game.compulsory + max(0, -(-(total + ledger.orders.held()) // ledger.denominator))


def theorems(record: Parts) -> tuple[str, ...]:
    """The numbers of the theorems behind parts."""
    known = {**PIECES, **PLAIN}
    kinds = dict.fromkeys(str(part["proof"]) for part in record.parts)
    inside = [("P6",) if kind == ORDER else known[kind].theorems for kind in kinds]
    stages = ("P2",) if isinstance(record, Staged) else ()
    return tuple(dict.fromkeys(("P1", *stages, "P5", *chain(*inside))))


class _Ledger:
    """Half words, times the denominator, that are charged to stores and to stages so far."""

    def __init__(self, game: Game, record: Parts) -> None:
        dag = game.dag
        self.denominator = record.denominator if isinstance(record, Shares) else 1
        if self.denominator > LIMIT // (8 * int(dag.sizes.max())):
            raise CertificateError("denominator", f"is {self.denominator}, too large to be checked")
        self._part = Share if isinstance(record, Shares) else Part
        self._staged = isinstance(record, Staged)
        self._moments = STAGED if self._staged else PLAIN
        readers = (record.owners, record.readers) if isinstance(record, Staged) else (NOTHING,) * 2
        self._stages = Stages(dag, *readers)
        self._game = game.memory, game.rules
        self._cutter, self._whole = Cutter(dag), Cutter(dag).whole()
        self._searches = exhaustive.Searches()  # of all pieces, which share their states
        self._stores = np.zeros(dag.n, np.int64)
        self._loads = np.zeros(self._stages.count, np.int64)
        self.orders = Orders(self._whole, self._stages, *self._game)

    def enter(self, data: Mapping[str, Any]) -> int:
        """The bound of one part, times the denominator, after charging its use."""
        part = read(self._part, data)
        kind, share = part.proof, part.share if isinstance(part, Share) else 1
        if share > 2 * self.denominator:  # what charges anything charges a half word at least
            raise CertificateError("share", f"is {share}, more than all")
        known = dict.fromkeys((*self._moments, *([ORDER] * self._staged), *PIECES))
        if kind not in known:
            unknown = f"is {shown(kind)}, not one of {', '.join(known)}"
            raise CertificateError("proof", farewell(kind) or unknown)
        if self._game[1].recompute and kind not in ALWAYS:
            once = f"{shown(kind)} holds only where each value is computed once"
            raise CertificateError("proof", once)
        piece = self._cutter.cut(_chosen(data, self._whole.size))
        if kind in self._moments:
            return share * self._moment(piece, self._moments[kind], part.data, share)
        if kind == ORDER:
            return self._of_order(piece, part.data, share)
        lemma = PIECES[kind]
        shows = self._searches.shows if lemma is EXACT else lemma.shows
        bound, _ = shows(piece, *self._game, read(lemma.record, part.data))
        self._charge_all(piece, share)
        return share * bound

    def _of_order(self, piece: Piece, data: Mapping[str, Any], share: int) -> int:
        """The bound of a moment of the order by itself, after charging its use."""
        if share != 1 or piece.size < self._whole.size:
            raise CertificateError("order", "is of a part, or has a share that is not 1")
        bound, stores, loads = self.orders.enter(read(OfOrder, data))
        values, rows = self._whole.vertices, np.arange(loads.size)
        self._charge(self._stores, values, values, 2 * stores)
        self._charge(self._loads, rows, rows, 2 * loads, self._stages.values)
        return bound

    def _moment(
        self, piece: Piece, kind: PieceLemma[Any], data: Mapping[str, Any], share: int
    ) -> int:
        """The words of a moment, after charging its use."""
        fields = {name: value for name, value in data.items() if name in QUOTAS and self._staged}
        record = read(kind.record, {name: data[name] for name in data if name not in fields})
        halves = quotas(piece, read(Quotas, fields) if self._staged else Quotas(NOTHING, NOTHING))
        bound, through = kind.shows(piece, *self._game, record)
        first, last = self._stages.span(piece.vertices[record.first], piece.vertices)
        self._charge(self._stores, piece.vertices, piece.vertices, share * halves * through)
        self._charge(self._loads, first, last, share * (2 - halves) * through, piece.vertices)
        return bound

    def _charge_all(self, piece: Piece, share: int) -> None:
        """Charge all that values exceed by which are read in the piece."""
        values = piece.vertices[np.diff(piece.successors[0]) > 0]
        allowances = self._whole.words[values] * 2 * share
        costly = self._whole.price[values] == 2
        self._charge(self._stores, values[costly], values[costly], allowances[costly])
        self._charge(
            self._loads, self._stages.first[values], self._stages.last[values], allowances, values
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
            The charges so far, row by row.
        first, last
            (p,) the rows of each value that are charged; no row is one of two values.
        words
            (p,) half words, times the denominator.
        values
            (p,) whose rows they are; the rows themselves if None.
        """
        positive = np.flatnonzero(words)
        rows = ranges(first[positive], last[positive])
        owners = np.repeat(positive, last[positive] - first[positive] + 1)
        account[rows] += words[owners]
        owner = rows if values is None else values[owners]
        over = account[rows] > 2 * self.denominator * self._whole.words[owner]
        if over.any():
            vertex = int(owner[over][0])
            raise CertificateError("share", f"vertex {vertex} is used more than once in all")


def quotas(piece: Piece, record: Quotas) -> Int64Array:
    """(p,) how many halves of each value's words are charged to its stores."""
    costly: BoolArray = piece.price == 2
    halves = costly.astype(np.int64)
    for name, places, quota in (("stored", record.stored, 2), ("loaded", record.loaded, 0)):
        positions = rising(name, places, piece.size)
        if not costly[positions].all():
            raise CertificateError(name, "has an input or an output")
        halves[positions] = quota
    return halves


def _chosen(part: Mapping[str, Any], n: int) -> Int64Array:
    """The vertices of a part, rising: all `n` where it says "all"."""
    if isinstance(part["vertices"], str) and part["vertices"] == "all":
        return np.arange(n)
    return rising("vertices", integers(part, "vertices"), n)


PARTS, SHARES, STAGED_PARTS = (Lemma(record, words, theorems) for record in (Parts, Shares, Staged))
