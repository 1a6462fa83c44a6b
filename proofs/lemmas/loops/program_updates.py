"""Updates of a program with their coordinates and operands, as a certificate names them.

A *sum* of an update reads it: "values" are references of the sum to its addends, each found by the
first that fits. Where several sums read an update, any of them will do. An operand may be read by
way of another vertex, which its references find ("then").
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from proofs.core.records import CertificateError, integer, integers, only, shown
from proofs.lemmas.loops.iteration_space import HEAD, Vertices
from proofs.lemmas.loops.operands import (
    MOST,
    coordinates_of,
    operands,
    references_from,
    require_origin,
)

LETTERS: Final = "abcdefgh"
MOST_VALUES: Final = 4  # that a sum adds at once
REMEMBERED: Final = 2**15  # vertices of a DAG whose operands are looked up once
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Updates:
    """Updates with their coordinates and operands.

    Parameters
    ----------
    vertices
        (u,) the updates.
    at
        (indices, u) their coordinates, as loops count.
    statement
        (u,) the number of the statement of each.
    slots
        (slots, u) the operand in each slot, or `HEAD`.
    sums
        (slots, u) the sum whose operand it is, or `HEAD` if it is the update's own.
    between
        (slots, u) the vertex by way of which it is read, or `HEAD` if it is read itself.
    """

    vertices: Int32Array
    at: Int64Array
    statement: Int64Array
    slots: Vertices
    sums: Vertices
    between: Vertices

    def where(self, kept: BoolArray) -> "Updates":
        """Return some of the updates."""
        if kept.all():
            return self
        return Updates(
            self.vertices[kept],
            self.at[:, kept],
            self.statement[kept],
            self.slots[:, kept],
            self.sums[:, kept],
            self.between[:, kept],
        )


# What has been looked up, as long as the DAG is there: a search asks for many spaces of the same
# statements. Equal DAGs can have origins of their own.
_found: WeakKeyDictionary[CDAG, dict[Any, Updates]] = WeakKeyDictionary()


def known_updates(dag: CDAG, statements: list[Any]) -> Updates:
    """All updates of some statements; of a small DAG they are found once."""
    if dag.n > REMEMBERED:
        return _updates(dag, statements)
    known = _found.setdefault(dag, {})
    question = dag.origin, repr(statements)
    if question not in known:
        known[question] = _updates(dag, statements)
    return known[question]


def _updates(dag: CDAG, statements: list[Any]) -> Updates:
    """All updates of some statements."""
    updates = [_statement(dag, number, statement) for number, statement in enumerate(statements)]
    if not updates or len({(len(part.at), len(part.slots)) for part in updates}) != 1:
        raise CertificateError("statements", "differ in indices or slots, or there are none")
    return Updates(
        *(
            np.concatenate([getattr(part, name) for part in updates], axis=-1)
            for name in ("vertices", "at", "statement", "slots", "sums", "between")
        )
    )


def _statement(dag: CDAG, number: int, data: Any) -> Updates:
    """The updates of one statement."""
    if not isinstance(data, Mapping):
        raise CertificateError("statements", "are no objects")
    only(data, ("operator", "loops", "slots"))
    origin, operator = require_origin(dag), integer(data, "operator", minimum=0)
    depth = coordinates_of(origin, operator)
    loops: list[int] = integers(data, "loops").tolist()
    if len(loops) > len(LETTERS) or any(not -1 <= loop < depth for loop in loops):
        raise CertificateError(
            "loops", f"are not up to {len(LETTERS)} loops from -1 to {depth - 1}"
        )
    vertices = np.flatnonzero(origin.made_by == operator).astype(np.int32)
    coordinates = np.zeros((len(loops), vertices.size), np.int64)
    for row, loop in zip(coordinates, loops, strict=True):
        if loop >= 0:
            row[:] = origin.points[vertices, loop]
    read = [_operands_in(dag, vertices, operator, slot) for slot in listed(data, "slots")]
    slots, sums, between = (
        np.array(read, np.int32).reshape(len(read), 3, vertices.size).swapaxes(0, 1)
    )
    updates_of = Updates(
        vertices, coordinates, np.full(vertices.size, number, np.int64), slots, sums, between
    )
    added = np.array([isinstance(slot, Mapping) and "sum" in slot for slot in data["slots"]], bool)
    return updates_of.where(np.logical_not((sums[added] == HEAD).any(axis=0)))


def _operands_in(
    dag: CDAG, updates: Int32Array, operator: int, slot: Any
) -> tuple[Vertices, Vertices, Vertices]:
    """(u,) the operand in a slot, the sum whose operand it is, and the vertex between.

    Parameters
    ----------
    dag, updates, operator
        The updates of an operator.
    slot
        Of a certificate: references, or a sum, or references by way of others.
    """
    absent = np.full(updates.size, HEAD, np.int32)
    if not isinstance(slot, Mapping):
        return operands(dag, updates, references_from(dag, operator, slot, MOST)), absent, absent
    if "through" in slot:
        between, read = _through(dag, updates, operator, slot)
        return read, absent, between
    found, sums = _added(dag, updates, slot)
    return found, sums, absent


def _through(
    dag: CDAG, updates: Int32Array, operator: int, slot: Mapping[str, Any]
) -> tuple[Vertices, Vertices]:
    """(u,) the vertex by way of which updates read, and (u,) its operand."""
    only(slot, ("through", "operator", "then"))
    way = integer(slot, "operator", minimum=0)
    coordinates_of(require_origin(dag), way)
    references = references_from(dag, operator, slot["through"], MOST)
    if any(reference.made_by != way for reference in references):
        raise CertificateError("through", f"has a reference that operator {way} does not make")
    between = operands(dag, updates, references)
    used = np.flatnonzero(between != HEAD)
    read = np.full(updates.size, HEAD, np.int32)
    later = references_from(dag, way, slot["then"], MOST)
    read[used] = operands(dag, between[used], later)
    between[read == HEAD] = HEAD
    return between, read


def _added(dag: CDAG, updates: Int32Array, slot: Mapping[str, Any]) -> tuple[Vertices, Vertices]:
    """(u,) the sum before each update, and (u,) the sum that reads both."""
    only(slot, ("sum", "values", "before"))
    adder, values = integer(slot, "sum", minimum=0), slot["values"]
    coordinates_of(origin := require_origin(dag), adder)
    if not isinstance(values, list) or not 1 <= len(values) <= MOST_VALUES:
        raise CertificateError("values", f"are {shown(values)}, not 1 to {MOST_VALUES} lists")
    adders = np.flatnonzero(origin.made_by == adder).astype(np.int32)
    sum_of = np.full(dag.n, HEAD, np.int32)
    for references in values:
        added = operands(dag, adders, references_from(dag, adder, references, MOST))
        present = added != HEAD
        sum_of[added[present]] = adders[present]
    sums = sum_of[updates]
    before = np.full(dag.n, HEAD, np.int32)
    if slot["before"] != []:
        before[adders] = operands(dag, adders, references_from(dag, adder, slot["before"], MOST))
    found = np.where(sums == HEAD, HEAD, before[sums])
    return found.astype(np.int32), sums


def listed(data: Mapping[str, Any], name: str) -> list[Any]:
    """The list `name`, which is not too long."""
    value = data.get(name)
    if not isinstance(value, list) or len(value) > MOST:
        raise CertificateError(name, f"is no list of up to {MOST}")
    return value
