"""Checks forests, where the optimum is known: least spills of values that are read once.

Let every vertex of a piece (or of a DAG) have one reader at most, and all values one word. In a
play, cut the computed vertices that are loaded before their reader is computed: each was stored
and loaded. What hangs together then are trees; a leaf is a cut vertex, an input or a free source.
Let need(leaf) = 1 and, for v with operands u_1, ..., u_d in the order of falling needs,

    need(v) = max(d + 1, max over i of need(u_i) + i - 1)    (d in place of d + 1 if it slides).

**Each tree has need(root) <= M.** For every v there is a moment when need(v) pebbles are on the
tree below v (v included), and from which on until its reader is computed there is always at
least one: of a leaf, its last load or computation before that. Of v, let t_1 < ... < t_d be the
moments of its operands: at t_j one pebble at least is on the trees of each of the first j - 1, so
need(u) + j - 1 in all; one order of the operands at least has a largest such sum of no less than
the order of falling needs has; and when v is computed, d + 1 pebbles are there, or d. From each
of these moments on, some operand's tree keeps a pebble until v is computed, and v stays, for it is
not loaded.

**Fewest cuts.** From the leaves on, at each v cut operands, those of largest need first, until
need(v) <= M. By induction that cuts fewest below v, and among those ways need(v) is least: any
way with one cut more below v is no better than this one with v cut besides, which has need 1.

A cut vertex moves two words beyond the compulsory ones, or one if it is an output. Where all
outputs are roots, this is the optimum: play tree after tree, in the order of falling needs.

Source
------
R. Sethi and J. D. Ullman, The generation of optimal code for arithmetic expressions, 1970: one
tree; J. E. Savage, Models of Computation, 1998: a complete binary tree of 2^h leaves needs h + 2
pebbles. By the recurrence it moves 2^h + 1 + 2 (2^(h - M + 2) - 1) words if M < h + 2.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG
from pebble import Rules, compulsory_words
from proofs.certificates.pieces import _kernels
from proofs.certificates.pieces.piece import Cutter, Piece
from proofs.core.certificate import CertificateError
from proofs.core.fields import only
from proofs.lemmas.single_use import is_single_use


def is_forest(piece: Piece) -> bool:
    """Return whether every value is one word and has one reader at most."""
    readers = np.bincount(piece.pred_indices, minlength=piece.size)
    return bool(np.all(readers <= 1) and np.all(piece.words == 1))


def forest_excess(piece: Piece, memory: int, rules: Rules) -> int:
    """Return the least excess of a piece that is a forest.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    """
    spills = int(
        _kernels.least_spills(piece.pred_indptr, piece.pred_indices, memory, int(not rules.sliding))
    )
    readers = np.bincount(piece.pred_indices, minlength=piece.size)
    cheap = int(np.sum(piece.is_output & (readers > 0)))
    return 2 * spills - min(spills, cheap)


def excess(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess of a piece; nothing beside the piece is needed.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has no field.
    """
    only(data, ())
    if not is_forest(piece):
        raise CertificateError("proof", "holds only for forests of values of one word")
    return forest_excess(piece, memory, rules)


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that playing a whole forest takes, under any rules.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has no field.
    """
    if rules.recompute and not is_single_use(dag):
        raise CertificateError("rules", "some value has uses besides its one reader")
    return compulsory_words(dag) + excess(Cutter(dag).whole(), memory, rules, data)
