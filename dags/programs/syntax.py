"""A syntax tree of Python as a loop nest; the reader of C makes such trees too."""

import ast
from collections import Counter
from typing import Final

from dags.programs.affine import Affine
from dags.programs.conditions import cases_of
from dags.programs.errors import ProgramError
from dags.programs.nest import (
    Assign,
    Clear,
    If,
    Loop,
    Program,
    Reference,
    Statement,
    references,
)
from dags.programs.scopes import Scopes, counting_names
from dags.programs.values import expression_of, operation, reference_of

MAKERS: Final = ("zeros", "empty", "ones", "full")  # of arrays, as numpy.zeros and zeros_like


def program_of(function: ast.FunctionDef, source: str, *, has_parameters: bool = True) -> Program:
    """Return the loop nest in a function.

    Parameters
    ----------
    function
        Its syntax tree.
    source
        The text it comes from.
    has_parameters
        Whether its parameters say what the program is given; C text without a function has none.

    Raises
    ------
    ProgramError
        If it is no loop nest with affine bounds, conditions and indices; the line is named.
    """
    arguments = function.args
    given = tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    reader = _Reader(function)
    body = reader.block(function.body)
    program = Program(
        name=function.name,
        body=body,
        extents=reader.extents,
        local=frozenset(reader.local),
        parameters=given if has_parameters else None,
        returned=tuple(dict.fromkeys(reader.returned)),
        source=source,
    )
    if not program.statements:
        raise ProgramError(f"{function.name} assigns to no cell", function.lineno)
    _check_dimensions(program)
    return program


