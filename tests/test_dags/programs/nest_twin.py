"""A naive twin of the loop table and its kernels: the tree of a program is run in plain Python."""

from dataclasses import dataclass, field
from itertools import count

from dags.programs.nest import Assign, Clear, Constant, If, Loop, Operation, Reference

HELD = object()  # what a cell of constants holds


@dataclass
class Twin:
    """Runs a program; `operands` has what each vertex reads, by labels."""

    program: object
    sizes: dict
    level: str
    constant: set
    operands: dict = field(default_factory=dict)
    cells: dict = field(default_factory=dict)
    computed: set = field(default_factory=set)

    def __post_init__(self):
        self.numbers = {id(assign): s for s, (assign, _) in enumerate(self.program.statements)}
        self.around = []

    def value(self, form):
        names = dict(self.sizes) | dict(self.around)
        return form.constant + sum(factor * names[name] for name, factor in form.terms)

    def run(self, body):
        for entry in body:
            if isinstance(entry, Assign):
                self.assign(entry)
            elif isinstance(entry, Loop):
                self.loop(entry)
            elif isinstance(entry, If):
                self.run(entry.body if self.holds(entry.cases) else entry.otherwise)
            elif isinstance(entry, Clear):
                self.constant.add(entry.array)
                self.cells = {k: v for k, v in self.cells.items() if k[0] != entry.array}

    def loop(self, loop):
        first, last = (max, min) if loop.step > 0 else (min, max)
        start = first(self.value(form) for form in loop.start)
        stop = last(self.value(form) for form in loop.stop)
        for value in range(start, stop, loop.step):
            self.around.append((loop.variable, value))
            self.run(loop.body)
            self.around.pop()

    def holds(self, cases):
        tests = {"ge": lambda x: x >= 0, "eq": lambda x: x == 0, "ne": lambda x: x != 0}
        return any(all(tests[c.relation](self.value(c.form)) for c in case) for case in cases)

    def cell(self, reference):
        return (reference.array, *map(self.value, reference.indices))

    def read(self, reference):
        cell = self.cell(reference)
        if cell not in self.cells:
            if cell[0] in self.constant:
                return HELD
            inside = ",".join(map(str, cell[1:]))
            self.cells[cell] = f"{cell[0]}[{inside}]" if inside else cell[0]
            self.operands[self.cells[cell]] = set()
        return self.cells[cell]

    def assign(self, assign):
        self.parts = count()
        self.prefix = f"S{self.numbers[id(assign)]}"
        expression = assign.expression
        if self.level == "statement" and isinstance(expression, Operation):
            held = self.made([self.read(cell) for cell in cells(expression)])
        else:
            held = self.evaluate(expression)
        self.cells[self.cell(assign.target)] = held

    def evaluate(self, expression):
        if isinstance(expression, Constant):
            return HELD
        if isinstance(expression, Reference):
            return self.read(expression)
        return self.made([self.evaluate(operand) for operand in expression.operands])

    def made(self, values):
        part = next(self.parts)
        results = {value for value in values if value is not HELD}
        if not results:
            return HELD
        inside = ",".join(f"{name}={value}" for name, value in self.around)
        label = self.prefix + (f".{part}" if self.level == "operation" else "")
        label += f"[{inside}]" if inside else ""
        self.operands[label] = results
        self.computed.add(label)
        return label


def cells(expression):
    if isinstance(expression, Reference):
        return [expression]
    if isinstance(expression, Constant):
        return []
    return [cell for operand in expression.operands for cell in cells(operand)]


def twin_of(program, sizes, level="statement", live=None, constants=None):
    """The operands of each vertex that an output needs, and the outputs, by labels."""
    constant = set(program.constants if constants is None else constants) | set(program.local)
    twin = Twin(program, {**program.defaults, **sizes}, level, constant)
    twin.run(program.body)
    lives = program.live_by_default() if live is None else live
    outputs = {v for cell, v in twin.cells.items() if cell[0] in lives} & twin.computed
    needed, waiting = set(), list(outputs)
    while waiting:
        label = waiting.pop()
        if label not in needed:
            needed.add(label)
            waiting += twin.operands[label]
    return {label: twin.operands[label] for label in needed}, outputs


def labelled(dag):
    """The operands of each vertex of a DAG, and its outputs, by labels."""
    names = list(dag.origin.labels())
    bounds = dag.pred_indptr
    rows = [dag.pred_indices[bounds[v] : bounds[v + 1]] for v in range(dag.n)]
    operands = {names[v]: {names[u] for u in row} for v, row in enumerate(rows)}
    assert len(operands) == dag.n
    return operands, {names[v] for v in dag.outputs}
