"""Bounds of DAGs that were recognised, proved for them as their generators number them."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from dags import CDAG
from proofs.base import Bound
from proofs.certificates import Certificate
from proofs.certificates.maps import RENUMBERED

Method = TypeVar("Method", bound=Callable[..., Bound])
FREE = frozenset({"compulsory"})  # kinds of certificates that name no vertex and no family


def as_generated(method: Method) -> Method:
    """Return a method that proves of a DAG that was recognised what `method` does of a generator's.

    Its certificates hold the new numbers of all vertices: a checker needs to recognise nothing.
    """

    @wraps(method)
    def bound(dag: CDAG, memory: int, **options: Any) -> Bound:
        if dag.recognised is None:
            return method(dag, memory, **options)
        found = method(dag.recognised.dag, memory, **options)
        inner = found.certificate
        if inner.kind in FREE:
            return found
        vertex = dag.recognised.vertex.astype("int64")
        data = {"vertex": vertex, "kind": inner.kind, "data": inner.data}
        return Bound(found.method, memory, found.io, found.rules, Certificate(RENUMBERED, data))

    return cast("Method", bound)
