"""Loops that count: their heads as ranges, and ``while`` loops whose bodies count.

``while (i < n) { ...; i++; }`` is a loop over i, wherever in its body i is counted: what comes
behind that reads the number that i is then. It has to be counted by the same in each iteration, and
nothing else that the test reads may change.
"""

import ast
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

from dags.programs.nest import ProgramError
from dags.programs.text.scopes import stored_names
from dags.programs.text.trees import Call, call_of, is_name, names_read, placed

COMPARISONS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.NotEq)


@dataclass
class Range:
    """A loop that counts: its variable, its values, and which way it runs."""

    variable: str
    start: ast.expr | None
    stops: list[ast.expr] = field(default_factory=list)
    step: ast.expr | None = None
    down: bool = False


def loop_of(head: Range, body: list[ast.stmt], line: int) -> ast.For:
    """``for (i = start; i < stop; i += step)`` as a loop over a range.

    Parameters
    ----------
    head
        The variable, its values, and which way it runs.
    body, line
        Its statements, and its line.
    """
    name = placed(ast.Name(head.variable, ast.Store()), line)
    start = head.start or placed(ast.Name(head.variable, ast.Load()), line)
    stop = head.stops[0]
    if len(head.stops) > 1:
        stop = call_of("max" if head.down else "min", head.stops, line)
    step = head.step or placed(ast.Constant(1), line)
    if head.down and not isinstance(step, ast.Constant):
        step = placed(ast.UnaryOp(ast.USub(), step), line)
    elif head.down and isinstance(step, ast.Constant):
        step = placed(ast.Constant(-step.value), line)  # type: ignore[operator]  # a number
    iterator = call_of("range", [start, stop, step], line)
    loop = placed(ast.For(name, iterator, body or [placed(ast.Pass(), line)], []), line)
    loop.type_comment = "down" if head.down else "up"
    return loop


def counted(test: ast.expr, body: list[ast.stmt]) -> tuple[Range, list[ast.stmt]] | None:
    """The head of a ``while`` loop and its body without counting; None if it counts nothing.

    Parameters
    ----------
    test
        As long as it holds the loop runs.
    body
        The statements of the loop.
    """
    tests = [_compared(part) for part in conjuncts(test)]
    stored = stored_names(body)
    for name in sorted(names_read(tests) & stored):
        steps = _steps(name, body)
        amounts = [amount for amount in steps if amount is not None]
        if not amounts or (names_read(tests) - {name}) & stored or names_read(amounts) & stored:
            continue
        is_plain = all(isinstance(amount, ast.Constant) for amount in amounts)
        if len(amounts) > 1 and not is_plain:
            continue
        step = amounts[0]
        head = Range(name, None, step=step)
        if is_plain:
            total = sum(amount.value for amount in amounts)  # type: ignore[attr-defined]  # numbers
            if total == 0:
                continue
            head.down = total < 0
            head.step = placed(ast.Constant(abs(total)), step.lineno)
        elif isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub):
            head.down, head.step = True, step.operand
        try:
            head.stops = [stop(name, part, head, step.lineno) for part in tests]
        except ProgramError:
            continue
        return head, _shifted(name, body, steps)
    return None


def _compared(test: ast.expr) -> ast.expr:
    """``i != 0`` for ``i``."""
    if not isinstance(test, ast.Name):
        return test
    zero = placed(ast.Constant(0), test.lineno)
    return placed(ast.Compare(test, [ast.NotEq()], [zero]), test.lineno)


def _steps(name: str, body: list[ast.stmt]) -> list[ast.expr | None]:
    """Return by how much each statement counts a name; nothing if it changes in other ways.

    A statement that does not count it is None. Behind one that may end an iteration none may.
    """
    steps: list[ast.expr | None] = []
    ends = False
    for statement in body:
        step = _step(name, statement)
        if step is None and name in stored_names([statement]):
            return []
        if step is not None and ends:
            return []
        ends |= may_continue(statement)
        steps.append(step)
    return steps


def _step(name: str, statement: ast.stmt) -> ast.expr | None:
    """Return by how much a statement counts a name; None if it does not."""
    if isinstance(statement, ast.AugAssign) and is_name(statement.target, name):
        op, value = statement.op, statement.value
    elif (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and is_name(statement.targets[0], name)
        and isinstance(statement.value, ast.BinOp)
    ):
        op, left, value = statement.value.op, statement.value.left, statement.value.right
        if isinstance(op, ast.Add) and is_name(value, name):
            left, value = value, left
        if not is_name(left, name):
            return None
    else:
        return None
    if not isinstance(op, ast.Add | ast.Sub) or name in names_read([value]):
        return None
    is_whole = isinstance(value, ast.Constant) and type(value.value) is int
    if isinstance(value, ast.Constant) and not is_whole:
        return None
    if isinstance(op, ast.Add):
        return value
    if isinstance(value, ast.Constant):
        return placed(ast.Constant(-value.value), value.lineno)  # type: ignore[operator]  # whole
    return placed(ast.UnaryOp(ast.USub(), value), value.lineno)


