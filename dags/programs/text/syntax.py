"""A syntax tree of Python as a loop nest; the reader of C makes such trees too."""

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dags.programs.affine import Affine
from dags.programs.layout import LoopNest
from dags.programs.nest import (
    Assign,
    Clear,
    Constant,
    Expression,
    If,
    Loop,
    Operation,
    Program,
    ProgramError,
    Reference,
    Statement,
    references,
)
from dags.programs.text.expressions import cases_of, expression_of, operation, reference_of
from dags.programs.text.scopes import Scopes, counting_names, loop_variables, maker_of

DEEPEST: Final = 200  # nodes of the tree on one way down; Python calls itself for each


def program_of(
    function: ast.FunctionDef,
    source: str,
    *,
    has_parameters: bool = True,
    sizes: Mapping[str, int] | None = None,
    values: frozenset[str] = frozenset(),
    extents: Mapping[str, tuple[Affine, ...]] | None = None,
    made: frozenset[str] = frozenset(),
    types: Mapping[str, str] | None = None,
) -> LoopNest:
    """Return the loop nest in a function.

    Parameters
    ----------
    function
        Its syntax tree.
    source
        The text it comes from.
    has_parameters
        Whether its parameters are all that the program is given; C text without a function has
        none.
    sizes
        Names that are whole numbers, and the values that the text gives them.
    values
        Names that are no whole numbers.
    extents
        Declared extents of arrays.
    made
        Arrays that the function makes itself.
    types
        Declared types; None of Python.

    Raises
    ------
    ProgramError
        If it is no loop nest with affine bounds, conditions and indices; the line is named.
    """
    _require_shallow(function)
    arguments = function.args
    given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    reader = _Reader(function, frozenset(sizes or ()), values)
    reader.given = frozenset(each.arg for each in given)
    reader.extents.update(extents or {})
    reader.local.update(made)
    try:
        body = reader.block(function.body)
    except RecursionError:
        raise ProgramError("the text is nested too deeply") from None
    program = LoopNest(
        name=function.name,
        body=body,
        local=frozenset(reader.local),
        parameters=tuple(each.arg for each in given) if has_parameters else None,
        returned=tuple(dict.fromkeys(reader.returned)),
        defaults=dict(sizes or {}) | _default_arguments(arguments),
        source=source,
        types=types,
        conversions=tuple(reader.scopes.conversions),
    )
    if not program.statements:
        raise ProgramError(f"{function.name} assigns to no cell", function.lineno)
    used = program.dimensions
    program = replace(
        program, extents={name: each for name, each in reader.extents.items() if name in used}
    )
    _check_dimensions(program)
    for name, extents_made in reader.made.items():
        if extents_made is None and used.get(name) == 0:
            raise ProgramError(f"{name} is an array and is used without indices", function.lineno)
    return program


