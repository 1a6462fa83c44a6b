"""Expressions of C as those of Python, and pointers as the arrays that they point into."""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, NoReturn

from pycparser import c_ast

from dags.programs.nest import ProgramError
from dags.programs.text.c_declarations import POINTER, Declarations, type_words
from dags.programs.text.c_pieces import Parser
from dags.programs.text.c_pointers import STEPS, nodes_of
from dags.programs.text.c_source import FunctionMacro, integer_of, row_tokens
from dags.programs.text.scopes import SizesNeededError
from dags.programs.text.trees import Call, placed

DEEPEST: Final = 100  # expressions within expressions, and statements within statements
BINARY: Final[dict[str, ast.operator | ast.cmpop | ast.boolop]] = {
    "||": ast.Or(),
    "&&": ast.And(),
    "|": ast.BitOr(),
    "^": ast.BitXor(),
    "&": ast.BitAnd(),
    "==": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    ">": ast.Gt(),
    "<=": ast.LtE(),
    ">=": ast.GtE(),
    "<<": ast.LShift(),
    ">>": ast.RShift(),
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.Div(),
    "%": ast.Mod(),
}
UNKNOWN: Final = (1, "u")  # a constant whose value is not written
LIMITS: Final[Mapping[str, tuple[int | float, str | None]]] = {  # constants of C's library
    "FLT_MAX": (3.4028234663852886e38, "f"),
    "FLT_MIN": (1.1754943508222875e-38, "f"),
    "FLT_EPSILON": (2.0**-23, "f"),
    "DBL_MAX": (1.7976931348623157e308, None),
    "DBL_MIN": (2.2250738585072014e-308, None),
    "DBL_EPSILON": (2.0**-52, None),
    "INT_MAX": (2**31 - 1, None),
    "M_PI": (3.141592653589793, None),
    "M_PI_2": (1.5707963267948966, None),
    "M_SQRT1_2": (0.7071067811865476, None),
    "M_SQRT2": (1.4142135623730951, None),
    "M_E": (2.718281828459045, None),
    "INFINITY": UNKNOWN,
    "HUGE_VAL": UNKNOWN,
    "HUGE_VALF": UNKNOWN,
    "NAN": UNKNOWN,
    "INT_MIN": (-(2**31), None),
}
THREADS: Final = ("threadIdx", "blockIdx", "blockDim", "gridDim")
COMPARED: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
UNARY: Final[dict[str, ast.unaryop]] = {
    "-": ast.USub(),
    "+": ast.UAdd(),
    "!": ast.Not(),
    "~": ast.Invert(),
}
WEAK: Final = (ast.IfExp, ast.Compare, ast.BoolOp)  # operators weaker than arithmetic


class NullError(SizesNeededError):
    """Text that asks whether a pointer is NULL, which the user has to say."""

    def __init__(self, name: str, line: int) -> None:
        super().__init__([name], name, line)
        self.message = (
            f"whether {name} is NULL is not known: add {name}=1 where it is there, {name}=0 where "
            "it is not"
        )


@dataclass(frozen=True)
class Pointer:
    """A place in an array.

    Parameters
    ----------
    array
        Its name.
    lead
        Indices of the row that it points into.
    offset
        How far into that row; None at its beginning.
    sides
        Extents of the array that it points to, where a cast made flat memory one; None elsewhere.
    is_scalar
        Whether it points to a scalar, not into an array.
    """

    array: str
    lead: tuple[ast.expr, ...] = ()
    offset: ast.expr | None = None
    sides: tuple[ast.expr, ...] | None = None
    is_scalar: bool = False

    def moved(self, by: ast.expr, op: ast.operator) -> "Pointer":
        """The pointer some cells further on."""
        line = by.lineno
        if self.sides is not None:
            for side in self.sides:
                by = placed(ast.BinOp(by, ast.Mult(), side), line)
        start = self.offset if self.offset is not None else placed(ast.Constant(0), line)
        if self.offset is None and isinstance(op, ast.Add):
            return replace(self, offset=by)
        return replace(self, offset=placed(ast.BinOp(start, op, by), line))


