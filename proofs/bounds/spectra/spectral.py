"""Bounds from the eigenvalues of weighted Laplacians."""

import time
from operator import itemgetter
from typing import Any

import numpy as np

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs.base import Bound, require_one_shot
from proofs.bounds.pieces.packing.pieces import form
from proofs.bounds.pieces.vertex_blocks import Blocks, divisions
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.spectra import Proof, spectral_excess
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 60.0  # unless a limit is given, and for large DAGs besides:
PACE = 500  # vertices a second
WHOLE = 12_000  # vertices up to which a DAG is not cut
BLOCK = 8_000  # vertices of a block of a larger one, at most


@thinned
def spectral(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound by the least eigenvalues of weighted Laplacians.

    However the vertices are ordered, segments of the order read from each other, and the
    eigenvalues of a Laplacian say how much at least; the weights on values and their readers are
    chosen such that this is much. It is strong where every set of vertices has many neighbours:
    on hypercubes, on grids of three and more dimensions; weak on butterflies and trees.
    `proofs.certificates.spectra.spectral` has the theorem.

    A DAG of more than `WHOLE` vertices is cut into blocks, whose excesses add up; blocks that
    look the same are searched once.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If values may be computed again.

    Examples
    --------
    >>> from dags import hypercube
    >>> spectral(hypercube(6), 7).io > 12
    True
    """
    require_one_shot("spectral", rules)
    known = nothing_to_prove("spectral", dag, memory, rules)
    if known is not None:
        return known
    limit = SECONDS + dag.n / PACE if time_limit is None else time_limit
    found = _found(dag, memory, rules, seed, time.monotonic() + limit)
    io = compulsory_words(dag) + sum(excess for _, (excess, _, _) in found)
    parts = [
        {"vertices": _named(piece, dag), "proof": kind, "data": data}
        for piece, (_, kind, data) in found
    ]
    return Bound("spectral", memory, io, rules, Certificate("parts", {"parts": parts}))


def _found(
    dag: CDAG, memory: int, rules: Rules, seed: int, end: float
) -> list[tuple[Piece, Proof]]:
    """Return the blocks that exceed the compulsory, with proofs; alike blocks share one."""
    found: list[tuple[Piece, Proof]] = []
    groups = _groups(dag, (2 * time.monotonic() + end) / 3)
    # The most frequent first: what time is left is shared equally by the others.
    for number, group in enumerate(sorted(groups, key=len, reverse=True)):
        left = max(end - time.monotonic(), 0) / (len(groups) - number)
        if number and not left:
            break
        proof = spectral_excess(group[0], memory, rules, left, seed=seed)
        if proof is not None:
            found += [(piece, proof) for piece in group]
    return found


def _groups(dag: CDAG, end: float) -> list[list[Piece]]:
    """Return the whole, or blocks that cut few edges and are much alike, alike ones together.

    After `end` no further division is tried.
    """
    cutter = Cutter(dag)
    if dag.n <= WHOLE:
        return [[cutter.whole()]]
    best: tuple[float, list[list[Piece]]] = (np.inf, [])
    for blocks in divisions(dag, BLOCK):
        groups: dict[bytes, list[Piece]] = {}
        for block in blocks:
            piece = cutter.cut(block)
            groups.setdefault(form(piece), []).append(piece)
        cost = _cut_edges(dag, blocks) * (1 + len(groups) / len(blocks))
        best = min(best, (cost, list(groups.values())), key=itemgetter(0))
        if time.monotonic() > end:
            break
    return best[1]


def _cut_edges(dag: CDAG, blocks: Blocks) -> int:
    """Return the number of edges between different blocks."""
    number = np.empty(dag.n, np.int64)
    for i, block in enumerate(blocks):
        number[block] = i
    heads = np.repeat(number, dag.indegree)
    return int((heads != number[dag.pred_indices]).sum())


def _named(piece: Piece, dag: CDAG) -> Any:
    """Return how a certificate names the piece's vertices."""
    return "all" if piece.size == dag.n else piece.vertices
