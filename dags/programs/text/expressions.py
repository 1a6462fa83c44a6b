"""Expressions as the values that they read, and conditions as cases of affine comparisons."""

import ast
from itertools import pairwise, product
from math import prod
from typing import Final

import numpy as np

from dags.programs.affine import Affine
from dags.programs.nest import (
    CONSTANT,
    Condition,
    Constant,
    Expression,
    Operation,
    ProgramError,
    Reference,
)
from dags.programs.text.scopes import Cases, Scopes

MODULES: Final = ("math", "cmath", "np", "numpy")
OF_ARRAYS: Final = {"sum", "len", "sorted", "any", "all", "list", "tuple", "range", "print"}
IN_NUMPY: Final = (  # what to write for operations on whole arrays
    "write the loop over its cells, or let NumPy run it on shapes, f.py:f:shapes=8x8;8x8,numpy"
)
IDENTITIES: Final = {"SCALAR_VAL", "float", "int", "double"}  # calls that compute nothing
COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def expression_of(node: ast.expr, scopes: Scopes) -> Expression:
    """The reads of an expression, operation by operation.

    Raises
    ------
    ProgramError
        If it holds an index that is not affine, or something else than cells, numbers,
        operators, calls and selections.
    """
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, int | float | complex):
            raise ProgramError(f"{node.value!r} is no number", node.lineno)
        return _literal(node)
    if isinstance(node, ast.Name):
        scopes.require_open(node.id, node.lineno)
        if not scopes.is_integer(node.id):
            return Reference(node.id)
        form = scopes.form(node)
        if form is None:
            raise ProgramError(
                f"{node.id} is a whole number that is no form of loop variables here", node.lineno
            )
        return Constant(form)
    if isinstance(node, ast.Subscript):
        return reference_of(node, scopes)
    if isinstance(node, ast.Attribute):
        return _named_constant(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return expression_of(node.operand, scopes)
    if isinstance(node, ast.Call):
        return _call(node, scopes)
    name, parts, signs = _operator(node)
    return operation(name, [expression_of(part, scopes) for part in parts], signs)


def operation(
    name: str,
    operands: list[Expression],
    signs: tuple[str, ...] = (),
    meaning: Expression | None = None,
) -> Expression:
    """An operation, or a constant if all of its operands are."""
    found = Operation(name, tuple(operands), signs, meaning)
    return Constant(found) if all(isinstance(each, Constant) for each in operands) else found


def _literal(node: ast.Constant) -> Constant:
    """A number; those of C may be of single precision, or without a sign."""
    number = Constant(node.value)  # type: ignore[arg-type]  # `expression_of` has looked
    if node.kind == "u":
        return CONSTANT
    return Constant(Operation("float", (number,))) if node.kind == "f" else number


def reference_of(node: ast.Subscript | ast.Name, scopes: Scopes) -> Reference:
    """The cell that ``A[i][j]``, ``A[i, j]`` or ``x`` names; raises as `expression_of`."""
    indices: list[Affine] = []
    at: ast.expr = node
    while isinstance(at, ast.Subscript):
        parts = at.slice.elts if isinstance(at.slice, ast.Tuple) else [at.slice]
        indices = [_index(part, scopes) for part in parts] + indices
        at = at.value
    if not isinstance(at, ast.Name):
        more = f": {IN_NUMPY}" if isinstance(at, ast.Attribute) else ""
        raise ProgramError(f"{ast.unparse(node)[:60]!r} is no cell of an array{more}", node.lineno)
    if at.id in scopes.looped and not indices:
        scopes.require_open(at.id, node.lineno)
    if indices and scopes.is_integer(at.id):
        raise ProgramError(f"{at.id} is an integer and has no cells", node.lineno)
    return Reference(at.id, tuple(indices))


def _index(node: ast.expr, scopes: Scopes) -> Affine:
    if isinstance(node, ast.Slice) or (isinstance(node, ast.Constant) and node.value is ...):
        raise ProgramError(f"a slice is not one cell: {IN_NUMPY}", node.lineno)
    form = scopes.form(node)
    if form is None:
        shown = scopes.shown(node)
        raise ProgramError(f"index {shown} is not affine: {scopes.reason(node)}", node.lineno)
    return form


def _operator(node: ast.expr) -> tuple[str, list[ast.expr], tuple[str, ...]]:
    """The name of an operator, its operands, and the comparisons between the first."""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        return type(node.op).__name__, [node.left, node.right], ()
    if isinstance(node, ast.UnaryOp):
        return type(node.op).__name__, [node.operand], ()
    if isinstance(node, ast.BoolOp):
        return type(node.op).__name__, node.values, ()
    if isinstance(node, ast.Compare):
        return "Compare", *_decided_by(node)
    if isinstance(node, ast.IfExp):
        # Deciding is part of selecting: a comparison there is no value of its own.
        parts, signs = _decided_by(node.test)
        return "?:", [*parts, node.body, node.orelse], signs
    shown = ast.unparse(node)[:60]
    is_whole = isinstance(node, ast.BinOp | ast.ListComp | ast.GeneratorExp)
    more = f": {IN_NUMPY}" if is_whole else ""
    raise ProgramError(f"{shown!r} is no expression of numbers{more}", node.lineno)


def _decided_by(test: ast.expr) -> tuple[list[ast.expr], tuple[str, ...]]:
    if not isinstance(test, ast.Compare):
        return [test], ()
    signs = tuple(COMPARISONS.get(type(each), "") for each in test.ops)
    return [test.left, *test.comparators], signs


def _call(node: ast.Call, scopes: Scopes) -> Expression:
    name = ast.unparse(node.func)
    if not isinstance(node.func, ast.Name | ast.Attribute):
        raise ProgramError(f"{name!r} is no function that is called by name", node.lineno)
    if name == scopes.function:
        raise ProgramError(f"{name} calls itself: recursion is not read", node.lineno)
    if not node.args:
        is_method = isinstance(node.func, ast.Attribute) and not _is_module(node.func.value)
        written = IN_NUMPY if is_method else "hand it what it reads"
        raise ProgramError(f"{name}() reads nothing that is seen here: {written}", node.lineno)
    if not _is_of_numbers(node.func, len(node.args)):
        raise ProgramError(
            f"{name} is no function of numbers: {IN_NUMPY}",
            node.lineno,
        )
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        raise ProgramError(f"{name} is called with more than plain values", node.lineno)
    operands = [expression_of(each, scopes) for each in node.args]
    if name in IDENTITIES and len(operands) == 1:
        return _converted(name, operands[0], scopes, node.lineno)
    return operation(name, operands, (), _meaning(node, scopes))


def _converted(name: str, operand: Expression, scopes: Scopes, line: int) -> Expression:
    """A value of another type: the same value, as far as a DAG goes."""
    if name == "SCALAR_VAL":
        return operand
    if isinstance(operand, Constant):
        return Constant(Operation(name, (operand,)))
    scopes.conversions.append((line, name))
    return operand


def _meaning(node: ast.Call, scopes: Scopes) -> Expression | None:
    """The text behind a macro; None of other functions, and of text that is not read."""
    inside = getattr(node, "meaning", None)
    try:
        return None if inside is None else expression_of(inside, scopes)
    except ProgramError:
        return None


def _is_of_numbers(function: ast.Name | ast.Attribute, count: int) -> bool:
    """Whether a function takes numbers, not whole arrays, as far as its name tells."""
    if isinstance(function, ast.Name):
        return function.id not in (OF_ARRAYS if count > 1 else OF_ARRAYS | {"max", "min"})
    if not _is_module(function.value):
        return False
    if "math" in ast.unparse(function.value):
        return function.attr not in ("fsum", "prod", "dist", "sumprod")
    found = getattr(np, function.attr, None)
    if isinstance(found, np.ufunc):
        return found.signature is None
    return function.attr == "where" or (isinstance(found, type) and issubclass(found, np.number))


def _named_constant(node: ast.Attribute) -> Expression:
    """A constant for ``math.pi`` and its like."""
    if _is_module(node.value):
        return Constant(ast.unparse(node))
    raise ProgramError(f"{ast.unparse(node)!r} is no cell of an array", node.lineno)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in MODULES


MOST_CASES: Final = 64
NEGATED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def cases_of(test: ast.expr, scopes: Scopes, *, negated: bool = False) -> Cases:
    """The cases in which a test holds, or does not if `negated`.

    Raises
    ------
    ProgramError
        If it is no combination of affine comparisons.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return cases_of(test.operand, scopes, negated=not negated)
    if isinstance(test, ast.BoolOp):
        parts = [cases_of(part, scopes, negated=negated) for part in test.values]
        is_product = isinstance(test.op, ast.And) != negated
        if (prod if is_product else sum)(map(len, parts)) > MOST_CASES:
            raise ProgramError(f"the condition has more than {MOST_CASES} cases", test.lineno)
        if is_product:
            return tuple(sum(choice, ()) for choice in product(*parts))
        return sum(parts, ())
    if not isinstance(test, ast.Compare):
        form = scopes.form(test)
        if form is None:
            raise _reads_data(test)
        return ((Condition(form, "eq" if negated else "ne"),),)
    sides = [test.left, *test.comparators]
    found = [
        _comparison(
            (left, right),
            NEGATED[type(op)]() if negated and type(op) in NEGATED else op,
            test,
            scopes,
        )
        for (left, right), op in zip(pairwise(sides), test.ops, strict=True)
    ]
    return tuple((each,) for each in found) if negated else (tuple(found),)


def _comparison(
    sides: tuple[ast.expr, ast.expr], op: ast.cmpop, test: ast.expr, scopes: Scopes
) -> Condition:
    low, high = (scopes.form(side) for side in sides)
    if low is None or high is None:
        raise _reads_data(test)
    difference = high - low
    if isinstance(op, ast.Eq):
        return Condition(difference, "eq")
    if isinstance(op, ast.NotEq):
        return Condition(difference, "ne")
    if isinstance(op, ast.LtE | ast.Lt):
        return Condition(difference.plus(-isinstance(op, ast.Lt)), "ge")
    if isinstance(op, ast.GtE | ast.Gt):
        return Condition(difference.times(-1).plus(-isinstance(op, ast.Gt)), "ge")
    raise _reads_data(test)


class DataConditionError(ProgramError):
    """A condition that is not affine in loop variables and sizes."""


def _reads_data(node: ast.expr) -> DataConditionError:
    return DataConditionError(
        f"the condition {ast.unparse(node)!r} is not affine in loop variables and sizes; "
        "a choice that depends on data is written as a selection (a if c else b, c ? a : b)",
        node.lineno,
    )
