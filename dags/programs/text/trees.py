"""Nodes of Python's syntax trees, as the readers of C and of Python make them."""

import ast
from collections.abc import Iterable
from typing import TypeVar

N = TypeVar("N", bound=ast.expr | ast.stmt)


class Call(ast.Call):
    """A call of a macro that is a function, or a cast; `meaning` is its form in an index.

    Its name is that of its base, by which visitors of trees and `ast.unparse` know it.
    """

    meaning: ast.expr


class While(ast.While):
    """A loop of C that counts by no step: in turn as its test says; `refusal` where that fails.

    Its name is that of its base, too.
    """

    refusal: str


class Fill(ast.Assign):
    """A constant in cells of an array that is declared in a loop's body.

    It counts where something else assigns to the array, too. Its name is that of its base, too.
    """


def placed(node: N, line: int) -> N:
    """`node` with its line."""
    node.lineno, node.col_offset = line, 0
    return node


def call_of(name: str, arguments: list[ast.expr], line: int) -> ast.Call:
    """A call of a function by its name."""
    return placed(ast.Call(placed(ast.Name(name, ast.Load()), line), arguments, []), line)


def is_name(node: ast.expr, name: str) -> bool:
    """Whether an expression is a name."""
    return isinstance(node, ast.Name) and node.id == name


def names_read(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that some nodes read."""
    return {
        part.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }
