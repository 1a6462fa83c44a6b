"""Sums over moments and pieces that share the values of a DAG."""

import math
from operator import itemgetter
from typing import Any

from pebble import Budget, Game
from proofs.base import Bound, bound_method, require_one_shot
from proofs.bounds.pieces.chains import all_readers
from proofs.bounds.pieces.cuts import wavefront_excess
from proofs.bounds.pieces.packing import (
    ExactShares,
    Inequality,
    Packed,
    PieceBound,
    exact_shares,
    form,
    pack,
    piece_inequalities,
)
from proofs.bounds.pieces.piece_proofs import fronts_of_levels
from proofs.bounds.pieces.staged import Staged
from proofs.bounds.pieces.vertex_blocks import Blocks, divisions
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.thinned import as_generated, thinned
from proofs.certificates import Certificate
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 30.0  # unless a limit is given
WHOLE = 1200  # vertices up to which a DAG is one block
TRIED = 3  # blocks of a partition that say how good it is
BLOCK_SIZES = (600, 2400)  # vertices of a block of a larger one, about
PIECE_BOUNDS = (PieceBound(wavefront_excess),)  # what proves something about whole pieces


@bound_method
@thinned
@as_generated
def decomposition(game: Game, budget: Budget) -> Bound:
    """Lower bound by many moments that share the excess of values.

    Different values wait at different moments. Around each vertex x a flow shows which values wait
    while x is computed; flows around many vertices share the values, and a linear program says how.
    This contains the sum of wavefronts over disjoint pieces. In a DAG of up to `WHOLE` vertices a
    value that waits, is read and waits again counts again: `proofs.certificates.pieces.ledger` has
    the theorem. Where time is left, all moments are tried together, of each two of which one is
    before the other (`proofs.certificates.pieces.orders`).

    A DAG of more than `WHOLE` vertices is cut into blocks, and blocks that look the same are
    searched once.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If values may be computed again.

    Examples
    --------
    >>> from dags import grid
    >>> decomposition(grid((6, 6)), 4).io
    13
    """
    require_one_shot("decomposition", game.rules)
    known = nothing_to_prove("decomposition", game)
    if known is not None:
        return known
    budget = budget.limited(SECONDS)
    if game.dag.n <= WHOLE:
        io, certificate = _staged(game, budget)
        return Bound("decomposition", game.memory, io, game.rules, certificate)
    packed = _packed(game, budget)
    denominator = math.lcm(*(shares.denominator for _, shares in packed))
    parts = [
        _part(piece, inequality, numerator * (denominator // shares.denominator))
        for piece, shares in packed
        for inequality, numerator in zip(shares.inequalities, shares.numerators, strict=True)
        if numerator
    ]
    proved = sum(shares.words * (denominator // shares.denominator) for _, shares in packed)
    io = game.compulsory - (-proved // denominator)
    certificate = Certificate("shares", {"denominator": denominator, "parts": parts})
    return Bound("decomposition", game.memory, io, game.rules, certificate)


def _staged(game: Game, budget: Budget) -> tuple[int, Certificate]:
    """The bound by moments of the whole DAG that share stores, and loads in each stage."""
    first, played = budget.share(1 / 4), (game.memory, game.rules)
    staged = Staged(game.dag, all_readers(game.dag))
    widest = wavefront_excess(staged.whole, *played, first)
    proofs = [] if widest is None else [widest]
    proofs += fronts_of_levels(staged.whole, *played, first)
    inequalities = [
        inequality
        for proof in proofs
        for inequality in staged.inequality(staged.whole, *played, proof)
    ]
    return staged.packed(*played, inequalities, budget)


def _packed(game: Game, budget: Budget) -> list[tuple[Piece, ExactShares]]:
    """The blocks of the DAG with the findings on each; equal blocks are searched once."""
    cutter = Cutter(game.dag)
    blocks = _blocks(cutter, game, budget.share(1 / 3))
    groups: dict[bytes, list[Piece]] = {}
    for block in blocks:
        groups.setdefault(form(block), []).append(block)
    packed: list[tuple[Piece, ExactShares]] = []
    # The most frequent first: what time is left is shared equally by the others.
    for number, group in enumerate(sorted(groups.values(), key=len, reverse=True)):
        if number and budget.over:
            break
        findings = _search(cutter, group[0], game, budget.share(1 / (len(groups) - number)))
        shares = exact_shares(findings, group[0].price * group[0].words)
        packed += [(alike, shares) for alike in group]
    return packed


def _search(cutter: Cutter, block: Piece, game: Game, budget: Budget) -> Packed:
    """The findings on one block: bounds on pieces of it, and moments."""
    played = block, game.memory, game.rules
    inequalities = tuple(piece_inequalities(PIECE_BOUNDS, cutter, *played, budget.share(1 / 4)))
    return pack(*played, given=inequalities, budget=budget)


def _blocks(cutter: Cutter, game: Game, budget: Budget) -> list[Piece]:
    """The whole, or the partition of which a few blocks prove most per vertex."""
    if cutter.dag.n <= WHOLE:
        return [cutter.whole()]
    best: tuple[float, Blocks] = (0.0, [])
    for size in BLOCK_SIZES:
        for blocks in divisions(cutter.dag, size):
            sample = blocks[len(blocks) // (2 * TRIED) :: max(1, len(blocks) // TRIED)][:TRIED]
            pieces = [cutter.cut(block) for block in sample]
            share = 1 / (2 * TRIED)
            words = sum(
                pack(piece, game.memory, game.rules, budget=budget.share(share)).words
                for piece in pieces
            )
            best = max(best, (words / sum(map(len, sample)), blocks), key=itemgetter(0))
            if budget.over and best[1]:
                return [cutter.cut(block) for block in best[1]]
    return [cutter.cut(block) for block in best[1]]


def _part(block: Piece, inequality: Inequality, share: int) -> dict[str, Any]:
    """The part of the certificate that is an inequality on a block."""
    vertices, proof, data = inequality.part()
    return {
        "vertices": block.vertices[vertices],
        "share": share,
        "proof": proof,
        "data": data,
    }
