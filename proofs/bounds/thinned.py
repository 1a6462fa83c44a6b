"""Bounds of partial computation, proved by every method for a DAG with fewer edges."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import ONE_SHOT, PARTIAL, Rules
from proofs.base import Bound
from proofs.certificates import Certificate
from proofs.certificates.thinned import KIND, SLIDING, gained_words, thinned_dag, wrong_vertex

Method = TypeVar("Method", bound=Callable[..., Bound])


def thinned(method: Method) -> Method:
    """Return a method that under the rules of partial computation proves what a thinner DAG needs.

    `proofs.certificates.thinned` has the theorem. Where every vertex has one or two operands it
    is the DAG itself, under sliding rules; otherwise some choices of two operands are tried.
    """

    @wraps(method)
    def bound(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, **options: Any) -> Bound:
        if not rules.partial:
            return method(dag, memory, rules=rules, **options)
        choices = list(_choices(dag))
        if options.get("time_limit") is not None:
            options["time_limit"] /= len(choices)
        proofs = (_proof(method, dag, kept, memory, options) for kept in choices)
        return max(proofs, key=lambda one: one.io)

    return cast("Method", bound)


def _proof(
    method: Method, dag: CDAG, kept: Int64Array | None, memory: int, options: dict[str, Any]
) -> Bound:
    """Return what a method proves by the edges that are kept; all of them for None."""
    thin = dag if kept is None else thinned_dag(dag, kept)
    found = method(thin, memory, rules=SLIDING, **options)
    io = max(found.io + gained_words(dag, thin), 0)
    inner = found.certificate
    data = {"kept": "all" if kept is None else kept, "kind": inner.kind, "data": inner.data}
    return Bound(found.method, memory, io, PARTIAL, Certificate(KIND, data))


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
