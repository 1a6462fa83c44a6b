"""Flows of windows in whole numbers: the certificate of what is loaded again."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from proofs.bounds.windows.reload_program import Carried, Chain
from proofs.certificates.pieces.wavefronts import MAX_FLOW

FINEST = 1 << 20  # parts of a word

Window = dict[str, Any]


def certificate(chain: Chain, flows: Sequence[Carried]) -> dict[str, Any]:
    """Return the data of the certificate of some flows, as `reload_windows` reads it.

    Parameters
    ----------
    chain
        The moments.
    flows
        Of windows, several of them perhaps of one moment.
    """
    piece = chain.piece
    parts = MAX_FLOW // (4 * (piece.pred_indices.size + 1) * max(int(piece.words.sum()), 1))
    parts = min(FINEST, parts)
    loads = np.zeros((chain.vertices.size + 1, piece.size), np.int64)
    stores = np.zeros(piece.size, np.int64)
    through: dict[int, Int64Array] = defaultdict(lambda: np.zeros(piece.size, np.int64))
    windows: dict[int, list[Window]] = defaultdict(list)
    for carried in flows:
        span = carried.span
        edges = in_whole_numbers(chain, carried, parts)
        if not edges.any():
            continue
        carries = np.zeros(piece.size, np.int64)
        np.add.at(carries, chain.tails, edges)
        charged = carries.copy()
        charged[chain.operands(span.first)] = 0
        stored = np.minimum((parts * carried.stored).astype(np.int64), charged)
        through[span.first] += carries
        # Stage s of the chain begins at its vertex s - 1.
        loads[span.first + 1 : span.last + 1] += charged - stored
        stores += stored
        windows[span.first].append(_window(chain.end(span), edges, stored))
    words = piece.words
    most = max([parts, *(int((-(-account // words)).max()) for account in (*loads, stores))])
    moments = [
        {
            "vertex": int(chain.vertices[moment]),
            "price": _price(chain, moment, through[moment]),
            "windows": windows[moment],
        }
        for moment in sorted(windows)
    ]
    return {"chain": chain.vertices, "denominator": most, "moments": moments}


def _price(chain: Chain, moment: int, through: Int64Array) -> int:
    """Return the price at which what is red at a moment is known to carry least.

    Parameters
    ----------
    chain
        The moments.
    moment
        Which of them.
    through
        (n,) what goes through each value.
    """
    words, operands = chain.piece.words.copy(), chain.operands(moment)
    room = chain.room[moment] - words[operands].sum()
    words[operands] = 0
    some = np.flatnonzero(words * through)
    prices = -(-through[some] // words[some])
    some, prices = some[np.argsort(-prices)], -np.sort(-prices)
    full = np.searchsorted(np.cumsum(words[some]), room, side="right")
    return int(prices[full]) if full < some.size else 0


def _window(end: int, edges: Int64Array, stored: Int64Array) -> Window:
    """Return a window of the certificate."""
    used, some = np.flatnonzero(edges), np.flatnonzero(stored)
    flow = {"edges": used, "amounts": edges[used]}
    return {"end": end, **flow, "stored": some, "parts": stored[some]}


def in_whole_numbers(chain: Chain, carried: Carried, parts: int) -> Int64Array:
    """Return (m,) what flows along each edge, and on into targets, in so many parts of a word.

    As much flows into each value as out of it. What leaves values is rounded from the last one to
    the first, and what enters them is shared in proportion.

    Parameters
    ----------
    chain
        The moments.
    carried
        The flow.
    parts
        Parts of a word.
    """
    indptr, tails = chain.piece.pred_indptr, chain.tails
    below, targets = chain.below(carried.span.first), chain.targets(carried.span)
    ends = np.flatnonzero(targets[chain.heads] & ~below[tails])
    into = np.full(chain.piece.size, -1)
    into[tails[ends]] = ends  # an edge from each value into a target
    leaving = carried.through.copy()
    np.subtract.at(leaving, tails, carried.edges)
    flow = np.zeros(tails.size, np.int64)
    last = np.flatnonzero((into >= 0) & (leaving > 0))
    flow[into[last]] = np.rint(parts * leaving[last]).astype(np.int64)
    through = np.zeros(chain.piece.size, np.int64)
    np.add.at(through, tails, flow)
    for v in np.flatnonzero(carried.through > 0)[::-1].tolist():
        row = np.arange(indptr[v], indptr[v + 1])
        if not row.size or not through[v]:
            continue
        shares = carried.edges[row]
        if not shares.sum():
            continue
        some = np.floor(through[v] * shares / shares.sum()).astype(np.int64)
        some[shares.argmax()] += through[v] - some.sum()
        flow[row] = some
        np.add.at(through, tails[row], some)
    return flow
