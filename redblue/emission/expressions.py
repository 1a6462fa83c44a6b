"""Expressions of a program as C: each operator and function from a list, literals reprinted."""

from collections.abc import Callable, Mapping, Sequence
from math import e, inf, isfinite, pi, tau
from typing import Final

from dags.errors import RedBlueError
from dags.programs.affine import Affine
from dags.programs.nest import Constant, Expression, Operation, Program, Reference

OPERATORS: Final = {
    "Add": ("+", 12),
    "Sub": ("-", 12),
    "Mult": ("*", 13),
    "Div": ("/", 13),
    "And": ("&&", 5),
    "Or": ("||", 4),
}
SIGNS: Final = {"USub": "-", "Not": "!"}
FUNCTIONS: Final = {
    name: (name, count)
    for count, names in (
        (
            1,
            "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh "
            "asinh acosh atanh cbrt erf erfc fabs floor ceil trunc round rint tgamma lgamma",
        ),
        (2, "pow atan2 hypot fmod fmax fmin fdim copysign"),
        (3, "fma"),
    )
    for name in names.split()
}
OTHER_NAMES: Final = {
    "abs": ("fabs", 1),
    "absolute": ("fabs", 1),
    "power": ("pow", 2),
    "arctan2": ("atan2", 2),
    **{f"arc{name}": (f"a{name}", 1) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"{name.upper()}_FUN": (name, count) for name, (name, count) in FUNCTIONS.items()},
    "Pow": ("pow", 2),
}
NUMBERS: Final = {"pi": pi, "e": e, "tau": tau}
LARGEST: Final = 2**62
DEEPEST: Final = 150


class EmissionError(RedBlueError, ValueError):
    """A program of which no C can be made; the message says why."""


class Expressions:
    """Prints the expressions of one program.

    Parameters
    ----------
    program
        The program: text of C has whole numbers, in Python's all numbers are double.
    """

    def __init__(self, program: Program) -> None:
        self.is_c = program.types is not None

    def text(
        self,
        expression: Expression,
        cell: Mapping[Reference, str],
        integer: Callable[[Affine], str],
        line: int,
    ) -> str:
        """The C of an expression.

        Parameters
        ----------
        expression
            The expression.
        cell
            The C of each cell that it reads.
        integer
            The C of a form of loop variables and sizes.
        line
            Its line in the text, for messages.

        Raises
        ------
        EmissionError
            If an operation of it is not known to be one of C.
        """
        return _Printer(self.is_c, cell, integer, line).of(expression, 0)


