"""Spaces of updates of a program's DAG, as a certificate describes them.

The description names operators as updates, says which of their operands are items of one array, and
which indices these keep. The points of `dag.origin` only serve as names: `window_gains` verifies on
the DAG itself that updates are different vertices at different points, that each reads its
operands, and that a value stands for one item. Whatever the points are, if that holds, so does the
theorem; a forged origin or description can only fail.

- A **statement** is an operator; "loops" has its loop variable for each index a, b, c, ... of the
  space, -1 for an index that is always 0. If the space is "joint", the index s is the number of the
  statement; otherwise statements have no point in common.
- A **slot** is an operand of each statement, found by the first of its references that fits; or one
  that is read by way of another operator's value, {"through": references, "operator": whose,
  "then": its references}; or, in the same place for each statement, that of a sum: {"sum":
  operator, "values": lists of references to its addends, "before": references to the sum before}.
  Updates that no sum reads are left out.
- "order" leaves only updates with index a above b ("a>b") or not at b ("a!=b", "a!=b+1").
  "complete" leaves only those that have an operand in each slot.
- An **array** is one slot or more. A value that is an item of an earlier array is none of a later
  one: there is nothing to read (`HEAD`), or, if the space is "single", the update is left out. If
  it is "shared", a value may be an item of several arrays whose costs add up to its words.
- An array without slots **goes out**: each update touches an item of it on its way to an output.
  Then "labels" has loops of operators instead of references: a value of such an operator has as its
  label its place along these, and all that has a label leads to an output with the same one.
- An item of an array costs the least words of a value that is read as one, times the array's
  "cost", a share of a word.
- "labels" has references of operators: a value of such an operator has the label of the operand
  that these name, and an input is a label of its own. All vertices of a label are computed from
  each other, one by one, beginning at an input.
- In a "symmetric" space index a is above b, and an array of two slots is a pair of rows: they keep
  a and others, and b and the same others; another array keeps both a and b, or none. Then V, with
  (b, a, ...) for each (a, b, ...), is cut along all indices but these two. A cut with v updates
  that touches d rows of an array has 2 v <= d (d - 1) <= (d - 1/2)^2, and 2 v <= 2 c for c items
  that keep both; d - 1/2 adds up or stays the same along the other indices as an array's items do.
  So the inequality of `hbl` holds, with "rows" the sum of d - 1/2 and half a row for each column.
- If indices a > b > c are "symmetric", the one array has three slots, which keep a and b, a and c,
  b and c, and the same others. All 6 orders of an update's a, b, c are points of the set to which
  `hbl` is applied, and each project onto (x, y, ...) and (y, x, ...) of touched items: 2 points
  an item.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from proofs.core.records import CertificateError, fraction, integer, integers, only, shown, text
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.hbl import Measure, Shape
from proofs.lemmas.loops.iteration_space import HEAD, LEAVES, IterationSpace, Vertices
from proofs.lemmas.loops.operands import (
    MOST,
    coordinates_of,
    operands,
    references_from,
    require_origin,
)
from proofs.lemmas.loops.program_updates import LETTERS, Updates, known_updates, listed

STATEMENT: Final = "s"
SYMMETRIC: Final = ("", "ab", "abc")  # indices of which each is above the next
MOST_POINTS: Final = 2**62
BoolArray = npt.NDArray[np.bool_]
FIELDS: Final = (
    "statements",
    "joint",
    "order",
    "complete",
    "single",
    "shared",
    "symmetric",
    "arrays",
    "labels",
)


def labels_of(dag: CDAG, described: list[Any]) -> Int32Array | None:
    """(n,) the label of each vertex, -1 for none; None if there are no labels at all.

    Parameters
    ----------
    dag
        A DAG with an origin.
    described
        Operators with their "references" or "loops", as `program_space` says.
    """
    if not described:
        return None
    if any(not isinstance(entry, Mapping) for entry in described):
        raise CertificateError("labels", "are no objects")
    if "loops" in described[0]:
        return _places(dag, described)
    origin = require_origin(dag)
    before = np.full(dag.n, HEAD, np.int32)
    for entry in described:
        only(entry, ("operator", "references"))
        operator = integer(entry, "operator", minimum=0)
        references = references_from(dag, operator, entry["references"], MOST)
        vertices = np.flatnonzero(origin.made_by == operator).astype(np.int32)
        before[vertices] = operands(dag, vertices, references)
    label = np.full(dag.n, -1, np.int32)
    label[dag.inputs] = dag.inputs
    _kernels.follow(before, label)
    return label


def _places(dag: CDAG, described: list[Any]) -> Int32Array:
    """(n,) labels: places along loops of the operators that made vertices, -1 for others."""
    origin = require_origin(dag)
    makers, coordinates = [], []
    for entry in described:
        only(entry, ("operator", "loops"))
        operator = integer(entry, "operator", minimum=0)
        depth, loops = coordinates_of(origin, operator), integers(entry, "loops").tolist()
        if any(not 0 <= loop < depth for loop in loops):
            raise CertificateError("loops", f"are not from 0 to {depth - 1}")
        makers.append(np.flatnonzero(origin.made_by == operator))
        coordinates.append(origin.points[makers[-1]][:, loops].astype(np.int64))
    if len({points.shape[1] for points in coordinates}) != 1:
        raise CertificateError("loops", "of labels are not as many for each operator")
    vertices, points = np.concatenate(makers), np.concatenate(coordinates)
    label = np.full(dag.n, -1, np.int32)
    if vertices.size:
        points -= points.min(axis=0)
        sides = (points.max(axis=0) + 1).tolist()
        if prod(sides) >= 2**31:
            raise CertificateError("labels", "range over too many places")
        units = [prod(sides[:axis]) for axis in range(len(sides))]
        label[vertices] = points @ np.array(units, np.int64)
    return label


def program_space(dag: CDAG, data: Any) -> IterationSpace:
    """The space that a certificate describes.

    Parameters
    ----------
    dag
        A DAG with an origin.
    data
        Has the fields `FIELDS`; the module has their meanings.

    Raises
    ------
    CertificateError
        If it describes none of this DAG.
    """
    if not isinstance(data, Mapping):
        raise CertificateError("space", "is no object")
    only(data, FIELDS)
    updates = known_updates(dag, listed(data, "statements"))
    kept = np.ones(updates.vertices.size, np.bool_)
    for condition in listed(data, "order"):
        kept &= fulfilled(updates.at, condition)
    if _flag(data, "complete"):
        kept &= np.logical_not((updates.slots == HEAD).any(axis=0))
    updates = updates.where(kept)
    arrays = list(_arrays(dag, data, updates))
    single, shared = _flag(data, "single"), _flag(data, "shared")
    if not shared:
        updates = _with_owners(dag, updates, arrays, drop=single)
    return _space(dag, data, updates, arrays)


def fulfilled(coordinates: Int64Array, condition: Any) -> BoolArray:
    """(u,) whether a condition like ["a", ">", "b", 0] holds at coordinates (indices, u).

    Raises
    ------
    CertificateError
        If it is none of these indices.
    """
    if not isinstance(condition, list) or len(condition) != 4:
        raise CertificateError("order", f"has {shown(condition)}, not two indices to compare")
    first, relation, second, offset = condition
    if type(offset) is not int or abs(offset) > MOST_POINTS // 4:
        raise CertificateError("order", f"has {shown(offset)}, no number")
    left, right = coordinates[_index(coordinates, first)], coordinates[_index(coordinates, second)]
    if relation not in (">", "!="):
        raise CertificateError("order", f"has {shown(relation)}, not > or !=")
    above = left - right - offset
    kept: BoolArray = above > 0 if relation == ">" else above != 0
    return kept


def _index(coordinates: Int64Array, letter: Any) -> int:
    """The number of an index."""
    place = LETTERS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    if not 0 <= place < len(coordinates):
        raise CertificateError("order", f"has {shown(letter)}, no index")
    return place


@dataclass(frozen=True)
class _Array:
    """Slots whose values are items of one array, the indices that each keeps, kind and cost."""

    name: str
    slots: list[int]
    kept: tuple[str, ...]
    by_value: bool
    cost: Fraction


def _arrays(dag: CDAG, data: Mapping[str, Any], updates: Updates) -> Iterator[_Array]:
    """Yield the arrays; each slot is of one at most."""
    letters = LETTERS[: len(updates.at)] + (STATEMENT if _flag(data, "joint") else "")
    seen: set[int] = set()
    for number, array in enumerate(listed(data, "arrays")):
        if not isinstance(array, Mapping):
            raise CertificateError("arrays", "are no objects")
        only(array, ("slots", "kept", "by_value", "cost"))
        slots: list[int] = integers(array, "slots").tolist()
        kept = listed(array, "kept")
        if len(kept) != max(1, len(slots)) or len({*slots}) != len(slots) or seen & {*slots}:
            raise CertificateError("arrays", "have slots twice, or not one projection for each")
        if any(not 0 <= slot < len(updates.slots) for slot in slots):
            raise CertificateError("arrays", f"have slots beyond the {len(updates.slots)}")
        if any(not _is_projection(indices, letters) for indices in kept):
            raise CertificateError("kept", f"is not some of the indices {letters}")
        seen |= {*slots}
        if not 0 < (share := fraction(array, "cost")) <= 1:
            raise CertificateError("cost", f"is {share}, not a share of a word")
        cost = share * (least_size(dag, updates.slots[slots]) if slots else 1)
        yield _Array(f"array {number}", slots, tuple(kept), _flag(array, "by_value"), cost)


def _is_projection(kept: Any, letters: str) -> bool:
    return isinstance(kept, str) and len({*kept}) == len(kept) and {*kept} <= {*letters}


def _with_owners(dag: CDAG, updates: Updates, arrays: list[_Array], *, drop: bool) -> Updates:
    """The updates with each value an item of one array only; see the module."""
    owner = np.full(dag.n, -1, np.int16)
    slots = updates.slots.copy()
    owned = np.zeros_like(slots, np.bool_)
    for number, array in enumerate(arrays):
        for slot in array.slots:
            _kernels.mark_owned(slots[slot], number, owner, owned[slot])
    if drop:
        return updates.where(np.logical_not(owned.any(axis=0)))
    slots[owned] = HEAD
    return replace(updates, slots=slots, between=np.where(owned, HEAD, updates.between))


def _space(
    dag: CDAG, data: Mapping[str, Any], updates: Updates, arrays: list[_Array]
) -> IterationSpace:
    """The space of these updates."""
    coordinates, extents = _coordinates(data, updates)
    symmetric = text(data, "symmetric")
    if symmetric not in SYMMETRIC or not {*symmetric} <= {*coordinates}:
        raise CertificateError("symmetric", f"is {shown(symmetric)}, not '', 'ab' or 'abc'")
    measures = [_measure(array, symmetric) for array in arrays]
    columns = [_columns(array) for array in arrays if symmetric == "ab" and len(array.slots) > 1]
    return IterationSpace(
        Shape(extents, (*measures, *columns), symmetric),
        updates.vertices,
        coordinates,
        {array.name: _touched(updates, array) for array in arrays},
        label=labels_of(dag, listed(data, "labels")),
        by_value=frozenset(array.name for array in arrays if array.by_value),
        cut=STATEMENT if _flag(data, "joint") else "",
        sums=_sums(updates, arrays),
        between={
            array.name: tuple(updates.between[slot] for slot in array.slots)
            for array in arrays
            if np.any(updates.between[array.slots] != HEAD)
        },
    )


def _sums(updates: Updates, arrays: list[_Array]) -> dict[str, Vertices]:
    """The sums of each array whose items updates are added to."""
    sums = {}
    for array in arrays:
        if np.any(updates.sums[array.slots] != HEAD):
            if len(array.slots) != 1 or array.by_value:
                raise CertificateError("arrays", "have a sum beside another slot, or by value")
            sums[array.name] = updates.sums[array.slots[0]]
    return sums


def _touched(updates: Updates, array: _Array) -> tuple[Vertices, ...]:
    """Return, for each role of an array, (u,) the vertices that updates read, or `LEAVES`."""
    if not array.slots:
        return (np.full(updates.vertices.size, LEAVES, np.int32),)
    return tuple(updates.slots[slot] for slot in array.slots)


def _coordinates(
    data: Mapping[str, Any], updates: Updates
) -> tuple[dict[str, Int64Array], dict[str, int]]:
    """The coordinates from 0 on, and the range of each; a symmetric pair has one range."""
    if not updates.vertices.size:
        raise CertificateError("space", "has no updates")
    lowest, highest = updates.at.min(axis=1), updates.at.max(axis=1)
    alike = len(text(data, "symmetric"))
    if 1 < alike <= len(lowest):
        lowest[:alike], highest[:alike] = lowest[:alike].min(), highest[:alike].max()
    letters = LETTERS[: len(updates.at)]
    coordinates = dict(zip(letters, updates.at - lowest[:, None], strict=True))
    extents = dict(zip(letters, (highest - lowest + 1).tolist(), strict=True))
    if _flag(data, "joint"):
        coordinates[STATEMENT] = updates.statement
        extents[STATEMENT] = int(updates.statement.max()) + 1
    if prod(extents.values()) > MOST_POINTS:
        raise CertificateError("space", f"has ranges of more than {MOST_POINTS} points")
    return coordinates, extents


def _measure(array: _Array, symmetric: str) -> Measure:
    """The measure of an array."""
    counts = [len({*symmetric} & {*kept}) for kept in array.kept]
    if not symmetric:
        return Measure(array.name, array.kept, array.cost)
    if symmetric == "abc":
        return _triangle(array)
    if len(array.kept) == 1 and counts[0] in (0, 2):
        return Measure(array.name, array.kept, array.cost, factor=2 if counts[0] else 1)
    upper, lower = (array.kept * 2)[:2]
    if len(array.slots) != 2 or counts != [1, 1] or upper.replace("a", "b") != lower:
        raise CertificateError("kept", "is no pair of rows, and neither both indices nor none")
    if array.by_value:
        raise CertificateError("by_value", "is not what makes rows meet")
    return Measure(array.name, array.kept, array.cost)


def _triangle(array: _Array) -> Measure:
    """The measure of an array of which each update touches the three items of a triangle."""
    pairs = sorted(kept[:2] for kept in array.kept)
    besides = {kept[2:] for kept in array.kept}
    if pairs != ["ab", "ac", "bc"] or len(besides) != 1 or {*besides.pop()} & {*"abc"}:
        raise CertificateError("kept", "is not each pair of a, b, c, and the same others")
    if array.by_value:
        raise CertificateError("by_value", "is not what makes the items meet")
    return Measure(array.name, array.kept, array.cost, factor=2)


def _columns(array: _Array) -> Measure:
    """The half row of each column of a pair of rows."""
    kept = array.kept[0].replace("a", "")
    return Measure(f"{array.name} columns", (kept,), array.cost / 2)


def least_size(dag: CDAG, values: Vertices) -> int:
    """The least size, in words, of the vertices in an array of them and `HEAD`."""
    if dag.words is None or not np.any(values >= 0):
        return 1
    return int(dag.words[values[values >= 0]].min())


def _flag(data: Mapping[str, Any], name: str) -> bool:
    """The truth value `name`."""
    value = data.get(name)
    if type(value) is not bool:
        raise CertificateError(name, f"is {shown(value)}, neither true nor false")
    return value
