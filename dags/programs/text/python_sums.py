"""Generators and comprehensions of Python as the loops that they are."""

import ast
from collections.abc import Callable
from copy import deepcopy

from dags.programs.text.scopes import stored_names

SUMS = ("sum", "math.fsum", "np.sum", "numpy.sum")


def without_sums(value: ast.expr, new: Callable[[str], str]) -> tuple[list[ast.stmt], ast.expr]:
    """The loops of the sums in a value, and the value with their names.

    Parameters
    ----------
    value
        An expression, which is changed.
    new
        Makes a name that the function does not have.
    """
    sums = _Sums(new)
    changed: ast.expr = sums.visit(value)
    return sums.before, changed


class _Sums(ast.NodeTransformer):
    """Puts the names of sums in the place of ``sum(a[i] for i in range(n))``.

    Parameters
    ----------
    new
        Makes a name that the function does not have.
    """

    def __init__(self, new: Callable[[str], str]) -> None:
        self.new = new
        self.before: list[ast.stmt] = []

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return node  # whose branches are not computed both

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        terms = node.args[0] if node.args else None
        is_sum = ast.unparse(node.func) in SUMS and len(node.args) <= 2 and not node.keywords
        if not is_sum or not isinstance(terms, ast.GeneratorExp | ast.ListComp):
            return self.generic_visit(node)  # type: ignore[return-value]  # an expression stays one
        start = self.visit(node.args[1]) if len(node.args) == 2 else ast.Constant(0.0)
        name = self.new("sum")
        term = ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), terms.elt)
        loops = _loops(terms.generators, [term], self.new)
        begin = ast.Assign([ast.Name(name, ast.Store())], start)
        self.before += [_located(statement, node) for statement in (begin, *loops)]
        return ast.copy_location(ast.Name(name, ast.Load()), node)


def with_array(name: str, value: ast.expr, new: Callable[[str], str]) -> list[ast.stmt] | None:
    """The loops that fill an array which a comprehension makes; None of other values.

    Parameters
    ----------
    name, value
        The array, and ``[[... for j in range(m)] for i in range(n)]``.
    new
        Makes a name that the function does not have.
    """
    generators: list[ast.comprehension] = []
    inner = value
    while isinstance(inner, ast.ListComp) and len(inner.generators) == 1:
        generators += inner.generators
        inner = inner.elt
    sides = [_count(generator) for generator in generators]
    is_named = all(isinstance(generator.target, ast.Name) for generator in generators)
    if not sides or not is_named or isinstance(inner, ast.ListComp | ast.List | ast.Tuple):
        return None
    cell: ast.expr = ast.Name(name, ast.Load())
    for generator in generators:
        index = ast.Name(generator.target.id, ast.Load())  # type: ignore[attr-defined]  # a name
        cell = ast.Subscript(cell, index, ast.Load())
    cell.ctx = ast.Store()  # type: ignore[attr-defined]  # a cell
    shape = [side for side in sides if side is not None]
    if len(shape) < len(sides):
        return None
    maker = ast.Attribute(ast.Name("np", ast.Load()), "empty", ast.Load())
    empty = ast.Call(maker, [ast.Tuple(deepcopy(shape), ast.Load())], [])
    made = ast.Assign([ast.Name(name, ast.Store())], empty)
    loops = _loops(generators, [ast.Assign([cell], inner)], new)
    return [_located(statement, value) for statement in (made, *loops)]


def _count(generator: ast.comprehension) -> ast.expr | None:
    """The iterations of ``for i in range(n)``; None of other loops."""
    call = generator.iter
    is_range = isinstance(call, ast.Call) and ast.unparse(call.func) == "range"
    if not is_range or generator.ifs or len(call.args) != 1:  # type: ignore[attr-defined]  # a call
        return None
    return call.args[0]  # type: ignore[attr-defined,no-any-return]  # a call


def _loops(
    generators: list[ast.comprehension], body: list[ast.stmt], new: Callable[[str], str]
) -> list[ast.stmt]:
    """Loops, one in the other, whose variables have names of their own.

    Parameters
    ----------
    generators
        The heads of the loops, the outermost first.
    body
        The statements within.
    new
        Makes a name that the function does not have.
    """
    for generator in reversed(generators):
        for test in reversed(generator.ifs):
            body = [ast.If(test, body, [])]
        body = [ast.For(generator.target, generator.iter, body, [])]
    targets = [ast.Expr(generator.target) for generator in generators]
    names = {name: new(name) for name in sorted(stored_names(targets))}
    return [_Renamed(names).visit(deepcopy(statement)) for statement in body]


class _Renamed(ast.NodeTransformer):
    """Gives names other names."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def renamed(statement: ast.stmt, names: dict[str, str]) -> ast.stmt:
    """A copy of a statement whose names are others."""
    copy: ast.stmt = _Renamed(names).visit(deepcopy(statement))
    return copy


def _located(statement: ast.stmt, origin: ast.expr) -> ast.stmt:
    """A statement in the line of an expression, and all that has no line in it."""
    return ast.fix_missing_locations(ast.copy_location(statement, origin))
