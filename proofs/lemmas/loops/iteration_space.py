"""The updates of a loop nest in a DAG, and the values that they read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import number_type
from proofs.core.records import CertificateError
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.hbl import Shape

Vertices = npt.NDArray[np.signedinteger]

HEAD = -1  # an update at the head of a chain: there is nothing to read
LEAVES = -2  # an update whose item of the array goes out of the window, not into it
CLOSE = 16  # numbers below so many times their count are counted rather than sorted


class MadeWhenAsked(Mapping[str, tuple[Vertices, ...]]):
    """The vertices that updates touch, made at every look: one array of a large DAG at a time.

    Parameters
    ----------
    makers
        For each array a function that returns the vertices of each of its roles.
    """

    def __init__(self, **makers: Callable[[], tuple[Vertices, ...]]) -> None:
        self._makers = makers

    def __getitem__(self, name: str) -> tuple[Vertices, ...]:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


@dataclass(frozen=True)
class IterationSpace:
    """The updates of a DAG and the items that they touch.

    Parameters
    ----------
    shape
        Index ranges and projections.
    updates
        (u,) vertices.
    at
        (u,) coordinate of each update, for each index.
    touched
        For each array, and each of its roles, (u,) the vertex that an update reads, `HEAD` or
        `LEAVES`.
    label
        (n,) the item that a vertex belongs to, -1 for none. For segments of a play, those of
        arrays that go out; for dominators, all.
    by_value
        Arrays of which each vertex is an item of its own, and so is each update with `HEAD`.
        They are projected after the updates are cut along the index `cut`.
    cut
        The index that a projection by value depends on; "" for none.
    sums
        Arrays of which an item is not read by an update but by the sum that adds its value to the
        item: for each (u,) the sum that reads the update. `touched` then has the operands of the
        sums.
    between
        Arrays that updates read by way of other vertices: for each, and each of its roles, (u,) the
        vertex between, or `HEAD`. `touched` then has the operands of that one.
    """

    shape: Shape
    updates: Vertices
    at: Mapping[str, Vertices]
    touched: Mapping[str, tuple[Vertices, ...]]
    label: Vertices | None = None
    by_value: frozenset[str] = frozenset()
    cut: str = ""
    sums: Mapping[str, Vertices] = field(default_factory=dict)
    between: Mapping[str, tuple[Vertices, ...]] = field(default_factory=dict)

    def images(self, indices: str) -> Vertices:
        """(u,) a number for the projection of each update onto `indices`."""
        extents = [self.shape.extents[index] for index in indices]
        code = np.zeros(self.updates.size, number_type(prod(extents)))
        for index, extent in zip(indices, extents, strict=True):
            code *= extent
            code += self.at[index]
        return code


def check_updates(dag: CDAG, space: IterationSpace) -> None:
    """Check that the updates are different vertices at different points in range."""
    updates = space.updates
    if updates.size and (updates.min() < 0 or updates.max() >= dag.n):
        raise CertificateError("params", "do not fit this DAG")
    if not np.all(dag.indegree[updates] > 0):  # an input is computed in no window
        raise CertificateError("family", "an update is an input")
    for index, extent in space.shape.extents.items():
        if updates.size and (space.at[index].min() < 0 or space.at[index].max() >= extent):
            raise CertificateError("family", f"index {index} leaves its range")
    for upper, lower in pairwise(space.shape.symmetric):
        if np.any(space.at[upper] <= space.at[lower]):
            raise CertificateError("family", f"index {upper} is not above {lower}")
    points = space.images("".join(space.shape.extents))
    if not _all_differ(points) or not _all_differ(updates):
        raise CertificateError("family", "two updates are the same")


def _all_differ(values: Vertices) -> bool:
    """Whether no number, from 0 on, is there twice; in linear time if they lie close."""
    if values.max(initial=-1) < CLOSE * values.size:
        return bool(
            _kernels.none_twice(values, np.zeros(int(values.max(initial=-1)) + 1, np.bool_))
        )
    ordered = np.sort(values)
    return bool(np.all(ordered[1:] > ordered[:-1]))


def check_reads(dag: CDAG, readers: Vertices, values: Vertices) -> None:
    """Check that each reader reads the vertex that is given, where one is.

    Parameters
    ----------
    dag, readers
        The DAG, and (u,) vertices of it.
    values
        (u,) vertices, `HEAD` or `LEAVES`.
    """
    pairs = np.ascontiguousarray(readers), np.ascontiguousarray(values)
    if not _kernels.reads_all(dag.pred_indptr, dag.pred_indices, *pairs):
        raise CertificateError("family", "an update does not read what it should")


def check_determines(keys: Vertices, images: Vertices) -> None:
    """Raise CertificateError unless equal keys, from 0 on, always have equal images."""
    image = np.full(int(keys.max(initial=-1)) + 1, -1, images.dtype)
    if not _kernels.determines(np.ascontiguousarray(keys), np.ascontiguousarray(images), image):
        raise CertificateError("family", "an item has two images")