class Expressions:
    """Turns expressions of C into those of Python.

    Parameters
    ----------
    declared
        The names of the function, which grow while it is read.
    macros
        Macros that are functions.
    parser
        The parser of their replacements.
    called
        Returns the value of a call of a function of the file that is read inside of this one.
    assign
        Returns the statements of an assignment within an expression.
    """

    def __init__(
        self,
        declared: Declarations,
        macros: Mapping[str, FunctionMacro],
        parser: Parser,
        called: Callable[[c_ast.FuncCall], ast.expr | None] = lambda node: None,
        assign: Callable[[c_ast.Assignment], list[ast.stmt]] = lambda node: [],
    ) -> None:
        self.declared, self.macros, self.parser, self.called = declared, macros, parser, called
        self.assign = assign
        self.replaced: dict[str, ast.expr] = {}  # parameters of functions that are called
        self.there: dict[str, bool | str] = {}  # whether these are, or the name that is asked for
        self.before: list[ast.stmt] = []  # statements that an expression needs before its own
        self.after: list[ast.stmt] = []
        self.statement: c_ast.Node | None = None
        self.chosen = 0
        self.pointers: dict[str, Pointer] = {}
        self.given: Mapping[str, int] = {}  # 0 for pointers that are NULL, and sizes
        self.counts: set[str] = set()  # arrays of whole numbers whose cells are sizes
        self.said: Mapping[str, int] = {}  # all numbers that the user gives
        self.tested: set[str] = set()  # pointers that are compared with NULL, and numbers
        self.depth = 0

    def fail(self, message: str, node: c_ast.Node) -> NoReturn:
        """Raise ProgramError at the line of a node."""
        raise ProgramError(message, line_of(node))

    def deeper(self, node: c_ast.Node) -> None:
        """Go one level down, or raise ProgramError where there are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"the text is nested more than {DEEPEST} deep", node)

    @contextmanager
    def hoisting(
        self, statement: c_ast.Node | None
    ) -> Iterator[tuple[list[ast.stmt], list[ast.stmt]]]:
        """Collect the statements that the expressions of one need before and behind it."""
        kept = self.before, self.after, self.statement
        self.before, self.after, self.statement = [], [], statement
        yield self.before, self.after
        self.before, self.after, self.statement = kept

    def value(self, node: c_ast.Node) -> ast.expr:
        """The expression that a node is."""
        self.deeper(node)
        found = self._value(node)
        self.depth -= 1
        return found

    def _value(self, node: c_ast.Node) -> ast.expr:
        line = line_of(node)
        if isinstance(node, c_ast.Constant):
            return placed(ast.Constant(*self._literal(node)), line)
        if isinstance(node, c_ast.ID):
            return self._named(node)
        if isinstance(node, c_ast.ArrayRef | c_ast.StructRef):
            return self.cell(node)
        if isinstance(node, c_ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, c_ast.BinaryOp):
            tested = self._is_there(node)
            if tested is None:
                tested = self._is_said(node)
            if tested is not None:
                return placed(ast.Constant(int(tested)), line)
            op = BINARY[node.op]
            if isinstance(op, ast.boolop):
                left = self.condition(node.left)
                right = self._alone(lambda: self.condition(node.right), node)
                return placed(ast.BoolOp(op, [left, right]), line)
            left, right = self._places(node) or (self.value(node.left), self.value(node.right))
            if isinstance(op, ast.operator):
                return placed(ast.BinOp(left, op, right), line)
            return placed(ast.Compare(left, [op], [right]), line)
        if isinstance(node, c_ast.TernaryOp):
            chosen = self.condition(node.cond)
            if isinstance(chosen, ast.Constant) and not isinstance(node.cond, c_ast.Constant):
                return self.value(node.iftrue if chosen.value else node.iffalse)
            return self._selected(chosen, node)
        if isinstance(node, c_ast.Cast):
            return self._cast(node)
        if isinstance(node, c_ast.FuncCall):
            return self._call(node)
        if isinstance(node, c_ast.Assignment):
            return self._assigned(node)
        if isinstance(node, c_ast.ExprList):
            self.fail("a comma between expressions is not read: write statements", node)
        return self.fail("an expression is not read: write it with operators and calls", node)

    def _places(self, node: c_ast.BinaryOp) -> tuple[ast.expr, ast.expr] | None:
        """The offsets of two pointers into one row that are compared or subtracted."""
        sides = (node.left, node.right)
        if node.op not in COMPARED and node.op != "-":
            return None
        if not all(isinstance(each, c_ast.ID) and self._points(each) for each in sides[:1]):
            return None
        pointers = [self.pointer_or_none(each) for each in sides]
        one, other = pointers
        if one is None or other is None or one.array != other.array or one.lead or other.lead:
            return None
        zero = placed(ast.Constant(0), line_of(node))
        return one.offset or zero, other.offset or zero

    def _points(self, node: c_ast.ID) -> bool:
        name = self.declared.known(node.name, line_of(node))
        return name in self.pointers

    def _alone(self, read: Callable[[], ast.expr], node: c_ast.Node) -> ast.expr:
        """An expression that needs no statements of its own."""
        with self.hoisting(self.statement) as (before, after):
            found = read()
        if before or after:
            self.fail(
                "what is done behind && or || is not read: write it before the condition", node
            )
        return found

    def _selected(self, test: ast.expr, node: c_ast.TernaryOp) -> ast.expr:
        """A selection; one whose branches need statements of their own is a condition."""
        line = line_of(node)
        branches = []
        for branch in (node.iftrue, node.iffalse):
            with self.hoisting(self.statement) as (before, after):
                value = self.value(branch)
            if after:
                self.fail("++ in a branch of a selection is not read: write a condition", node)
            branches.append((before, value))
        if not any(before for before, _ in branches):
            return placed(ast.IfExp(test, *(value for _, value in branches)), line)
        self.chosen += 1
        name = f"chosen_{self.chosen}"
        bodies = [
            [*before, placed(ast.Assign([placed(ast.Name(name, ast.Store()), line)], value), line)]
            for before, value in branches
        ]
        self.before.append(placed(ast.If(test, *bodies), line))
        return placed(ast.Name(name, ast.Load()), line)

    def _is_there(self, node: c_ast.BinaryOp) -> bool | None:
        """Whether a test for NULL holds, as the user says; None for another operation."""
        sides = [node.left, node.right]
        names = {each.name for each in sides if isinstance(each, c_ast.ID)}
        if node.op not in ("==", "!=") or "NULL" not in names or len(names) < 2:
            return None
        (name,) = names - {"NULL"}
        there = self.there.get(self.declared.known(name, line_of(node)), name)
        if isinstance(there, bool):
            return there == bool(node.op == "!=")
        name = there
        if name not in self.given:
            raise NullError(name, line_of(node))
        self.tested.add(name)
        return (self.given[name] == 0) == bool(node.op == "==")

    def condition(self, node: c_ast.Node) -> ast.expr:
        """A test: ``p`` of a pointer is ``p != NULL``."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "!":
            inner = self.condition(node.expr)
            if isinstance(inner, ast.Constant):
                return placed(ast.Constant(int(not inner.value)), line_of(node))
            return placed(ast.UnaryOp(ast.Not(), inner), line_of(node))
        if isinstance(node, c_ast.ID):
            name = self.declared.known(node.name, line_of(node))
            if name in self.declared.arrays or name in self.pointers:
                there = self._is_there(c_ast.BinaryOp("!=", node, c_ast.ID("NULL"), node.coord))
                return placed(ast.Constant(int(bool(there))), line_of(node))
        return self.value(node)

    def _is_said(self, node: c_ast.BinaryOp) -> bool | None:
        """Whether a number that the user gives compares so; None for another operation."""
        sign = COMPARED.get(node.op)
        pairs = ((node.left, node.right), (node.right, node.left))
        for place, (operand, bound) in enumerate(pairs):
            if sign is None or not isinstance(operand, c_ast.ID) or operand.name not in self.said:
                continue
            name = self.declared.known(operand.name, line_of(node))
            if name != operand.name or name not in self.declared.real:
                continue
            try:
                value = self.value(bound)
            except ProgramError:
                return None
            if isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                self.tested.add(name)
                both = self.said[name], value.value
                return sign(*(reversed(both) if place else both))
        return None

    def _named(self, node: c_ast.ID) -> ast.expr:
        if node.name == "NULL":
            self.fail("NULL is read where a pointer is compared with it: p != NULL", node)
        if node.name in ("true", "false"):
            return placed(ast.Constant(int(node.name == "true")), line_of(node))
        name = self.declared.known(node.name, line_of(node))
        if name in LIMITS and name not in self.declared.types:
            return placed(ast.Constant(*LIMITS[name]), line_of(node))
        if name in self.replaced:
            return self.replaced[name]
        if name in self.pointers:
            self.fail(f"{node.name} is a pointer and is used without an index", node)
        if name in self.declared.arrays:
            self.fail(
                f"{node.name} is an array and is used without an index: write a loop over its "
                "cells",
                node,
            )
        return placed(ast.Name(name, ast.Load()), line_of(node))

    def stepped(self, node: c_ast.UnaryOp, target: ast.Name) -> None:
        """Note that a number is counted within an expression, before it or behind it."""
        name = node.expr.name
        statement = self.statement
        heads = c_ast.If | c_ast.For | c_ast.While | c_ast.DoWhile | c_ast.Switch
        parts = [] if statement is None or isinstance(statement, heads) else nodes_of(statement)
        if sum(isinstance(part, c_ast.ID) and part.name == name for part in parts) != 1:
            sign = node.op.removeprefix("p")
            self.fail(f"{sign} inside an expression is not read: write it as a statement", node)
        line = line_of(node)
        op = ast.Add() if "+" in node.op else ast.Sub()
        step = placed(ast.AugAssign(target, op, placed(ast.Constant(1), line)), line)
        (self.after if node.op.startswith("p") else self.before).append(step)

    def _unary(self, node: c_ast.UnaryOp) -> ast.expr:
        line = line_of(node)
        if node.op in UNARY:
            return placed(ast.UnaryOp(UNARY[node.op], self.value(node.expr)), line)
        if node.op == "*":
            return self.cell(node)
        if node.op in STEPS and isinstance(node.expr, c_ast.ID):
            value = self._named(node.expr)
            if not isinstance(value, ast.Name):
                self.fail(f"{node.expr.name} is counted, and is no number of its own", node)
            self.stepped(node, placed(ast.Name(value.id, ast.Store()), line))
            return value
        if node.op in STEPS:
            sign = node.op.removeprefix("p")
            self.fail(f"{sign} inside an expression is not read: write it as a statement", node)
        if node.op == "sizeof":
            return self._size(node.expr)
        return self.fail(f"{node.op} is not read: write cells as A[i][j]", node)

    def _size(self, node: c_ast.Node) -> ast.expr:
        """The bytes of a type, a number, a cell, or an array with its extents."""
        line = line_of(node)
        if isinstance(node, c_ast.Typename):
            return placed(ast.Constant(self.declared.size_of(node)), line)
        depth, inner = 0, node
        while isinstance(inner, c_ast.ArrayRef) or getattr(inner, "op", "") == "*":
            depth += 1
            inner = inner.name if isinstance(inner, c_ast.ArrayRef) else inner.expr
        name = self.declared.known(inner.name, line) if isinstance(inner, c_ast.ID) else ""
        width = self.declared.width_of(name)
        if width is None:
            self.fail("the size of a type is not known", node)
        sides = self.declared.extents_of(name, depth)
        size: ast.expr = placed(ast.Constant(POINTER if sides is None else width), line)
        for side in sides or ():
            size = placed(ast.BinOp(size, ast.Mult(), side), line)
        return size

    def cell(self, node: c_ast.Node) -> ast.expr:
        """The cell of an array, or the scalar, that a node names."""
        line = line_of(node)
        indices: list[c_ast.Node] = []
        inner = node
        while isinstance(inner, c_ast.ArrayRef):
            indices.insert(0, inner.subscript)
            inner = inner.name
        zero = placed(ast.Constant(0), line)
        if isinstance(inner, c_ast.ID) and inner.name in self.counts:
            numbers = [index.value for index in indices if isinstance(index, c_ast.Constant)]
            if len(numbers) == len(indices):
                name = "_".join([inner.name, *numbers])
                return placed(ast.Name(name, ast.Load()), line)
        places = [self.value(index) for index in indices]
        if isinstance(inner, c_ast.StructRef):
            name, before = self._field(inner)
            return self.at(Pointer(name, before), places, line)
        if isinstance(inner, c_ast.UnaryOp) and inner.op == "*":
            number = None if places else self._pointed(inner.expr)
            if number is not None:
                return placed(ast.Constant(number), line)
            return self.at(self.pointer(inner.expr), [zero, *places], line)
        if isinstance(inner, c_ast.ID) and not places and not self._is_pointer(inner):
            return self._named(inner)
        return self.at(self.pointer(inner), places, line)

    def _pointed(self, node: c_ast.Node) -> int | None:
        """The number that the user gives for a pointer to a size; None of another one."""
        if not isinstance(node, c_ast.ID) or node.name not in self.said:
            return None
        words = {*self.declared.types.get(node.name, "").split()}
        if not words & {"int", "long", "short", "unsigned", "size_t", "int32_t", "int64_t"}:
            return None
        self.tested.add(node.name)
        return self.said[node.name]

    def _is_pointer(self, node: c_ast.ID) -> bool:
        return self.declared.known(node.name, line_of(node)) in self.pointers

    def at(self, pointer: Pointer, places: Sequence[ast.expr], line: int) -> ast.expr:
        """The cell some places behind a pointer.

        Parameters
        ----------
        pointer, places
            The pointer, and an index for each dimension behind it.
        line
            Of the text.
        """
        some = list(places)
        if pointer.is_scalar:
            if len(some) != 1 or not isinstance(some[0], ast.Constant) or some[0].value != 0:
                raise ProgramError(f"{pointer.array} is a number and has no cells", line)
            return placed(ast.Name(pointer.array, ast.Load()), line)
        if pointer.sides is not None and some:
            if len(some) <= len(pointer.sides):
                raise ProgramError(f"a row of {pointer.array} is used as a number", line)
            flat, *rest = some
            for side in pointer.sides:
                scaled = placed(ast.BinOp(flat, ast.Mult(), side), line)
                flat = placed(ast.BinOp(scaled, ast.Add(), rest.pop(0)), line)
            some = [flat, *rest]
        if pointer.offset is not None and some:
            some[0] = placed(ast.BinOp(pointer.offset, ast.Add(), some[0]), line)
        elif pointer.offset is not None:
            raise ProgramError(f"a pointer into {pointer.array} is used without an index", line)
        node: ast.expr = placed(ast.Name(pointer.array, ast.Load()), line)
        for place in (*pointer.lead, *some):
            node = placed(ast.Subscript(node, place, ast.Load()), line)
        return node

    def _field(self, node: c_ast.StructRef) -> tuple[str, tuple[ast.expr, ...]]:
        """The array that the fields of one name are, and the indices of a structure."""
        inner, indices = node.name, list[ast.expr]()
        while isinstance(inner, c_ast.ArrayRef):
            indices.insert(0, self.value(inner.subscript))
            inner = inner.name
        if isinstance(inner, c_ast.StructRef):
            name, before = self._field(inner)
        elif isinstance(inner, c_ast.ID):
            if inner.name in THREADS:
                self.fail(
                    f"{inner.name} is of threads, which are no loop: write loops over blocks and "
                    "threads, for (i = 0; i < n; i++)",
                    node,
                )
            name, before = self.declared.known(inner.name, line_of(node)), ()
            place = self.pointers.get(name)
            if place is not None:
                name, before = place.array, place.lead
                if place.offset is not None and indices:
                    start = placed(ast.BinOp(place.offset, ast.Add(), indices[0]), line_of(node))
                    indices[0] = start
                elif place.offset is not None:
                    indices = [place.offset]
        else:
            self.fail("a field of a structure is read where its name is known: s.x, p->x", node)
        return f"{name}_{node.field.name}", (*before, *indices)

    def pointer(self, node: c_ast.Node) -> Pointer:
        """The place in an array that an expression points to."""
        found = self.pointer_or_none(node)
        inner = node
        while isinstance(inner, c_ast.Cast):
            inner = inner.expr
        if found is None and isinstance(inner, c_ast.TernaryOp):
            self.fail(
                "which array a pointer points into depends on a selection by ?:, which is not "
                "read: write if and else, each with the loop over its own array",
                node,
            )
        if found is None:
            self.fail(
                "a pointer is read where it is an array and an offset: a + i*n, &a[i][j]", node
            )
        return found

    def pointer_or_none(self, node: c_ast.Node) -> Pointer | None:
        """The place that an expression points to; None if it is no array and offset."""
        if isinstance(node, c_ast.ID):
            name = self.declared.known(node.name, line_of(node))
            return self.pointers.get(name, Pointer(name))
        if isinstance(node, c_ast.Cast):
            inner = self.pointer_or_none(node.expr)
            kind = node.to_type.type
            if inner is None or not isinstance(kind, c_ast.PtrDecl):
                return None
            sides = []
            while isinstance(kind.type, c_ast.ArrayDecl):
                kind = kind.type
                if kind.dim is None:
                    return None
                sides.append(self.value(kind.dim))
            return replace(inner, sides=tuple(sides)) if sides else inner
        if isinstance(node, c_ast.BinaryOp) and node.op in "+-":
            inner = self.pointer_or_none(node.left)
            op = BINARY[node.op]
            if inner is None or not isinstance(op, ast.operator):
                return None
            return inner.moved(self.value(node.right), op)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            return self._address(node.expr)
        if isinstance(node, c_ast.TernaryOp):
            chosen = self.condition(node.cond)
            if not isinstance(chosen, ast.Constant):
                return None
            return self.pointer_or_none(node.iftrue if chosen.value else node.iffalse)
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            inner = self.pointer_or_none(node.expr)
            if inner is None or inner.sides is not None or inner.is_scalar:
                return None
            start = inner.offset or placed(ast.Constant(0), line_of(node))
            return Pointer(inner.array, (*inner.lead, start))
        if isinstance(node, c_ast.UnaryOp) and node.op in STEPS:
            inner = self.pointer_or_none(node.expr)
            offset = None if inner is None else inner.offset
            if inner is None or inner.sides or not isinstance(offset, ast.Name):
                return None
            self.stepped(node, placed(ast.Name(offset.id, ast.Store()), line_of(node)))
            return inner
        if isinstance(node, c_ast.StructRef):
            return Pointer(*self._field(node))
        if isinstance(node, c_ast.ArrayRef):
            inner = self.pointer_or_none(node.name)
            if inner is None or inner.sides is not None:
                return None
            place = self.value(node.subscript)
            if inner.offset is not None:
                place = placed(ast.BinOp(inner.offset, ast.Add(), place), line_of(node))
            return Pointer(inner.array, (*inner.lead, place))
        return None

    def _address(self, node: c_ast.Node) -> Pointer | None:
        """The place of a cell."""
        if isinstance(node, c_ast.StructRef):
            return Pointer(*self._field(node))
        if isinstance(node, c_ast.ID):
            name = self.declared.known(node.name, line_of(node))
            is_array = name in self.declared.arrays or name in self.pointers
            is_struct = "struct" in self.declared.types.get(name, "").split()
            return Pointer(name, is_scalar=not (is_array or is_struct))
        if not isinstance(node, c_ast.ArrayRef):
            return None
        inner = self.pointer_or_none(node.name)
        return None if inner is None else inner.moved(self.value(node.subscript), ast.Add())

    def _cast(self, node: c_ast.Cast) -> ast.expr:
        """A value with a type before it: that value, wherever an index is meant."""
        line = line_of(node)
        if isinstance(node.to_type.type, c_ast.PtrDecl):
            self.fail("a pointer is cast where a number is read", node)
        inside = self.value(node.expr)
        words = type_words(node.to_type, self.declared.typedefs)
        kind = next((each for each in ("float", "double") if each in words), "int")
        kind = kind if not words & {"void"} else "double"
        call = placed(Call(placed(ast.Name(kind, ast.Load()), line), [inside], []), line)
        call.meaning = inside
        return call

    def _call(self, node: c_ast.FuncCall) -> ast.expr:
        """A call of a function, of a macro that is one, or of a type (C++)."""
        line = line_of(node)
        if not isinstance(node.name, c_ast.ID):
            self.fail("a function is read where it is called by its name", node)
        name = node.name.name
        if name in self.declared.types and node.args is not None:
            return self.element(node)
        inside = self.called(node)
        if inside is not None:
            return inside
        given = [] if node.args is None else node.args.exprs
        if name not in self.macros and any(map(self._is_place, given)):
            self.fail(
                f"{name} is handed an array, and what it reads of it is not known: write its loop",
                node,
            )
        arguments = [self.value(each) for each in given]
        called = placed(ast.Name(name, ast.Load()), line)
        macro = self.macros.get(name)
        if macro is None:
            return placed(ast.Call(called, arguments, []), line)
        if len(macro.parameters) != len(arguments):
            self.fail(f"{name} takes {len(macro.parameters)} arguments, not {len(arguments)}", node)
        if not macro.is_closed and any(isinstance(each, WEAK) for each in arguments):
            self.fail(
                f"write parentheses around the parameters of {name} where it is defined", node
            )
        call = placed(Call(called, arguments, []), line)
        call.meaning = self._replacement(name, arguments, line)
        return call

    def _assigned(self, node: c_ast.Assignment) -> ast.expr:
        """The value of an assignment within an expression, which is done before it."""
        target = node.lvalue
        while isinstance(target, c_ast.ArrayRef):
            target = target.name
        parts = [] if isinstance(self.statement, c_ast.For) else nodes_of(self.statement)
        name = target.name if isinstance(target, c_ast.ID) else ""
        if sum(isinstance(part, c_ast.ID) and part.name == name for part in parts) != 1:
            self.fail("an assignment inside of an expression is not read: write it before", node)
        found = self.assign(node)
        self.before += found
        return self.value(node.lvalue)

    def _is_place(self, node: c_ast.Node) -> bool:
        """Whether an argument is an array, or a place in one, as far as its form shows."""
        while isinstance(node, c_ast.Cast | c_ast.BinaryOp):
            if isinstance(node, c_ast.BinaryOp) and node.op not in "+-":
                return False
            node = node.expr if isinstance(node, c_ast.Cast) else node.left
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            return True
        if not isinstance(node, c_ast.ID):
            return False
        name = self.declared.known(node.name, line_of(node))
        return name in self.declared.arrays or name in self.pointers

    def element(self, node: c_ast.FuncCall) -> ast.expr:
        """The cell ``A(i, j)`` of a matrix of C++: a name that is declared, and called."""
        places = [self.value(each) for each in node.args.exprs]
        return self.at(self.pointer(node.name), places, line_of(node))

    def _replacement(self, name: str, arguments: Sequence[ast.expr], line: int) -> ast.expr:
        """The expression that a macro is for some arguments."""
        macro = self.macros[name]
        words = [*row_tokens(f"int f(void) {{ return {macro.body}; }}", line)]
        (tree,) = self.parser.parsed(words)
        others = {each: one for each, one in self.macros.items() if each != name}
        inner = Expressions(_Given(), others, self.parser)
        inner.depth = self.depth
        body = inner.value(tree.body.block_items[0].expr)
        given = dict(zip(macro.parameters, arguments, strict=True))
        return _Filled(given).visit(body)  # type: ignore[no-any-return]  # of an expression

    def _literal(self, node: c_ast.Constant) -> tuple[int | float, str | None]:
        """The value of a number of C, an integer only where C has one, and its kind.

        That is "f" of single precision, and "u" of a number without a sign.
        """
        text: str = node.value
        if node.type == "string":
            self.fail("a text in quotes is no number", node)
        if text[0] == "'" or "char" in node.type:
            return _character(text), None
        whole = integer_of(text)
        if whole is not None:
            return whole, "u" if set(text[-3:]) & {"u", "U"} else None
        plain = text.rstrip("uUlLfF")
        if plain.isdigit() and plain == text.rstrip("uUlL"):
            self.fail(f"{plain[:20]} is no whole number that is read", node)
        try:
            return float(plain), "f" if text[-1] in "fF" else None
        except ValueError:
            self.fail(f"{plain[:20]} is no number that is read", node)


class _Given(Declarations):
    """Names of a macro's replacement, which nothing declares."""

    def known(self, name: str, line: int) -> str:
        """The name."""
        return name


class _Filled(ast.NodeTransformer):
    """Puts arguments in the place of parameters."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.given.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(each) for each in node.args]
        if isinstance(node, Call):
            node.meaning = self.visit(node.meaning)
        return node


def _character(text: str) -> int:
    """The number of a character."""
    inside = text[text.index("'") + 1 : -1]
    named = {"\\n": 10, "\\t": 9, "\\r": 13, "\\0": 0, "\\\\": 92, "\\'": 39, '\\"': 34}
    return named.get(inside, ord(inside[-1]) if inside else 0)


def line_of(node: c_ast.Node) -> int:
    """The line of a node."""
    where = getattr(node, "coord", None)
    return int(getattr(where, "line", 1) or 1)
