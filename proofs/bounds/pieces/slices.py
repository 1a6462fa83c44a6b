"""Sums of wavefronts over ranges of the outer loops of a program."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.cdag.origin import Origin
from dags.work import Kept
from pebble import Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method, require_one_shot
from proofs.bounds.pieces.cuts import Score, Wavefronts, best_excess, widest_scores
from proofs.bounds.pieces.packing import ExactShares, Inequality, Packed, exact_shares, form
from proofs.bounds.pieces.packing.linear_program import best_shares
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.pieces.ledger import PLAIN
from proofs.certificates.pieces.piece import Cutter, Piece

SECONDS = 20.0  # unless a limit is given
DEEPEST = 2  # loops whose iterations are slots
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16)  # slots of a run, besides all of them
MOST_SLOTS = 400  # of a layout
MOST_PIECE = 4000  # vertices of a piece
LONGEST_FRONTS = 3  # slots of a range that is searched for fronts

# What waits in pieces of one form: it does not depend on the memory.
_known: WeakKeyDictionary[CDAG, Kept] = WeakKeyDictionary()


@bound_method
@thinned
def slices(game: Game, budget: Budget) -> Bound:
    """Lower bound by the wavefronts of ranges of iterations of a program's outer loops.

    The iterations of an outer loop, or of the first two, follow each other. Each range of them has
    a widest wavefront; ranges overlap, and share the values that wait in several of them: a linear
    program says how (`proofs.certificates.pieces.ledger` has the theorem). For programs in which
    each iteration of an outer loop reduces and spreads the result of the one before, as Levinson
    and Durbin's, or solvers by iteration. Sweeps to and fro, as in alternating directions, have
    fronts besides: values that wait while the first chain of a sweep ends (`loop_fronts`).

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If values may be computed again, or the DAG has no origin.

    Examples
    --------
    >>> from dags import load
    >>> slices(load("polybench/durbin:N=12"), 4).io > 31
    True
    """
    require_one_shot("slices", game.rules)
    dag = game.dag
    if dag.origin is None:
        raise NotApplicableError(f"{dag!r} has no points of a program")
    budget, words = budget.limited(SECONDS), prices(dag)
    search = Ranges(game, budget.share(1 / 3))
    fronts = search.fronts(slots_of_loops(dag, dag.origin, 1, inside=True))
    best = shared(fronts, words)
    ways = list(layouts_by_loops(dag, dag.origin))
    for number, slot in enumerate(ways):
        search.budget = budget.share(1 / (len(ways) - number))
        part = shared([*fronts, *search.inequalities(slot)], words)
        best = max(best, part, key=lambda solution: solution.words / solution.denominator)
    io, certificate = -(-best.words // best.denominator), Certificate("shares", certified(best))
    return Bound("slices", game.memory, game.compulsory + io, game.rules, certificate)


def prices(dag: CDAG) -> Int64Array:
    """(n,) the words that each value exceeds by if it leaves fast memory and comes back."""
    budget = 2 * dag.sizes
    budget[dag.inputs] = dag.sizes[dag.inputs]
    budget[dag.outputs] = dag.sizes[dag.outputs]
    return budget


def shared(inequalities: list[Inequality], budget: Int64Array) -> ExactShares:
    """The shares in which inequalities prove most together."""
    if not inequalities:
        return ExactShares(1, 0, (), ())
    words, shares, _ = best_shares(inequalities, budget)
    positive = np.flatnonzero(shares)
    chosen = tuple(inequalities[place] for place in positive)
    return exact_shares(Packed(words, chosen, shares[positive]), budget)


def certified(shares: ExactShares) -> dict[str, Any]:
    """The data of the certificate of shares."""
    parts = []
    for inequality, share in zip(shares.inequalities, shares.numerators, strict=True):
        if share:
            vertices, proof, data = inequality.part()
            parts.append({"vertices": vertices, "share": share, "proof": proof, "data": data})
    return {"denominator": shares.denominator, "parts": parts}


class Ranges:
    """Looks for wavefronts in ranges of iterations of one DAG, within a budget."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.memory = game.memory
        self.rules = game.rules
        self.budget = budget
        self.cutter = Cutter(game.dag)
        self.origin = game.dag.origin
        self.known = _known.setdefault(game.dag, Kept())

    def scores(self, piece: Piece) -> list[Score] | None:
        """The widest wavefronts of a piece, for any memory; None if it is too late."""
        key = self.rules, form(piece)
        budget = self.budget
        if budget.over:
            return None
        find = partial(widest_scores, piece, self.rules, budget)
        return self.known.get(key, find, budget.left, lambda: budget.left > 0)

    def inequalities(self, slot: Int64Array) -> list[Inequality]:
        """The bound by the widest wavefront of each range.

        Parameters
        ----------
        slot
            (n,) the iteration of each vertex.
        """
        inequalities: list[Inequality] = []
        several = [length for length in LENGTHS if length <= slot.max()]
        for length in [*several, int(slot.max()) + 1]:
            alike = [
                bound
                for range_ in ranges_of(slot, [length])
                if (bound := self._of(range_, inequalities))
            ]
            inequalities += alike
            later = {v for bound in alike for v in bound.vertices[1:].tolist()}
            inequalities += [
                shortened for bound in alike if (shortened := self._apart(bound, later))
            ]
        return inequalities

    def fronts(self, slot: Int64Array) -> list[Inequality]:
        """The bound by the best fronts of each range of a few iterations.

        Parameters
        ----------
        slot
            (n,) the iteration of each vertex.
        """
        inequalities: list[Inequality] = []
        for vertices in ranges_of(slot, range(1, LONGEST_FRONTS + 1)):
            if inequalities and self.budget.over:
                break
            if self.memory < vertices.size <= MOST_PIECE:
                piece = self.cutter.cut(vertices)
                for score, price, data in self._front_scores(slot, piece):
                    if score > price * self.memory:
                        inequalities.append(self._inequality(piece, "front-moment", data))
        return inequalities

    def _front_scores(self, slot: Int64Array, piece: Piece) -> list[Score]:
        """The best fronts of a piece; those of equal pieces are looked for once."""
        assert self.origin is not None
        fronts = list(loop_fronts(self.origin, slot, piece))
        digest = b"".join(front.tobytes() + b"|" for front in fronts)
        key = self.rules, form(piece) + b"fronts" + digest
        find = partial(front_scores, piece, self.rules, fronts)
        return self.known.get(key, find, inf, lambda: True)

    def _of(self, vertices: Int64Array, inequalities: list[Inequality]) -> Inequality | None:
        """The bound by the widest wavefront of some vertices; None if nothing, or late."""
        if inequalities and self.budget.over:
            return None
        if not self.memory < vertices.size <= MOST_PIECE:
            return None
        piece = self.cutter.cut(vertices)
        best = best_excess(self.scores(piece) or (), self.memory)
        return None if best is None else self._inequality(piece, "moment", best[1])

    def _apart(self, bound: Inequality, later: set[int]) -> Inequality | None:
        """The bound without the first value, if another range uses it later."""
        first = next(iter(bound.vertices.tolist()), None)  # none where all words go back and forth
        if first not in later:
            return None
        vertices = bound.part()[0]
        return self._of(vertices[vertices != first], [bound])

    def _inequality(self, piece: Piece, kind: str, data: dict[str, object]) -> Inequality:
        """The bound by a moment of a piece, and the values that it uses."""
        bound, through = PLAIN[kind].shown(piece, self.memory, self.rules, data)
        flowing = np.flatnonzero(through)
        part = piece.vertices, kind, data
        return Inequality(piece.vertices[flowing], through[flowing], bound, lambda: part)