class _Reader:
    """Turns statements into those of a nest; remembers what it learns on the way."""

    def __init__(self, function: ast.FunctionDef) -> None:
        stored = Counter(
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        updated = {
            node.target.id
            for node in ast.walk(function)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }
        once = {name for name, count in stored.items() if count == 1} - updated
        self.scopes = Scopes(once=frozenset(once), counting=counting_names(function))
        self.extents: dict[str, tuple[Affine, ...]] = {}
        self.local: set[str] = set()
        self.returned: list[str] = []

    def block(self, body: list[ast.stmt]) -> tuple[Statement, ...]:
        """Return the statements of a block."""
        return tuple(each for node in body for each in self.statement(node))

    def statement(self, node: ast.stmt) -> list[Statement]:
        """Return what a statement does: nothing, one thing, or one for each target."""
        if isinstance(node, ast.For):
            return [self.loop(node)]
        if isinstance(node, ast.If):
            return [self.condition(node)]
        if isinstance(node, ast.AugAssign):
            return [self.update(node)]
        if isinstance(node, ast.Assign):
            return self.assign(node.targets, node.value)
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self.assign([node.target], node.value)
        if isinstance(node, ast.Return):
            return self.result(node)
        if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom) or _is_text(node):
            return []
        raise ProgramError(
            f"{ast.unparse(node).splitlines()[0]!r} is no loop, no condition on loop variables "
            "and no assignment",
            node.lineno,
        )

    def loop(self, node: ast.For) -> Loop:
        """Return a loop over a range."""
        call, name = node.iter, node.target
        is_range = isinstance(call, ast.Call) and ast.unparse(call.func) == "range"
        if not is_range or not isinstance(name, ast.Name) or node.orelse:
            raise ProgramError("a loop is 'for i in range(start, stop, step)'", node.lineno)
        assert isinstance(call, ast.Call)
        arguments = [*call.args]
        if not 1 <= len(arguments) <= 3 or call.keywords:
            raise ProgramError("range takes one to three numbers", node.lineno)
        step = self._step(arguments[2]) if len(arguments) == 3 else 1
        start = arguments[0] if len(arguments) > 1 else ast.Constant(0, lineno=node.lineno)
        stop = arguments[0] if len(arguments) == 1 else arguments[1]
        first, last = ("max", "min") if step > 0 else ("min", "max")
        begin, end = self._bounds(start, first), self._bounds(stop, last)
        with self.scopes.loop(name.id, node.lineno):
            return Loop(name.id, begin, end, step, self.block(node.body), node.lineno)

    def _step(self, node: ast.expr) -> int:
        form = self.scopes.form(node)
        if form is None or form.terms:
            raise ProgramError(f"step {ast.unparse(node)} is no constant", node.lineno)
        if form.constant == 0:
            raise ProgramError("step 0 never ends", node.lineno)
        return form.constant

    def _bounds(self, node: ast.expr, join: str) -> tuple[Affine, ...]:
        """Return the forms whose largest or smallest a bound is."""
        if isinstance(node, ast.Call) and ast.unparse(node.func) == join and not node.keywords:
            return tuple(form for part in node.args for form in self._bounds(part, join))
        form = self.scopes.form(node)
        if form is None:
            raise ProgramError(f"bound {ast.unparse(node)} is not affine", node.lineno)
        return (form,)

    def condition(self, node: ast.If) -> If:
        """Return a condition on loop variables and sizes."""
        cases = cases_of(node.test, self.scopes)
        return If(cases, self.block(node.body), self.block(node.orelse), node.lineno)

    def update(self, node: ast.AugAssign) -> Assign:
        """Return ``a = a + b`` for ``a += b``."""
        target = self._cell(node.target)
        value = expression_of(node.value, self.scopes)
        name = type(node.op).__name__
        return Assign(target, operation(name, [target, value]), node.lineno)

    def assign(self, targets: list[ast.expr], value: ast.expr) -> list[Statement]:
        """Return assignments of one value to some cells, or note what integers are called."""
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            made = self._made(targets[0].id, value)
            if made is not None:
                return made
        found: list[Statement] = []
        for target in targets:
            if isinstance(target, ast.Tuple | ast.List):
                raise ProgramError("one cell at a time is assigned to", target.lineno)
            cell = self._cell(target)
            found.append(Assign(cell, expression_of(value, self.scopes), target.lineno))
        return found

    def _made(self, name: str, value: ast.expr) -> list[Statement] | None:
        """Return what `name = value` does where it makes an array or names an integer."""
        if isinstance(value, ast.Call) and _maker(value):
            self._declare(name, value)
            return [Clear(name, value.lineno)]
        if _is_extent(value):
            self.scopes.stands_for(name, Affine(((name, 1),)))
            return []
        scopes = self.scopes
        form = scopes.form(value) if name in scopes.once & scopes.counting else None
        if form is not None:
            scopes.stands_for(name, form)
            return []
        return None

    def _declare(self, name: str, call: ast.Call) -> None:
        """Note the extents of an array that is made here, where the call tells them."""
        self.local.add(name)
        self.scopes.values.add(name)
        shape = call.args[0] if call.args else None
        if shape is None or ast.unparse(call.func).endswith("_like"):
            return
        sides = shape.elts if isinstance(shape, ast.Tuple | ast.List) else [shape]
        forms = [self.scopes.form(side) for side in sides]
        for side, form in zip(sides, forms, strict=True):
            if form is None:
                raise ProgramError(f"extent {ast.unparse(side)} is not affine", call.lineno)
        self.extents[name] = tuple(form for form in forms if form is not None)

    def _cell(self, node: ast.expr) -> Reference:
        if not isinstance(node, ast.Name | ast.Subscript):
            raise ProgramError(f"{ast.unparse(node)!r} is no cell of an array", node.lineno)
        reference = reference_of(node, self.scopes)
        if reference.array in self.scopes.open_:
            raise ProgramError(f"the loop variable {reference.array} is assigned to", node.lineno)
        self.scopes.values.add(reference.array)
        return reference

    def result(self, node: ast.Return) -> list[Statement]:
        """Note what is returned."""
        if self.scopes.open_:
            raise ProgramError("a return inside a loop ends it early", node.lineno)
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for part in parts:
            if isinstance(part, ast.Name):
                self.returned.append(part.id)
            elif part is not None and not (isinstance(part, ast.Constant) and part.value is None):
                raise ProgramError("only arrays and scalars by name are returned", node.lineno)
        return []


def _maker(call: ast.Call) -> bool:
    """Return whether a call makes an array of constants, like ``np.zeros((n, n))``."""
    name = ast.unparse(call.func).rpartition(".")[2]
    return name.removesuffix("_like") in MAKERS


def _is_extent(value: ast.expr) -> bool:
    """Return whether an expression is ``A.shape[0]`` or ``len(A)``: a size of its own."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) == "len"
    return (
        isinstance(value, ast.Subscript)
        and isinstance(value.value, ast.Attribute)
        and value.value.attr == "shape"
    )


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _check_dimensions(program: Program) -> None:
    """Raise ProgramError if an array has two numbers of indices."""
    seen: dict[str, tuple[int, int]] = {
        name: (len(extents), 0) for name, extents in program.extents.items()
    }
    for assign, _ in program.statements:
        for reference in (*references(assign.expression), assign.target):
            count = len(reference.indices)
            known, line = seen.setdefault(reference.array, (count, assign.line))
            if known != count:
                before = f"{known} in line {line}" if line else f"{known} where it is made"
                raise ProgramError(
                    f"{reference.array} has {count} indices here and {before}", assign.line
                )
