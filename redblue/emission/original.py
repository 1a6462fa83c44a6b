"""The program itself as C, in the order of the text: emitted code is compared with it."""

from collections.abc import Iterator, Mapping

from dags.programs.affine import Affine, variable
from dags.programs.nest import Assign, Condition, If, Loop, Statement, references
from dags.spec import leaves
from redblue.emission.expressions import Expressions, compared, joined, shown
from redblue.emission.generation import updated
from redblue.emission.nodes import For, Line, Node, When, printed
from redblue.emission.source import Interface

ZERO = Affine()
SIGNS = {"ge": ">=", "eq": "==", "ne": "!="}


def whole_function(face: Interface) -> tuple[str, ...]:
    """The parameters of the text, in order, if a compiler takes it as it is; none if not.

    It is one function of C, with all that it is given among its parameters.
    """
    program, known = face.program, {*face.sizes, *(parameter.of for parameter in face.parameters)}
    names = program.parameters or ()
    is_whole = program.types is not None and not face.results and {*names} == known
    if not is_whole or program.name != face.function or not leaves.installed("programs"):
        return ()
    return names if leaves.reader("programs", "c_text").is_one_function(program.source) else ()


class Original:
    """Prints a program statement by statement.

    Parameters
    ----------
    interface
        Names and parameters of its function.
    """

    def __init__(self, interface: Interface) -> None:
        self.interface, self.names = interface, interface.names
        self.print = Expressions(interface.program)
        self.count = 0
        self.nest = interface.nest
        self.cells = interface.form.cells

    def lines(self, *, traced: bool = False) -> list[str]:
        """The body of the function; where it is traced, that of the nest that is tiled."""
        before, after = self.interface.frame()
        nodes = (*before, *self.nodes(traced=traced), *after)
        return list(printed(nodes, traced=traced))

    def nodes(self, *, traced: bool = False) -> tuple[Node, ...]:
        """The loops of the function."""
        form = self.interface.form
        self.nest, self.cells = (form.plain, form.cells) if traced else (self.interface.nest, {})
        program = self.nest.program
        names = {name: variable(self.names[name]) for name in program.sizes}
        return self._block(program.body, names, ())

    def _block(
        self, body: tuple[Statement, ...], names: Mapping[str, Affine], loops: tuple[str, ...]
    ) -> tuple[Node, ...]:
        return tuple(node for child in body for node in self._statement(child, names, loops))

    def _statement(
        self, statement: Statement, names: Mapping[str, Affine], loops: tuple[str, ...]
    ) -> Iterator[Node]:
        if isinstance(statement, Loop):
            yield self._loop(statement, names, loops)
        elif isinstance(statement, If):
            cases = [self._case(case, names) for case in statement.cases]
            test = " || ".join(f"({case})" for case in cases) if len(cases) > 1 else cases[0]
            body = self._block(statement.body, names, loops)
            yield When(test, body, self._block(statement.otherwise, names, loops))
        elif isinstance(statement, Assign):
            yield self._assign(statement, names, loops)

    def _case(self, case: tuple[Condition, ...], names: Mapping[str, Affine]) -> str:
        parts = (
            compared(condition.form.replaced(names), SIGNS[condition.relation], ZERO)
            for condition in case
        )
        return " && ".join(parts) or "1"

    def _loop(self, loop: Loop, names: Mapping[str, Affine], loops: tuple[str, ...]) -> For:
        name = self.names.iterator(loop.variable, loops)
        inside = {**names, loop.variable: variable(name)}
        first, last = ("MAX", "MIN") if loop.step > 0 else ("MIN", "MAX")
        begin = joined(first, [form.replaced(names) for form in loop.start])
        end = joined(last, [form.replaced(names) for form in loop.stop])
        return For(name, begin, end, loop.step, self._block(loop.body, inside, (*loops, name)))

    def _assign(self, assign: Assign, names: Mapping[str, Affine], loops: tuple[str, ...]) -> Line:
        cells = {}
        read = dict.fromkeys(references(assign.expression))
        for cell in (*read, assign.target):
            index = [form.replaced(names) for form in cell.indices]
            cells[cell] = self.names.cell(cell.array, index, self.cells)
        text = updated(assign, cells, lambda form: shown(form.replaced(names)), self.print)
        kept = [cell for cell in (*read, assign.target) if cell.array not in self.nest.constants]
        numbers = ", ".join([*loops, *(f"(long)&{cells[cell]}" for cell in kept)])
        number = self.count
        self.count += 1
        if assign.target.array in self.nest.constants:
            return Line(text)
        trace = f"{text} did({number}, {len(loops) + len(kept)}, (long[]){{{numbers}}});"
        return Line(text, trace=trace)
