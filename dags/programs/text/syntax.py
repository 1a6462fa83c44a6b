"""A syntax tree of Python as a loop nest; the reader of C makes such trees too."""

import ast
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import replace
from math import lcm
from typing import Final

from dags.programs.affine import Affine, variable
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
from dags.programs.text.expressions import (
    DataConditionError,
    cases_of,
    expression_of,
    operation,
    reference_of,
)
from dags.programs.text.scopes import (
    EXTREMES,
    MOST_PARTS,
    Cases,
    Choice,
    Form,
    Scopes,
    SizesNeededError,
    SplitNeededError,
    counting_names,
    data_sources,
    loop_variables,
    maker_of,
    stored_names,
    value_names,
)
from dags.programs.text.tables import Entry, place_of
from dags.programs.text.trees import Call, Fill, While, names_read

Forms = dict[str, Affine]  # of names
MOST_TURNS: Final = 64  # of a loop that counts by no step
MOST_SELECTED: Final = 6  # selections by loop variables in one value
DEEPEST: Final = 200  # nodes of the tree on one way down; Python calls itself for each


def program_of(
    function: ast.FunctionDef,
    source: str,
    *,
    has_parameters: bool = True,
    sizes: Mapping[str, int] | None = None,
    fixed: Mapping[str, int] | None = None,
    present: Mapping[str, int] | None = None,
    values: frozenset[str] = frozenset(),
    extents: Mapping[str, tuple[Affine, ...]] | None = None,
    made: frozenset[str] = frozenset(),
    results: tuple[str, ...] = (),
    types: Mapping[str, str] | None = None,
    counted: frozenset[str] = frozenset(),
    tables: Mapping[str, Entry] | None = None,
) -> LoopNest:
    """The loop nest in a function.

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
    fixed
        Names of whole numbers whose values are put in while the text is read.
    present
        0 for pointers that are NULL, another number for those that are not, as the user says.
    values
        Names that are no whole numbers.
    extents
        Declared extents of arrays.
    made
        Arrays that the function makes itself.
    results
        Names of scalars that are outputs.
    types
        Declared types; None of Python.
    counted
        Names that are whole numbers which the text computes.
    tables
        Whole numbers in arrays that are declared with them.

    Raises
    ------
    ProgramError
        If it is no loop nest with affine bounds, conditions and indices; the line is named.
    """
    require_shallow(function)
    arguments = function.args
    given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    changed = _changed_arrays(function)
    constant = {name: table for name, table in (tables or {}).items() if name not in changed}
    reader = _NestReader(
        function, frozenset(sizes or ()), values, dict(fixed or {}), counted, constant
    )
    reader.given = frozenset(each.arg for each in given)
    reader.is_c = types is not None
    reader.scopes.floors = not reader.is_c
    reader.changed = changed
    reader.extents.update(extents or {})
    reader.local.update(made)
    try:
        body = reader.block(without_early_ends(function.body, ast.Return))
    except RecursionError:
        raise ProgramError("the text is nested too deeply") from None
    defaults = dict(sizes or {}) | whole_defaults(arguments)
    program = LoopNest(
        name=function.name,
        body=body,
        local=frozenset(reader.local),
        parameters=tuple(each.arg for each in given) if has_parameters else None,
        returned=tuple(dict.fromkeys((*reader.returned, *results))),
        defaults={name: value for name, value in defaults.items() if name not in (fixed or {})},
        source=source,
        types=types,
        fixed={
            **{name: value for name, value in (fixed or {}).items() if name in reader.asked},
            **(present or {}),
        },
        conversions=tuple(dict.fromkeys(reader.scopes.conversions)),
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


def _changed_arrays(function: ast.FunctionDef) -> frozenset[str]:
    """The arrays with cells that are assigned to, elsewhere than where they are declared."""
    changed: set[str] = set()
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Fill):
            continue
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            changed.add(place_of(node)[0])
        waiting += ast.iter_child_nodes(node)
    return frozenset(changed)


def with_numbers(
    read: Callable[[Mapping[str, int]], LoopNest], given: Mapping[str, int]
) -> LoopNest:
    """A program, read with numbers for those of its sizes that need them.

    Parameters
    ----------
    read
        Reads the text with some sizes put in.
    given
        Values of sizes.

    Raises
    ------
    ProgramError
        If a size that needs a value has none, or the text is no loop nest.
    """
    fixed: dict[str, int] = {}
    while True:
        try:
            return read(fixed)
        except SizesNeededError as error:
            names = ({*error.names} & given.keys()) - fixed.keys()
            if not names:
                raise ProgramError(error.message, error.line) from None
            fixed |= {name: given[name] for name in names}


