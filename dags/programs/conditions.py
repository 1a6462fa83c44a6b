"""Conditions on loop variables and sizes, as cases of affine comparisons."""

import ast
from itertools import pairwise, product
from math import prod
from typing import Final

from dags.programs.errors import ProgramError
from dags.programs.nest import Condition
from dags.programs.scopes import Scopes

MOST_CASES: Final = 64
Cases = tuple[tuple[Condition, ...], ...]
NEGATED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def cases_of(test: ast.expr, scopes: Scopes, *, negated: bool = False) -> Cases:
    """Return the cases in which a test holds, or does not if `negated`.

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
        raise _reads_data(test)
    sides = [test.left, *test.comparators]
    found = [
        _comparison(
            left, NEGATED[type(op)]() if negated and type(op) in NEGATED else op, right, scopes
        )
        for (left, right), op in zip(pairwise(sides), test.ops, strict=True)
    ]
    return tuple((each,) for each in found) if negated else (tuple(found),)


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr, scopes: Scopes) -> Condition:
    low, high = scopes.form(left), scopes.form(right)
    if low is None or high is None:
        raise _reads_data(left if low is None else right)
    difference = high - low
    if isinstance(op, ast.Eq):
        return Condition(difference, "eq")
    if isinstance(op, ast.NotEq):
        return Condition(difference, "ne")
    if isinstance(op, ast.LtE | ast.Lt):
        return Condition(difference.plus(-isinstance(op, ast.Lt)), "ge")
    if isinstance(op, ast.GtE | ast.Gt):
        return Condition(difference.times(-1).plus(-isinstance(op, ast.Gt)), "ge")
    raise _reads_data(left)


def _reads_data(node: ast.expr) -> ProgramError:
    return ProgramError(
        f"the condition {ast.unparse(node)!r} is not affine in loop variables and sizes; "
        "a choice that depends on data is written as a selection (a if c else b, c ? a : b)",
        node.lineno,
    )