class _Printer:
    def __init__(
        self,
        is_c: bool,
        cell: Mapping[Reference, str],
        integer: Callable[[Affine], str],
        line: int,
    ) -> None:
        self.is_c, self.cell, self.integer, self.line = is_c, cell, integer, line
        self.depth = 0

    def fail(self, why: str) -> EmissionError:
        return EmissionError(f"line {self.line}: {why}")

    def of(self, expression: Expression, precedence: int) -> str:
        """The C of an expression, in parentheses where it binds less than `precedence`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"the expression is nested more than {DEEPEST} deep")
        if isinstance(expression, Reference):
            text = self.cell[expression]
        elif isinstance(expression, Constant):
            text = self.constant(expression, precedence)
        else:
            text = self.operation(expression, precedence)
        self.depth -= 1
        return text

    def constant(self, constant: Constant, precedence: int) -> str:
        value = constant.value
        if isinstance(value, Operation):
            return self.operation(value, precedence)
        if isinstance(value, Affine):
            text = self.integer(value)
            is_plain = text.isalnum()
            return (text if is_plain else f"({text})") if self.is_c else f"(double)({text})"
        if isinstance(value, str):
            return self.number(NUMBERS.get(value.rpartition(".")[2], inf))
        if value is None:
            raise self.fail("a constant without a sign, like 2u, is not emitted: write 2")
        if isinstance(value, bool | complex):
            raise self.fail(f"the constant {value} is no real number: write one like 0.5")
        return self.number(value)

    def number(self, value: float) -> str:
        """A literal: whole numbers of C as such, others in hexadecimal if not short."""
        if isinstance(value, int) and self.is_c:
            if abs(value) >= LARGEST:
                raise self.fail(
                    "a whole number is too large for C: write it with a point, like 1e20"
                )
            text = str(value) if abs(value) < 2**31 else f"{value}L"
        else:
            value = float(value)
            if not isfinite(value):
                raise self.fail("a constant is no finite number: write one like 0.5")
            short = repr(value)
            text = short if len(short) <= 8 and "e" not in short else value.hex()
        return text if value >= 0 and text[0] != "-" else f"({text})"

    def operation(self, operation: Operation, precedence: int) -> str:
        """The C of an operation."""
        if operation.meaning is not None:
            return self.of(operation.meaning, precedence)
        if operation.name in OPERATORS and len(operation.operands) >= 2:
            if operation.name in ("And", "Or") and not self.is_c and precedence != -1:
                raise self.fail(
                    f"{operation.name.lower()!r} of numbers is not C's: write a selection, y if x "
                    "else x"
                )
            sign, level = OPERATORS[operation.name]
            first, *further = operation.operands
            if len(further) > 1:
                level, precedence = level, max(precedence, 0)
            parts = [self.of(first, level), *(self.of(operand, level + 1) for operand in further)]
            text = f" {sign} ".join(parts)
        elif operation.name in SIGNS and len(operation.operands) == 1:
            text, level = SIGNS[operation.name] + self.of(operation.operands[0], 15), 14
        elif operation.name == "Compare":
            text, level = self.comparison(operation.operands, operation.signs), 6
        elif operation.name == "?:":
            text, level = self.selection(operation), 3
        elif operation.name in ("float", "double", "int") and len(operation.operands) == 1:
            text, level = self.converted(operation), 14
        else:
            text, level = self.call(operation), 20
        return f"({text})" if level < max(precedence, 0) else text

    def comparison(self, operands: tuple[Expression, ...], signs: tuple[str, ...]) -> str:
        if len(operands) != len(signs) + 1 or "" in signs or (self.is_c and len(signs) > 1):
            raise self.fail("a comparison is none of C: write <, <=, >, >=, == or != of two values")
        texts = [self.of(operand, 11) for operand in operands]
        pairs = zip(texts, signs, texts[1:], strict=False)
        return " && ".join(f"{left} {sign} {right}" for left, sign, right in pairs)

    def selection(self, operation: Operation) -> str:
        *test, body, otherwise = operation.operands
        if operation.signs:
            condition = self.comparison(tuple(test), operation.signs)
        else:
            (comparison,) = test
            condition = self.of(comparison, -1)
            condition = f"({condition})" if "?" in condition else condition
        return f"{condition} ? {self.of(body, 4)} : {self.of(otherwise, 4)}"

    def converted(self, operation: Operation) -> str:
        (operand,) = operation.operands
        if (
            operation.name == "float"
            and isinstance(operand, Constant)
            and isinstance(operand.value, float)
        ):
            return operand.value.hex() + "f"
        return f"({operation.name if self.is_c else 'double'}){self.of(operand, 15)}"

    def call(self, operation: Operation) -> str:
        """The call of a function of the list, or the choice of Python's `min` and `max`."""
        name = operation.name.removeprefix("math.").removeprefix("np.").removeprefix("numpy.")
        module = name != operation.name
        if name in ("max", "min") and not module and not self.is_c and len(operation.operands) == 2:
            first, second = (self.of(operand, 11) for operand in operation.operands)
            return f"({second} {'>' if name == 'max' else '<'} {first} ? {second} : {first})"
        known = self.function(name, module=module)
        if known is None or len(operation.operands) != known[1]:
            shown = name if name.isidentifier() and name.isascii() and len(name) <= 40 else "this"
            raise self.fail(
                f"{shown} is no function or operator that is emitted: write + - * / and functions "
                "of math.h, with as many operands as they have there"
            )
        return f"{known[0]}({', '.join(self.of(operand, 0) for operand in operation.operands)})"

    def function(self, name: str, *, module: bool) -> tuple[str, int] | None:
        """A function of the list, and how many operands it has."""
        if self.is_c:
            if name[-1:] == "f" and name[:-1] in FUNCTIONS:
                return name, FUNCTIONS[name[:-1]][1]
            macro = OTHER_NAMES.get(name) if name.endswith("_FUN") else None
            return FUNCTIONS.get(name) or macro
        return (FUNCTIONS.get(name) if module else None) or OTHER_NAMES.get(name)


def shown(form: Affine) -> str:
    """A form as C: positive terms first, then negative ones."""
    terms = sorted(form.terms, key=lambda term: term[1] < 0)
    text = ""
    for name, coefficient in terms:
        factor = name if abs(coefficient) == 1 else f"{abs(coefficient)} * {name}"
        sign = (" - " if text else "-") if coefficient < 0 else (" + " if text else "")
        text += sign + factor
    if form.constant or not text:
        sign = " + " if form.constant >= 0 else " - "
        text = f"{text}{sign}{abs(form.constant)}" if text else str(form.constant)
    return text


def compared(left: Affine, sign: str, right: Affine) -> str:
    """A comparison, with nothing but positive terms on either side."""
    difference = left - right
    plus = Affine(
        tuple(term for term in difference.terms if term[1] > 0), max(0, difference.constant)
    )
    minus = plus - difference
    if sign in (">=", "<=") and not minus.terms and minus.constant == 1 and sign == ">=":
        return f"{shown(plus)} > 0"
    return f"{shown(plus)} {sign} {shown(minus)}"


def joined(name: str, forms: Sequence[Affine]) -> str:
    """The least or largest of some forms, as MIN or MAX of two at a time."""
    texts = list(dict.fromkeys(map(shown, forms)))
    joined_text = texts[-1]
    for text in reversed(texts[:-1]):
        joined_text = f"{name}({text}, {joined_text})"
    return joined_text
