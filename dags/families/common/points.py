"""Iteration points of the vertices of members that generators made, by formula."""

from hashlib import sha256
from weakref import WeakKeyDictionary

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag.origin import Int16Array, Operator, Origin
from dags.cdag.value import CDAG
from dags.families import FAMILIES
from dags.families.common.family import Points
from dags.families.common.members import Member
from dags.families.common.published import Params

_made: WeakKeyDictionary[CDAG, Origin | None] = WeakKeyDictionary()
_named: WeakKeyDictionary[CDAG, dict[str, CDAG]] = WeakKeyDictionary()


def points_of(dag: CDAG) -> Origin | None:
    """The program of a DAG, and the point of each vertex in it; None if it is of none.

    DAGs of programs have their origins. Members of families that are loops have theirs by formula:
    made when first asked for, and kept as long as the DAG is. A DAG that was recognised as such a
    member has them under its own numbers.

    Examples
    --------
    >>> from dags import matmul
    >>> points_of(matmul(2)).label(15)
    'S0[i=1,j=1,l=1]'
    """
    if dag.origin is not None:
        return dag.origin
    member = dag.as_generated
    known = None if member.family is None else FAMILIES.get(member.family)
    if known is None or known.points is None:
        return None
    if dag not in _made:
        points = known.points(**member.params)
        number = None if dag.recognised is None else np.argsort(dag.recognised.vertex)
        _made[dag] = (
            None
            if points is None
            else _origin(str(member.family), member.params, member.n, points, number)
        )
    return _made[dag]


def with_points_of(dag: CDAG, member: Member) -> CDAG | None:
    """A DAG whose vertices are named by the points of a member; None where it has none.

    Nothing says that the DAG is this member: they only have as many vertices. It is kept as long
    as the DAG is.

    Parameters
    ----------
    dag, member
        The DAG, and a member of a family.

    Examples
    --------
    >>> from dags import matmul
    >>> from dags.families.common.members import member_of
    >>> with_points_of(matmul(2), member_of("matmul:n=2")).labels[15]
    'S0[i=1,j=1,l=1]'
    """
    known = _named.setdefault(dag, {})
    if member.spec not in known:
        points_by_size = FAMILIES[member.family].points
        if points_by_size is None or member.sizes.vertices != dag.n:
            return None
        points = points_by_size(**member.params)
        if points is None:
            return None
        known[member.spec] = dag.with_origin(
            _origin(member.family, member.params, dag.n, points, None)
        )
    return known[member.spec]


def _origin(
    family: str, params: Params, n: int, points: Points, number: Int64Array | None
) -> Origin:
    """The program of a member, and the points of a DAG of n vertices.

    Parameters
    ----------
    family, params, n
        The member, and its vertices.
    points
        Where they are.
    number
        (n,) of each vertex of the DAG, the number in the member; None for the same.
    """
    made_by, point = _filled(n, points)
    if number is not None:
        made_by, point = made_by[number], point[number]
    names = {name: number for number, name in enumerate(dict.fromkeys(sum(points.loops, ())))}
    return Origin(
        program=family,
        digest=sha256(points.text.encode()).hexdigest(),
        sizes={name: size for name, size in params.items() if type(size) is int},
        operators=tuple(
            Operator(statement, None, loops, tuple(names[name] for name in loops))
            for statement, loops in enumerate(points.loops)
        ),
        arrays=points.arrays,
        made_by=lock(made_by),
        points=lock(point),
    )


def _filled(n: int, points: Points) -> tuple[Int16Array, Int32Array]:
    """(n,) makers of vertices, and (n, d) their points; blocks are written as they come."""
    width = max(map(len, points.loops + tuple((None,) * count for _, count in points.arrays)))
    made_by, vertex_points = np.empty(n, np.int16), np.zeros((n, width), np.int32)
    first = 0
    for block in points.blocks:
        shape = np.broadcast_shapes(*map(np.shape, block))
        some = slice(first, first + int(np.prod(shape)))
        made_by[some].reshape(shape)[...] = block[0]
        for place, values in enumerate(block[1:]):
            vertex_points[some].reshape(*shape, width)[..., place] = values
        first = some.stop
    assert first == n
    return made_by, vertex_points
