"""Names while a program is read: which loops are open, and which integers stand for a form."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from dags.programs.affine import Affine, number, variable
from dags.programs.nest import ProgramError

MAKERS: Final = ("zeros", "empty", "ones", "full")  # of arrays, as numpy.zeros and zeros_like
LARGEST: Final = 2**40  # of whole numbers in the text


@dataclass
class Scopes:
    """The state of a reader.

    Parameters
    ----------
    once
        Names that the text assigns to once: only these may stand for an integer.
    counting
        Names that some index, bound or condition reads: sizes, unless they hold values.
    looped
        Names that some loop is over, which nothing reads but its body.
    function
        Name of the function that is read.
    open_
        Loop variables of the loops around, the outermost first.
    integers
        Forms that names stand for, and the loops that were open where they were assigned.
    values
        Names that hold values, which no index may use.
    conversions
        Lines that convert values that are read, and the type they convert to.
    """

    once: frozenset[str]
    counting: frozenset[str]
    looped: frozenset[str] = frozenset()
    function: str = ""
    open_: list[str] = field(default_factory=list)
    integers: dict[str, tuple[Affine, tuple[int, ...]]] = field(default_factory=dict)
    values: set[str] = field(default_factory=set)
    conversions: list[tuple[int, str]] = field(default_factory=list)
    _sizes: set[str] = field(default_factory=set)  # names that were read as such
    _serial: list[int] = field(default_factory=list)  # of the loops and branches around
    _loops: int = 0

    @contextmanager
    def loop(self, name: str, line: int) -> Iterator[None]:
        """Open a loop over `name` for a while."""
        if name in self.open_:
            raise ProgramError(f"the loop over {name} is inside another loop over {name}", line)
        self.open_.append(name)
        with self.part():
            yield
        self.open_.pop()

    @contextmanager
    def part(self) -> Iterator[None]:
        """Open a body for a while: names of integers there hold there only."""
        self._loops += 1
        self._serial.append(self._loops)
        yield
        self._serial.pop()

    def is_integer(self, name: str) -> bool:
        """Return whether a name is a loop variable, a size, or stands for a form of them."""
        if name in self.open_ or name in self.integers:
            return True
        found = name in self.counting and name not in self.values and name not in self.looped
        if found:
            self._sizes.add(name)
        return found

    def require_open(self, name: str, line: int) -> None:
        """Raise ProgramError if `name` is a loop variable whose loop is not around."""
        if name in self.looped and name not in self.open_:
            raise ProgramError(f"{name} is read outside of the loop over {name}", line)

    def stands_for(self, name: str, form: Affine, line: int) -> None:
        """Let `name` stand for a form while the loops and branches that are open stay so."""
        if self._serial:  # else all that was read before, was run before
            self._require_no_size(name, line)
        self.integers[name] = form, tuple(self._serial)

    def holds_value(self, name: str, line: int) -> None:
        """Take note that a value is assigned to `name` or its cells."""
        if name in self.looped:
            raise ProgramError(f"the loop variable {name} is assigned to", line)
        if name in self.integers:
            raise ProgramError(f"{name} is an integer and is assigned to again", line)
        self._require_no_size(name, line)
        self.values.add(name)

    def _require_no_size(self, name: str, line: int) -> None:
        if name in self._sizes:
            raise ProgramError(f"{name} is a size and is assigned to", line)

    def form(self, node: ast.expr) -> Affine | None:
        """Return the affine form that an expression is, or None."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if abs(node.value) > LARGEST:
                raise ProgramError("a whole number is too large to compute with", node.lineno)
            return number(node.value)
        if isinstance(node, ast.Name):
            self.require_open(node.id, node.lineno)
            return self._named(node.id)
        if isinstance(node, ast.UnaryOp):
            inner = self.form(node.operand)
            if inner is None or not isinstance(node.op, ast.USub | ast.UAdd):
                return None
            return inner.times(-1) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.Call):
            inside = getattr(node, "meaning", node.args[0] if _is_conversion(node) else None)
            return None if inside is None else self.form(inside)
        if isinstance(node, ast.BinOp):
            return self._combined(node)
        return None

    def _named(self, name: str) -> Affine | None:
        if name in self.open_:
            return variable(name)
        if name in self.integers:
            form, serial = self.integers[name]
            return form if tuple(self._serial[: len(serial)]) == serial else None
        return variable(name) if self.is_integer(name) else None

    def _combined(self, node: ast.BinOp) -> Affine | None:
        left, right = self.form(node.left), self.form(node.right)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult) and not (left.terms and right.terms):
            return right.times(left.constant) if not left.terms else left.times(right.constant)
        return None


def _is_conversion(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1


def maker_of(call: ast.Call) -> str:
    """Return the function if a call makes an array of constants, like ``np.zeros((n, n))``."""
    name = ast.unparse(call.func).rpartition(".")[2]
    return name if name.removesuffix("_like") in MAKERS else ""


def counting_names(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that indices, bounds and conditions read, also by way of other names."""
    looped = loop_variables(function)
    counting: set[str] = set()
    defined: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript):
            counting |= _names(node.slice)
        elif isinstance(node, ast.For):
            counting |= _names(node.iter)
        elif isinstance(node, ast.If):
            counting |= _names(node.test)
        elif isinstance(node, ast.Call) and maker_of(node) in MAKERS:
            shape = [each.value for each in node.keywords if each.arg == "shape"]
            counting |= {name for each in [*node.args[:1], *shape] for name in _names(each)}
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            defined.setdefault(node.targets[0].id, []).append(node.value)
    waiting = list(counting - looped)
    while waiting:
        for value in defined.get(waiting.pop(), []):
            new = _names(value) - counting
            counting |= new
            waiting += new - looped
    return frozenset(counting)


def loop_variables(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that loops are over."""
    return frozenset(
        node.target.id
        for node in ast.walk(function)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
    )


def _names(node: ast.expr) -> set[str]:
    """Return the names in an expression, but for those that are called or have cells."""
    parts = list(ast.walk(node))
    others = {part.func for part in parts if isinstance(part, ast.Call)}
    others |= {part.value for part in parts if isinstance(part, ast.Subscript | ast.Attribute)}
    return {part.id for part in parts if isinstance(part, ast.Name) and part not in others}
