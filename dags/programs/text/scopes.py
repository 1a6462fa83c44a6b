"""Names while a program is read: which loops are open, and which integers stand for a form."""

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

from dags.programs.affine import Affine, number, variable
from dags.programs.nest import Condition, ProgramError
from dags.programs.text.tables import Entry, entry_at, lengths, place_of
from dags.programs.text.trees import Call, placed

MAKERS: Final = ("zeros", "empty", "ones", "full")  # of arrays, as numpy.zeros and zeros_like
EXTREMES: Final = ("min", "max", "MIN", "MAX", "std.min", "std.max", "imin", "imax")
Cases = tuple[tuple[Condition, ...], ...]  # in any of which all hold
BITS: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
LARGEST: Final = 2**40  # of whole numbers in the text
MOST_PARTS: Final = 32  # copies of a loop's body, one for each remainder


class SizesNeededError(ProgramError):
    """Text that is affine only where some sizes are numbers.

    Parameters
    ----------
    names
        The sizes.
    shown, line
        The expression, and its line.
    quality
        What it is then.
    """

    def __init__(
        self, names: Iterable[str], shown: str, line: int | None, quality: str = "affine"
    ) -> None:
        self.names = tuple(sorted(names))
        sizes = " and ".join(self.names)
        verb = "is a number" if len(self.names) == 1 else "are numbers"
        added = ",".join(f"{name}=..." for name in self.names)
        super().__init__(f"{shown[:60]} is {quality} only where {sizes} {verb}: add {added}", line)


class SplitNeededError(ProgramError):
    """Text that is affine only where a loop is taken by its remainders, as ``t % 2``.

    Parameters
    ----------
    variable, modulus
        The loop variable, and the number that it is divided by.
    shown, line
        The expression, and its line.
    """

    def __init__(self, name: str, modulus: int, shown: str, line: int | None) -> None:
        self.variable, self.modulus, self.shown = name, modulus, shown
        super().__init__(f"{shown[:60]} is not affine: {name} is divided by {modulus}", line)


@dataclass(frozen=True)
class Choice:
    """A whole number that is one form where a condition holds, and another where it does not."""

    cases: Cases
    first: "Form"
    second: "Form"

    def supposing(self, cases: Cases, *, holds: bool) -> "Form":
        """The form where a condition holds, or does not."""
        if cases == self.cases:
            branch = self.first if holds else self.second
            return branch.supposing(cases, holds=holds) if isinstance(branch, Choice) else branch
        first, second = (
            form.supposing(cases, holds=holds) if isinstance(form, Choice) else form
            for form in (self.first, self.second)
        )
        return first if first == second else Choice(self.cases, first, second)


Form = Affine | Choice
Counted = tuple[Affine, Affine, int]  # a loop's start, its stop, and its step
Standing = tuple[
    dict[str, Affine | None], dict[str, tuple[str, tuple[Affine, ...]]], dict[str, Choice]
]


