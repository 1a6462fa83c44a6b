"""Bounds of partial computation, proved by every method for another game."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from typing import Any, TypeVar, cast

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import ONE_SHOT, PARTIAL, Rules
from proofs.base import Bound, NotApplicableError
from proofs.certificates import Certificate
from proofs.certificates.maps import (
    HELD,
    SLIDING,
    THINNED,
    gained_words,
    held_operands,
    shared_words,
    thinned_dag,
    wrong_vertex,
)

Method = TypeVar("Method", bound=Callable[..., Bound])


def thinned(method: Method, *, direct: bool = False) -> Method:
    """Return a method that proves bounds of partial computation, too, by those of other games.

    Under these rules it proves what sliding plays of a DAG with fewer edges need
    (`proofs.certificates.maps`); where every vertex has one or two operands that is the DAG
    itself, otherwise some choices of two are tried, and what one-shot plays with some times the
    memory need (`proofs.certificates.maps`).

    Parameters
    ----------
    method
        A method for the other rules.
    direct
        Whether it proves something of these rules itself.
    """

    @wraps(method)
    def bound(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, **options: Any) -> Bound:
        if not rules.partial:
            return method(dag, memory, rules=rules, **options)
        ways: list[Callable[..., Bound]] = [partial(_by_fewer, kept=one) for one in _choices(dag)]
        ways += [_by_itself] if direct else []
        ways += [_by_more_memory] if held_operands(dag) is not None else []
        if options.get("time_limit") is not None:
            options["time_limit"] /= len(ways)
        return max(_proofs(ways, method, dag, memory, options), key=lambda one: one.io)

    return cast("Method", bound)


def _proofs(
    ways: Sequence[Callable[..., Bound]],
    method: Callable[..., Bound],
    dag: CDAG,
    memory: int,
    options: dict[str, Any],
) -> list[Bound]:
    """Return what a method proves by some ways.

    Raises
    ------
    NotApplicableError
        If it proves nothing by any.
    """
    found: list[Bound] = []
    why: NotApplicableError | None = None
    for way in ways:
        try:
            found.append(way(method, dag, memory, options))
        except NotApplicableError as error:
            why = error
    if not found and why is not None:
        raise why
    return found


def _by_itself(method: Method, dag: CDAG, memory: int, options: dict[str, Any]) -> Bound:
    """Return what a method proves of partial computation itself."""
    return method(dag, memory, rules=PARTIAL, **options)


def _by_more_memory(method: Method, dag: CDAG, memory: int, options: dict[str, Any]) -> Bound:
    """Return what a method proves by one-shot plays with some times the memory."""
    times = held_operands(dag)
    assert times is not None
    found = method(dag, times * memory, rules=ONE_SHOT, **options)
    inner = found.certificate
    io = shared_words(dag, found.io, times)
    data = {"kind": inner.kind, "data": inner.data}
    return Bound(found.method, memory, io, PARTIAL, Certificate(HELD, data))


def _by_fewer(
    method: Method, dag: CDAG, memory: int, options: dict[str, Any], *, kept: Int64Array | None
) -> Bound:
    """Return what a method proves by the edges that are kept; all of them for None."""
    thin = dag if kept is None else thinned_dag(dag, kept)
    found = method(thin, memory, rules=SLIDING, **options)
    io = max(found.io + gained_words(dag, thin), 0)
    inner = found.certificate
    data = {"kept": "all" if kept is None else kept, "kind": inner.kind, "data": inner.data}
    return Bound(found.method, memory, io, PARTIAL, Certificate(THINNED, data))


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
        if not any(np.array_equal(kept, other) for other in seen):
            seen.append(kept)
            yield kept


def _fitting(dag: CDAG, first: Int64Array, second: Int64Array) -> Int64Array:
    """Return two edges into each computed vertex, or one where two do not fit its size."""
    if dag.words is not None:
        operands = np.maximum(*(dag.words[dag.pred_indices[one]] for one in (first, second)))
        first = np.where(operands > dag.words[dag.computed], second, first)
    return np.unique(np.concatenate((first, second)))
