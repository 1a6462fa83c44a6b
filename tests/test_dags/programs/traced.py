"""Values that remember what they were computed from: loops are run, and no text is read."""

import ast
import hashlib
from copy import deepcopy
from functools import cache

import numpy as np


class Traced:
    """A vertex: its operands are other vertices; constants are plain numbers."""

    def __init__(self, operands=(), name=None, *, is_part=False):
        self.operands = tuple({id(each): each for each in operands}.values())
        self.name = name
        self.is_part = is_part  # of a statement that is not assigned yet

    def __hash__(self):
        return id(self)


def computed(*operands):
    """The value of an operation; it is a constant if all of its operands are."""
    vertices = [each for each in operands if isinstance(each, Traced)]
    return Traced(vertices, is_part=True) if vertices else 1.0


def assigned(value):
    """The value of a statement: one vertex, whatever it was computed by."""
    if not isinstance(value, Traced) or not value.is_part:
        return value
    leaves, waiting = [], [value]
    while waiting:
        vertex = waiting.pop()
        (waiting if vertex.is_part else leaves).extend(
            vertex.operands if vertex.is_part else [vertex]
        )
    return Traced(leaves)


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Traced, f"__{_name}__", computed)
    setattr(Traced, f"__r{_name}__", computed)
Traced.__neg__ = computed
exp = match = max_score = power = sqrt = select = computed


VALUES = frozenset("ABCDcstu")  # arrays, scalars and the constant of the drawn nests
MOST_SELECTED = 6  # selections by loop variables in one value that are read by branches


def chosen(decided, is_first, first, second):
    """The value of the branch taken where loop variables decide, a vertex of both elsewhere."""
    if any(isinstance(value, Traced) for value in decided):
        return computed(*decided, first(), second())
    return first() if is_first() else second()


class _Runnable(ast.NodeTransformer):
    """Makes selections calls and, at statement level, assignments one vertex each."""

    def __init__(self, level):
        self.level = level
        self.is_by_branches = False

    def visit_IfExp(self, node):
        by_branches = self.is_by_branches and reads_by_branches(node)
        self.generic_visit(node)
        test = node.test
        decided = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
        if by_branches:
            later = [ast.Lambda(NO_ARGUMENTS, part) for part in (test, node.body, node.orelse)]
            values = ast.Tuple(decided, ast.Load())
            return ast.Call(ast.Name("chosen", ast.Load()), [values, *later], [])
        return ast.Call(ast.Name("select", ast.Load()), [*decided, node.body, node.orelse], [])

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):  # no constant is divided by 0
            return ast.Call(ast.Name("select", ast.Load()), [node.left, node.right], [])
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        inner = node.value
        if isinstance(inner, ast.Subscript):  # A[i][j] is A[i, j]
            parts = [
                part
                for each in (inner.slice, node.slice)
                for part in (each.elts if isinstance(each, ast.Tuple) else [each])
            ]
            return ast.Subscript(inner.value, ast.Tuple(parts, ast.Load()), node.ctx)
        return node

    def visit_Assign(self, node):
        tests = {ast.unparse(part.test) for part in ast.walk(node) if isinstance(part, ast.IfExp)}
        self.is_by_branches = len(tests) <= MOST_SELECTED
        self.generic_visit(node)
        if self.level == "statement":
            node.value = ast.Call(ast.Name("assigned", ast.Load()), [node.value], [])
        return node

    def visit_AugAssign(self, node):
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        return self.visit_Assign(ast.Assign([node.target], ast.BinOp(read, node.op, node.value)))


NO_ARGUMENTS = ast.arguments([], [], None, [], [], None, [])


def reads_by_branches(selection):
    """Whether a test that loop variables may decide chooses between expressions with cells."""
    branches = [*ast.walk(selection.body), *ast.walk(selection.orelse)]
    products = [
        part
        for part in ast.walk(selection.test)
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult | ast.Div)
    ]
    is_affine = all(not (has_name(part.left) and has_name(part.right)) for part in products)
    return (
        is_affine
        and not any(is_a_value(part) for part in ast.walk(selection.test))
        and any(isinstance(part, ast.Subscript) for part in branches)
    )


def is_a_value(part):
    """Whether part of a test is no whole number that loops decide."""
    if isinstance(part, ast.Call):
        return ast.unparse(part.func) not in ("float", "int")  # casts
    return (
        isinstance(part, ast.Subscript)
        or (isinstance(part, ast.Constant) and isinstance(part.value, float))
        or (isinstance(part, ast.Name) and part.id in VALUES)
    )


def has_name(expression):
    return any(isinstance(part, ast.Name) for part in ast.walk(expression))


def runnable(text, name, level, names=()):
    """The function in a text of Python, made to run on traced values."""
    known = {"assigned": assigned, "chosen": chosen, "np": np, "__builtins__": {}}
    known |= {each.__name__: each for each in (range, max, min, len, object)}
    known |= {"float": lambda value: value, "int": lambda value: value}  # no operations
    known |= dict.fromkeys(
        ("exp", "match", "max_score", "power", "select", "sqrt", *names), computed
    )
    exec(_compiled(text, name, level), known)
    return known[name]


@cache
def _compiled(text, name, level):
    tree = ast.Module(
        [node for node in parsed(text).body if getattr(node, "name", None) == name], []
    )
    changed = _Runnable(level).visit(deepcopy(tree))
    return compile(ast.fix_missing_locations(changed), "<program>", "exec")


@cache
def parsed(text):
    return ast.parse(text)


class Cells:
    """An array whose cells are inputs until they are written."""

    def __init__(self, array):
        self.array = array
        self.cells = {}

    def __getitem__(self, at):
        at = at if isinstance(at, tuple) else (at,)
        if min(at) < 0:
            raise IndexError(at)
        return self.cells.setdefault(at, Traced(name=(self.array, *at)))

    def __setitem__(self, at, value):
        assert self[at] is not None
        self.cells[at if isinstance(at, tuple) else (at,)] = value


def inputs(array, shape):
    """An array of inputs."""
    cells = np.empty(shape, dtype=object)
    for indices in np.ndindex(*shape):
        cells[indices] = Traced(name=(array, *indices))
    return cells


def fingerprint_of_values(outputs):
    """The fingerprint of all that some values are computed from, and how many they are."""
    hashes = {}
    waiting = [each for each in outputs if isinstance(each, Traced) and each.name is None]
    while waiting:
        vertex = waiting[-1]
        missing = [each for each in vertex.operands if each not in hashes]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        hashes[vertex] = _hash(vertex, hashes)
    return _total(hashes.values()), len(hashes)


def fingerprint(dag):
    """The fingerprint of a program's DAG, and how many vertices it has."""
    return _total(hashes(dag)), dag.n


def hashes(dag, name=None):
    """The structural hash of each vertex; inputs have the names of the origin, or others."""
    found = []
    for v in range(dag.n):
        row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]]
        if row.size:
            found.append(_digest(None, [found[u] for u in row]))
        elif name is not None:
            found.append(_digest(name(v), []))
        else:
            array = dag.origin.arrays[-1 - int(dag.origin.made_by[v])][0]
            found.append(_digest((array, *dag.origin.point(v)), []))
    return found


def _hash(vertex, hashes):
    return _digest(vertex.name, [hashes[each] for each in vertex.operands])


def _digest(name, operands):
    text = "|".join(sorted(operands)) if name is None else repr(name)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _total(hashes):
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()[:16]
