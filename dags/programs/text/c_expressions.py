"""Expressions and loops of C as those of Python."""

import ast
from collections.abc import Mapping
from typing import Final, NoReturn, TypeVar

from dags.programs.nest import ProgramError
from dags.programs.text.c_source import Macro, Token, expanded, functions_of, integer_of
from dags.programs.text.scopes import Scopes

DEEPEST: Final = 100  # expressions within expressions, and statements within statements
NUMBER_TYPES: Final = ("char", "short", "int", "long", "float", "double", "signed", "unsigned")
QUALIFIERS: Final = ("const", "static", "register", "volatile", "restrict", "inline", "extern")
TYPES: Final = {"void", "struct", "size_t", "DATA_TYPE", *NUMBER_TYPES, *QUALIFIERS}
BINARY: Final[dict[str, tuple[int, ast.operator | ast.cmpop | ast.boolop]]] = {
    "||": (1, ast.Or()),
    "&&": (2, ast.And()),
    "|": (3, ast.BitOr()),
    "^": (4, ast.BitXor()),
    "&": (5, ast.BitAnd()),
    "==": (6, ast.Eq()),
    "!=": (6, ast.NotEq()),
    "<": (7, ast.Lt()),
    ">": (7, ast.Gt()),
    "<=": (7, ast.LtE()),
    ">=": (7, ast.GtE()),
    "<<": (8, ast.LShift()),
    ">>": (8, ast.RShift()),
    "+": (9, ast.Add()),
    "-": (9, ast.Sub()),
    "*": (10, ast.Mult()),
    "/": (10, ast.Div()),
    "%": (10, ast.Mod()),
}
UNARY: Final[dict[str, ast.unaryop]] = {
    "-": ast.USub(),
    "+": ast.UAdd(),
    "!": ast.Not(),
    "~": ast.Invert(),
}
N = TypeVar("N", bound=ast.expr | ast.stmt)


class MacroCall(ast.Call):
    """A call of a macro that is a function, or a cast; `meaning` is its form in an index."""

    meaning: ast.expr


def placed(node: N, line: int) -> N:
    """Return `node` with its line."""
    node.lineno, node.col_offset = line, 0
    return node