@dataclass
class Scopes:
    """The state of a reader.

    Parameters
    ----------
    counting
        Names that some index, bound or condition reads: sizes, unless they hold values.
    looped
        Names that some loop is over.
    function
        Name of the function that is read.
    fixed
        Sizes that are numbers.
    open_
        Loop variables of the loops around, the outermost first.
    lowest, highest
        The least and largest values of loop variables, where they are numbers.
    counts
        How often the loops around run, where it is known.
    integers
        Forms that names stand for here; None of one that changed in a loop or a condition.
    extremes
        Names that stand for the smallest or largest of some forms here: "min" or "max", and these.
    choices
        Names that stand for one form or another, as conditions on loop variables say.
    values
        Names that hold values, which no index may use.
    sources
        An array that the value of a name is read from.
    conversions
        Lines that convert values that are read, and the type they convert to.
    places
        Offsets of pointers, by names that are not the text's.
    tables
        Whole numbers in arrays that nothing changes.
    floors
        Whether quotients are rounded down, as in Python, not towards 0, as in C.
    """

    counting: frozenset[str]
    looped: frozenset[str] = frozenset()
    function: str = ""
    fixed: Mapping[str, int] = field(default_factory=dict)
    open_: list[str] = field(default_factory=list)
    lowest: dict[str, int] = field(default_factory=dict)
    highest: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    integers: dict[str, Affine | None] = field(default_factory=dict)
    extremes: dict[str, tuple[str, tuple[Affine, ...]]] = field(default_factory=dict)
    choices: dict[str, "Choice"] = field(default_factory=dict)
    values: set[str] = field(default_factory=set)
    sources: Mapping[str, str] = field(default_factory=dict)
    conversions: list[tuple[int, str]] = field(default_factory=list)
    places: frozenset[str] = frozenset()
    tables: Mapping[str, Entry] = field(default_factory=dict)
    floors: bool = False
    _sizes: set[str] = field(default_factory=set)  # names that were read as such
    _behind: dict[str, frozenset[str]] = field(default_factory=dict)  # sizes in ends of loops
    _moved: dict[str, frozenset[str]] = field(default_factory=dict)  # loops in ends of loops
    _counted: dict[str, "Counted"] = field(default_factory=dict)  # by variables of such loops

    @contextmanager
    def loop(
        self,
        name: str,
        line: int,
        ends: tuple[int | None, int | None],
        count: int | None = None,
    ) -> Iterator[None]:
        """Open a loop for a while.

        Parameters
        ----------
        name, line
            Its variable, and its line.
        ends
            The least and the largest value of the variable.
        count
            How often it runs; None where that is not known.
        """
        if name in self.open_:
            raise ProgramError(f"the loop over {name} is inside another loop over {name}", line)
        self.open_.append(name)
        for limits, end in zip((self.lowest, self.highest), ends, strict=True):
            if end is not None:
                limits[name] = end
        if count is not None:
            self.counts[name] = count
        try:
            yield
        finally:
            self.open_.pop()
            self.counts.pop(name, None)
            self.lowest.pop(name, None)
            self.highest.pop(name, None)

    @contextmanager
    def changing(self, names: Iterable[str], *, before: bool) -> Iterator[None]:
        """Forget what `names` stand for, behind a part that changes them, or before it too."""
        counted = [name for name in names if self.is_counted(name)]
        if before:
            self._forget(counted)
        try:
            yield
        finally:
            self._forget(counted)

    def _forget(self, names: Iterable[str]) -> None:
        self.integers.update(dict.fromkeys(names))
        for name in names:
            self._behind.pop(name, None)
            self._counted.pop(name, None)
            self.extremes.pop(name, None)
            self.choices.pop(name, None)

    def standing(self) -> Standing:
        """What names stand for here."""
        return dict(self.integers), dict(self.extremes), dict(self.choices)

    def stand(self, before: Standing) -> None:
        """Let names stand for what they stood for before."""
        self.integers, self.extremes, self.choices = (dict(forms) for forms in before)  # type: ignore[assignment]  # of three kinds

    def is_counted(self, name: str) -> bool:
        """Whether a name is a whole number that the text computes."""
        return name in self.integers or (
            name in self.counting | self.looped and name not in self.values
        )

    def is_integer(self, name: str) -> bool:
        """Whether a name is a loop variable, a size, or stands for a form of them."""
        if name in self.values:
            return False
        if name in self.open_ or name in self.integers or name in self.fixed:
            return True
        known = name in self.counting and name not in self.looped
        if known:
            self._sizes.add(name)
        return known

    def leave(
        self,
        name: str,
        last: Affine | None,
        ends: Iterable[Affine],
        counted: "Counted | None" = None,
    ) -> None:
        """Take note of the value of a loop variable behind its loop, and of its ends.

        Parameters
        ----------
        name, last
            The variable, and its value; None where that is not a form.
        ends
            The forms in the head of the loop.
        counted
            What the variable has counted, which is a form where a loop around is divided.
        """
        self.integers[name] = last
        self._counted.pop(name, None)
        if last is None and counted is not None:
            self._counted[name] = counted
        names = frozenset(name for form in ends for name in form.names)
        moved = frozenset(names & {*self.open_})
        self._behind[name] = names if last is None and not moved else frozenset()
        self._moved[name] = moved

    def _last(self, name: str, line: int) -> Affine | None:
        """The value of a loop variable behind a loop whose ends move with those around.

        It is the start and so many steps as lead to the stop or beyond it, where the loop never
        stops before its start.
        """
        counted = self._counted.get(name)
        if counted is None or name in self.open_ or self.integers.get(name) is not None:
            return None
        start, stop, step = counted
        if not {*start.names, *stop.names} <= {*self.open_}:
            return None
        length = (stop - start).plus(step - 1)
        if not self._is_positive(length):
            return None
        shown = placed(ast.Name(f"{name}, read behind its loop,", ast.Load()), line)
        quotient = placed(ast.BinOp(shown, ast.FloorDiv(), placed(ast.Constant(step), line)), line)
        steps = self._divided(length, number(step), quotient)
        return None if steps is None else start + steps.times(step)

    def require_known(self, name: str, line: int) -> None:
        """Raise SizesNeededError if `name` has no value here, and would have one with numbers."""
        if self.integers.get(name) is None and self._behind.get(name):
            raise SizesNeededError(self._behind[name], f"{name}, counted in a loop,", line)

    def require_open(self, name: str, line: int) -> None:
        """Raise ProgramError if `name` is a loop variable that has no known value here.

        With numbers for the ends of its loop it may have one.
        """
        waits = name not in self.open_ and name in self.integers and self.integers[name] is None
        if waits and self._behind.get(name):
            raise SizesNeededError(self._behind[name], f"{name}, read behind its loop,", line)
        is_known = name in self.open_ or self.integers.get(name) is not None
        moved = self._moved.get(name)
        if moved and not is_known and self._last(name, line) is not None:
            return
        if name in self.looped and not is_known and name not in self.values and moved:
            names = " and ".join(sorted(moved))
            raise ProgramError(
                f"{name} is read behind its loop, whose ends move with {names}: write where what "
                "is left over begins",
                line,
            )
        if name in self.looped and not is_known and name not in self.values:
            raise ProgramError(f"{name} is read outside of the loop over {name}", line)

    def stands_for(self, name: str, form: Affine | None, line: int) -> None:
        """Let `name` stand for a form from here on."""
        if name in self.open_:
            raise ProgramError(f"the loop variable {name} is assigned to", line)
        self.integers[name] = form
        self.extremes.pop(name, None)
        self.choices.pop(name, None)

    def chooses(self, name: str, choice: "Form", line: int) -> None:
        """Let `name` stand for one form or another from here on."""
        self.stands_for(name, choice if isinstance(choice, Affine) else None, line)
        if isinstance(choice, Choice):
            self.choices[name] = choice

    def suppose(self, cases: Cases, *, holds: bool) -> None:
        """Let names stand for what they do where a condition holds, or does not."""
        for name, choice in [*self.choices.items()]:
            supposed = choice.supposing(cases, holds=holds)
            self.choices.pop(name)
            if isinstance(supposed, Choice):
                self.choices[name] = supposed
            else:
                self.integers[name] = supposed

    def holds_value(self, name: str, line: int) -> None:
        """Take note that a value is assigned to `name` or its cells."""
        if name in self.open_:
            raise ProgramError(f"the loop variable {name} is assigned to", line)
        if name in self.integers or name in self.fixed:
            raise ProgramError(f"{name} is an integer and is assigned a value", line)
        if name in self._sizes:
            raise ProgramError(f"{name} is a size and is assigned to", line)
        self.values.add(name)

    def form(self, node: ast.expr) -> Affine | None:
        """The affine form that an expression is, or None.

        Raises
        ------
        SizesNeededError, SplitNeededError
            If it is one where sizes are numbers, or where a loop is taken by its remainders.
        """
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if abs(node.value) > LARGEST:
                raise ProgramError("a whole number is too large to compute with", node.lineno)
            return number(node.value)
        if isinstance(node, ast.Name):
            self.require_open(node.id, node.lineno)
            return self._named(node.id) or self._last(node.id, node.lineno)
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
        return self._entry(node) if isinstance(node, ast.Subscript) else None

    def _entry(self, node: ast.Subscript) -> Affine | None:
        """The number in a table; its loop is taken iteration by iteration."""
        name, indices = place_of(node)
        table = self.tables.get(name)
        if table is None:
            return None
        forms = [self.form(index) for index in indices]
        for form, length in zip(forms, lengths(table), strict=False):
            waiting = () if form is None else form.names
            loops = [name for name in waiting if name in self.open_]
            if loops:
                raise SplitNeededError(loops[-1], length + 1, ast.unparse(node), node.lineno)
            if waiting:
                raise SizesNeededError(waiting, ast.unparse(node), node.lineno)
        entry = entry_at(table, forms)
        return None if entry is None else number(entry)

    def shown(self, node: ast.expr) -> str:
        """An expression as a sentence has it: pointers by their own names."""
        text = ast.unparse(node)
        for place in self.places:
            text = re.sub(rf"\b{re.escape(place)}\b", place.removesuffix("_at"), text)
        return text.removesuffix(" + 0")[:60]

    def reason(self, node: ast.expr) -> str:
        """Why an expression is no form, and what to write instead."""
        cells = {child.value for child in ast.walk(node) if isinstance(child, ast.Subscript)}
        data = [cell for cell in cells if isinstance(cell, ast.Name)]
        names = [child.id for child in ast.walk(node) if isinstance(child, ast.Name)]
        if data:
            return (
                f"it depends on the data in {data[0].id}; a sparse matrix is read from its file "
                "(spmv:matrix=A.mtx)"
            )
        for name in names:
            if name in self.places and self.integers.get(name) is None:
                return (
                    f"the pointer {name.removesuffix('_at')} moves by what is not known: write "
                    "cells as A[i*n + j]"
                )
            if name in self.values and name in self.sources:
                return (
                    f"{name} depends on the data in {self.sources[name]}; a sparse matrix is read "
                    "from its file (spmv:matrix=A.mtx)"
                )
            if name in self.values:
                return f"{name} holds a value that is computed"
            if name in self.integers and self.integers[name] is None:
                return f"{name} changes in a loop or a condition: write it with loop variables"
        loops = [name for name in names if name in self.open_]
        if len(loops) > 1 or any(loops.count(name) > 1 for name in loops):
            return "loop variables are multiplied or divided: write sums of them with factors"
        return "write a sum of loop variables and sizes with constant factors"

    def size_form(self, node: ast.expr) -> Affine | None:
        """The form of a declared extent; None if it is none yet."""
        try:
            inner = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
            return Scopes(counting=frozenset(inner), fixed=self.fixed).form(node)
        except SizesNeededError:
            return None

    def _named(self, name: str) -> Affine | None:
        if name in self.open_:
            return variable(name)
        if name in self.fixed and name not in self.integers:
            return number(self.fixed[name])
        if name in self.integers:
            return self.integers[name]
        return variable(name) if self.is_integer(name) else None

    def _combined(self, node: ast.BinOp) -> Affine | None:
        left, right = self.form(node.left), self.form(node.right)
        if left is None or right is None:
            return None
        bits = BITS.get(type(node.op))
        if bits is not None and not left.terms and not right.terms:
            return number(bits(left.constant, right.constant))
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return self._product(left, right, node)
        if isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod | ast.BitAnd):
            return self._divided(left, right, node)
        if isinstance(node.op, ast.LShift | ast.RShift) and not right.terms:
            power = 2 ** min(max(right.constant, 0), 40)
            if isinstance(node.op, ast.LShift):
                return left.times(power)
            return self._divided(left, number(power), node)
        return None

    def _product(self, left: Affine, right: Affine, node: ast.BinOp) -> Affine | None:
        if not left.terms:
            return right.times(left.constant)
        if not right.terms:
            return left.times(right.constant)
        loops = [{*form.names} & {*self.open_} for form in (left, right)]
        if all(loops):
            counts = {name: self.counts.get(name, MOST_PARTS) for name in loops[0] | loops[1]}
            shortest = min(sorted(counts), key=lambda name: counts[name])
            if counts[shortest] < MOST_PARTS:
                count = counts[shortest] + 1
                raise SplitNeededError(shortest, count, ast.unparse(node), node.lineno)
            return None
        names = {
            name
            for form, inner in zip((left, right), loops, strict=True)
            if not inner
            for name in form.names
        }
        raise SizesNeededError(names, ast.unparse(node), node.lineno)

    def _divided(self, left: Affine, right: Affine, node: ast.BinOp) -> Affine | None:
        """A quotient or a remainder by a whole number, where it is a form."""
        divisor = right.constant
        if right.terms:
            if not {*right.names} & {*self.open_}:
                raise SizesNeededError(right.names, ast.unparse(node), node.lineno)
            return None
        if isinstance(node.op, ast.BitAnd):
            divisor += 1
            if divisor < 2 or divisor & (divisor - 1):
                return None
        if divisor <= 0:
            return None
        if not left.terms and isinstance(node.op, ast.Div | ast.FloorDiv):
            remainder = (
                left.constant % divisor if left.constant < 0 and isinstance(node.op, ast.Div) else 0
            )
            return number(left.constant // divisor + bool(remainder))
        ragged = [name for name, factor in left.terms if factor % divisor]
        sizes = [name for name in ragged if name not in self.open_]
        if sizes:
            raise SizesNeededError(sizes, ast.unparse(node), node.lineno)
        if ragged:
            raise SplitNeededError(ragged[-1], divisor, ast.unparse(node), node.lineno)
        exact = self.floors or not left.constant % divisor
        if isinstance(node.op, ast.Mod | ast.BitAnd):
            if not exact and not self._is_positive(left):
                return None
            return number(left.constant % divisor)
        if not exact and not self._is_positive(left):  # C rounds towards 0
            return None
        terms = tuple((name, factor // divisor) for name, factor in left.terms)
        return Affine(terms, left.constant // divisor)

    def _is_positive(self, form: Affine) -> bool:
        """Whether a form is never negative, as far as the ends of its loops show."""
        minimum = form.constant
        for name, factor in form.terms:
            ends = self.lowest if factor > 0 else self.highest
            if name not in ends:
                return False
            minimum += factor * ends[name]
        return minimum >= 0

    def extreme(self, join: str, first: Affine, second: Affine) -> Affine | None:
        """The smaller or larger of two forms, where it is one in all iterations."""
        if self._is_positive(first - second):
            return first if join == "max" else second
        if self._is_positive(second - first):
            return second if join == "max" else first
        return None

    def holds(self, condition: Condition) -> bool | None:
        """Whether a condition holds in all iterations, or in none; None if not known."""
        form = condition.form
        if not form.terms:
            value = form.constant
            return {"ge": value >= 0, "eq": value == 0, "ne": value != 0}[condition.relation]
        if condition.relation == "ge" and self._is_positive(form):
            return True
        if self._is_positive(form.times(-1).plus(-1)):
            return condition.relation == "ne"
        if condition.relation != "ge" and self._is_positive(form.plus(-1)):
            return condition.relation == "ne"
        return None


def _is_conversion(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1


def maker_of(call: ast.Call) -> str:
    """The function if a call makes an array of constants, like ``np.zeros((n, n))``."""
    name = ast.unparse(call.func).rpartition(".")[2]
    return name if name.removesuffix("_like") in MAKERS else ""


def counting_names(
    function: ast.FunctionDef, parameters: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The names that indices, bounds and conditions read, also by way of other names.

    So are those that are `parameters` as such.
    """
    begun_before = {
        node.target.id
        for node in ast.walk(function)
        if isinstance(node, ast.For)
        and isinstance(node.target, ast.Name)
        and node.target.id in _names(node.iter)
    }
    looped = loop_variables(function) - begun_before
    counting: set[str] = set()
    defined: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        counting |= {node.id} & parameters if isinstance(node, ast.Name) else set()
        if isinstance(node, ast.Subscript):
            counting |= _names(node.slice)
        elif isinstance(node, ast.For):
            counting |= _names(node.iter)
        elif isinstance(node, ast.If | ast.While):
            counting |= _names(node.test)
        elif isinstance(node, ast.Call) and maker_of(node) in MAKERS:
            shape = [keyword.value for keyword in node.keywords if keyword.arg == "shape"]
            counting |= {name for arg in [*node.args[:1], *shape] for name in _names(arg)}
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    defined.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            defined.setdefault(node.target.id, []).append(node.value)
    waiting = list(counting - looped)
    while waiting:
        for value in defined.get(waiting.pop(), []):
            new = _names(value) - counting
            counting |= new
            waiting += new - looped
    return frozenset(counting | _flags(function, defined, counting | looped))


def _flags(
    function: ast.FunctionDef, defined: Mapping[str, list[ast.expr]], counting: set[str]
) -> set[str]:
    """The names of tests on whole numbers that selections read.

    Parameters
    ----------
    function, defined
        The function, and all values that its names are assigned.
    counting
        The names of whole numbers.
    """
    parameters = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    flags: set[str] = set()
    while True:
        new = {
            name
            for name in defined.keys() - counting - flags - parameters
            if any(
                _is_test(value) and set() < _names(value) <= counting | flags
                for value in defined[name]
            )
            and all(_names(value) <= counting | flags | {name} for value in defined[name])
        }
        if not new:
            break
        flags |= new
    tests = [node.test for node in ast.walk(function) if isinstance(node, ast.IfExp)]
    waiting = [name for test in tests for name in _names(test) & flags]
    read: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in read:
            read.add(name)
            waiting += [inner for value in defined[name] for inner in _names(value) & flags]
    return read


def _is_test(value: ast.expr) -> bool:
    """Whether an expression is true or false."""
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.op, ast.Not)
    return isinstance(value, ast.Compare | ast.BoolOp)


def value_names(
    function: ast.FunctionDef,
    declared: frozenset[str] = frozenset(),
    tables: Iterable[str] = (),
) -> frozenset[str]:
    """The names that are assigned something that is no form of whole numbers.

    So are names that read those that are `declared` as no whole numbers. Cells of `tables` are
    whole numbers.
    """
    function = _with_numbers(function, frozenset(tables))
    defined: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    defined.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            defined.setdefault(node.target.id, []).append(node.value)
    names: set[str] = set()
    while True:
        new = {
            name
            for name, values in defined.items()
            if name not in names and any(_is_value(value, names | declared) for value in values)
        }
        if not new:
            return frozenset(names)
        names |= new


class _Entries(ast.NodeTransformer):
    """Puts a number in the place of each cell of some tables."""

    def __init__(self, tables: frozenset[str]) -> None:
        self.tables = tables

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        is_entry = isinstance(node.ctx, ast.Load) and place_of(node)[0] in self.tables
        return ast.copy_location(ast.Constant(0), node) if is_entry else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node, Call):  # its meaning is no field of the tree
            node.meaning = self.visit(node.meaning)
        return self.generic_visit(node)


def _with_numbers(function: ast.FunctionDef, tables: frozenset[str]) -> ast.FunctionDef:
    """A function in which cells of tables are numbers, of which only the kind counts."""
    if not tables:
        return function
    numbered: ast.FunctionDef = _Entries(tables).visit(deepcopy(function))
    return numbered


def data_sources(function: ast.FunctionDef) -> dict[str, str]:
    """Return for each name that is assigned a cell of an array that array."""
    return {
        node.targets[0].id: node.value.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Subscript)
        and isinstance(node.value.value, ast.Name)
    }


def _is_value(node: ast.expr, known: set[str]) -> bool:
    """Whether an expression is no form of whole numbers, as far as its signs show."""
    if isinstance(node, ast.Constant):
        return type(node.value) is not int
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.BinOp):
        return _is_value(node.left, known) or _is_value(node.right, known)
    if isinstance(node, ast.UnaryOp):
        return _is_value(node.operand, known)
    if isinstance(node, ast.Call):
        meaning = getattr(node, "meaning", None)
        if meaning is not None:
            return _is_value(meaning, known)
        name = ast.unparse(node.func)
        if name in EXTREMES or name == "abs":
            return any(_is_value(argument, known) for argument in node.args)
        return name not in ("int", "len") and not maker_of(node)
    if isinstance(node, ast.IfExp):
        return any(_is_value(branch, known) for branch in (node.body, node.orelse))
    if isinstance(node, ast.Compare):
        return any(_is_value(side, known) for side in (node.left, *node.comparators))
    if isinstance(node, ast.BoolOp):
        return any(_is_value(test, known) for test in node.values)
    if isinstance(node, ast.Subscript):
        return not (isinstance(node.value, ast.Attribute) and node.value.attr == "shape")
    return True


def stored_names(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that some statements assign to, loop variables among them."""
    return frozenset(
        node.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )


def loop_variables(function: ast.FunctionDef) -> frozenset[str]:
    """The names that loops are over."""
    return frozenset(
        node.target.id
        for node in ast.walk(function)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
    )


def _names(node: ast.expr) -> set[str]:
    """The names in an expression, but for those that are called or have cells.

    What a macro means has those of its arguments, and may have others.
    """
    parts = [*ast.walk(node)]
    reached = {id(part) for part in parts}
    for part in parts:  # which grow
        if isinstance(part, Call) and id(part.meaning) not in reached:
            names = [inner for inner in ast.walk(part.meaning) if id(inner) not in reached]
            reached |= {id(inner) for inner in names}
            parts += names
    skipped = {part.func for part in parts if isinstance(part, ast.Call)}
    skipped |= {part.value for part in parts if isinstance(part, ast.Subscript | ast.Attribute)}
    return {part.id for part in parts if isinstance(part, ast.Name) and part not in skipped}