def ranges_of(slot: Int64Array, lengths: Sequence[int]) -> Iterator[Int64Array]:
    """Yield the vertices of ranges of slots, rising; the shortest ranges first.

    Ranges longer than there are slots are left out.
    """
    order = np.argsort(slot, kind="stable")
    begin = np.searchsorted(slot[order], np.arange(slot.max() + 2))
    slots = begin.size - 1
    for length in lengths:
        for a in range(slots - length + 1):
            yield np.sort(order[begin[a] : begin[a + length]])


def layouts_by_loops(dag: CDAG, origin: Origin) -> Iterator[Int64Array]:
    """Yield (n,) slots: iterations of the outer loop, and of the first two loops."""
    last = 0
    for depth in range(1, DEEPEST + 1):
        slot = slots_of_loops(dag, origin, depth)
        slots = int(slot.max()) + 1
        if last < slots <= MOST_SLOTS:
            yield slot
        last = slots


def slots_of_loops(dag: CDAG, origin: Origin, depth: int, *, inside: bool = False) -> Int64Array:
    """(n,) the iteration of the first `depth` loops that each vertex is in.

    Iterations are numbered as they begin; an input is where it is read first.

    Parameters
    ----------
    dag, origin
        The DAG, and its points.
    depth
        Loops whose iterations are slots.
    inside
        Whether bodies directly inside of these loops, one after the other, are slots of their own.
    """
    key = np.zeros((dag.n, depth + 2), np.int64)
    for number, operator in enumerate(origin.operators):
        is_own, around = origin.made_by == number, operator.loops[:depth]
        key[is_own, 0] = around[0] if around else -1 - number
        key[is_own, 1 : len(around) + 1] = origin.points[is_own, : len(around)]
        if inside:
            key[is_own, -1] = (*operator.loops, -1 - operator.statement)[len(around)]
    place = np.arange(dag.n)
    first = np.full(dag.n, dag.n - 1, np.int64)
    np.minimum.at(first, dag.pred_indices, np.repeat(place, np.diff(dag.pred_indptr)))
    place[dag.inputs] = first[dag.inputs]
    distinct = np.unique(key[place], axis=0, return_index=True, return_inverse=True)
    begin, iteration = distinct[1], distinct[2].reshape(-1)
    rank = np.empty(begin.size, np.int64)
    rank[np.argsort(begin, kind="stable")] = np.arange(begin.size)
    slot: Int64Array = rank[iteration]
    return slot