def whole_defaults(arguments: ast.arguments) -> dict[str, int]:
    """The parameters that are whole numbers where nothing else is given."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first = len(positional) - len(arguments.defaults)
    pairs = [*zip(positional[first:], arguments.defaults, strict=True)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d]
    return {
        argument.arg: default.value
        for argument, default in pairs
        if isinstance(default, ast.Constant) and type(default.value) is int
    }


def require_shallow(function: ast.FunctionDef) -> None:
    """Raise ProgramError if the tree is too deep for functions that call themselves."""
    level: list[ast.AST] = [function]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    for node in level:
        if hasattr(node, "lineno"):
            raise ProgramError(f"the text is nested more than {DEEPEST} deep", node.lineno)


class _NestReader:
    """Turns statements into those of a nest; remembers names on the way."""

    def __init__(
        self,
        function: ast.FunctionDef,
        sizes: frozenset[str],
        values: frozenset[str],
        fixed: Mapping[str, int],
        places: frozenset[str],
        tables: Mapping[str, Entry],
    ) -> None:
        self.scopes = Scopes(
            counting=counting_names(function, places) | sizes,
            places=places,
            looped=loop_variables(function),
            function=function.name,
            fixed=fixed,
            sources=data_sources(function),
            values=set(values | value_names(function, values, tables)) - fixed.keys(),
            tables=tables,
        )
        self.last = function.body[-1] if function.body else None
        self.asked: frozenset[str] = frozenset(
            node.id for node in ast.walk(function) if isinstance(node, ast.Name)
        )
        self.given: frozenset[str] = frozenset()
        self.is_c = False  # whether numbers that are no sizes may be given
        self.stored = stored_names(function.body)
        self.changed: frozenset[str] = frozenset()  # arrays, elsewhere than where they are declared
        self.extents: dict[str, tuple[Affine, ...]] = {}
        self.split = 0  # cases around the statement that is read, of numbers that are chosen
        self.local: set[str] = set()
        self.made: dict[str, tuple[Affine, ...] | None] = {}
        self.returned: list[str] = []

    def block(self, body: list[ast.stmt]) -> tuple[Statement, ...]:
        """The statements of a block."""
        return tuple(each for node in body for each in self.statement(node))

    def statement(self, node: ast.stmt) -> list[Statement]:
        """The assignments of a statement: none, one, or one for each target."""
        if (split := self._split(node)) is not None:
            return split
        if isinstance(node, Fill) and _base(node.targets[0]) not in self.changed:
            return []
        if isinstance(node, ast.Assign | ast.AugAssign):
            node = _Places().visit(deepcopy(node))
        if isinstance(node, ast.For):
            return self.loop(node)
        if isinstance(node, ast.If):
            return self.condition(node)
        if (selection := self._selection(node)) is not None:
            return self.condition(_by_cases(node, selection))
        if isinstance(node, ast.AugAssign):
            return self.update(node)
        if isinstance(node, ast.Assign):
            return self.assign(node.targets, node.value)
        if isinstance(node, ast.AnnAssign):
            return [] if node.value is None else self.assign([node.target], node.value)
        if isinstance(node, ast.Return):
            return self.result(node)
        if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom | ast.Assert) or _is_text(node):
            return []
        if isinstance(node, ast.Continue):
            raise ProgramError(
                "'continue' is read where a condition of the loop's own body ends with it: write "
                "the rest of the body in the other branch",
                node.lineno,
            )
        if isinstance(node, ast.While):
            return self.turns(node)
        if isinstance(node, ast.Break):
            raise ProgramError(
                "'break' is not read: write in the loop's head where it ends", node.lineno
            )
        if _is_silent(node):
            return []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = ast.unparse(node.value.func)
            raise ProgramError(
                f"{called} is called for what it changes, which is not read: write its statements "
                "here",
                node.lineno,
            )
        raise ProgramError(
            f"{ast.unparse(node).splitlines()[0]!r} is no loop, no condition on loop variables "
            "and no assignment",
            node.lineno,
        )

    def loop(self, node: ast.For) -> list[Statement]:
        """A loop over a range; one whose text divides its variable, by its remainders."""
        call, name = node.iter, node.target
        is_range = isinstance(call, ast.Call) and ast.unparse(call.func) == "range"
        if not is_range or not isinstance(name, ast.Name) or node.orelse:
            raise ProgramError("a loop is 'for i in range(start, stop, step)'", node.lineno)
        assert isinstance(call, ast.Call)
        arguments = [*call.args]
        if not 1 <= len(arguments) <= 3 or call.keywords:
            raise ProgramError("range takes one to three numbers", node.lineno)
        step = self._step(arguments[2]) if len(arguments) == 3 else 1
        if node.type_comment is not None and (node.type_comment == "down") != (step < 0):
            raise ProgramError(f"the loop over {name.id} runs away from its stop", node.lineno)
        start = arguments[0] if len(arguments) > 1 else ast.Constant(0, lineno=node.lineno)
        stop = arguments[0] if len(arguments) == 1 else arguments[1]
        first, last = ("max", "min") if step > 0 else ("min", "max")
        begin, end = self._bounds(start, first), self._bounds(stop, last)
        nodes = without_early_ends(node.body, ast.Continue)
        changed = stored_names(nodes) - {name.id}
        loop = Loop(name.id, begin, end, step, (), node.lineno)
        counters = self._counters(changed)
        with self.scopes.changing(changed, before=True):
            found, behind = self._body(loop, nodes, counters)
        for counter, value in behind.items():
            self.scopes.leave(counter, value, (*begin, *end))
        self.scopes.integers.pop(name.id, None)
        if name.id not in self.scopes.open_ and name.id not in self.scopes.values:
            value = _final(loop, goes_beyond=node.type_comment is not None)
            is_plain = self.is_c and step > 0 and len(begin) == len(end) == 1
            counted = (begin[0], end[0], step) if is_plain else None
            self.scopes.leave(name.id, value, (*begin, *end), counted)
        return found

    def turns(self, node: ast.While) -> list[Statement]:
        """The statements of a loop in turn, whose test says each time whether it goes on.

        So are loops read that count by no step: ``while (w > 1) { ...; w /= 2; }``.
        """
        refusal = node.refusal if isinstance(node, While) else _uncounted(node)
        shown = f"how often 'while {ast.unparse(node.test)[:30]}' runs"
        statements: list[Statement] = []
        for _ in range(MOST_TURNS + 1):
            try:
                cases = cases_of(node.test, self.scopes)
            except DataConditionError:
                raise ProgramError(refusal, node.lineno) from None
            decided = _decided(cases, self.scopes)
            if decided is None:
                names = {name for case in cases for test in case for name in test.form.names}
                if names.isdisjoint(self.scopes.open_):
                    raise SizesNeededError(names, shown, node.lineno, "known")
            if decided is None or node.orelse:
                raise ProgramError(refusal, node.lineno)
            if not decided:
                return statements
            statements += self.block(without_early_ends(node.body, ast.Continue))
        raise ProgramError(
            f"'while {ast.unparse(node.test)[:30]}' counts by no step and runs more than "
            f"{MOST_TURNS} times: write a loop with one counter and a step",
            node.lineno,
        )

    def _counters(self, changed: frozenset[str]) -> Forms:
        """The whole numbers that a loop changes, with their values before it."""
        integers, looped = self.scopes.integers, self.scopes.looped
        known = {name: integers.get(name) for name in sorted(changed - looped)}
        return {name: form for name, form in known.items() if form is not None}

    def _body(
        self, loop: Loop, nodes: list[ast.stmt], counters: Forms
    ) -> tuple[list[Statement], dict[str, Affine | None]]:
        """A loop with its body, and the values of whole numbers behind it.

        Parameters
        ----------
        loop, nodes
            The loop, and the statements in it.
        counters
            Whole numbers that it changes, with their values before it.
        """
        before = self.scopes.standing()
        modulus, wanted = 0, None
        while True:
            self.scopes.stand(before)
            try:
                if wanted is not None:
                    return self._in_parts(loop, nodes, modulus, wanted, counters)
                self.scopes.integers.pop(loop.variable, None)
                steps = self._steps(loop, lambda: self.block(nodes), counters)
                count = _runs(loop)
                behind = {
                    name: None if count is None else counters[name].plus(count * step)
                    for name, step in steps.items()
                }
                here = self._now(loop, counters, steps)
                with self.scopes.loop(loop.variable, loop.line, _span(loop), count):
                    self.scopes.integers.update(here)
                    return [replace(loop, body=self.block(nodes))], behind
            except SplitNeededError as error:
                parts = lcm(modulus or 1, error.modulus)
                if error.variable == f"{loop.variable}_{modulus}":
                    parts = modulus * error.modulus
                elif error.variable != loop.variable:
                    raise
                if parts > MOST_PARTS:
                    raise
                modulus, wanted = parts, error

    def _steps(self, loop: Loop, read: Callable[[], object], counters: Forms) -> dict[str, int]:
        """Return by how much an iteration changes whole numbers, where each does by as much.

        The body is read once with a variable for the value of each number at its beginning.

        Parameters
        ----------
        loop
            The loop.
        read
            Reads its body.
        counters
            The numbers, with their values before it.
        """
        if not counters:
            return {}
        scopes = self.scopes
        kept = scopes.standing()
        marks = {name: f"{name} at the beginning" for name in counters}
        scopes.open_ += marks.values()
        try:
            with scopes.loop(loop.variable, loop.line, _span(loop), _runs(loop)):
                scopes.integers.update({name: variable(mark) for name, mark in marks.items()})
                read()
                for name in counters:
                    scopes.require_known(name, loop.line)
                ends = {name: scopes.integers.get(name) for name in counters}
        except SplitNeededError as error:
            if error.variable not in marks.values():
                raise
            return {}
        finally:
            del scopes.open_[-len(marks) :]
            scopes.stand(kept)
        steps: dict[str, int] = {}
        for name, end in ends.items():
            change = None if end is None else end - variable(marks[name])
            loops = {*scopes.open_, *marks.values(), loop.variable}
            sizes = set() if change is None else {*change.names} - loops
            if change is None or len(sizes) < len(change.names):
                continue
            if sizes:
                raise SizesNeededError(sizes, f"the step of {name}", loop.line)
            steps[name] = change.constant
        return steps

    def _now(self, loop: Loop, counters: Forms, steps: Mapping[str, int]) -> Forms:
        """The values of whole numbers at the beginning of an iteration."""
        if not steps:
            return {}
        if len(loop.start) > 1 or any(step % loop.step for step in steps.values()):
            raise SplitNeededError(loop.variable, 1, " and ".join(steps), loop.line)
        runs = variable(loop.variable) - loop.start[0]
        return {name: counters[name] + runs.times(by // loop.step) for name, by in steps.items()}

    def _in_parts(
        self,
        loop: Loop,
        nodes: list[ast.stmt],
        modulus: int,
        wanted: SplitNeededError,
        counters: Forms,
    ) -> tuple[list[Statement], dict[str, Affine | None]]:
        """A loop as one over so many iterations at once, and the rest of them.

        The variable of the text stands for a form of the loop that is left: its remainder is known.

        Parameters
        ----------
        loop, nodes
            The loop, and the statements in it.
        modulus, wanted
            Iterations at once, and the text that asks for it.
        counters
            Whole numbers that it changes, with their values before it.
        """
        name, scopes = loop.variable, self.scopes
        count = _runs(loop)
        if count is None:
            sizes = {each for form in (*loop.start, *loop.stop) for each in form.names}
            if sizes and not sizes & {*scopes.open_}:
                raise SizesNeededError(sizes, wanted.shown, wanted.line)
            raise ProgramError(
                f"{wanted.shown[:60]} is not affine: the loop over {name} has ends that change",
                wanted.line,
            )
        start = (
            max(form.constant for form in loop.start)
            if loop.step > 0
            else min(form.constant for form in loop.start)
        )
        times, rest = divmod(count, modulus)
        found: list[Statement] = []
        part = f"{name}_{modulus}"

        def turns() -> list[Statement]:
            body: list[Statement] = []
            for place in range(modulus):
                form = Affine(((part, loop.step * modulus),), start + loop.step * place)
                scopes.integers[name] = form
                body += self.block(nodes)
            return body

        steps: dict[str, int] = {}
        if times:
            zero, end = (Affine((), 0),), (Affine((), times),)
            outer = Loop(part, zero, end, 1, (), loop.line)
            steps = self._steps(outer, turns, counters)
            with scopes.loop(part, loop.line, (0, times - 1)):
                scopes.integers.update(self._now(outer, counters, steps))
                found.append(replace(outer, body=tuple(turns())))
        else:
            steps = dict.fromkeys(counters, 0)
        scopes.integers.update(
            {each: counters[each].plus(times * step) for each, step in steps.items()}
        )
        for place in range(times * modulus, times * modulus + rest):
            scopes.integers[name] = Affine((), start + loop.step * place)
            found += self.block(nodes)
        return found, {each: scopes.integers.get(each) for each in counters}

    def _step(self, node: ast.expr) -> int:
        form = self.scopes.form(node)
        if form is not None and form.terms and not {*form.names} & {*self.scopes.open_}:
            raise SizesNeededError(form.names, f"step {ast.unparse(node)}", node.lineno)
        if form is None or form.terms:
            raise ProgramError(f"step {ast.unparse(node)} is no constant", node.lineno)
        if form.constant == 0:
            raise ProgramError("step 0 never ends", node.lineno)
        return form.constant

    def _bounds(self, node: ast.expr, join: str) -> tuple[Affine, ...]:
        """The forms whose largest or smallest a bound is."""
        inside = getattr(node, "meaning", None)
        if inside is not None:
            return self._bounds(inside, join)
        names = (join, f"f{join}", f"std.{join}", join.upper(), f"i{join}")
        named = isinstance(node, ast.Call) and ast.unparse(node.func) in names
        if isinstance(node, ast.Call) and named and len(node.args) > 1:
            if node.keywords:
                raise ProgramError(f"{join} is called with more than numbers", node.lineno)
            return tuple(form for part in node.args for form in self._bounds(part, join))
        if isinstance(node, ast.IfExp) and self._chosen(node) == join:
            return (*self._bounds(node.body, join), *self._bounds(node.orelse, join))
        if isinstance(node, ast.IfExp):
            with suppress(DataConditionError):
                holds = _decided(cases_of(node.test, self.scopes))
                if holds is not None:
                    return self._bounds(node.body if holds else node.orelse, join)
        if isinstance(node, ast.Name) and node.id in self.scopes.extremes:
            kind, forms = self.scopes.extremes[node.id]
            if kind == join:
                return forms
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            left, right = self.scopes.form(node.left), self.scopes.form(node.right)
            if left is None and right is not None:
                right = right if isinstance(node.op, ast.Add) else right.times(-1)
                return tuple(form + right for form in self._bounds(node.left, join))
            if right is None and left is not None and isinstance(node.op, ast.Add):
                return tuple(form + left for form in self._bounds(node.right, join))
        form = self.scopes.form(node)
        if form is None:
            shown = ast.unparse(node)[:60]
            raise ProgramError(
                f"bound {shown} is not affine: {self.scopes.reason(node)}", node.lineno
            )
        return (form,)

    def _extreme(self, value: ast.expr) -> tuple[str, tuple[Affine, ...]] | None:
        """Return "min" or "max" and forms whose smallest or largest a value is; else None."""
        for join in ("min", "max"):
            try:
                forms = self._bounds(value, join)
            except SizesNeededError:
                raise
            except ProgramError:
                continue
            if len(forms) > 1:
                return join, forms
        return None

    def _chosen(self, node: ast.IfExp) -> str | None:
        """Return "max" or "min" where a selection is the larger or the smaller of two forms."""
        cases = cases_of(node.test, self.scopes)
        one, other = self.scopes.form(node.body), self.scopes.form(node.orelse)
        return None if one is None or other is None else _larger_or_smaller(cases, one, other)

    def condition(self, node: ast.If) -> list[Statement]:
        """A condition on loop variables and sizes, or the selections that one on data is."""
        try:
            cases = cases_of(node.test, self.scopes)
        except DataConditionError as error:
            return self._selected(node, self._unknown(node.test) or error)
        decided = _decided(cases)
        if decided is not None:
            return list(self.block(node.body if decided else node.orelse))
        return self._conditional(cases, node.body, node.orelse, node.lineno)

    def _conditional(
        self, cases: Cases, first: list[ast.stmt], second: list[ast.stmt], line: int
    ) -> list[Statement]:
        """A condition; whole numbers that it changes are chosen by it from there on.

        Parameters
        ----------
        cases
            In which the first statements are run.
        first, second
            The statements where it holds, and where it does not.
        line
            Of the text.
        """
        scopes = self.scopes
        changed = [name for name in stored_names([*first, *second]) if scopes.is_counted(name)]
        with scopes.changing(changed, before=False):
            before = scopes.standing()
            scopes.suppose(cases, holds=True)
            body = self.block(first)
            left = {name: self._standing(name) for name in changed}
            scopes.stand(before)
            scopes.suppose(cases, holds=False)
            otherwise = self.block(second)
            right = {name: self._standing(name) for name in changed}
            scopes.stand(before)
        for name in changed:
            forms = left[name], right[name]
            if forms[0] is not None and forms[1] is not None and name not in scopes.open_:
                self._chooses(name, cases, forms[0], forms[1], line)
        if changed and not body and not otherwise:
            return []
        return [If(cases, body, otherwise, line)]

    def _standing(self, name: str) -> Form | None:
        """What a whole number is here; None if that is not known."""
        return self.scopes.choices.get(name) or self.scopes.integers.get(name)

    def _chooses(self, name: str, cases: Cases, first: Form, second: Form, line: int) -> None:
        """Let a whole number stand for one form where a condition holds, and else for another.

        Parameters
        ----------
        name, cases
            The number, and the condition.
        first, second
            What it is where that holds, and where it does not.
        line
            Of the text.
        """
        if first == second:
            self.scopes.chooses(name, first, line)
            return
        self.scopes.chooses(name, Choice(cases, first, second), line)
        if isinstance(first, Affine) and isinstance(second, Affine):
            join = _larger_or_smaller(cases, first, second)
            if join is not None:
                self.scopes.extremes[name] = join, (first, second)

    def _split(self, node: ast.stmt) -> list[Statement] | None:
        """A statement in two cases, in which a number that it reads is one form or another.

        None if all numbers that it reads are forms.
        """
        scopes = self.scopes
        if not scopes.choices:
            return None
        parts: list[ast.AST] = [node]
        if isinstance(node, ast.Assign) and all(map(self._is_counted, node.targets)):
            return None
        if isinstance(node, ast.For):
            parts = [node.iter]
        if isinstance(node, ast.If):
            with suppress(ProgramError):
                cases_of(node.test, scopes)
                return None
        if isinstance(node, ast.AugAssign) and self._is_counted(node.target):
            return None
        names = sorted(names_read(parts) & scopes.choices.keys())
        if isinstance(node, ast.For):
            names = [name for name in names if name not in scopes.extremes]
        if not names:
            return None
        self.split += 1
        if self.split > MOST_SELECTED:
            raise ProgramError(
                f"a statement reads more than {MOST_SELECTED} whole numbers that conditions "
                "choose: write it in the branches of conditions",
                node.lineno,
            )
        cases = scopes.choices[names[0]].cases
        statements = self._conditional(cases, [node], [node], node.lineno)
        self.split -= 1
        return statements

    def _form(self, value: ast.expr) -> Form | None:
        """The form that a whole number is, or the choice of forms; None if it is neither."""
        scopes = self.scopes
        chosen = sorted(names_read([value]) & scopes.choices.keys())
        before = scopes.standing()
        if chosen:
            cases = scopes.choices[chosen[0]].cases
            values = value, value
        else:
            plain = _by_selections(value)
            selection = _innermost(plain)
            if selection is None:
                return scopes.form(value)
            try:
                cases = cases_of(selection.test, scopes)
            except DataConditionError:
                return None
            holds = _decided(cases, scopes)
            values = tuple(_branch(plain, selection, holds=holds) for holds in (True, False))  # type: ignore[assignment]  # two
            if holds is not None:
                return self._form(values[0] if holds else values[1])
        forms: list[Form | None] = []
        for holds, branch in zip((True, False), values, strict=True):
            scopes.suppose(cases, holds=holds)
            forms.append(self._form(branch))
            scopes.stand(before)
        first, second = forms
        if first is None or second is None:
            return None
        if isinstance(first, Affine) and isinstance(second, Affine):
            join = _larger_or_smaller(cases, first, second)
            form = None if join is None else scopes.extreme(join, first, second)
            if form is not None:
                return form
        return first if first == second else Choice(cases, first, second)

    def _selection(self, node: ast.stmt) -> ast.IfExp | None:
        """A selection by loop variables in a value, of which only one branch is read.

        So is one in an index, as at a border: A[i > 0 ? i - 1 : 0].
        """
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) or node.value is None:
            return None
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(map(self._is_counted, targets)):
            return None
        selections = [part for part in ast.walk(node) if isinstance(part, ast.IfExp)]
        if not selections or len({ast.unparse(part.test) for part in selections}) > MOST_SELECTED:
            return None
        indices = {
            id(part)
            for cell in ast.walk(node)
            if isinstance(cell, ast.Subscript)
            for part in ast.walk(cell.slice)
        }
        for part in selections:
            read = [*ast.walk(part.body), *ast.walk(part.orelse)]
            if id(part) in indices or any(isinstance(inner, ast.Subscript) for inner in read):
                try:
                    cases_of(part.test, self.scopes)
                except (SplitNeededError, SizesNeededError):
                    raise
                except ProgramError:
                    continue
                return part
        return None

    def _unknown(self, test: ast.expr) -> DataConditionError | None:
        """Return that a number decides which the user may give; None where data decide."""
        names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
        cells = any(isinstance(node, ast.Subscript | ast.Call) for node in ast.walk(test))
        if cells or not names or not self.is_c or not names <= self.given - self.stored:
            return None
        added = ",".join(f"{name}=..." for name in sorted(names))
        shown = ast.unparse(test)[:60]
        return DataConditionError(
            f"whether {shown!r} holds is not known: add {added}, whole numbers", test.lineno
        )

    def _selected(self, node: ast.If, error: DataConditionError) -> list[Statement]:
        """``m = a > m ? a : m`` for ``if (a > m) m = a``."""
        if breaks := [part for part in ast.walk(node) if isinstance(part, ast.Break)]:
            raise ProgramError(
                "'break' is not read, since how often its loop runs depends on data: write the "
                "loop to its end",
                breaks[0].lineno,
            )
        ends = [part for part in (*node.body, *node.orelse) if isinstance(part, ast.Return)]
        if ends:
            raise ProgramError(
                f"a return depends on data, {ast.unparse(node.test)[:60]!r}: leave it out",
                ends[0].lineno,
            )
        if isinstance(expression_of(node.test, self.scopes), Constant):
            raise error
        selections: list[Selection] = []
        for body, is_first in ((node.body, True), (node.orelse, False)):
            for part in body:
                if isinstance(part, ast.Pass):
                    continue
                target, value = _assigned(part, error)
                same = [
                    place
                    for place, (cell, _, _) in enumerate(selections)
                    if ast.unparse(cell) == ast.unparse(target)
                ]
                if same and not is_first:
                    kept = selections[same[0]]
                    selections[same[0]] = kept[0], kept[1], value
                elif same:
                    raise error
                else:
                    old = _loaded(target)
                    selections.append((target, value, old) if is_first else (target, old, value))
        statements: list[Statement] = []
        for target, first, second in _tested_last(selections, node.test, error):
            chosen = ast.copy_location(ast.IfExp(node.test, first, second), node)
            statements += self.assign([target], chosen)
        return statements

    def update(self, node: ast.AugAssign) -> list[Statement]:
        """``a = a + b`` for ``a += b``."""
        if isinstance(node.target, ast.Name) and self.scopes.is_counted(node.target.id):
            changed = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
            self._counted(node.target.id, changed)
            return []
        target = self._cell(node.target)
        value = expression_of(node.value, self.scopes)
        name = type(node.op).__name__
        return [Assign(target, operation(name, [target, value]), node.lineno)]

    def _counted(self, name: str, value: ast.expr) -> None:
        """Let a whole number stand for the form that it is assigned."""
        form = self._form(self._decided(value))
        if form is None and name in self.scopes.places:
            shown = self.scopes.shown(value)
            raise ProgramError(
                f"index {shown} is not affine: {self.scopes.reason(value)}", value.lineno
            )
        if form is None and name not in self.scopes.integers:
            raise ProgramError(f"{name} is a size and is assigned to", value.lineno)
        self._stands_for(name, form, value.lineno)

    def _stands_for(self, name: str, form: Form | None, line: int) -> None:
        """Let a whole number stand for a form, or a choice of forms; for nothing known if None."""
        if isinstance(form, Choice):
            self._chooses(name, form.cases, form.first, form.second, line)
        else:
            self.scopes.stands_for(name, form, line)

    def assign(self, targets: list[ast.expr], value: ast.expr) -> list[Statement]:
        """Return assignments of one value to some cells, or note the names of integers.

        The value is computed once: all targets but one are copies.
        """
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            made = self._made(targets[0].id, value)
            if made is not None:
                return made
        for target in [each for each in targets if self._is_counted(each)]:
            assert isinstance(target, ast.Name)
            self._counted(target.id, value)
        targets = [each for each in targets if not self._is_counted(each)]
        if any(isinstance(target, ast.Tuple | ast.List) for target in targets):
            raise ProgramError("one cell at a time is assigned to", value.lineno)
        expression = expression_of(value, self.scopes)
        found: list[Statement] = []
        for target in reversed(targets):
            cell = self._cell(target)
            found.append(Assign(cell, expression, target.lineno))
            expression = cell if isinstance(expression, Operation) else expression
        return found

    def _decided(self, value: ast.expr) -> ast.expr:
        """The branch of a selection that sizes decide: another value as it is."""
        inside = getattr(value, "meaning", value)
        if not isinstance(inside, ast.IfExp) or self._extreme(inside) is not None:
            return value
        try:
            cases = cases_of(inside.test, self.scopes)
        except DataConditionError:
            return value
        holds = _decided(cases)
        names = {name for case in cases for each in case for name in each.form.names}
        if holds is None and not names & {*self.scopes.open_}:
            raise SizesNeededError(names, ast.unparse(inside), value.lineno)
        return value if holds is None else self._decided(inside.body if holds else inside.orelse)

    def _is_counted(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.scopes.is_counted(node.id)

    def _made(self, name: str, value: ast.expr) -> list[Statement] | None:
        """The assignments of `name = value` where it makes an array or names an integer."""
        scopes = self.scopes
        if isinstance(value, ast.Call) and maker_of(value):
            return [Clear(name, value.lineno, self._declare(name, value))]
        if not scopes.is_counted(name):
            return None
        value = self._decided(value)
        form = Affine(((name, 1),)) if _is_extent(value) else self._form(value)
        extreme = None if isinstance(form, Affine) else self._extreme(value)
        if form is None and name not in scopes.integers and extreme is None:
            return None
        self._stands_for(name, form, value.lineno)
        if extreme is not None:
            scopes.extremes[name] = extreme
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
            if side is None:
                raise ProgramError(f"{ast.unparse(call)} has no extents", call.lineno)
            shown = f"extent {ast.unparse(side)[:60]} is not affine"
            raise ProgramError(f"{shown}: {self.scopes.reason(side)}", call.lineno)
        return form

    def _cell(self, node: ast.expr) -> Reference:
        if not isinstance(node, ast.Name | ast.Subscript):
            raise ProgramError(f"{ast.unparse(node)!r} is no cell of an array", node.lineno)
        reference = reference_of(node, self.scopes)
        self.scopes.holds_value(reference.array, node.lineno)
        return reference

    def result(self, node: ast.Return) -> list[Statement]:
        """Note the results."""
        if node is not self.last and node.value is not None:
            raise ProgramError("a return before the end of the text is not read", node.lineno)
        if node is not self.last:
            raise ProgramError(
                "a return before the end of the text is read where a condition on sizes ends with "
                "it",
                node.lineno,
            )
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for part in parts:
            if isinstance(part, ast.Name):
                self.returned.append(part.id)
            elif part is not None and not (isinstance(part, ast.Constant) and part.value is None):
                raise ProgramError("only arrays and scalars by name are returned", node.lineno)
        return []


def without_early_ends(
    body: list[ast.stmt], kind: type[ast.Continue] | type[ast.Return]
) -> list[ast.stmt]:
    """A body with ``if c: ...; continue`` as a condition with the rest in its other branch.

    So for a function's own body and a return without a value.
    """
    for place, node in enumerate(body):
        rest = body[place + 1 :]
        if isinstance(node, kind) and kind is ast.Continue:
            return body[:place] or [ast.copy_location(ast.Pass(), node)]
        if not isinstance(node, ast.If):
            continue
        ends = [_ends(node.body, kind), _ends(node.orelse, kind)]
        if not any(ends):
            continue
        inner, other = node.body, node.orelse
        inner = inner[:-1] if ends[0] else [*inner, *rest]
        other = other[:-1] if ends[1] else [*other, *rest]
        first = without_early_ends(inner, kind) or [ast.copy_location(ast.Pass(), node)]
        chosen = ast.If(node.test, first, without_early_ends(other, kind))
        return [*body[:place], ast.copy_location(chosen, node)]
    return body


def _ends(body: list[ast.stmt], kind: type[ast.Continue] | type[ast.Return]) -> bool:
    """Whether a block ends with a continue, or a return without a value."""
    if not body or not isinstance(body[-1], kind):
        return False
    return not isinstance(body[-1], ast.Return) or body[-1].value is None


def _is_silent(node: ast.stmt) -> bool:
    """Whether a statement is a call that changes no array: print, and clocks."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    return ast.unparse(node.value.func) in ("print", "gc.collect")


