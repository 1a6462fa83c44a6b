"""Bounds proved for other games: of recognised DAGs, and of partial computation."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import PARTIAL, Budget, Game
from proofs.base import Bound, Finder, NotApplicableError
from proofs.certificates import Certificate
from proofs.certificates.maps import (
    HELD,
    RENUMBERED,
    SLIDING,
    THINNED,
    gained_words,
    held_operands,
    shared_words,
    thinned_dag,
    wrong_vertex,
)

FREE = frozenset({"compulsory"})  # kinds of certificates that name no vertex and no family


def as_generated(find: Finder) -> Finder:
    """A finder that proves as much of a recognised DAG as `find` does of a generator's.

    Its certificates hold the new numbers of all vertices: a checker needs to recognise nothing.
    """

    @wraps(find)
    def bound(game: Game, budget: Budget) -> Bound:
        recognised = game.dag.recognised
        if recognised is None:
            return find(game, budget)
        bound = find(Game(recognised.dag, game.machine, game.rules), budget)
        inner = bound.certificate
        if inner.kind in FREE:
            return bound
        vertex = recognised.vertex.astype("int64")
        data = {"vertex": vertex, "kind": inner.kind, "data": inner.data}
        return Bound(
            bound.method, game.memory, bound.io, bound.rules, Certificate(RENUMBERED, data)
        )

    return bound


def unless_program(find: Finder) -> Finder:
    """A finder that proves as much of a recognised DAG, unless it has points of its own."""
    generated = as_generated(find)

    @wraps(find)
    def bound(game: Game, budget: Budget) -> Bound:
        return (generated if game.dag.origin is None else find)(game, budget)

    return bound


def thinned(find: Finder, *, direct: bool = False) -> Finder:
    """A finder of bounds of partial computation, too, by those of other games.

    Under these rules it proves the words of sliding plays of a DAG with fewer edges
    (`proofs.certificates.maps`); where every vertex has one or two operands that is the DAG itself,
    otherwise some choices of two are tried, and the words of one-shot plays with some times the
    memory (`proofs.certificates.maps`).

    Parameters
    ----------
    find
        A finder for the other rules.
    direct
        Whether it proves something of these rules itself.
    """

    @wraps(find)
    def bound(game: Game, budget: Budget) -> Bound:
        if not game.rules.partial:
            return find(game, budget)
        ways = [partial(_by_fewer, kept=kept) for kept in _choices(game.dag)]
        ways += [partial(_by_itself)] if direct else []
        ways += [partial(_by_more_memory)] if held_operands(game.dag) is not None else []
        return max(_proofs(ways, find, game, budget), key=lambda bound: bound.io)

    return bound


def _proofs(
    ways: Sequence[Callable[..., Bound]], find: Finder, game: Game, budget: Budget
) -> list[Bound]:
    """The best bound of some ways.

    Raises
    ------
    NotApplicableError
        If nothing is, by any.
    """
    bounds: list[Bound] = []
    why: NotApplicableError | None = None
    for number, way in enumerate(ways):
        try:
            bounds.append(way(find, game, budget.share(1 / (len(ways) - number))))
        except NotApplicableError as error:
            why = error
    if not bounds and why is not None:
        raise why
    return bounds


def _by_itself(find: Finder, game: Game, budget: Budget) -> Bound:
    """The bound of partial computation itself."""
    return find(game, budget)


def _by_more_memory(find: Finder, game: Game, budget: Budget) -> Bound:
    """The bound by one-shot plays with some times the memory."""
    times = held_operands(game.dag)
    assert times is not None
    bound = find(Game.of(game.dag, times * game.memory), budget)
    data = {"kind": bound.certificate.kind, "data": bound.certificate.data}
    io = shared_words(game.dag, bound.io, times)
    return Bound(bound.method, game.memory, io, PARTIAL, Certificate(HELD, data))


def _by_fewer(find: Finder, game: Game, budget: Budget, *, kept: Int64Array | None) -> Bound:
    """The bound by the edges that are kept; all of them for None."""
    thin = game.dag if kept is None else thinned_dag(game.dag, kept)
    bound = find(Game.of(thin, game.memory, SLIDING), budget)
    io = max(bound.io + gained_words(game.dag, thin), 0)
    inner = bound.certificate
    data = {"kept": "all" if kept is None else kept, "kind": inner.kind, "data": inner.data}
    return Bound(bound.method, game.memory, io, PARTIAL, Certificate(THINNED, data))


def _choices(dag: CDAG) -> Iterator[Int64Array | None]:
    """Yield choices of edges that the theorem allows: None for all, or places in rows."""
    if wrong_vertex(dag, np.arange(dag.m)) is None:
        yield None
        return
    starts, ends = dag.pred_indptr[dag.computed], dag.pred_indptr[dag.computed + 1]
    pairs = (ends - 2, ends - 1), (starts, ends - 1), (starts, starts + 1)
    seen: list[Int64Array] = []
    for first, second in pairs:
        kept = _fitting(dag, np.maximum(first, starts), np.minimum(second, ends - 1))
        if not any(np.array_equal(kept, earlier) for earlier in seen):
            seen.append(kept)
            yield kept


def _fitting(dag: CDAG, first: Int64Array, second: Int64Array) -> Int64Array:
    """Two edges into each computed vertex, or one where two do not fit its size."""
    if dag.words is not None:
        operands = np.maximum(*(dag.words[dag.pred_indices[choice]] for choice in (first, second)))
        first = np.where(operands > dag.words[dag.computed], second, first)
    return np.unique(np.concatenate((first, second)))
