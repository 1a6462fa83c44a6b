"""Python as people write it, in the few forms of statements that the reader of nests knows."""

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Final, TypeVar

from dags.programs.text.counted_loops import counted, loop_of
from dags.programs.text.python_module import (
    Module,
    flat_values,
    is_number,
    listed_values,
    table_of,
    with_module,
)
from dags.programs.text.python_sums import renamed, with_array, without_sums
from dags.programs.text.scopes import Scopes, SizesNeededError, maker_of
from dags.programs.text.tables import Entry, Values, place_of
from dags.programs.text.trees import Fill

RANGES: Final = ("prange", "nb.prange", "numba.prange", "xrange")  # loops that run as range does
MOST_VALUES: Final = 16  # that a loop goes through one by one
T = TypeVar("T", bound=ast.AST)


@dataclass(frozen=True)
class PlainForm:
    """A function whose statements assign to one cell at a time.

    Parameters
    ----------
    function
        Its tree.
    sizes
        Whole numbers that the file around it names.
    tables
        Lists of whole numbers that nothing changes.
    lists
        Names of lists of numbers.
    """

    function: ast.FunctionDef
    sizes: Mapping[str, int]
    tables: Mapping[str, Entry]
    lists: frozenset[str]


def plain_forms(function: ast.FunctionDef, module: Module, fixed: Mapping[str, int]) -> PlainForm:
    """A function whose statements assign to one cell at a time.

    ``a, b = b, a`` is an assignment for each, ``for c in (0, 1)`` its body twice, ``[0.0] * n`` an
    array of n cells, ``return 2 * s`` the return of a name, ``len(x)`` and ``A.shape[1]`` are
    sizes, and ``sum(a[i] for i in range(n))`` is its loop.

    Parameters
    ----------
    function
        Its tree, which stays as it is.
    module
        The names of its file.
    fixed
        Sizes whose values are known.
    """
    module = module.around(function)
    function = with_module(function, module)
    forms = _Forms(function, module, fixed)
    result = forms.visit(function)
    assert isinstance(result, ast.FunctionDef)
    return PlainForm(result, module.sizes, forms.tables, frozenset(forms.lists))


