"""Origins in files: the program as one JSON object, and the place of each vertex in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from dags.arrays import lock
from dags.cdag.origin import Operator, Origin
from dags.errors import FormatError


def header(origin: Origin) -> dict[str, Any]:
    """All of an origin but its arrays, as JSON has it."""
    return {
        "program": origin.program,
        "digest": origin.digest,
        "sizes": dict(origin.sizes),
        "operators": [
            [
                operator.statement,
                operator.part,
                [*operator.variables],
                [*operator.loops],
                operator.name,
            ]
            for operator in origin.operators
        ],
        "arrays": [[name, dims] for name, dims in origin.arrays],
    }


def origin_from(path: Path, data: object, made_by: npt.ArrayLike, points: npt.ArrayLike) -> Origin:
    """The origin that a file describes.

    Parameters
    ----------
    path
        The file.
    data
        The result of `header`.
    made_by, points
        (n,) and (n, d) arrays of `Origin`.

    Raises
    ------
    FormatError
        If they fit neither each other nor an origin.
    """
    if not isinstance(data, Mapping):
        _refuse(path, "is no object")
    try:
        operators = tuple(_operator(*fields) for fields in data["operators"])
        arrays = tuple((_name(name), _whole(dims)) for name, dims in data["arrays"])
        sizes = {_name(name): _whole(value, negative=True) for name, value in data["sizes"].items()}
        program, digest = _name(data["program"]), _name(data["digest"])
        makers, rows = _whole_numbers(made_by), np.asarray(points, np.int32)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        _refuse(path, f"has no such {error}" if isinstance(error, KeyError) else "is damaged")
    if makers.ndim != 1 or rows.ndim != 2 or len(makers) != len(rows):
        _refuse(path, "has points for other vertices than it names")
    if makers.size and not -len(arrays) <= makers.min() <= makers.max() < len(operators):
        _refuse(path, "names an assignment or an array that it has not")
    deepest = max(
        [len(operator.variables) for operator in operators] + [dims for _, dims in arrays] + [0]
    )
    if rows.shape[1] < deepest:
        _refuse(path, f"has points of {rows.shape[1]} numbers where {deepest} are needed")
    return Origin(program, digest, sizes, operators, arrays, lock(makers.copy()), lock(rows.copy()))


def _operator(
    statement: object, part: object, variables: object, loops: object, name: object = None
) -> Operator:
    names = _names(variables)
    if not isinstance(loops, list) or len(loops) != len(names):
        raise TypeError
    inner = None if part is None else _whole(part)
    called = None if name is None else _name(name)
    return Operator(_whole(statement), inner, names, tuple(map(_whole, loops)), called)


def _whole(value: object, *, negative: bool = False) -> int:
    if type(value) is not int or (value < 0 and not negative) or abs(value) >= 2**62:
        raise ValueError
    return value


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _names(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError
    return tuple(_name(value) for value in values)


def _whole_numbers(made_by: npt.ArrayLike) -> npt.NDArray[Any]:
    """Operators in the type that an origin holds them in."""
    wide = np.asarray(made_by)
    narrow = not wide.size or (wide.max() < 2**15 and wide.min() >= -(2**15))
    return np.asarray(made_by, np.int16 if narrow else np.int32)


def _refuse(path: Path, problem: str) -> NoReturn:
    raise FormatError(path, f"the origin of its vertices {problem}")
