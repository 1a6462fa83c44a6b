"""Fronts in the iterations of a program: where each line of updates along a loop begins or ends."""

from collections.abc import Iterator

import numpy as np

from dags.arrays import Int64Array
from dags.cdag.origin import Origin
from pebble import Rules
from proofs.bounds.pieces.cuts import Wavefronts
from proofs.certificates.pieces.piece import Piece

FRONTS = 3  # of a piece that are kept, the best ones

FrontScore = tuple[int, int, dict[str, object]]  # score, price, data of the certificate


def loop_fronts(origin: Origin, slot: Int64Array, piece: Piece) -> Iterator[Int64Array]:
    """Yield fronts of a piece: the ends of all lines of an assignment's updates along a loop.

    While the first of all chains of a sweep comes to its end, what the sweep reads has been
    computed, and nothing that a sweep back makes of it: all of it waits.

    Parameters
    ----------
    origin, slot
        The points of the DAG, and (n,) the iteration that each vertex is in.
    piece
        Some iterations.
    """
    made_by, slots = origin.made_by[piece.vertices], slot[piece.vertices]
    known: set[bytes] = set()
    for operator in np.unique(made_by[made_by >= 0]).tolist():
        for number in np.unique(slots).tolist():
            mine = np.flatnonzero((made_by == operator) & (slots == number) & ~piece.is_input)
            points = origin.points[piece.vertices[mine]].astype(np.int64)
            for loop in range(len(origin.operators[operator].variables)):
                for front in _ends(points, loop):
                    chosen = mine[front]
                    if chosen.size > 1 and chosen.tobytes() not in known:
                        known.add(chosen.tobytes())
                        yield chosen


def _ends(points: Int64Array, loop: int) -> Iterator[Int64Array]:
    """Yield, rising, the places of the least and of the greatest points of lines along a loop."""
    if not len(points) or np.ptp(points[:, loop]) == 0:
        return
    others = np.delete(points, loop, axis=1)
    order = np.lexsort((points[:, loop], *others.T))
    turns = np.flatnonzero(np.any(others[order][1:] != others[order][:-1], axis=1))
    yield np.sort(order[np.concatenate(([0], turns + 1))])
    yield np.sort(order[np.concatenate((turns, [order.size - 1]))])


def front_scores(piece: Piece, rules: Rules, fronts: list[Int64Array]) -> list[FrontScore]:
    """Return the best scores of fronts, the best first; with M words each proves score - price M.

    Parameters
    ----------
    piece, rules
        The game on a piece, with any memory.
    fronts
        (f,) vertices each.
    """
    search = Wavefronts(piece, rules)
    if not search.fit:
        return []
    scores = [
        (*search.score(front, price, 0), price) for front in fronts for price in search.prices
    ]
    found = [(score, price, data) for score, data, price in scores if score > 0]
    return sorted(found, key=lambda one: (-one[0], one[1]))[:FRONTS]
