"""What stands around a function in a Python file: numbers, tables, and functions of numbers."""

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

from dags.programs.text.scopes import stored_names
from dags.programs.text.tables import Entry, Values, entries_of
from dags.programs.text.trees import Call

MOST_WAYS: Final = 32  # through the conditions of a function of numbers
DEEPEST: Final = 8  # functions of numbers within others
ARRAYS: Final = ("array", "asarray")


@dataclass(frozen=True)
class Module:
    """The names of a file that a function of it may read.

    Parameters
    ----------
    sizes
        Whole numbers.
    numbers
        Other numbers, as they are written.
    tables
        Lists of whole numbers.
    lists
        Names of lists of numbers.
    functions
        Functions, by their names.
    """

    sizes: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, ast.expr] = field(default_factory=dict)
    tables: Mapping[str, Entry] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()
    functions: Mapping[str, ast.FunctionDef] = field(default_factory=dict)

    def around(self, function: ast.FunctionDef) -> "Module":
        """What is left where a function has names of its own."""
        names = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
        names |= stored_names([function])
        used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} - names
        return Module(
            {name: size for name, size in self.sizes.items() if name in used},
            {name: value for name, value in self.numbers.items() if name in used},
            {name: table for name, table in self.tables.items() if name in used},
            self.lists & used,
            {name: inner for name, inner in self.functions.items() if name in used},
        )


def module_of(tree: ast.Module) -> Module:
    """The names that a file defines once."""
    counts: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            counts |= dict.fromkeys(node.names, 2)
    for statement in tree.body:
        for name in stored_names([statement]) if not _is_definition(statement) else ():
            counts[name] = counts.get(name, 0) + 1
    sizes: dict[str, int] = {}
    numbers: dict[str, ast.expr] = {}
    tables: dict[str, Entry] = {}
    lists: set[str] = set()
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        value = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.AnnAssign):
            target, value = statement.target, statement.value
        if not isinstance(target, ast.Name) or value is None or counts.get(target.id) != 1:
            continue
        listed = listed_values(value)
        number = _entry(value, sizes)
        if isinstance(number, int):
            sizes[target.id] = number
        elif is_number(value):
            numbers[target.id] = value
        elif listed is not None and all(map(is_number, flat_values(listed))):
            lists.add(target.id)
            table = _entry(listed, sizes)
            if table is not None:
                tables[target.id] = table
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return Module(sizes, numbers, tables, frozenset(lists), functions)


def _is_definition(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _entry(values: Values, numbers: Mapping[str, int]) -> Entry | None:
    """The whole numbers of a table, or one; None of other values."""
    try:
        return entries_of(values, numbers, ())
    except ValueError:
        return None


def table_of(values: Sequence[Values]) -> Entry | None:
    """The whole numbers that a list has; None of another one."""
    return _entry(values, {})


def is_number(value: ast.expr) -> bool:
    """Whether an expression has numbers and operators only."""
    kinds = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    return all(
        isinstance(part, kinds)
        and (not isinstance(part, ast.Constant) or isinstance(part.value, int | float))
        for part in ast.walk(value)
    )


def listed_values(value: ast.expr) -> list[Values] | None:
    """The values of ``[1, 2]``, ``((1, 2), (3, 4))`` or ``np.array([1, 2])``, in rows."""
    if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in ARRAYS:
        return listed_values(value.args[0]) if len(value.args) == 1 else None
    if not isinstance(value, ast.List | ast.Tuple) or not value.elts:
        return None
    rows: list[Values] = []
    for part in value.elts:
        inner = listed_values(part) if isinstance(part, ast.List | ast.Tuple) else part
        if inner is None or isinstance(inner, ast.Starred):
            return None
        rows.append(inner)
    return rows


def flat_values(values: Values) -> list[ast.expr]:
    """The values in rows, one after the other."""
    if not isinstance(values, Sequence):
        return [values]
    return [leaf for value in values for leaf in flat_values(value)]


def with_module(function: ast.FunctionDef, module: Module) -> ast.FunctionDef:
    """A copy of a function with numbers for their names, and with what functions return."""
    changed: ast.FunctionDef = _Around(module).visit(deepcopy(function))
    return changed


class _Around(ast.NodeTransformer):
    """Puts numbers of a file in the place of their names, and notes what its functions return.

    Parameters
    ----------
    module
        The names of the file that the function reads.
    """

    def __init__(self, module: Module) -> None:
        self.module, self.depth = module, 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.module.numbers.get(node.id)
        return node if value is None else ast.copy_location(deepcopy(value), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = self.module.functions.get(name)
        if function is None or self.depth >= DEEPEST:
            return node
        meaning = _called(function, node)
        if meaning is None:
            return node
        self.depth += 1
        call = Call(node.func, node.args, node.keywords)
        call.meaning = self.visit(ast.fix_missing_locations(ast.copy_location(meaning, node)))
        self.depth -= 1
        return ast.copy_location(call, node)


def _called(function: ast.FunctionDef, call: ast.Call) -> ast.expr | None:
    """What a function of numbers returns where it is called, as selections; None of another."""
    arguments = function.args
    parameters = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    is_plain = not (arguments.vararg or arguments.kwonlyargs or arguments.kwarg or call.keywords)
    if not is_plain or len(parameters) != len(call.args):
        return None
    return _returned(function.body, dict(zip(parameters, call.args, strict=True)), MOST_WAYS)


def _returned(
    body: Sequence[ast.stmt], values: Mapping[str, ast.expr], ways: int
) -> ast.expr | None:
    """The value that some statements return; None where they do more than choose and compute.

    Parameters
    ----------
    body
        The statements.
    values
        What names stand for.
    ways
        How many ways through them there may be.
    """
    values = dict(values)
    for place, node in enumerate(body):
        if isinstance(node, ast.Return):
            return None if node.value is None else _Put(values).visit(deepcopy(node.value))
        if isinstance(node, ast.If):
            following = body[place + 1 :]
            branches = [
                _returned([*branch, *following], values, ways // 2) if ways > 1 else None
                for branch in (node.body, node.orelse)
            ]
            if branches[0] is None or branches[1] is None:
                return None
            test = _Put(values).visit(deepcopy(node.test))
            return ast.copy_location(ast.IfExp(test, branches[0], branches[1]), node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.AugAssign):
            target = node.target
            loaded = ast.copy_location(ast.Name(ast.unparse(target), ast.Load()), node)
            value = ast.copy_location(ast.BinOp(loaded, node.op, node.value), node)
        if not isinstance(target, ast.Name) or value is None:
            return None
        values[target.id] = _Put(values).visit(deepcopy(value))
    return None


class _Put(ast.NodeTransformer):
    """Puts values in the place of names."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.values.get(node.id)
        return node if value is None else deepcopy(value)
