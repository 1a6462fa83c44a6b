"""Loops of C as ranges of Python."""

import ast
from typing import Final

from dags.programs.c_expressions import placed
from dags.programs.errors import ProgramError
from dags.programs.scopes import Scopes

COMPARISONS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def counted_range(
    name: str, start: ast.expr, test: ast.expr, update: ast.stmt, unsigned: bool, line: int
) -> ast.Call:
    """Return the range of ``for (name = start; test; update)`` as a call of `range`.

    Parameters
    ----------
    name
        The loop variable.
    start
        Its first value.
    test, update
        The condition to go on, and the change of the variable after each run.
    unsigned
        True if the variable has a type without negative numbers.
    line
        Line of the text, for messages.

    Raises
    ------
    ProgramError
        If the loop does not count by a constant, up to or down to a stop.
    """
    step = _step(name, update, line)
    down = step < 0
    tests = _conjuncts(test)
    stops = [_stop(name, part, down, line) for part in tests]
    if down and unsigned and _may_be_equal(tests):
        raise ProgramError(f"{name} is unsigned: where it counts down, write >", line)
    stop = stops[0] if len(stops) == 1 else _call("max" if down else "min", stops, line)
    return _call("range", [start, stop, placed(ast.Constant(step), line)], line)


def _call(name: str, arguments: list[ast.expr], line: int) -> ast.Call:
    return placed(ast.Call(placed(ast.Name(name, ast.Load()), line), arguments, []), line)


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in _conjuncts(value)]
    return [test]


def _step(name: str, update: ast.stmt, line: int) -> int:
    """Return what is added to the loop variable each time."""
    value: ast.expr | None = None
    if isinstance(update, ast.AugAssign) and _is_name(update.target, name):
        value, op = update.value, update.op
    elif (
        isinstance(update, ast.Assign)
        and _is_name(update.targets[0], name)
        and isinstance(update.value, ast.BinOp)
        and _is_name(update.value.left, name)
    ):
        value, op = update.value.right, update.value.op
    if value is None or not isinstance(op, ast.Add | ast.Sub):
        raise ProgramError(f"the loop over {name} does not end with '{name} += step'", line)
    form = Scopes(once=frozenset(), counting=frozenset()).form(value)
    if form is None:
        raise ProgramError(f"step {ast.unparse(value)} is no constant", line)
    if form.constant == 0:
        raise ProgramError("step 0 never ends", line)
    return -form.constant if isinstance(op, ast.Sub) else form.constant


def _stop(name: str, test: ast.expr, down: bool, line: int) -> ast.expr:
    """Return the first value with which the loop does not run any more."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], COMPARISONS):
        left, op, right = test.left, test.ops[0], test.comparators[0]
        below = isinstance(op, ast.Lt | ast.LtE)
        if _is_name(right, name):
            left, right, below = right, left, not below
        if _is_name(left, name) and below != down:
            if isinstance(op, ast.Lt | ast.Gt):
                return right
            beyond = ast.Sub() if down else ast.Add()
            return placed(ast.BinOp(right, beyond, placed(ast.Constant(1), line)), line)
    raise ProgramError(
        f"the loop over {name} does not run while '{name} {'>' if down else '<'} stop'", line
    )


def _may_be_equal(tests: list[ast.expr]) -> bool:
    """Return whether a loop also runs where its variable is equal to a stop: 0 >= 0 for ever."""
    ops = [test.ops[0] for test in tests if isinstance(test, ast.Compare)]
    return any(isinstance(op, ast.GtE | ast.LtE) for op in ops)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