class _Branch(ast.NodeTransformer):
    """Takes one branch of the selections with a test."""

    def __init__(self, shown: str, *, holds: bool) -> None:
        self.shown, self.holds = shown, holds

    def visit_IfExp(self, inner: ast.IfExp) -> ast.expr:  # the name that ast calls
        if ast.unparse(inner.test) == self.shown:
            return self.visit(inner.body if self.holds else inner.orelse)  # type: ignore[no-any-return]  # as ast has it
        return self.generic_visit(inner)  # type: ignore[return-value]  # an expression stays one


def _by_cases(node: ast.stmt, selection: ast.IfExp) -> ast.If:
    """A condition with a statement in each branch that has that of a selection."""
    shown = ast.unparse(selection.test)

    branches = [_Branch(shown, holds=holds).visit(deepcopy(node)) for holds in (True, False)]
    return ast.copy_location(ast.If(selection.test, *([branch] for branch in branches)), node)


def _assigned(node: ast.stmt, error: ProgramError) -> tuple[ast.expr, ast.expr]:
    """The target and the value of an assignment under a condition on data."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return node.targets[0], node.value
    if isinstance(node, ast.AugAssign):
        changed = ast.BinOp(_loaded(node.target), node.op, node.value)
        return node.target, ast.copy_location(changed, node)
    raise error


def _loaded(target: ast.expr) -> ast.expr:
    """A cell that is assigned to as one that is read."""
    other = copy(target)
    other.ctx = ast.Load()  # type: ignore[attr-defined]  # a name or a subscript
    return other


def _uncounted(node: ast.stmt) -> str:
    """Why a loop is not read that data end."""
    return (
        f"{ast.unparse(node).split()[0]!r} is not read, since how often its loop runs depends on "
        "data: write for i in range(start, stop)"
    )


def _base(target: ast.expr) -> str:
    """The array of a cell."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


