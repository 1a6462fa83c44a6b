"""Places of statements in a program."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dags.programs.nest import If, Loop, Statement

Path = tuple[int, ...]


def loop_paths(body: Sequence[Statement], path: Path) -> Iterator[Path]:
    """Yield the places of all loops, the outermost first; branches of a condition are -1 and -2."""
    inner: list[tuple[Sequence[Statement], Path]] = []
    for place, statement in enumerate(body):
        here = (*path, place)
        if isinstance(statement, Loop):
            yield here
            inner.append((statement.body, here))
        elif isinstance(statement, If):
            inner.append((statement.body, (*here, -1)))
            inner.append((statement.otherwise, (*here, -2)))
    for some, here in inner:
        yield from loop_paths(some, here)


def blocks(body: Sequence[Statement], path: Path) -> Iterator[tuple[Path, Sequence[Statement]]]:
    """Yield the blocks of a program with their places."""
    yield path, body
    for place, statement in enumerate(body):
        if isinstance(statement, Loop):
            yield from blocks(statement.body, (*path, place))
        elif isinstance(statement, If):
            yield from blocks(statement.body, (*path, place, -1))
            yield from blocks(statement.otherwise, (*path, place, -2))


def statement_at(body: Sequence[Statement], path: Path) -> Statement:
    """The statement at a place."""
    statement = body[path[0]]
    rest = path[1:]
    if not rest:
        return statement
    if isinstance(statement, If):
        return statement_at(statement.body if rest[0] == -1 else statement.otherwise, rest[1:])
    assert isinstance(statement, Loop)
    return statement_at(statement.body, rest)


def body_with(
    body: tuple[Statement, ...], path: Path, some: tuple[Statement, ...]
) -> tuple[Statement, ...]:
    """A body with statements in the place of one."""
    place, rest = path[0], path[1:]
    statement = body[place]
    if not rest:
        return (*body[:place], *some, *body[place + 1 :])
    if isinstance(statement, If):
        if rest[0] == -1:
            statement = replace(statement, body=body_with(statement.body, rest[1:], some))
        else:
            statement = replace(statement, otherwise=body_with(statement.otherwise, rest[1:], some))
    elif isinstance(statement, Loop):
        statement = replace(statement, body=body_with(statement.body, rest, some))
    return (*body[:place], statement, *body[place + 1 :])