def _default_arguments(arguments: ast.arguments) -> dict[str, int]:
    """Return the parameters that are whole numbers where nothing else is given."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    pairs = [*zip(positional[first:], arguments.defaults, strict=True)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d]
    return {
        argument.arg: default.value
        for argument, default in pairs
        if isinstance(default, ast.Constant) and type(default.value) is int
    }


def _require_shallow(function: ast.FunctionDef) -> None:
    """Raise ProgramError if the tree is too deep for functions that call themselves."""
    level: list[ast.AST] = [function]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    for node in level:
        if hasattr(node, "lineno"):
            raise ProgramError(f"the text is nested more than {DEEPEST} deep", node.lineno)


class _Reader:
    """Turns statements into those of a nest; remembers names on the way."""

    def __init__(
        self, function: ast.FunctionDef, sizes: frozenset[str], values: frozenset[str]
    ) -> None:
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
        self.scopes = Scopes(
            once=frozenset(once) - values,
            counting=counting_names(function) | sizes,
            looped=loop_variables(function),
            function=function.name,
            values=set(values),
        )
        self.last = function.body[-1] if function.body else None
        self.given: frozenset[str] = frozenset()
        self.extents: dict[str, tuple[Affine, ...]] = {}
        self.local: set[str] = set()
        self.made: dict[str, tuple[Affine, ...] | None] = {}
        self.returned: list[str] = []

    def block(self, body: list[ast.stmt]) -> tuple[Statement, ...]:
        """Return the statements of a block."""
        return tuple(each for node in body for each in self.statement(node))

    def statement(self, node: ast.stmt) -> list[Statement]:
        """Return the assignments of a statement: none, one, or one for each target."""
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
        named = isinstance(node, ast.Call) and ast.unparse(node.func) in (join, f"f{join}")
        if isinstance(node, ast.Call) and named and len(node.args) > 1:
            if node.keywords:
                raise ProgramError(f"{join} is called with more than numbers", node.lineno)
            return tuple(form for part in node.args for form in self._bounds(part, join))
        if isinstance(node, ast.IfExp) and self._chosen(node) == join:
            return (*self._bounds(node.body, join), *self._bounds(node.orelse, join))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            more = self.scopes.form(node.right)
            if self.scopes.form(node.left) is None and more is not None and not more.terms:
                by = more.constant if isinstance(node.op, ast.Add) else -more.constant
                return tuple(form.plus(by) for form in self._bounds(node.left, join))
        form = self.scopes.form(node)
        if form is None:
            raise ProgramError(f"bound {ast.unparse(node)} is not affine", node.lineno)
        return (form,)

    def _chosen(self, node: ast.IfExp) -> str | None:
        """Return "max" or "min" where a selection is the larger or the smaller of two forms.

        It takes the first where some form is at least 0. It is the larger if this form is the first
        less the second, or one less than that.
        """
        cases = cases_of(node.test, self.scopes)
        one, other = self.scopes.form(node.body), self.scopes.form(node.orelse)
        if len(cases) != 1 or len(cases[0]) != 1 or one is None or other is None:
            return None
        ((condition,),) = cases
        for name, beyond in (("max", one - other), ("min", other - one)):
            rest = beyond - condition.form
            if condition.relation == "ge" and not rest.terms and rest.constant in (0, 1):
                return name
        return None

    def condition(self, node: ast.If) -> If:
        """Return a condition on loop variables and sizes."""
        cases = cases_of(node.test, self.scopes)
        with self.scopes.part():
            body = self.block(node.body)
        with self.scopes.part():
            otherwise = self.block(node.orelse)
        return If(cases, body, otherwise, node.lineno)

    def update(self, node: ast.AugAssign) -> Assign:
        """Return ``a = a + b`` for ``a += b``."""
        target = self._cell(node.target)
        value = expression_of(node.value, self.scopes)
        name = type(node.op).__name__
        return Assign(target, operation(name, [target, value]), node.lineno)

    def assign(self, targets: list[ast.expr], value: ast.expr) -> list[Statement]:
        """Return assignments of one value to some cells, or note the names of integers.

        The value is computed once: all targets but one are copies.
        """
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            made = self._made(targets[0].id, value)
            if made is not None:
                return made
        if any(isinstance(target, ast.Tuple | ast.List) for target in targets):
            raise ProgramError("one cell at a time is assigned to", value.lineno)
        expression = expression_of(value, self.scopes)
        found: list[Statement] = []
        for target in reversed(targets):
            cell = self._cell(target)
            found.append(Assign(cell, expression, target.lineno))
            expression = cell if isinstance(expression, Operation) else expression
        return found

    def _made(self, name: str, value: ast.expr) -> list[Statement] | None:
        """Return the assignments of `name = value` where it makes an array or names an integer."""
        scopes = self.scopes
        if isinstance(value, ast.Call) and maker_of(value):
            return [Clear(name, value.lineno, self._declare(name, value))]
        if name in scopes.looped and name not in scopes.open_ and scopes.form(value) is not None:
            return []  # "int i = 0;" before the loop over i: nothing else may read i
        if name not in scopes.once & scopes.counting:
            return None
        form = Affine(((name, 1),)) if _is_extent(value) else scopes.form(value)
        if form is None:
            return None
        scopes.stands_for(name, form, value.lineno)
        return []

    def _declare(self, name: str, call: ast.Call) -> Constant:
        """Note the extents of an array that is made here; return the contents of its cells."""
        if name in self.given:
            raise ProgramError(f"{name} is given, and is made here", call.lineno)
        self.scopes.holds_value(name, call.lineno)
        maker = maker_of(call)
        value: Expression = Constant(1 if maker.startswith("ones") else 0)
        for argument in call.args[1:2] if maker.startswith("full") else []:
            value = expression_of(argument, self.scopes)
        if not isinstance(value, Constant):
            raise ProgramError(f"{maker} has a value that is computed: write its loop", call.lineno)
        shape = next((each.value for each in call.keywords if each.arg == "shape"), None)
        shape = call.args[0] if call.args and shape is None else shape
        sides = shape.elts if isinstance(shape, ast.Tuple | ast.List) else [shape]
        if maker.endswith("_like"):
            like = self.extents.get(ast.unparse(call.args[0])) if call.args else None
            forms = None if like is None else list(like)
        else:
            forms = [self._extent(side, call) for side in sides]
        extents = None if forms is None else tuple(forms)
        if self.made.setdefault(name, extents) != extents:
            raise ProgramError(f"{name} is made again with other extents", call.lineno)
        self.local.add(name)
        if extents is not None:
            self.extents[name] = extents
        return value

    def _extent(self, side: ast.expr | None, call: ast.Call) -> Affine:
        form = None if side is None else self.scopes.form(side)
        if form is None:
            shown = ast.unparse(call if side is None else side)
            raise ProgramError(f"extent {shown} is not affine", call.lineno)
        return form

    def _cell(self, node: ast.expr) -> Reference:
        if not isinstance(node, ast.Name | ast.Subscript):
            raise ProgramError(f"{ast.unparse(node)!r} is no cell of an array", node.lineno)
        reference = reference_of(node, self.scopes)
        self.scopes.holds_value(reference.array, node.lineno)
        return reference

    def result(self, node: ast.Return) -> list[Statement]:
        """Note the results."""
        if node is not self.last:
            raise ProgramError("a return before the end of the text is not read", node.lineno)
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for part in parts:
            if isinstance(part, ast.Name):
                self.returned.append(part.id)
            elif part is not None and not (isinstance(part, ast.Constant) and part.value is None):
                raise ProgramError("only arrays and scalars by name are returned", node.lineno)
        return []


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
