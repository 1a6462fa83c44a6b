"""Moves: their kinds, all that is said of one, and the lines of text that they are written in."""

import json
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from dags import CDAG
from dags.errors import did_you_mean, shown
from pebble.errors import InvalidScheduleError

VERTICES = range(-(2**31), 2**31)  # the numbers that a schedule can hold
NONE = -1  # no operand, no source


class Move(IntEnum):
    """The four moves of the game, and the fifth of machines in which neighbours are linked."""

    LOAD = 0
    STORE = 1
    COMPUTE = 2
    DELETE = 3
    RECEIVE = 4


class Action(NamedTuple):
    """A move with all that a schedule says of it.

    Parameters
    ----------
    move, vertex
        The kind of move, and the value.
    at
        The memory at which it is made: to which a LOAD and a RECEIVE copy, from which a STORE does.
    step
        Moves of a step are made side by side: in it, nothing moves on that came in it. -1 where
        each move is a step of its own.
    source
        The neighbour from which a RECEIVE comes.
    operand
        The only operand that a computation in parts takes.
    """

    move: Move
    vertex: int
    at: int = 0
    step: int = NONE
    source: int = NONE
    operand: int = NONE


def written(
    actions: Iterable[Action], names: Sequence[str] | None, *, leveled: bool
) -> Iterator[str]:
    """Yield a line like ["LOAD", 3], ["COMPUTE", 3, 2], or ["LOAD", 3, 1] with a level.

    Parameters
    ----------
    actions
        The moves.
    names
        (n,) the names of all vertices; None to write numbers.
    leveled
        Whether each line has the number of its level, which is from 1 on.
    """
    texts = None if names is None else [json.dumps(name) for name in names]
    for action in actions:
        about = (action.vertex,) if action.operand == NONE else (action.vertex, action.operand)
        named = [str(v) if texts is None else texts[v] for v in about]
        named += [str(action.at + 1)] * leveled
        yield f'["{action.move.name}", {", ".join(named)}]\n'


def read_lines(lines: Iterable[bytes], dag: CDAG | None) -> dict[str, list[int]]:
    """The columns of a schedule of its lines: those of a hierarchy have a level each.

    Raises
    ------
    InvalidScheduleError
        If a line is no move, or names no vertex of the DAG.
    """
    columns: tuple[list[int], list[int], list[int]] = ([], [], [])
    named: dict[str, int] = {}
    leveled, plain_line = False, 0  # other: the first line without a level
    for number, line in enumerate(lines, start=1):
        code, *about = _move(line, number)
        plain_line = plain_line or number * (len(about) < 2 or type(about[1]) is str)
        leveled |= len(about) == 2 and code is not Move.COMPUTE
        if leveled and plain_line:
            raise InvalidScheduleError(f'line {plain_line} is no move like ["LOAD", 3, 1]')
        columns[0].append(code)
        for column, vertex in zip(columns[1:], (*about, NONE), strict=False):
            known = isinstance(vertex, int)
            column.append(vertex if known else _numbered(vertex, number, dag, named))
    op, vertices, third = columns
    if leveled:
        return {"op": op, "vertex": vertices, "level": third}
    return {"op": op, "vertex": vertices, "operand": third}


def _numbered(name: str, line: int, dag: CDAG | None, named: dict[str, int]) -> int:
    """The number of the vertex that a line names.

    Parameters
    ----------
    name, line
        The name, and the number of the line.
    dag
        The DAG; None where only numbers can be read.
    named
        Vertices by name; filled when the first one is asked for.
    """
    if dag is None:
        raise InvalidScheduleError(
            f'line {line} is no move like ["LOAD", 3]: what {shown(name)} is, only a DAG tells'
        )
    if not named:
        labels: Iterable[Any] = range(dag.n) if dag.labels is None else dag.labels
        named |= {str(label): vertex for vertex, label in enumerate(labels)}
    if name not in named:
        hint = did_you_mean(name, named)
        raise InvalidScheduleError(f"line {line}: no vertex is called {shown(name)}{hint}")
    return named[name]


def _move(line: bytes, number: int) -> tuple[Any, ...]:
    """The parts of a line like ["LOAD", 3], ["COMPUTE", "x", "y"] or ["LOAD", 3, 1]."""
    try:
        name, *about = json.loads(line)
        move = Move[name]
        numbered = (type(v) is str or (type(v) is int and v in VERTICES) for v in about)
        if 1 <= len(about) <= 2 and all(numbered):
            return move, *about
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InvalidScheduleError(f'line {number} is no move like ["LOAD", 3]')
