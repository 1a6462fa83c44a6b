"""Bounds from words loaded again in windows of a play, where values are computed again."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.pieces.cuts.vertex_network import VertexNetwork
from proofs.bounds.room_for_all import compulsory_bound, nothing_to_prove
from proofs.bounds.thinned import as_generated
from proofs.bounds.windows.reload_program import Carried, Chain, ReloadProgram, Solved, Span
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.pieces.piece import Cutter, Piece
from proofs.certificates.pieces.wavefronts import MAX_FLOW, extra_words, relatives
from proofs.certificates.windows.reload_windows import MOST_VERTICES, RELOADS

FINEST = 1 << 20  # parts of a word

Window = dict[str, Any]
FLOWS = 200_000  # edges of all flows that tell what moments are worth then
ROWS = 3000  # of the largest program, unless a limit of time is given
POINTS = 2, 4, 6, 10, 16, 24, 36, 54, 81  # moments of a chain, of one program after the other
ROUNDS = 2  # programs of a chain: what lacks most in one is in the next
IDLE = 2  # chains one after the other that prove no more than those before
FEW = 8  # windows that are added at once, or as many as there are moments
GAIN = 0.5  # words that are worth another chain
SLIGHT = 1e-6  # what lacks, or flows, and is nothing
LEAST = 1e-3  # what a vertex on the way of a chain is worth at least, in words


def certificate(chain: Chain, flows: Sequence[Carried]) -> dict[str, Any]:
    """The data of the certificate of some flows, as `reload_windows` reads it.

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
    limit = max([parts, *(int((-(-account // words)).max()) for account in (*loads, stores))])
    moments = [
        {
            "vertex": int(chain.vertices[moment]),
            "price": _price(chain, moment, through[moment]),
            "windows": windows[moment],
        }
        for moment in sorted(windows)
    ]
    return {"chain": chain.vertices, "denominator": limit, "moments": moments}


def _price(chain: Chain, moment: int, through: Int64Array) -> int:
    """The price at which red values at a moment are known to carry least.

    Parameters
    ----------
    chain
        The moments.
    moment
        Which of them.
    through
        (n,) the flow through each value.
    """
    words, operands = chain.piece.words.copy(), chain.operands(moment)
    room = chain.room[moment] - words[operands].sum()
    words[operands] = 0
    carrying = np.flatnonzero(words * through)
    prices = -(-through[carrying] // words[carrying])
    carrying, prices = carrying[np.argsort(-prices)], -np.sort(-prices)
    full = np.searchsorted(np.cumsum(words[carrying]), room, side="right")
    return int(prices[full]) if full < carrying.size else 0


def _window(end: int, edges: Int64Array, stored: Int64Array) -> Window:
    """A window of the certificate."""
    used, nonzero = np.flatnonzero(edges), np.flatnonzero(stored)
    flow = {"edges": used, "amounts": edges[used]}
    return {"end": end, **flow, "stored": nonzero, "parts": stored[nonzero]}


def in_whole_numbers(chain: Chain, carried: Carried, parts: int) -> Int64Array:
    """(m,) the flow along each edge, and on into targets, in so many parts of a word.

    As much flows into each value as out of it. Flows out of values are rounded from the last one to
    the first, and flows into them are shared in proportion.

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
        shares_down = np.floor(through[v] * shares / shares.sum()).astype(np.int64)
        shares_down[shares.argmax()] += through[v] - shares_down.sum()
        flow[row] = shares_down
        np.add.at(through, tails[row], shares_down)
    return flow


@bound_method
@as_generated
def reload_windows(game: Game, budget: Budget) -> Bound:
    """Lower bound by words loaded again in windows of a play, also if it computes again.

    When a vertex is computed for the first time, all that is computed later comes from values that
    are red then, or are loaded later: a minimum cut says how many. Windows that begin and end with
    vertices of a chain share the values red when they begin, and a linear program weighs their
    flows (`proofs.certificates.windows.reload_windows`).

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If values are computed once, for which `decomposition` proves more, or partly; or the DAG
        has more than `MOST_VERTICES` vertices, or too many words to be added.

    Examples
    --------
    >>> from dags import conjugate_gradient
    >>> from pebble import rules_named
    >>> reload_windows(conjugate_gradient((4,), 2), 8, rules=rules_named("recompute")).io
    34
    """
    dag, memory, rules = game.dag, game.memory, game.rules
    if not rules.recompute or rules.partial:
        raise NotApplicableError("values are computed once: decomposition proves more")
    if dag.n > MOST_VERTICES or int(dag.sizes.sum()) > MAX_FLOW // (8 * (dag.m + 1)):
        raise NotApplicableError(f"{dag!r} has too many vertices or words")
    known = nothing_to_prove("reload-windows", game)
    if known is not None:
        return known
    best = compulsory_bound("reload-windows", game)
    for certificate in _found(game, budget):
        words = _words(game, certificate)
        if words > best.io:
            best = Bound("reload-windows", memory, words, rules, certificate)
    return best


def _words(game: Game, certificate: Certificate) -> int:
    """The bound of a certificate; nothing where numbers were too large."""
    try:
        return RELOADS.words(game, certificate.data)
    except CertificateError:
        return 0


def _found(game: Game, budget: Budget) -> Iterator[Certificate]:
    """Yield certificates, of more and more moments, as long as there is time."""
    piece = Cutter(game.dag).whole()
    worths = _worths(piece, game.memory, game.rules, budget.share(1 / 4))
    way = _way(piece, worths)
    chosen, known = np.zeros(0, np.int64), set[tuple[int, int]]()
    pace = 0.0  # seconds of a row, of the last program
    proved, idle = 0.0, 0
    for points in POINTS:
        if chosen.size == way.size or idle == IDLE:
            return
        idle += 1
        chosen = np.union1d(chosen, _some(way, worths, points))
        chain = Chain(piece, game.memory, game.rules, chosen)
        spans = _spans(chain, known)
        for _ in range(ROUNDS):
            program = ReloadProgram(chain, spans)
            start = budget.used
            endless = budget.seconds is None
            if pace * program.size > budget.left or (endless and program.size > ROWS):
                return
            solved = program.solved(budget)
            if solved is None:
                return
            pace = (budget.used - start) / program.size
            yield Certificate("reload-windows", certificate(chain, solved.flows))
            idle = 0 if solved.words > proved + GAIN else idle
            proved = max(proved, solved.words)
            used = [flow.span for flow in solved.flows if flow.through.sum() > SLIGHT]
            known = {(int(chosen[span.first]), chain.end(span)) for span in used}
            short = _short(chain, solved, spans)
            if not short:
                break
            spans = sorted({*_steps(chain), *used, *short}, key=lambda s: (s.first, s.last))


def _steps(chain: Chain) -> list[Span]:
    """The windows from each moment to the next."""
    return [Span(first, first + 1) for first in range(chain.vertices.size)]


def _spans(chain: Chain, known: set[tuple[int, int]]) -> list[Span]:
    """Windows to begin with: short ones, those to the end of the play, and known ones.

    Parameters
    ----------
    chain
        The moments.
    known
        Vertices at which windows begin and end.
    """
    moments = chain.vertices.size
    all_spans = [Span(a, b) for a in range(moments) for b in range(a + 1, moments + 1)]
    kept = [
        span for span in all_spans if (int(chain.vertices[span.first]), chain.end(span)) in known
    ]
    first = [span for span in all_spans if span.last - span.first <= 2 or span.last == moments]
    return sorted({*_steps(chain), *(kept or first)}, key=lambda s: (s.first, s.last))


def _short(chain: Chain, solved: Solved, spans: list[Span]) -> list[Span]:
    """The other windows that lack most in a solution."""
    moments, known = chain.vertices.size, set(spans)
    shortages = [
        (solved.shortage(chain, span), span)
        for first in range(moments)
        for last in range(first + 1, moments + 1)
        if (span := Span(first, last)) not in known
    ]
    shortages.sort(key=lambda shortage: -shortage[0])
    return [span for lack, span in shortages[: max(FEW, moments)] if lack > SLIGHT]


def _worths(piece: Piece, memory: int, rules: Rules, budget: Budget) -> Int64Array:
    """(n,) the words that are loaded after each vertex is computed first, at least.

    Those that are not looked at in time, or because they are too many where there is no limit, get
    none.
    """
    worths = np.zeros(piece.size, np.int64)
    network, extra = VertexNetwork(piece), extra_words(piece, rules)
    computed = np.flatnonzero(np.diff(piece.pred_indptr) > 0)
    np.random.default_rng(0).shuffle(computed)  # so that any few are from all over the DAG
    if budget.seconds is None:
        computed = computed[: FLOWS // (piece.pred_indices.size + 1)]
    for x in computed.tolist():
        if budget.over:
            break
        above, below = relatives(piece, x)
        operands = piece.pred_indices[piece.pred_indptr[x] : piece.pred_indptr[x + 1]]
        capacity = np.where(below, 0, piece.words)
        capacity[operands] = 0  # these are red, and take room
        room = memory - int(extra[x]) - int(piece.words[operands].sum())
        words = network.greatest(above & piece.is_input, below, capacity, back=False)
        worths[x] = max(0, words - room)
    return worths


def _way(piece: Piece, worths: Int64Array) -> Int64Array:
    """The vertices that are worth something on the way that is worth most, rising."""
    total, before = np.zeros(piece.size), np.full(piece.size, -1)
    for v in np.flatnonzero(np.diff(piece.pred_indptr)).tolist():
        row = piece.pred_indices[piece.pred_indptr[v] : piece.pred_indptr[v + 1]]
        u = int(row[total[row].argmax()])
        before[v] = u
        total[v] = total[u] + worths[v] + LEAST
    way = [int(total.argmax())] if worths.any() else []
    while way and before[way[-1]] >= 0:
        way.append(int(before[way[-1]]))
    vertices = np.array(way[::-1], np.int64)
    return vertices[worths[vertices] > 0]


def _some(vertices: Int64Array, worths: Int64Array, limit: int) -> Int64Array:
    """Return some of `vertices`, evenly spread: of each part those that are worth most."""
    parts = np.array_split(vertices, min(limit, vertices.size))
    return np.array([part[worths[part].argmax()] for part in parts], np.int64)
