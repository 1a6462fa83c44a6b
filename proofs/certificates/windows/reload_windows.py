"""Loads again in windows of a play; they hold where values are computed again (W7).

A window of x lasts from its first computation to that of a descendant, or to the end of the play. A
flow leads from inputs that are ancestors of x to the vertices computed in the window. The words
that it carries, of several windows less once those red when x is computed, are loaded again, and
are charged to stores and to the loads in stages between the vertices of a chain.

The proof is W7 in docs/theory/windows.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Game
from proofs.certificates.pieces.piece import BoolArray, Cutter
from proofs.certificates.pieces.wavefronts import (
    MAX_FLOW,
    extra_words,
    relatives,
    require_computed,
    require_flow,
    through_and_supply,
)
from proofs.core.records import CertificateError, Natural, Positive, Within, read, rising
from proofs.core.windows import Lemma

END = -1  # of a window that lasts to the end of the play
MOST_WINDOWS = 4096
MOST_VERTICES, MOST_STAGES = 4096, 256


@dataclass(frozen=True)
class Window:
    """The end y of a window, or -1 for that of the play, a flow, and the part paid by stores.

    The flow is along edges, rising places in the rows of predecessors; of rising values that are
    stored "parts" are charged to their stores.
    """

    end: Annotated[int, Within(END)]
    edges: Int64Array
    amounts: Int64Array
    stored: Int64Array
    parts: Int64Array


@dataclass(frozen=True)
class At:
    """A computed vertex x, the price, and its windows."""

    vertex: Natural
    price: Natural
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Moments:
    """The chain z, the denominator of all amounts, and moments, each as `At` has it."""

    chain: Int64Array
    denominator: Positive
    moments: tuple[Mapping[str, Any], ...]


def words(game: Game, record: Moments) -> int:
    """The words that moments prove together."""
    ledger = _Ledger(game, record)
    total = 0
    for number, moment in enumerate(record.moments):
        try:
            total += ledger.enter(read(At, moment))
        except CertificateError as error:
            raise CertificateError(f"moments {number}, {error.field}", error.message) from None
    return game.compulsory - (-total // record.denominator)


class _Ledger:
    """Words, times the denominator, that are charged to stores, and to loads in each stage."""

    def __init__(self, game: Game, record: Moments) -> None:
        dag = game.dag
        self._piece = Cutter(dag).whole()
        self._memory, self._extra = game.memory, extra_words(self._piece, game.rules)
        self.denominator = record.denominator
        # No account exceeds twice what is allowed before it is refused: that has to fit.
        limit = MAX_FLOW // (dag.m + 1)
        if self.denominator * int(dag.sizes.sum()) > limit:
            raise CertificateError("denominator", f"is {self.denominator}, too large to be checked")
        self._chain = self._checked_chain(dag, record.chain)
        self._stores = np.zeros(dag.n, np.int64)
        self._loads = np.zeros((self._chain.size + 1, dag.n), np.int64)
        self._windows = 0

    def _checked_chain(self, dag: CDAG, chain: Int64Array) -> Int64Array:
        """The chain, if each is an ancestor of the next one."""
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

    def enter(self, moment: At) -> int:
        """The words of a moment, times the denominator, after charging its use."""
        x, price = moment.vertex, moment.price
        if price > MAX_FLOW // int(self._piece.words.sum()):
            raise CertificateError("price", f"is {price}, too large to be checked")
        require_computed(self._piece, x)
        self._windows += len(moment.windows)
        if self._windows > MOST_WINDOWS:
            raise CertificateError("windows", f"are more than {MOST_WINDOWS}")
        above, below = relatives(self._piece, x)
        value, through = 0, np.zeros(self._piece.size, np.int64)
        for window in moment.windows:
            words, carried = self._window(x, above, below, window)
            value += words
            through += carried
            if (through > MAX_FLOW).any():
                raise CertificateError("amounts", "flow through a value is too large")
        return value - self._held(x, price, through)

    def _held(self, x: int, price: int, through: Int64Array) -> int:
        """The most flow through the values that are red while x is computed."""
        words = self._piece.words
        operands = self._operands(x)
        room = self._memory - int(self._extra[x]) - int(words[operands].sum())
        beyond = np.maximum(through - price * words, 0)
        beyond[operands] = through[operands]
        carried: list[int] = beyond.tolist()
        return price * room + sum(carried)

    def _operands(self, x: int) -> Int64Array:
        """The operands of x."""
        rows = self._piece.pred_indptr
        return self._piece.pred_indices[rows[x] : rows[x + 1]].astype(np.int64)

    def _window(
        self, x: int, above: BoolArray, below: BoolArray, window: Window
    ) -> tuple[int, Int64Array]:
        """The value of a window's flow and (n,) its words, after charging it."""
        end = window.end
        targets, late = below, np.zeros(below.size, np.bool_)
        if end != END:
            if end >= below.size or not below[end]:
                raise CertificateError("end", f"{end} is no descendant of {x}")
            before, late = relatives(self._piece, end)
            before[end] = True
            targets = below & before
        nothing = np.zeros(0, np.int64)
        flow = window.edges, window.amounts
        require_flow(self._piece, "edges", flow[0], "amounts", flow[1])
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

    def _stored(self, window: Window, charged: Int64Array) -> Int64Array:
        """(n,) the part of charges that the stores of each value pay."""
        charged_values, parts = rising("stored", window.stored, charged.size), window.parts
        if (
            parts.size != charged_values.size
            or (parts < 0).any()
            or (parts > charged[charged_values]).any()
        ):
            raise CertificateError("parts", "are not from nothing to all that is charged")
        if (self._piece.price[charged_values] != 2).any():
            raise CertificateError("stored", "has an input or an output")
        stored = np.zeros(charged.size, np.int64)
        stored[charged_values] = parts
        return stored

    def _charge(self, first: int, last: int, loads: Int64Array, stores: Int64Array) -> None:
        """Charge loads in the stages from first to last, and stores; refuse more than there are."""
        limit = self.denominator * self._piece.words
        self._loads[first : last + 1] += loads
        self._stores += stores
        for account in (*self._loads[first : last + 1], self._stores):
            if (account > limit).any():
                vertex = int((account > limit).argmax())
                raise CertificateError("amounts", f"vertex {vertex} is used more than once in all")


RELOADS = Lemma(Moments, words, lambda _: ("W7",))
