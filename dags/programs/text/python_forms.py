"""Python as people write it, in the few forms of statements that the reader of nests knows."""

import ast
from copy import deepcopy
from typing import Final, TypeVar

from dags.programs.text.counted_loops import counted, loop_of

MOST_VALUES: Final = 16  # that a loop goes through one by one
T = TypeVar("T", bound=ast.AST)


def plain_forms(function: ast.FunctionDef) -> ast.FunctionDef:
    """A function, in its own tree, whose statements assign to one cell at a time.

    ``a, b = b, a`` is an assignment for each, ``for c in (0, 1)`` its body twice, ``[0.0] * n`` an
    array of n cells, ``return 2 * s`` the return of a name, and ``len(x)`` and ``A.shape[1]`` are
    sizes.
    """
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    result = _Forms(function.name, used).visit(function)
    assert isinstance(result, ast.FunctionDef)
    return result


class _Forms(ast.NodeTransformer):
    """Rewrites the statements of one function.

    Parameters
    ----------
    function
        Its name.
    used
        The names in it.
    """

    def __init__(self, function: str, used: set[str]) -> None:
        self.function, self.used = function, used

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        target, value = node.targets[0], node.value
        is_pair = len(node.targets) == 1 and isinstance(target, ast.Tuple | ast.List)
        if is_pair and _is_shape(value):
            assert isinstance(target, ast.Tuple | ast.List)
            sides: list[ast.expr] = [
                _at(ast.Subscript(value, _at(ast.Constant(axis), node), ast.Load()), node)
                for axis in range(len(target.elts))
            ]
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
        return self.generic_visit(node)

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
        values = node.iter.elts if isinstance(node.iter, ast.Tuple | ast.List) else []
        plain = all(isinstance(value, ast.Constant | ast.UnaryOp) for value in values)
        ends = any(isinstance(child, ast.Break) for child in ast.walk(node))
        if not values or not plain or ends or node.orelse or len(values) > MOST_VALUES:
            return self.generic_visit(node)
        loops: list[ast.stmt] = []
        for value in values:  # each is a loop of one iteration, in which 'continue' may stand
            following = _at(ast.BinOp(value, ast.Add(), _at(ast.Constant(1), node)), node)
            name = _at(ast.Name("range", ast.Load()), node)
            call = _at(ast.Call(name, [value, following], []), node)
            body = [deepcopy(statement) for statement in node.body]
            loop = _at(ast.For(node.target, call, body, []), node)
            loops += _statements(self.generic_visit(loop))
        return loops

    def _over_cells(self, node: ast.For) -> ast.For | None:
        """``for i, x in enumerate(a)`` or ``for x in a`` as a loop over the places of a.

        A name of a row is the row; a name of a cell is what it holds when its iteration begins.
        """
        target, array = node.target, node.iter
        place: ast.expr = _at(ast.Name(self._new("place"), ast.Store()), node)
        if isinstance(array, ast.Call) and ast.unparse(array.func) == "enumerate":
            is_pair = isinstance(target, ast.Tuple) and len(target.elts) == 2
            if not is_pair or len(array.args) != 1 or array.keywords:
                return None
            place, target = target.elts  # type: ignore[attr-defined]  # a pair
            (array,) = array.args
        names = (place, target, array)
        if not all(isinstance(name, ast.Name) for name in names):
            return None
        index, cell, base = (name.id for name in names)  # type: ignore[attr-defined]  # names
        uses = [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id == cell]
        rows = [part for part in ast.walk(node) if isinstance(part, ast.Subscript)]
        is_row = any(isinstance(row.value, ast.Name) and row.value.id == cell for row in rows)
        if is_row and sum(isinstance(use.ctx, ast.Store) for use in uses) > 1:
            return None
        where = ast.Subscript(ast.Name(base, ast.Load()), ast.Name(index, ast.Load()), ast.Load())
        held = ast.fix_missing_locations(_at(where, node))
        copy = _at(ast.Assign([_at(ast.Name(cell, ast.Store()), node)], held), node)
        count = _at(ast.Call(_at(ast.Name("len", ast.Load()), node), [array], []), node)
        numbers = _at(ast.Call(_at(ast.Name("range", ast.Load()), node), [count], []), node)
        counter = _at(ast.Name(index, ast.Store()), node)
        body: list[ast.stmt] = [copy, *node.body]
        if is_row:
            body = [_Row(cell, held).visit(part) for part in node.body]
        return _at(ast.For(counter, numbers, body, node.orelse), node)

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        loop = None if node.orelse else counted(node.test, node.body)
        return node if loop is None else loop_of(*loop, node.lineno)

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
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
            assignments.append(_at(ast.Assign([target], self.visit(part)), node))
            names.append(_at(ast.Name(name, ast.Load()), node))
        value = names[0] if len(names) == 1 else _at(ast.Tuple(names, ast.Load()), node)
        return [*assignments, _at(ast.Return(value), node)]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        is_length = isinstance(node.func, ast.Name) and node.func.id == "len"
        if is_length and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            return _at(ast.Name(f"len_{node.args[0].id}", ast.Load()), node)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if _is_shape(node, single=True) and isinstance(node.slice, ast.Constant):
            array = ast.unparse(node.value).removesuffix(".shape")
            return _at(ast.Name(f"{array}_shape_{node.slice.value!r}", ast.Load()), node)
        return self.generic_visit(node)

    def _new(self, name: str) -> str:
        while name in self.used:
            name += "_"
        self.used.add(name)
        return name


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