FRONTS = 3  # of a piece that are kept, the best ones

FrontScore = tuple[int, int, dict[str, object]]  # score, price, data of the certificate


def loop_fronts(origin: Origin, slot: Int64Array, piece: Piece) -> Iterator[Int64Array]:
    """Yield fronts of a piece: the ends of all lines of an assignment's updates along a loop.

    While the first of all chains of a sweep comes to its end, the operands of the sweep have been
    computed, and no value that a sweep back makes of them: all of them wait.

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
            own_updates = np.flatnonzero(
                (made_by == operator) & (slots == number) & ~piece.is_input
            )
            points = origin.points[piece.vertices[own_updates]].astype(np.int64)
            for loop in range(len(origin.operators[operator].variables)):
                for front in _ends(points, loop):
                    chosen = own_updates[front]
                    if chosen.size > 1 and chosen.tobytes() not in known:
                        known.add(chosen.tobytes())
                        yield chosen


def _ends(points: Int64Array, loop: int) -> Iterator[Int64Array]:
    """Yield, rising, the places of the least and of the greatest points of lines along a loop."""
    if not len(points) or np.ptp(points[:, loop]) == 0:
        return
    coordinates = np.delete(points, loop, axis=1)
    order = np.lexsort((points[:, loop], *coordinates.T))
    turns = np.flatnonzero(np.any(coordinates[order][1:] != coordinates[order][:-1], axis=1))
    yield np.sort(order[np.concatenate(([0], turns + 1))])
    yield np.sort(order[np.concatenate((turns, [order.size - 1]))])


def front_scores(piece: Piece, rules: Rules, fronts: list[Int64Array]) -> list[FrontScore]:
    """The best scores of fronts, the best first; with M words each proves score - price M.

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
    scores_kept = [(score, price, data) for score, data, price in scores if score > 0]
    return sorted(scores_kept, key=lambda score: (-score[0], score[1]))[:FRONTS]
