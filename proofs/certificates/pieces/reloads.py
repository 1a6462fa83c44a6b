"""Loads after the first of fronts; they hold where values are computed again (P8).

Each front follows all of the one before it. With C the words that flow to it from the inputs that
were loaded before all of them, and K the most that values have in fast memory when it begins,
excess >= sum over the fronts of max(0, C - K).

The proof is P8 in docs/theory/pieces.md.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces.piece import ALL, BoolArray, Piece, PieceLemma, Shown
from proofs.certificates.pieces.set_wavefronts import common_ancestors, followers, require_front
from proofs.certificates.pieces.wavefronts import extra_words, require_flow, through_and_supply
from proofs.core.certificate import CertificateError
from proofs.core.records import Within

MOST_WINDOWS = 2**20


@dataclass(frozen=True)
class Window:
    """The front X of a window, rising vertices, and a flow into it along edges, rising places."""

    front: Int64Array
    edges: Int64Array
    amounts: Int64Array


@dataclass(frozen=True)
class Reloads:
    """Windows from front to front."""

    windows: Annotated[tuple[Window, ...], Within(entries=MOST_WINDOWS)]


def excess(piece: Piece, memory: int, rules: Rules, record: Reloads) -> Shown:
    """Return the excess that windows prove."""
    total = 0
    extra = extra_words(piece, rules)
    loaded, before = np.zeros(piece.size, np.bool_), np.zeros(0, np.int64)
    for number, window in enumerate(record.windows):
        below, first = followers(piece, require_front(piece, window.front))
        members = np.flatnonzero(first)
        common = common_ancestors(piece, members)
        if not common[before].all():
            raise CertificateError("front", f"{number} does not follow all of the one before")
        loaded = loaded if number else common & piece.is_input
        value = _value(piece, window, loaded, below)
        total += max(0, value - (memory - int(extra[members].min())))
        before = window.front
    return total, ALL


def _value(piece: Piece, window: Window, loaded: BoolArray, below: BoolArray) -> int:
    """Return how much flows from the inputs `loaded` to the front, past none of `below`."""
    nothing, reached = np.zeros(0, np.int64), np.zeros(piece.size, np.bool_)
    reached[window.front] = True
    require_flow(piece, "edges", window.edges, "amounts", window.amounts)
    through, supply = through_and_supply(piece, window.edges, window.amounts, nothing, nothing)
    if (through > np.where(below, 0, piece.words)).any():
        raise CertificateError("amounts", "more flows through a value than it has words")
    if supply[~(loaded | reached)].any():
        raise CertificateError("amounts", "flow begins or ends on the way")
    return sum(supply[loaded].tolist())


RELOADS = PieceLemma(Reloads, excess, ("P8",))