class _Forms(ast.NodeTransformer):
    """Rewrites the statements of one function.

    Parameters
    ----------
    tree
        The function.
    module
        The names of its file that it reads.
    fixed
        Sizes whose values are known.
    """

    def __init__(self, tree: ast.FunctionDef, module: Module, fixed: Mapping[str, int]) -> None:
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        self.function, self.used = tree.name, {node.id for node in names}
        self.fixed = {**module.sizes, **fixed}
        self.tables, self.lists = dict(module.tables), set(module.lists)
        self.stores: dict[str, int] = {}
        for node in names:
            if isinstance(node.ctx, ast.Store):
                self.stores[node.id] = self.stores.get(node.id, 0) + 1
        cells = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
        self.arrays = {place_of(cell)[0] for cell in cells}
        self.sides: dict[tuple[str, int], ast.expr] = {}  # of arrays, where the text has them

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        waiting, body = [*node.body], list[ast.stmt]()
        while waiting:
            statement = waiting.pop(0)
            if isinstance(statement, ast.For):
                turned = self._turned(statement, waiting)
                if turned is not None:
                    statement, waiting = turned
            body += _statements(self.visit(statement))
        node.body = body
        return node

    def _turned(
        self, node: ast.For, following: list[ast.stmt]
    ) -> tuple[ast.stmt, list[ast.stmt]] | None:
        """A loop at whose end arrays change places, and what follows; None of another loop.

        Its body is there once for each order of the arrays, and what follows has their names.
        """
        last, call = node.body[-1], node.iter
        is_range = isinstance(call, ast.Call) and ast.unparse(call.func) in ("range", *RANGES)
        if not is_range or len(call.args) > 2 or not isinstance(node.target, ast.Name):  # type: ignore[attr-defined]  # a call
            return None
        if not isinstance(last, ast.Assign) or len(last.targets) != 1 or node.orelse:
            return None
        targets, values = _names(last.targets[0]), _names(last.value)
        is_turn = len(targets) > 1 and sorted(targets) == sorted(values)
        ends = any(isinstance(part, ast.Continue | ast.Break) for part in ast.walk(node))
        if not is_turn or not {*targets} <= self.arrays or ends or len({*targets}) < len(targets):
            return None
        if any(self.stores.get(name, 0) > 1 for name in targets):
            return None
        states = [{name: name for name in targets}]
        while len(states) < 2 or states[-1] != states[0]:
            before = states[-1]
            states.append(
                {target: before[value] for target, value in zip(targets, values, strict=True)}
            )
        period = len(states) - 1
        variable = self._new("turn") if node.target.id == "_" else node.target.id
        counter = _at(ast.Name(variable, ast.Load()), node)
        start, stop = call.args if len(call.args) == 2 else (ast.Constant(0), call.args[0])  # type: ignore[attr-defined]  # a call
        far = ast.BinOp(ast.Name(counter.id, ast.Load()), ast.Sub(), deepcopy(start))
        body: list[ast.stmt] = [
            renamed(statement, states[period - 1]) for statement in node.body[:-1]
        ]
        for turn in reversed(range(period - 1)):
            remainder = ast.BinOp(deepcopy(far), ast.Mod(), ast.Constant(period))
            test = ast.Compare(remainder, [ast.Eq()], [ast.Constant(turn)])
            first = [renamed(statement, states[turn]) for statement in node.body[:-1]]
            body = [ast.If(test, first, body)]
        head = ast.Name(counter.id, ast.Store())
        body = [renamed(statement, {node.target.id: variable}) for statement in body]
        loop = ast.fix_missing_locations(_at(ast.For(head, call, body, []), node))
        later = {
            part.id
            for statement in following
            for part in ast.walk(statement)
            if isinstance(part, ast.Name)
        }
        if later.isdisjoint(targets):
            return loop, following
        state = states[self._count(start, stop, node) % period]
        return loop, [renamed(statement, state) for statement in following]

    def _count(self, start: ast.expr, stop: ast.expr, node: ast.For) -> int:
        """How often a loop runs at whose end arrays change places."""
        names = {
            part.id for end in (start, stop) for part in ast.walk(end) if isinstance(part, ast.Name)
        }
        scopes = Scopes(counting=frozenset(names), fixed=self.fixed)
        first, last = scopes.form(start), scopes.form(stop)
        forms = [form for form in (first, last) if form is not None]
        sizes = {name for form in forms for name in form.names}
        if sizes or len(forms) < 2:
            raise SizesNeededError(
                sizes or names, "a loop in which arrays change places", node.lineno, "read"
            )
        return max(0, forms[1].constant - forms[0].constant)

    def _hoisted(self, value: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
        """The loops of the sums in a value, and the value with their names."""
        loops, changed = without_sums(value, self._new)
        return [simple for loop in loops for simple in _statements(self.visit(loop))], changed

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        before, node.value = self._hoisted(node.value)
        return [*before, self.generic_visit(node)] if before else self.generic_visit(node)  # type: ignore[list-item]  # a statement

    def _array(self, name: str, value: ast.expr, node: ast.Assign) -> list[ast.stmt] | None:
        """The statements of an array that is made with its values; None of other values."""
        inner = value
        if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(value)):
            return None
        is_call = isinstance(value, ast.Call) and ast.unparse(value.func).endswith("array")
        if is_call and len(value.args) == 1:  # type: ignore[attr-defined]  # a call
            inner = value.args[0]  # type: ignore[attr-defined]  # a call
        loops = with_array(name, inner, self._new) if _listed(inner) is None else None
        if loops is not None:
            return [simple for loop in loops for simple in _statements(self.visit(loop))]
        values = listed_values(value)
        if values is None or not self.arrays & {name}:
            return None
        sides = _lengths(values)
        if sides is None:
            return None
        is_constant = self.stores.get(name) == 1 and all(map(is_number, flat_values(values)))
        table = table_of(values) if is_constant else None
        if is_constant:
            self.lists.add(name)
        if table is not None:
            self.tables[name] = table
        kind = Fill if is_constant else ast.Assign
        shape = ast.Tuple([ast.Constant(side) for side in sides], ast.Load())
        maker = ast.Attribute(ast.Name("np", ast.Load()), "zeros", ast.Load())
        zeros = kind([ast.Name(name, ast.Store())], ast.Call(maker, [shape], []))
        cells = _cells(ast.Name(name, ast.Load()), values, kind)
        return [
            simple
            for statement in (zeros, *cells)
            for simple in _statements(
                self.generic_visit(ast.fix_missing_locations(_at(statement, node)))
            )
        ]

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        if isinstance(node, Fill):
            return self.generic_visit(node)
        before, node.value = self._hoisted(node.value)
        if before:
            return [*before, *_statements(self._assign(node))]
        return self._assign(node)

    def _assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """An assignment without sums, in plain ones."""
        target, value = node.targets[0], node.value
        if len(node.targets) == 1 and isinstance(target, ast.Name):
            array = self._array(target.id, value, node)
            if array is not None:
                return array
            self._note(target.id, value)
        is_pair = len(node.targets) == 1 and isinstance(target, ast.Tuple | ast.List)
        if is_pair and _is_shape(value):
            assert isinstance(target, ast.Tuple | ast.List)
            sides: list[ast.expr] = [
                _at(ast.Subscript(value, _at(ast.Constant(axis), node), ast.Load()), node)
                for axis in range(len(target.elts))
            ]
            for axis, side in enumerate(target.elts):
                self._note_side(ast.unparse(value.value), axis, side)  # type: ignore[attr-defined]  # A.shape
            return self._one_by_one(target.elts, sides, node)
        if is_pair and isinstance(value, ast.Tuple | ast.List):
            assert isinstance(target, ast.Tuple | ast.List)
            starred = any(isinstance(elt, ast.Starred) for elt in (*target.elts, *value.elts))
            if len(target.elts) == len(value.elts) and not starred:
                return self._one_by_one(target.elts, value.elts, node)
        if (
            len(node.targets) == 1
            and isinstance(target, ast.Name)
            and _is_shape(value, single=True)
        ):
            return node  # a size by the name of the text
        listed = _listed(value)
        if listed is not None:
            node.value = listed
            if len(node.targets) == 1 and isinstance(target, ast.Name):
                self._note(target.id, listed)
        return self.generic_visit(node)

    def _note(self, name: str, value: ast.expr) -> None:
        """Note the extents of an array that is made, or the name of a size."""
        if isinstance(value, ast.Call) and maker_of(value) and value.args:
            shape = value.args[0]
            sides = shape.elts if isinstance(shape, ast.Tuple | ast.List) else [shape]
            if not maker_of(value).endswith("_like") and self.stores.get(name) == 1:
                for axis, side in enumerate(sides):
                    self._note_side(name, axis, side)
        target = ast.Name(name, ast.Store())
        if _is_shape(value, single=True) and isinstance(value, ast.Subscript):
            place = value.slice
            if isinstance(place, ast.Constant) and isinstance(place.value, int):
                self._note_side(
                    ast.unparse(value.value).removesuffix(".shape"), place.value, target
                )
        is_length = isinstance(value, ast.Call) and ast.unparse(value.func) == "len"
        if is_length and isinstance(value.args[0], ast.Name):  # type: ignore[attr-defined]  # a call
            self._note_side(value.args[0].id, 0, target)  # type: ignore[attr-defined]  # a call

    def _note_side(self, array: str, axis: int, side: ast.expr) -> None:
        """Note the extent of an array along an axis, if no name in it changes."""
        names = [part for part in ast.walk(side) if isinstance(part, ast.Name)]
        if not any(self.stores.get(part.id, 0) > 1 for part in names):
            loaded = renamed(ast.Expr(side), {}).value  # type: ignore[attr-defined]  # an expression
            for part in ast.walk(loaded):
                if isinstance(part, ast.Name):
                    part.ctx = ast.Load()
            self.sides.setdefault((array, axis), loaded)

    def _one_by_one(
        self, targets: list[ast.expr], values: list[ast.expr], node: ast.Assign
    ) -> list[ast.stmt]:
        """An assignment for each target; values that others change are kept before."""
        before: list[ast.stmt] = []
        assignments: list[ast.stmt] = []
        changed = [_base(target) for target in targets]
        for place, (target, value) in enumerate(zip(targets, values, strict=True)):
            read = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            if read & {*changed[:place]}:
                name = _at(ast.Name(self._new("kept"), ast.Load()), node)
                kept = _at(ast.Name(name.id, ast.Store()), node)
                before.append(_at(ast.Assign([kept], value), node))
                value = name
            if not (_is_shape(value, single=True) and _base(target) == "_"):
                assignments.append(_at(ast.Assign([target], value), node))
        return [
            simple
            for statement in (*before, *assignments)
            for simple in _statements(self.visit(statement))
        ]

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        node = self._over_cells(node) or node
        node.iter = _upwards(node.iter)
        listed = self._table_rows(node.iter)
        if listed is not None:
            node.iter = listed
        values = node.iter.elts if isinstance(node.iter, ast.Tuple | ast.List) else []
        plain = all(map(is_number, values))
        if isinstance(node.target, ast.Tuple):
            rows = [_numbers(value) for value in values]
            plain = all(row is not None and len(row) == len(node.target.elts) for row in rows)
        ends = any(isinstance(child, ast.Break) for child in ast.walk(node))
        if not values or not plain or ends or node.orelse or len(values) > MOST_VALUES:
            return self.generic_visit(node)
        loops: list[ast.stmt] = []
        for value in values:  # each is a loop of one iteration, in which 'continue' may stand
            if isinstance(node.target, ast.Tuple):
                loops += _statements(self.visit(self._with_pair(node, value)))
                continue
            following = _at(ast.BinOp(value, ast.Add(), _at(ast.Constant(1), node)), node)
            name = _at(ast.Name("range", ast.Load()), node)
            call = _at(ast.Call(name, [value, following], []), node)
            body = [deepcopy(statement) for statement in node.body]
            loop = _at(ast.For(node.target, call, body, []), node)
            loops += _statements(self.generic_visit(loop))
        return loops

    def _with_pair(self, node: ast.For, value: ast.expr) -> ast.For:
        """One iteration of ``for a, b in ((0, 1), (1, 0))`` as a loop."""
        assert isinstance(node.target, ast.Tuple)
        begin: list[ast.stmt] = [
            ast.Assign([deepcopy(target)], deepcopy(number))
            for target, number in zip(node.target.elts, _numbers(value) or [], strict=True)
        ]
        name = ast.Name(self._new("row"), ast.Store())
        call = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(1)], [])
        body = [*begin, *(deepcopy(statement) for statement in node.body)]
        return ast.fix_missing_locations(_at(ast.For(name, call, body, []), node))

    def _table_rows(self, iterator: ast.expr) -> ast.expr | None:
        """The entries of a table that a loop goes through; None of others."""
        if not isinstance(iterator, ast.Name) or iterator.id not in self.tables:
            return None
        entries = self.tables[iterator.id]
        return ast.fix_missing_locations(_at(_literal(entries), iterator))

    def _over_cells(self, node: ast.For) -> ast.For | None:
        """``for i, x in enumerate(a)``, ``for x in a`` or ``for x, y in zip(a, b)`` over places.

        A name of a row is the row; a name of a cell is what it holds when its iteration begins.
        """
        target, array = node.target, node.iter
        if isinstance(array, ast.Name) and array.id in self.tables:
            return None
        place: ast.expr = _at(ast.Name(self._new("place"), ast.Store()), node)
        if isinstance(array, ast.Call) and ast.unparse(array.func) == "enumerate":
            is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
            if not is_pair or len(array.args) != 1 or array.keywords:
                return None
            place, target = target.elts  # type: ignore[attr-defined]  # a pair
            (array,) = array.args
        targets, arrays = [target], [array]
        if isinstance(array, ast.Call) and ast.unparse(array.func) == "zip":
            targets = target.elts if isinstance(target, ast.Tuple) else []
            arrays = array.args
        is_named = all(isinstance(name, ast.Name) for name in (place, *targets, *arrays))
        if not is_named or not arrays or len(targets) != len(arrays):
            return None
        index = ast.unparse(place)
        body = node.body
        copies: list[ast.stmt] = []
        for name, base in zip(map(ast.unparse, targets), map(ast.unparse, arrays), strict=True):
            parts = [part for statement in node.body for part in ast.walk(statement)]
            uses = [part for part in parts if isinstance(part, ast.Name) and part.id == name]
            rows = [part for part in parts if isinstance(part, ast.Subscript)]
            is_row = any(isinstance(row.value, ast.Name) and row.value.id == name for row in rows)
            if is_row and any(isinstance(use.ctx, ast.Store) for use in uses):
                return None
            where = ast.Name(index, ast.Load())
            cell = ast.Subscript(ast.Name(base, ast.Load()), where, ast.Load())
            held = ast.fix_missing_locations(_at(cell, node))
            if is_row:
                body = [_Row(name, held).visit(part) for part in body]
            else:
                copies.append(_at(ast.Assign([_at(ast.Name(name, ast.Store()), node)], held), node))
        count = _at(ast.Call(_at(ast.Name("len", ast.Load()), node), [arrays[0]], []), node)
        numbers = _at(ast.Call(_at(ast.Name("range", ast.Load()), node), [count], []), node)
        counter = _at(ast.Name(index, ast.Store()), node)
        return _at(ast.For(counter, numbers, [*copies, *body], node.orelse), node)

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        loop = None if node.orelse else counted(node.test, node.body)
        return node if loop is None else loop_of(*loop, node.lineno)

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        if node.value is not None:
            before, node.value = self._hoisted(node.value)
            if before:
                return [*before, *_statements(self._result(node))]
        return self._result(node)

    def _result(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        """A return of names."""
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        plain = (ast.Name, ast.Constant)
        if node.value is None or all(part is None or isinstance(part, plain) for part in parts):
            return node
        assignments: list[ast.stmt] = []
        names: list[ast.expr] = []
        for part in parts:
            if part is None or isinstance(part, plain):
                names += [] if part is None else [part]
                continue
            name = self._new(f"{self.function}_result")
            target = _at(ast.Name(name, ast.Store()), node)
            loops = with_array(name, part, self._new) if _listed(part) is None else None
            for loop in loops or ():
                assignments += _statements(self.visit(loop))
            if loops is None:
                assignments.append(_at(ast.Assign([target], self.visit(part)), node))
            names.append(_at(ast.Name(name, ast.Load()), node))
        value = names[0] if len(names) == 1 else _at(ast.Tuple(names, ast.Load()), node)
        return [*assignments, _at(ast.Return(value), node)]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        is_length = isinstance(node.func, ast.Name) and node.func.id == "len"
        if is_length and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            side = self.sides.get((node.args[0].id, 0))
            if side is not None:
                return _at(deepcopy(side), node)
            return _at(ast.Name(f"len_{node.args[0].id}", ast.Load()), node)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if _is_shape(node, single=True) and isinstance(node.slice, ast.Constant):
            array = ast.unparse(node.value).removesuffix(".shape")
            side = self.sides.get((array, node.slice.value))  # type: ignore[arg-type]  # a number
            if side is not None:
                return _at(deepcopy(side), node)
            return _at(ast.Name(f"{array}_shape_{node.slice.value!r}", ast.Load()), node)
        name, indices = place_of(node)
        self.generic_visit(node)
        if name:
            self._from_the_end(node, name, len(indices))
        return node

    def _from_the_end(self, node: ast.Subscript, array: str, count: int) -> None:
        """Write ``x[-1]`` as ``x[n - 1]``."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for place, part in enumerate(parts):
            axis = count - len(parts) + place
            is_negative = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)
            if not is_negative or not isinstance(part.operand, ast.Constant):  # type: ignore[attr-defined]  # looked at
                continue
            side = self.sides.get((array, axis))
            if side is None:
                side = ast.Name(f"{array}_shape_{axis}", ast.Load())
            index = ast.BinOp(deepcopy(side), ast.Sub(), part.operand)  # type: ignore[attr-defined]  # looked at
            parts[place] = ast.fix_missing_locations(_at(index, node))
        if not isinstance(node.slice, ast.Tuple):
            node.slice = parts[0]

    def _new(self, name: str) -> str:
        while name in self.used:
            name += "_"
        self.used.add(name)
        return name


def _names(node: ast.expr) -> list[str]:
    """The names of ``a, b``; none of other values."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) else []


def _numbers(value: ast.expr) -> list[ast.expr] | None:
    """The numbers of ``(0, 1)``; None of other values."""
    if not isinstance(value, ast.Tuple | ast.List) or not all(map(is_number, value.elts)):
        return None
    return value.elts


def _literal(entry: Entry) -> ast.expr:
    """The numbers of a table as a tuple."""
    if isinstance(entry, int):
        return ast.Constant(entry)
    return ast.Tuple([_literal(inner) for inner in entry], ast.Load())


def _lengths(values: Sequence[Values]) -> list[int] | None:
    """The extents of an array by its values in rows; None where rows have other lengths."""
    inner = [value for value in values if isinstance(value, Sequence)]
    if not inner:
        return [len(values)]
    sides = [_lengths(value) for value in inner]
    if len(inner) < len(values) or any(side is None or side != sides[0] for side in sides):
        return None
    return [len(values), *(sides[0] or [])]


def _cells(cell: ast.expr, values: Values, kind: type[ast.Assign]) -> list[ast.stmt]:
    """The assignments of values to the cells of an array, row by row."""
    if not isinstance(values, Sequence):
        assert isinstance(cell, ast.Subscript)
        cell.ctx = ast.Store()
        return [kind([cell], values)]
    return [
        statement
        for place, value in enumerate(values)
        for statement in _cells(
            ast.Subscript(deepcopy(cell), ast.Constant(place), ast.Load()), value, kind
        )
    ]


def _upwards(iterator: ast.expr) -> ast.expr:
    """``range(n)`` for ``prange(n)``, and ``range(n - 1, -1, -1)`` for ``reversed(range(n))``."""
    if not isinstance(iterator, ast.Call):
        return iterator
    name = ast.unparse(iterator.func)
    if name in RANGES:
        iterator.func = _at(ast.Name("range", ast.Load()), iterator)
    inner = iterator.args[0] if name == "reversed" and len(iterator.args) == 1 else None
    if not isinstance(inner, ast.Call) or ast.unparse(inner.func) not in ("range", *RANGES):
        return iterator
    if len(inner.args) not in (1, 2) or inner.keywords:
        return iterator
    start, stop = inner.args if len(inner.args) == 2 else (ast.Constant(0), inner.args[0])
    ends = [ast.BinOp(end, ast.Sub(), ast.Constant(1)) for end in (stop, start)]
    arguments = [*ends, ast.UnaryOp(ast.USub(), ast.Constant(1))]
    call = ast.Call(ast.Name("range", ast.Load()), arguments, [])
    return ast.fix_missing_locations(_at(call, iterator))


class _Row(ast.NodeTransformer):
    """Puts a row of an array in the place of its name."""

    def __init__(self, name: str, row: ast.expr) -> None:
        self.name, self.row = name, row

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_row = node.id == self.name and isinstance(node.ctx, ast.Load)
        return _at(deepcopy(self.row), node) if is_row else node


def _at(node: T, origin: ast.stmt | ast.expr) -> T:
    return ast.copy_location(node, origin)


def _statements(node: ast.AST | list[ast.stmt]) -> list[ast.stmt]:
    return node if isinstance(node, list) else [node]  # type: ignore[list-item]  # a statement


def _base(target: ast.expr) -> str:
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _is_shape(node: ast.expr, *, single: bool = False) -> bool:
    """Whether an expression is ``A.shape``, or `single` of its sides, ``A.shape[0]``."""
    if single:
        return isinstance(node, ast.Subscript) and _is_shape(node.value)
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "shape"
        and isinstance(node.value, ast.Name)
    )


def _listed(value: ast.expr) -> ast.Call | None:
    """``np.full((n, m), x)`` for ``[[x] * m for _ in range(n)]``; None of other values."""
    sides: list[ast.expr] = []
    inner = value
    while True:
        if isinstance(inner, ast.ListComp) and len(inner.generators) == 1:
            (loop,) = inner.generators
            is_range = isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) == "range"
            if not is_range or loop.ifs or len(loop.iter.args) != 1:  # type: ignore[attr-defined]  # a call
                return None
            sides.append(loop.iter.args[0])  # type: ignore[attr-defined]  # a call
            inner = inner.elt
        elif isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult):
            listed, times = inner.left, inner.right
            if isinstance(times, ast.List):
                listed, times = times, listed
            if not isinstance(listed, ast.List) or len(listed.elts) != 1:
                return None
            sides.append(times)
            inner = listed.elts[0]
            break
        else:
            break
    if not sides or not isinstance(inner, ast.Constant | ast.UnaryOp):
        return None
    module = _at(ast.Name("np", ast.Load()), value)
    maker = _at(ast.Attribute(module, "full", ast.Load()), value)
    return _at(ast.Call(maker, [_at(ast.Tuple(sides, ast.Load()), value), inner], []), value)