Selection = tuple[ast.expr, ast.expr, ast.expr]  # a target, and its value in either case


def _tested_last(
    found: list[Selection], test: ast.expr, error: DataConditionError
) -> list[Selection]:
    """Selections with the one last that changes what the test reads.

    No value or target of those that come before it then may be what it makes.
    """
    tested = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
    places = [place for place, each in enumerate(found) if _base(each[0]) in tested]
    if not places:
        return found
    (first, *more), later = places, found[places[0] + 1 :]
    made = _base(found[first][0])
    read = {
        each.id
        for selection in later
        for part in selection
        for each in ast.walk(part)
        if isinstance(each, ast.Name)
    }
    mine = {
        each.id
        for part in found[first][1:]
        for each in ast.walk(part)
        if isinstance(each, ast.Name)
    }
    if more or made in read or mine & {_base(target) for target, _, _ in later}:
        raise error
    return [*found[:first], *later, found[first]]


def _larger_or_smaller(cases: Cases, first: Affine, second: Affine) -> str | None:
    """Return "max" or "min" where the first form in some cases, else the second, is that of both.

    The first is taken where some form is at least 0. It is the larger if this form is the first
    less the second, or one less than that.
    """
    if len(cases) != 1 or len(cases[0]) != 1:
        return None
    ((condition,),) = cases
    for name, beyond in (("max", first - second), ("min", second - first)):
        difference = beyond - condition.form
        if condition.relation == "ge" and not difference.terms and difference.constant in (0, 1):
            return name
    return None