def may_continue(statement: ast.stmt) -> bool:
    """Whether a statement may go on with the next iteration of the loop around."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Continue):
            return True
        if not isinstance(node, ast.For | ast.While):
            waiting += ast.iter_child_nodes(node)
    return False


class _Counted(ast.NodeTransformer):
    """Puts the number that a name is behind its steps in its place."""

    def __init__(self, name: str, steps: list[ast.expr]) -> None:
        self.name, self.steps = name, steps

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name:
            return node
        value: ast.expr = node
        for step in self.steps:
            value = placed(ast.BinOp(value, ast.Add(), deepcopy(step)), node.lineno)
        return value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node, Call):  # its meaning is no field of the tree
            node.meaning = self.visit(node.meaning)
        return self.generic_visit(node)


def _shifted(name: str, body: list[ast.stmt], steps: list[ast.expr | None]) -> list[ast.stmt]:
    """A body without the steps of a name, which is counted at the end of an iteration."""
    statements: list[ast.stmt] = []
    before: list[ast.expr] = []
    for statement, step in zip(body, steps, strict=True):
        if step is not None:
            before.append(step)
        elif before:
            statements.append(_Counted(name, before).visit(deepcopy(statement)))
        else:
            statements.append(statement)
    return statements


def conjuncts(test: ast.expr) -> list[ast.expr]:
    """The tests that have to hold together."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in conjuncts(value)]
    return [test]


def _sides(name: str, test: ast.expr) -> tuple[ast.cmpop, ast.expr, bool] | None:
    """The sign of a comparison, the other side, and whether the name is on the right."""
    is_single = isinstance(test, ast.Compare) and len(test.ops) == 1
    if not is_single or not isinstance(test.ops[0], COMPARISONS):  # type: ignore[attr-defined]  # looked at
        return None
    left, right = test.left, test.comparators[0]  # type: ignore[attr-defined]  # a comparison
    for side, bound, is_right in ((left, right, False), (right, left, True)):
        addends = _added(side, name)
        if addends is not None:
            for addend in addends:
                bound = placed(ast.BinOp(bound, ast.Sub(), addend), test.lineno)
            return test.ops[0], bound, is_right  # type: ignore[attr-defined]  # a comparison
    return None


def _added(node: ast.expr, name: str) -> list[ast.expr] | None:
    """What is added to a name, in ``k + 3 < n``; None if it is no such sum."""
    if is_name(node, name):
        return []
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    for term, remaining in ((node.left, node.right), (node.right, node.left)):
        addend = _added(term, name)
        if addend is not None and name not in names_read([remaining]):
            return [*addend, remaining]
    return None


def way(name: str, test: ast.expr) -> bool | None:
    """Whether a loop runs down, as far as its test says."""
    sides = _sides(name, test)
    if sides is None or isinstance(sides[0], ast.NotEq):
        return None
    return isinstance(sides[0], ast.Gt | ast.GtE) != sides[2]


def stop(
    name: str, test: ast.expr, head: Range, line: int, *, shown: str | None = None
) -> ast.expr:
    """The first value with which the loop does not run any more.

    Parameters
    ----------
    name, test
        What the loop counts, and the test of it.
    head, line
        Its step and its way, and its line.
    shown
        The name in a sentence, where it is another one.
    """
    sides = _sides(name, test)
    if sides is not None:
        op, limit, _ = sides
        by_one = isinstance(head.step, ast.Constant) and head.step.value == 1
        if isinstance(op, ast.NotEq) and by_one:
            return limit
        if not isinstance(op, ast.NotEq) and way(name, test) == head.down:
            if isinstance(op, ast.Lt | ast.Gt):
                return limit
            beyond = ast.Sub() if head.down else ast.Add()
            return placed(ast.BinOp(limit, beyond, placed(ast.Constant(1), line)), line)
    sign = ">" if head.down else "<"
    shown = shown or name
    raise ProgramError(f"the loop over {shown} does not run while '{shown} {sign} stop'", line)


def may_be_equal(test: ast.expr) -> bool:
    """Whether a loop may run for ever, as it does where 0 >= 0; 1 is above 0."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.GtE | ast.LtE):
        return False
    stops = [
        side.value for side in (test.left, *test.comparators) if isinstance(side, ast.Constant)
    ]
    return not any(isinstance(stop, int) and stop > 0 for stop in stops)