class ExpressionParser:
    """Reads expressions from tokens; the base of the parser of statements.

    Parameters
    ----------
    tokens
        The words of the text.
    macros
        Its definitions; those that are functions are called by name here.
    """

    def __init__(self, tokens: list[Token], macros: Mapping[str, Macro]) -> None:
        self.macros = macros
        self.called_macros = functions_of(macros)
        last = tokens[-1].line if tokens else 1
        self.tokens = [*tokens, Token("end", "the end", last)]
        self.at = 0
        self.depth = 0

    @property
    def here(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def ahead(self, count: int) -> Token:
        """Return the token `count` places ahead."""
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.here
        if token.kind != "end":
            self.at += 1
        return token

    def skip(self, *texts: str) -> bool:
        """Go on if the next token is one of `texts`; return whether it is."""
        found = self.here.kind in ("sign", "name") and self.here.text in texts
        self.at += found
        return found

    def expect(self, text: str) -> Token:
        """Go past the token `text`, or raise ProgramError."""
        if self.here.text != text or self.here.kind == "end":
            self.fail(f"{text!r} is missing before {self.here.text[:40]!r}")
        return self.take()

    def expect_end(self) -> None:
        """Raise ProgramError if there are more tokens."""
        if self.here.kind != "end":
            self.fail(f"{self.here.text[:40]!r} is left over")

    def fail(self, message: str) -> NoReturn:
        """Raise ProgramError at the next token."""
        raise ProgramError(message, self.here.line)

    def deeper(self) -> None:
        """Go one level down, or raise ProgramError where there are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"the text is nested more than {DEEPEST} deep")

    def expression(self) -> ast.expr:
        """Read an expression, ``?:`` included."""
        self.deeper()
        line = self.here.line
        test = self.binary(0)
        if self.skip("?"):
            body = self.expression()
            self.expect(":")
            test = placed(ast.IfExp(test, body, self.expression()), line)
        self.depth -= 1
        return test

    def binary(self, least: int) -> ast.expr:
        """Read operators that bind more strongly than `least`."""
        left = self.unary()
        while self.here.kind == "sign" and BINARY.get(self.here.text, (0,))[0] > least:
            line = self.here.line
            level, op = BINARY[self.take().text]
            right = self.binary(level)
            if isinstance(op, ast.operator):
                left = placed(ast.BinOp(left, op, right), line)
            elif isinstance(op, ast.cmpop):
                left = placed(ast.Compare(left, [op], [right]), line)
            else:
                left = placed(ast.BoolOp(op, [left, right]), line)
        return left

    def unary(self) -> ast.expr:
        """Read a value with the signs before it; a cast is passed over."""
        self.deeper()
        line = self.here.line
        if self.here.kind == "sign" and self.here.text in UNARY:
            node: ast.expr = placed(ast.UnaryOp(UNARY[self.take().text], self.unary()), line)
        elif self.here.kind == "sign" and self.here.text in ("*", "&"):
            self.fail("pointers are not read: write cells as A[i][j]")
        elif self.here.text == "(" and self.ahead(1).text in TYPES:
            node = self._cast(line)
        else:
            node = self.postfix()
        self.depth -= 1
        return node

    def _cast(self, line: int) -> ast.expr:
        """Read a value with a type before it: that value, wherever an index is meant."""
        self.expect("(")
        types = set()
        while self.here.text in TYPES:
            types.add(self.take().text)
        if self.here.text == "*":
            self.fail("pointers are not read: write cells as A[i][j]")
        self.expect(")")
        node = self.unary()
        name = next((each for each in ("float", "double", "DATA_TYPE") if each in types), "int")
        name = "double" if name == "DATA_TYPE" else name
        cast = placed(MacroCall(placed(ast.Name(name, ast.Load()), line), [node], []), line)
        cast.meaning = node
        return cast

    def postfix(self) -> ast.expr:
        """Read a name, a number or a parenthesis, with the indices and arguments after it."""
        node = self.primary()
        while True:
            line = self.here.line
            if self.skip("["):
                index = self.expression()
                self.expect("]")
                node = placed(ast.Subscript(node, index, ast.Load()), line)
            elif self.here.text == "(" and isinstance(node, ast.Name):
                node = self._call(node, line)
            elif self.here.text in (".", "->") and self.here.kind == "sign":
                self.fail("fields of structures are not read")
            elif self.here.text in ("++", "--"):
                self.fail(f"{self.here.text} inside an expression is not read")
            else:
                return node

    def _call(self, name: ast.Name, line: int) -> ast.Call:
        """Read the arguments of a function, or of a macro that is one."""
        first = self.at - 1
        arguments = self.arguments()
        if name.id not in self.called_macros:
            return placed(ast.Call(name, arguments, []), line)
        call = placed(MacroCall(name, arguments, []), line)
        words = expanded(self.tokens[first : self.at], self.macros, functions=True)
        inside = ExpressionParser(words, {})
        call.meaning = inside.expression()
        inside.expect_end()
        return call

    def primary(self) -> ast.expr:
        """Read a name, a number, or an expression in parentheses."""
        token = self.take()
        if token.text == "(" and token.kind == "sign":
            node = self.expression()
            self.expect(")")
            return node
        if token.kind == "number":
            return placed(ast.Constant(*_value(token)), token.line)
        if token.kind == "name" and token.text not in TYPES:
            self.reads(token)
            return placed(ast.Name(token.text.removeprefix("_PB_"), ast.Load()), token.line)
        raise ProgramError(f"{token.text[:40]!r} begins no value", token.line)

    def reads(self, token: Token) -> None:
        """Take note that a name is read; here nothing is known of names."""

    def arguments(self) -> list[ast.expr]:
        """Read arguments in parentheses."""
        self.expect("(")
        found: list[ast.expr] = []
        while not self.skip(")"):
            found.append(self.expression())
            if self.here.text != ")":
                self.expect(",")
        return found


def _value(token: Token) -> tuple[int | float, str | None]:
    """Return the value of a number of C, an integer only where C has one, and its kind.

    That is "f" of single precision, and "u" of a number without a sign.
    """
    whole = integer_of(token.text)
    if whole is not None:
        return whole, "u" if set(token.text[-3:]) & {"u", "U"} else None
    plain = token.text.rstrip("uUlLfF")
    if plain.isdigit() and plain == token.text.rstrip("uUlL"):
        raise ProgramError(f"{plain[:20]} is no whole number that is read", token.line)
    try:
        return float(plain), "f" if token.text[-1] in "fF" else None
    except ValueError:
        raise ProgramError(f"{plain[:20]} is no number that is read", token.line) from None


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
    """Return the step of the loop variable."""
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