class _Selections(ast.NodeTransformer):
    """Writes ``max(a, b)``, ``abs(a)``, tests, and macros that are these, as selections."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self._test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return _truth(self._test(node))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return _truth(self._test(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return _truth(self._test(node))
        return self.generic_visit(node)  # type: ignore[return-value]  # an expression stays one

    def _test(self, node: ast.expr) -> ast.expr:
        """A test whose numbers are selections, and which is none itself."""
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(value) for value in node.values]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
        elif isinstance(node, ast.Compare):
            self.generic_visit(node)
        else:
            return self.visit(node)  # type: ignore[no-any-return]  # an expression
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node, Call):
            return self.visit(deepcopy(node.meaning))  # type: ignore[no-any-return]  # an expression
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name == "abs" and len(node.args) == 1 and not node.keywords:
            (value,) = node.args
            negative = ast.copy_location(ast.UnaryOp(ast.USub(), deepcopy(value)), node)
            zero = ast.copy_location(ast.Constant(0), node)
            test = ast.copy_location(ast.Compare(deepcopy(value), [ast.Lt()], [zero]), node)
            return ast.copy_location(ast.IfExp(test, negative, value), node)
        if name not in EXTREMES or len(node.args) < 2 or node.keywords:
            return node
        value, *rivals = node.args
        sign: ast.cmpop = ast.Gt() if "max" in name.lower() else ast.Lt()
        for rival in rivals:
            test = ast.copy_location(ast.Compare(value, [sign], [rival]), node)
            value = ast.copy_location(ast.IfExp(test, value, deepcopy(rival)), node)
        return value


def _truth(test: ast.expr) -> ast.expr:
    """Return 1 where a test holds, and 0 where it does not."""
    yes, no = (ast.copy_location(ast.Constant(value), test) for value in (1, 0))
    return ast.copy_location(ast.IfExp(test, yes, no), test)


def _by_selections(value: ast.expr) -> ast.expr:
    """A whole number whose minima, tests and macros are selections; as it is if none is."""
    plain: ast.expr = _Selections().visit(deepcopy(value))
    return plain if any(isinstance(part, ast.IfExp) for part in ast.walk(plain)) else value


class _Places(ast.NodeTransformer):
    """Writes minima, maxima and macros in indices as selections."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        node.slice = _by_selections(node.slice)
        return node


