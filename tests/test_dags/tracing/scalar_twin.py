"""A twin of the tracer: NumPy's own loops run on scalars that remember their operands."""

import hashlib
import operator

import numpy as np

from tests.naive import rows


class Cell:
    """A vertex: its operands are other cells; constants are plain numbers."""

    def __init__(self, operands=(), name=None):
        self.operands = tuple({id(operand): operand for operand in operands}.values())
        self.name = name

    __hash__ = object.__hash__


def made(*operands):
    """The value of one operation."""
    if any(isinstance(operand, np.ndarray) for operand in operands):
        return NotImplemented  # the array goes over its elements
    cells = [operand for operand in operands if isinstance(operand, Cell)]
    return Cell(cells) if cells else 1.0


BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
BINARY += ["lshift", "rshift", "and", "or", "xor"]
COMPARED = ["lt", "le", "gt", "ge", "eq", "ne"]
UNARY = ["neg", "abs", "invert"]
METHODS = ["sqrt", "exp", "sin", "cos", "tanh", "arctan2", "log", "square"]
for _name in BINARY:
    setattr(Cell, f"__{_name}__", made)
    setattr(Cell, f"__r{_name}__", made)
for _name in COMPARED + UNARY:
    setattr(Cell, f"__{_name}__", made)
for _name in METHODS:
    setattr(Cell, _name, made)
Cell.conjugate = lambda self: self


def chain(cells_of):
    """The sum of scalars, left to right."""
    total = cells_of[0]
    for cell in cells_of[1:]:
        total = total + cell
    return total


def cells(name, shape):
    """An object array of inputs."""
    array = np.empty(shape, object)
    for index in np.ndindex(*shape):
        text = f"{name}[{','.join(map(str, index))}]" if index else name
        array[index] = Cell(name=text)
    return array


def leaves(result):
    """Yield the scalars in what a function returns."""
    if isinstance(result, dict | tuple | list):
        for entry in result.values() if isinstance(result, dict) else result:
            yield from leaves(entry)
    elif isinstance(result, np.ndarray):
        yield from result.ravel().tolist()
    else:
        yield result


def outputs_of(function, arguments, names):
    """The last values that a function computes of traced arguments."""
    inputs = [
        cells(name, np.shape(argument) if isinstance(argument, np.ndarray) else argument)
        if isinstance(argument, tuple | np.ndarray)
        else argument
        for name, argument in zip(names, arguments, strict=True)
    ]
    before = [entry.copy() if isinstance(entry, np.ndarray) else None for entry in inputs]
    inputs = [
        entry[()] if isinstance(entry, np.ndarray) and not entry.ndim else entry for entry in inputs
    ]
    result = function(*inputs)
    results = [leaf for leaf in leaves(result) if isinstance(leaf, Cell)]
    if not results:
        changed = (
            entry
            for entry, old in zip(inputs, before, strict=True)
            if old is not None and any(map(operator.is_not, entry.flat, old.flat))
        )
        results = [leaf for leaf in leaves(list(changed)) if isinstance(leaf, Cell)]
    return [entry for entry in results if entry.name is None]


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def fingerprint_of_cells(outputs):
    """The sorted hashes of what outputs need, and of the outputs."""
    hashes, waiting = {}, list(outputs)
    while waiting:
        cell = waiting[-1]
        missing = [operand for operand in cell.operands if operand not in hashes]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        operands = "|".join(sorted(hashes[operand] for operand in cell.operands))
        hashes[cell] = digest(cell.name or operands)
    return sorted(hashes.values()), sorted(hashes[entry] for entry in {*outputs})


def fingerprint(dag):
    """The same of a DAG: inputs count by their labels."""
    hashes = []
    for label, operands in zip(dag.labels, rows(dag), strict=True):
        hashes.append(digest("|".join(sorted(hashes[u] for u in operands)) or label))
    return sorted(hashes), sorted(hashes[v] for v in dag.outputs.tolist())
