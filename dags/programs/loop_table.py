"""A program with sizes as tables of integers, for the kernels that run it.

- *Forms* are rows of integers: a coefficient for each depth of the nest, and a constant.
- *References* are the places in the text where a cell is read or written.
- *Nodes* make a value or move one: an assignment or, at operation level, one of its operations,
  which may leave its value for a later node of the same assignment.
- *Code* says in which order: loops, conditions, nodes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, Literal

import numpy as np

from dags.arrays import Int64Array
from dags.programs.affine import Affine
from dags.programs.nest import (
    Assign,
    Clear,
    Condition,
    Constant,
    Expression,
    If,
    Loop,
    Operation,
    Program,
    ProgramError,
    Reference,
    Statement,
    operations_in,
    references,
)

Level = Literal["statement", "operation"]
RELATIONS: Final = {"ge": 0, "eq": 1, "ne": 2}
LARGEST: Final = 2**40  # of sizes and coefficients, so that no index overflows
MOST_NODES: Final = 2**15 - 1
FIELDS: Final = 8  # columns of the code


class Op(IntEnum):
    """Kind of a row of the code; `_kernels` has the meaning of its other columns."""

    LOOP = 0
    END = 1
    IF = 2
    JUMP = 3
    NODE = 4
    CLEAR = 5


@dataclass(frozen=True)
class Node:
    """An operation that makes or moves a value.

    Parameters
    ----------
    statement, part
        Number of its assignment in the text, and its own within the assignment.
    target
        Number of the reference that it writes; -1 - t for a value kept in place t meanwhile.
    operands
        Numbers of the references that it reads; -1 - t for a value in place t.
    is_copy
        Whether it moves the value of its one operand, and makes none.
    variables, loops
        Loop variables around it, the outermost first, and the rows of code of these loops.
    work
        Operations that it takes.
    """

    statement: int
    part: int
    target: int
    operands: tuple[int, ...]
    is_copy: bool
    variables: tuple[str, ...]
    loops: tuple[int, ...]
    work: int


@dataclass(frozen=True)
class LoopTable:
    """The tables of a program.

    Parameters
    ----------
    depth
        Loops around the innermost assignment.
    arrays
        Names of the arrays, in the order of their first reference.
    nodes
        The makers and movers of values.
    places
        Values that are kept meanwhile, at most.
    forms
        (f, depth + 1) coefficients of the loop variables by depth, and the constant.
    code
        (k, 8) the instructions, in order.
    case_indptr
        (c + 1,) rows of `conditions` of each case of a condition.
    conditions
        (., 2) form and relation.
    reference_array
        (r,) array of each reference.
    reference_first
        (r,) first form of each reference's indices; the others follow it.
    node_target, node_is_copy
        (v,) as in `Node`.
    operand_indptr, operands
        (v + 1,) and (.,) as in `Node`.
    lines
        (r,) line in the text of each reference.
    """

    depth: int
    arrays: tuple[str, ...]
    nodes: tuple[Node, ...]
    places: int
    forms: Int64Array
    code: Int64Array
    case_indptr: Int64Array
    conditions: Int64Array
    reference_array: Int64Array
    reference_first: Int64Array
    node_target: Int64Array
    node_is_copy: Int64Array
    operand_indptr: Int64Array
    operands: Int64Array
    lines: tuple[int, ...]


def loop_table(program: Program, sizes: Mapping[str, int], level: Level) -> LoopTable:
    """The tables of `program` for these sizes.

    Raises
    ------
    ProgramError
        If it is too long to be numbered, or a number is too large.
    """
    writer = _Writer(sizes, level)
    writer.block(program.body, ())
    for count, counted in ((len(writer.nodes), "operations"), (len(writer.arrays), "arrays")):
        if count > MOST_NODES:
            raise ProgramError(f"{count} {counted} in the text are more than {MOST_NODES}")
    return writer.table()


@dataclass
class _Writer:
    """Grows the tables."""

    sizes: Mapping[str, int]
    level: Level
    forms: list[tuple[dict[int, int], int]] = field(default_factory=list)
    code: list[list[int]] = field(default_factory=list)
    cases: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    reference_rows: list[tuple[int, int, int]] = field(default_factory=list)  # array, form, line
    nodes: list[Node] = field(default_factory=list)
    arrays: dict[str, int] = field(default_factory=dict)
    depth: int = 0
    places: int = 0
    statements: int = 0
    open_: list[int] = field(default_factory=list)  # rows of the loops around

    def block(self, body: Sequence[Statement], around: tuple[str, ...]) -> None:
        """Write the code of some statements inside the loops over `around`."""
        self.depth = max(self.depth, len(around))
        for statement in body:
            if isinstance(statement, Assign):
                self.assign(statement, around)
            elif isinstance(statement, Loop):
                self.loop(statement, around)
            elif isinstance(statement, If):
                self.condition(statement, around)
            elif isinstance(statement, Clear):
                self.emit(Op.CLEAR, self.array(statement.array))

    def emit(self, op: Op, *fields: int) -> int:
        """Add a row of code and return its number."""
        self.code.append([op, *fields, *[0] * (FIELDS - 1 - len(fields))])
        return len(self.code) - 1

    def array(self, name: str) -> int:
        """The number of an array."""
        return self.arrays.setdefault(name, len(self.arrays))

    def form(self, form: Affine, around: tuple[str, ...]) -> int:
        """Add a form, sizes replaced by their values, and return its number."""
        factors: dict[int, int] = {}
        constant = form.constant
        for name, factor in form.terms:
            if name in around:
                factors[around.index(name)] = factor
            else:
                constant += factor * self.sizes[name]
        if max([abs(constant), *map(abs, factors.values())]) > LARGEST:
            raise ProgramError(f"the form {form} is too large to compute with")
        self.forms.append((factors, constant))
        return len(self.forms) - 1

    def row_of_forms(self, forms: Sequence[Affine], around: tuple[str, ...]) -> tuple[int, int]:
        """Add some forms; return the number of the first, and the one behind the last."""
        first = len(self.forms)
        for form in forms:
            self.form(form, around)
        return first, len(self.forms)

    def loop(self, loop: Loop, around: tuple[str, ...]) -> None:
        """Write a loop; where only assignments are inside, its row says so."""
        start = self.row_of_forms(loop.start, around)
        stop = self.row_of_forms(loop.stop, around)
        plain = all(isinstance(statement, Assign) for statement in loop.body)
        row = self.emit(Op.LOOP, len(around), *start, *stop, loop.step)
        self.open_.append(row)
        self.block(loop.body, (*around, loop.variable))
        self.open_.pop()
        self.depth = max(self.depth, len(around) + 1)
        self.emit(Op.END, row, int(plain))
        self.code[row][7] = len(self.code)

    def condition(self, condition: If, around: tuple[str, ...]) -> None:
        """Write a condition with both of its branches."""
        first = len(self.cases)
        for case in condition.cases:
            self.cases.append(tuple(self._comparison(condition, around) for condition in case))
        row = self.emit(Op.IF, first, len(self.cases))
        self.block(condition.body, around)
        jump = self.emit(Op.JUMP)
        self.code[row][3] = len(self.code)
        self.block(condition.otherwise, around)
        self.code[jump][1] = len(self.code)

    def _comparison(self, condition: Condition, around: tuple[str, ...]) -> tuple[int, int]:
        return self.form(condition.form, around), RELATIONS[condition.relation]

    def reference(self, reference: Reference, around: tuple[str, ...], line: int) -> int:
        """Add a reference and return its number."""
        first, _ = self.row_of_forms(reference.indices, around)
        self.reference_rows.append((self.array(reference.array), first, line))
        return len(self.reference_rows) - 1

    def assign(self, assign: Assign, around: tuple[str, ...]) -> None:
        """Write the nodes of an assignment."""
        kept: list[tuple[int, ...]] = []  # operands of the operations that leave a value
        expression, work = assign.expression, 1
        if self.level == "statement" and isinstance(expression, Operation):
            work = operations_in(expression)
            expression = Operation("=", tuple(references(expression)))
        is_copy = isinstance(expression, Reference)
        operands = self._operands(expression, kept, around, assign.line)
        target = self.reference(assign.target, around, assign.line)
        makers = [(-1 - place, kept_operation, False) for place, kept_operation in enumerate(kept)]
        for part, (goal, reads, copies) in enumerate([*makers, (target, operands, is_copy)]):
            loops = tuple(self.open_)
            node = Node(self.statements, part, goal, reads, copies, around, loops, work)
            self.nodes.append(node)
            self.emit(Op.NODE, len(self.nodes) - 1)
        self.places = max(self.places, len(kept))
        self.statements += 1

    def _operands(
        self,
        expression: Expression,
        kept: list[tuple[int, ...]],
        around: tuple[str, ...],
        line: int,
    ) -> tuple[int, ...]:
        """The reads of the outermost operation; inner ones go to `kept`, in order."""
        if isinstance(expression, Constant):
            return ()
        if isinstance(expression, Reference):
            return (self.reference(expression, around, line),)
        reads = []
        for operand in expression.operands:
            if isinstance(operand, Operation):
                kept.append(self._operands(operand, kept, around, line))
                reads.append(-len(kept))
            elif isinstance(operand, Reference):
                reads.append(self.reference(operand, around, line))
        return tuple(reads)

    def table(self) -> LoopTable:
        """The tables as arrays."""
        forms = np.zeros((len(self.forms), self.depth + 1), np.int64)
        for row, (factors, constant) in zip(forms, self.forms, strict=True):
            row[-1] = constant
            for place, factor in factors.items():
                row[place] = factor
        arrays, firsts, lines = zip(*self.reference_rows, strict=True)
        conditions = [pair for case in self.cases for pair in case]
        return LoopTable(
            depth=self.depth,
            arrays=tuple(self.arrays),
            nodes=tuple(self.nodes),
            places=self.places,
            forms=forms,
            code=np.array(self.code, np.int64).reshape(-1, FIELDS),
            case_indptr=_indptr([len(case) for case in self.cases]),
            conditions=np.array(conditions, np.int64).reshape(-1, 2),
            reference_array=np.array(arrays, np.int64),
            reference_first=np.array(firsts, np.int64),
            node_target=np.array([node.target for node in self.nodes], np.int64),
            node_is_copy=np.array([node.is_copy for node in self.nodes], np.int64),
            operand_indptr=_indptr([len(node.operands) for node in self.nodes]),
            operands=np.array([r for node in self.nodes for r in node.operands], np.int64),
            lines=lines,
        )


def _indptr(lengths: Sequence[int]) -> Int64Array:
    return np.cumsum([0, *lengths], dtype=np.int64)