def _innermost(value: ast.expr) -> ast.IfExp | None:
    """A selection whose test has none in it; None if a value has no selection."""
    for part in ast.walk(value):
        if isinstance(part, ast.IfExp):
            return _innermost(part.test) or part
    return None


def _branch(value: ast.expr, selection: ast.IfExp, *, holds: bool) -> ast.expr:
    """A value where the test of a selection holds, or does not."""
    return _Branch(ast.unparse(selection.test), holds=holds).visit(deepcopy(value))  # type: ignore[no-any-return]  # an expression


def _decided(cases: Cases, scopes: Scopes | None = None) -> bool | None:
    """Whether a condition holds, where it says so without sizes.

    The ends of the loops that are open in `scopes` may decide.
    """
    holds = (scopes or Scopes(frozenset())).holds
    tests = [[holds(condition) for condition in case] for case in cases]
    if any(all(result is True for result in case) for case in tests):
        return True
    return False if all(any(result is False for result in case) for case in tests) else None


def _span(loop: Loop) -> tuple[int | None, int | None]:
    """The least and the largest value of a loop's variable, where they are numbers."""
    count = _runs(loop)
    starts, stops = (
        [form.constant for form in forms if not form.terms] for forms in (loop.start, loop.stop)
    )
    if loop.step > 0:
        smallest = max(starts) if starts else None
        largest = min(stops) - 1 if stops else None
        if count and smallest is not None:
            largest = smallest + (count - 1) * loop.step
    else:
        largest = min(starts) if starts else None
        smallest = max(stops) + 1 if stops else None
        if count and largest is not None:
            smallest = largest + (count - 1) * loop.step
    return smallest, largest


def _runs(loop: Loop) -> int | None:
    """How often a loop runs, where its ends are numbers."""
    if any(form.terms for form in (*loop.start, *loop.stop)):
        return None
    starts, stops = ([form.constant for form in forms] for forms in (loop.start, loop.stop))
    start, stop = (max(starts), min(stops)) if loop.step > 0 else (min(starts), max(stops))
    return len(range(start, stop, loop.step))


def _final(loop: Loop, *, goes_beyond: bool) -> Affine | None:
    """The value of a loop's variable behind it, where it is known.

    In C that is the first with which the loop does not run, in Python the last with which it does.
    """
    count = _runs(loop)
    if count is None or (not count and not goes_beyond):
        return None
    count -= not goes_beyond
    starts = [form.constant for form in loop.start]
    start = max(starts) if loop.step > 0 else min(starts)
    return Affine((), start + count * loop.step)


def _is_extent(value: ast.expr) -> bool:
    """Whether an expression is ``A.shape[0]`` or ``len(A)``: a size of its own."""
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
                loop = "" if count and known else ": write the loop over its cells"
                raise ProgramError(
                    f"{reference.array} has {count} indices here and {before}{loop}", assign.line
                )
