"""Checks that a DAG is the one that a generator makes, and that computing again cannot help."""

import inspect
from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from dags import CDAG, GENERATORS, InvalidSpecError, RedBlueError
from dags.arrays import Int64Array
from dags.cdag.rows import reader_counts
from dags.families import FAMILIES
from dags.families.common.family import SizesOf
from proofs.core.records import LARGEST, CertificateError, shown


def uses(dag: CDAG) -> Int64Array:
    """(n,) the readers of each vertex, one more if it is an output."""
    count: Int64Array = reader_counts(dag.pred_indices, dag.n)
    count[dag.outputs] += 1
    return count


def is_single_use(dag: CDAG) -> bool:
    """Whether every computed vertex has one reader, or none if it is an output (M5)."""
    return bool(np.all(uses(dag)[dag.computed] == 1))


def require_generated(dag: CDAG, family: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """All parameters of the generator `family` for `dag`, the defaults among them.

    The parameters' types and the number of vertices that they mean are compared before anything is
    built, so that this takes time in proportion to `dag`, whatever the parameters are.

    Parameters
    ----------
    dag
        The DAG that is compared; its sizes may be others.
    family
        One of `dags.families.FAMILIES` whose sizes are known beforehand.
    params
        Parameters as a certificate has them; a list stands for a tuple.

    Raises
    ------
    CertificateError
        If the edges and outputs of `dag` are not those of that generator.
    """
    sizes = FAMILIES[family].sizes if family in FAMILIES else None
    if sizes is None:
        raise CertificateError("family", f"is {shown(family)}, of which nothing is known")
    full = _arguments(family, params)
    if not _has_vertices(sizes, full, dag.n):
        raise CertificateError("params", f"make no {family} of {dag.n} vertices")
    try:
        generated = GENERATORS[family](**full)
    except RedBlueError as error:
        raise CertificateError("params", f"make no {family}: {error}") from None
    for ours, theirs in zip(_visible(dag), _visible(generated), strict=True):
        if not np.array_equal(ours, theirs):
            raise CertificateError("params", f"the DAG is not {generated!r}")
    return generated.params


def _has_vertices(sizes: SizesOf, params: Mapping[str, Any], vertices: int) -> bool:
    """Whether a member has so many vertices, and is as quick to build.

    A certificate may claim that a dozen vertices are a butterfly of 2^24 points. No parameter but a
    stride exceeds the number of vertices: so all that is counted here is small.
    """
    numbers = [value for name, value in params.items() if name != "stride" and type(value) is int]
    if any(not 1 <= number <= vertices for number in (*numbers, *params.get("shape", ()))):
        return False
    try:
        return sizes(**params)[1].vertices == vertices
    except InvalidSpecError:
        return False


def _arguments(family: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the generator, each of the type that its signature says."""
    generator = GENERATORS[family]
    plain = {key: tuple(v) if isinstance(v, list) else v for key, v in params.items()}
    try:
        bound = inspect.signature(generator).bind(**plain)
    except TypeError as error:
        raise CertificateError("params", f"make no {family}: {shown(str(error))}") from None
    bound.apply_defaults()
    types = get_type_hints(generator)
    for name, value in bound.arguments.items():
        if not _is_of(value, types[name]):
            raise CertificateError(
                "params", f"{name} is {shown(value)}, which {family} does not take"
            )
    return bound.arguments


def _is_of(value: Any, kind: Any) -> bool:
    """Whether `value` is of a type in a generator's signature; a boolean is no integer."""
    if get_origin(kind) is Literal:
        return type(value) is str and value in get_args(kind)
    if get_origin(kind) is tuple:
        return type(value) is tuple and all(_is_of(entry, int) for entry in value)
    if get_args(kind):  # a union
        return any(_is_of(value, argument) for argument in get_args(kind))
    if kind is int:
        return type(value) is int and abs(value) <= LARGEST
    return type(value) is (NoneType if kind is None else kind)


def _visible(dag: CDAG) -> tuple[np.ndarray[Any, Any], ...]:
    return dag.pred_indptr, dag.pred_indices, dag.outputs
