"""The C file: its function, its buffers, and sentences on them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dags.programs.affine import Affine, variable
from dags.programs.integer_sets import isl
from dags.programs.nest import Program
from redblue.emission.buffers import Buffer, Plan
from redblue.emission.expressions import EmissionError, joined, shown
from redblue.emission.forms import Form
from redblue.emission.generation import Generation
from redblue.emission.names import Names
from redblue.emission.nodes import Line, Node, printed
from redblue.emission.prototype import Declared, declared_parameters
from redblue.emission.statements import Nest

TYPES: Final = {
    "": "double",
    "DATA_TYPE": "double",
    "double": "double",
    "float": "float",
    "int": "int",
    "long": "long",
    "int long": "long",
    "int32_t": "int",
    "int64_t": "long",
}
LARGE: Final = 1 << 14  # words of a buffer that does not stand on the stack
COUNTERS: Final = """\
#ifdef COUNT
long loads, stores;
#define LOAD(x) (loads++, (x))
#define STORE(x, v) (stores++, (void)((x) = (v)))
#else
#define LOAD(x) (x)
#define STORE(x, v) ((void)((x) = (v)))
#endif
"""
MACROS: Final = {
    "MIN": "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
    "MAX": "#define MAX(a, b) ((a) > (b) ? (a) : (b))",
    "SELECT": "#define SELECT(c, a, b) ((c) ? (a) : (b))",
    "FLOORD": "#define FLOORD(a, b) ((a) < 0 ? -((-(a) + (b) - 1) / (b)) : (a) / (b))",
    "MOD": "#define MOD(a, b) ((a) % (b) < 0 ? (a) % (b) + (b) : (a) % (b))",
}


@dataclass(frozen=True)
class Parameter:
    """A parameter of the function: a size, a scalar, or an array with its extents.

    Parameters
    ----------
    name, kind
        Its name in C, and its type.
    extents
        Of an array; None otherwise.
    of
        Its name in the program.
    """

    name: str
    kind: str
    extents: tuple[Affine, ...] | None
    of: str

    def __str__(self) -> str:
        sides = "".join(f"[{shown(side)}]" for side in self.extents or ())
        return f"{self.kind} {self.name}{sides}"


class Interface:
    """Parameters of the function, and the names of everything in it.

    A C text's own signature is kept where it can be: `own` has its parameters, and `order` their
    names.

    Parameters
    ----------
    nest
        The program.
    live
        Arrays whose last values are outputs.
    form
        The nest that is tiled in its place; None for the program itself.
    """

    def __init__(self, nest: Nest, live: Sequence[str], form: Form | None = None) -> None:
        program = nest.program
        self.nest, self.program, self.live = nest, program, live
        self.form = Form(nest, {}, tuple(live), nest) if form is None else form
        inside = self.form.nest.program.dimensions
        known = dict.fromkeys([*program.sizes, *program.dimensions, *inside])
        self.names = Names(known)
        self.function = self.names.fresh(_only_letters(program.name), "kernel")
        self.results = {
            name: self.names.fresh(f"{self.names[name]}_out", "out")
            for name in live
            if name in nest.scalars
        }
        _check_conversions(program)
        names = program.parameters if program.parameters is not None else ()
        order = dict.fromkeys([*names, *program.dimensions])
        sizes = [*(name for name in names if name in program.sizes), *program.sizes]
        self.sizes = tuple(dict.fromkeys(sizes))
        self.local = tuple(
            name for name in program.dimensions if name in self.results or self._is_local(name)
        )
        self.parameters = tuple(
            self.parameter(name)
            for name in order
            if name in program.dimensions and (name not in self.local or name in self.results)
        )

        self.own = self._declared()
        self.order = tuple(parameter.name for parameter in self.own)

    def _declared(self) -> tuple[Declared, ...]:
        """The parameters as the author of a C text declared them; none where ours differ."""
        declared = declared_parameters(self.program)
        called = {*self.sizes, *(parameter.of for parameter in self.parameters)}
        ours = self.function == self.program.name and not self.results
        is_same = all(
            self.names[parameter.name] == parameter.name
            for parameter in declared
            if parameter.name in called
        )
        return (
            declared
            if ours and is_same and {parameter.name for parameter in declared} == called
            else ()
        )

    def _is_local(self, name: str) -> bool:
        program = self.program
        if name in self.nest.scalars:
            written = name in program.written
            return written and (program.parameters is None or name not in program.parameters)
        return name in program.local and name not in self.live

    def kind(self, name: str) -> str:
        """The type of an array or scalar."""
        place = self.form.cells.get(name)
        name = name if place is None else place.array
        types = {**(self.form.nest.program.types or {}), **(self.program.types or {})}
        type_name = types.get(name, "")
        if type_name not in TYPES:
            raise EmissionError(
                f"{name[:40]!a} has the type {type_name[:20]!a}, of which no C is made: declare it "
                "double, float, int or long"
            )
        return TYPES[type_name]

    def called(self, array: str) -> str:
        """The name in C of an array, or of the one whose cells it has."""
        place = self.form.cells.get(array)
        return self.names[array if place is None else place.array]

    def parameter(self, name: str) -> Parameter:
        """An array or scalar as a parameter."""
        if name in self.results:
            return Parameter(self.results[name], self.kind(name), (Affine((), 1),), name)
        return self.variable(name)

    def frame(self) -> tuple[list[Line], list[Line]]:
        """The code that loads scalars at the beginning, and stores results."""
        before, after = [], []
        for parameter in self.parameters:
            name = self.names[parameter.of]
            if parameter.of in self.results:
                cell = f"{parameter.name}[0]"
                after.append(Line(f"STORE({cell}, {name});", 0, 1, f"put(&{cell}, &{name});"))
                if parameter.of in self.nest.first_read:
                    copy = f"{name} = LOAD({cell});"
                    before.append(Line(copy, 1, 0, f"{copy} got(&{name}, &{cell});"))
            elif parameter.extents is None and parameter.of not in self.nest.constants:
                before.append(Line(f"(void)LOAD({name});", 1, 0, f"got(&{name}, &{name});"))
        return before, after

    def variable(self, name: str) -> Parameter:
        """An array or scalar as it is called in the function."""
        extents: tuple[Affine, ...] | None = None
        if name not in self.nest.scalars:
            sides = self.program.extents.get(name) or self._touched(name)
            sizes = {of: variable(self.names[of]) for of in self.program.sizes}
            extents = tuple(side.replaced(sizes) for side in sides)
        return Parameter(self.names[name], self.kind(name), extents, name)

    def _touched(self, name: str) -> tuple[Affine, ...]:
        """The extents of an array that no text tells: as far as its indices go."""
        accessed = self.nest.reads.union(self.nest.writes).range()
        listed = accessed.get_set_list()
        sets = (listed.get_at(number) for number in range(listed.n_set()))
        cells = next(set_ for set_ in sets if set_.get_tuple_name() == self.nest.tuple_of(name))
        sizes = {f"n{number}": variable(of) for number, of in enumerate(self.program.sizes)}
        extents = []
        for axis in range(self.program.dimensions[name]):
            forms = [form.replaced(sizes).plus(1) for form in _largest(cells, axis, name)]
            extents.append(forms[0] if len(forms) == 1 else variable(joined("MAX", forms)))
        return tuple(extents)

    @property
    def head(self) -> str:
        """The function, as it is declared."""
        ours = [*(f"long {self.names[name]}" for name in self.sizes), *map(str, self.parameters)]
        texts = [parameter.text for parameter in self.own] or ours
        lines, row = [], f"void {self.function}("
        for number, text in enumerate(texts):
            piece = text + (", " if number < len(texts) - 1 else ")")
            if len(row) + len(piece) > 98:
                lines.append(row.rstrip())
                row = " " * 10
            row += piece
        return "\n".join([*lines, row if texts else row + "void)"])

    def locals(self, body: str) -> list[str]:
        """The declarations of scalars and arrays that the function makes itself and uses."""
        declarations: dict[str, list[str]] = {}
        for name in self.local:
            variable = self.variable(name)
            if not re.search(rf"\b{variable.name}\b", body):
                continue
            text = str(variable).removeprefix(f"{variable.kind} ")
            declarations.setdefault(variable.kind, []).append(text)
        return [f"  {kind} {', '.join(variables)};" for kind, variables in declarations.items()]


def _largest(cells: Any, axis: int, array: str) -> list[Affine]:
    """Forms of which the largest index of an array is the largest; of an inner index one.

    Parameters
    ----------
    cells, axis
        The cells that are touched, and the place of the index.
    array
        What the array is called.
    """
    pieces: list[Any] = []
    cells.dim_max(axis).coalesce().foreach_piece(lambda _, piece: pieces.append(piece))
    forms = []
    for piece in pieces:
        terms = [
            (f"n{place}", int(piece.get_coefficient_val(isl.dim_type.param, place).to_python()))
            for place in range(piece.dim(isl.dim_type.param))
        ]
        constant = int(piece.get_constant_val().to_python())
        forms.append(Affine(tuple(sorted(term for term in terms if term[1])), constant))
    if (
        any(piece.dim(isl.dim_type.div) for piece in pieces)
        or not forms
        or (len(forms) > 1 and axis)
    ):
        raise EmissionError(
            f"{array[:40]!a} has no declared extents, and its indices tell none: declare it with "
            "them, double A[n][m]"
        )
    return forms


def _check_conversions(program: Program) -> None:
    narrow = {"float", "int", "long", "int long", "int32_t", "int64_t"}
    single = any((program.types or {}).get(name, "") in narrow for name in program.dimensions)
    for line, kind in program.conversions:
        if kind != "double" or single:
            raise EmissionError(
                f"line {line}: a value is converted to {kind}, which is not emitted: leave out the "
                "cast"
            )


def _only_letters(name: str) -> str:
    kept = "".join(
        character if character.isascii() and character.isalnum() else "_" for character in name
    )
    kept = kept.strip("_").replace("__", "_")
    return kept if kept[:1].isalpha() else f"k{kept}"


def buffer_names(plan: Plan, names: Names) -> list[str]:
    """Names for buffers: C_t stays, A_s streams, C_r has sums in registers."""
    ends = ["t" if buffer.group.indices is None else "s" for buffer in plan.buffers]
    pairs = zip((*plan.buffers, *plan.sums), (*ends, *"r" * len(plan.sums)), strict=True)
    return [names.fresh(f"{names[buffer.group.array]}_{end}", "b") for buffer, end in pairs]


def declared(plan: Plan, interface: Interface, names: Sequence[str]) -> list[str]:
    """The declarations of buffers, each with its contents and for how long.

    Beside sums in registers they are reached by pointers with `restrict`: gcc takes it from these
    alone that no store of a sum changes them, and leaves the sums in memory otherwise.
    """
    declarations = []
    for buffer, name in zip((*plan.buffers, *plan.sums), names, strict=True):
        sides = [f"[{buffer.sides[axis]}]" for axis in buffer.places]
        kind = interface.kind(buffer.group.array)
        static = "static " if buffer.words > LARGE else ""
        of = interface.called(buffer.group.array)
        is_sum = name in names[len(plan.buffers) :]
        held = "in registers" if is_sum else _held_for(plan, buffer)
        words = name
        if plan.sums and sides and not is_sum:
            words = interface.names.fresh(f"{name}_w", "b")
        declarations.append(f"  {static}{kind} {words}{''.join(sides)}; /* of {of}, {held} */")
        if words != name:
            target = f"(*restrict {name}){''.join(sides[1:])}" if sides[1:] else f"*restrict {name}"
            declarations.append(f"  {kind} {target} = {words}; /* of {of}, by this alone */")
    return declarations


def _held_for(plan: Plan, buffer: Buffer) -> str:
    inside = (step for step in plan.nest.steps if buffer.holds(plan.order, step.name))
    step = max(inside, key=lambda step: step.depth)  # a shallower one may have no name for a loop
    chunks = plan.order.chunks(step.name)
    if buffer.depth == 0:
        return "from beginning to end"
    chunk = chunks[buffer.depth - 1]
    loops = [name for name in chunk.form.names if name.startswith("c")]
    name = step.loops[int(loops[-1][1:])].variable if loops else ""
    match = re.match("[A-Za-z][A-Za-z0-9]*", name)
    safe = match.group() if match else "a loop"
    return f"for one value of {safe}" if chunk.size == 1 else f"for {chunk.size} values of {safe}"


def used_macros(lines: Iterable[str]) -> list[str]:
    """The macros of bounds that some lines use."""
    text = "\n".join(lines)
    return [macro for name, macro in MACROS.items() if f"{name}(" in text]


def assembled(
    interface: Interface,
    comment: Sequence[str],
    declarations: Sequence[str],
    body: Sequence[str],
    *,
    counters: str = COUNTERS,
) -> str:
    """The whole file."""
    text = "\n".join(body)
    names = [interface.names[name] for name in interface.sizes]
    names += [parameter.name for parameter in interface.parameters]
    unused = [name for name in names if not re.search(rf"\b{name}\b", text)]
    void = [f"  (void){name};" for name in unused if f"[{name}]" not in interface.head]
    inside = [*interface.locals(text), *declarations, *void, *body]
    kernel = "\n".join([interface.head + " {", *inside, "}"])
    return "\n".join(
        [
            "/* " + "\n * ".join(comment) + " */",
            *(["#include <math.h>"] if _calls_math(body) else []),
            *used_macros([interface.head, *body]),
            counters.rstrip(),
            "",
            kernel,
            "",
        ]
    )


def _calls_math(body: Sequence[str]) -> bool:
    from redblue.emission.expressions import FUNCTIONS

    text = "\n".join(body)
    return any(f"{name}(" in text or f"{name}f(" in text for name in FUNCTIONS)


def code_of(plan: Plan, interface: Interface) -> tuple[tuple[Node, ...], list[str]]:
    """The code of a plan and its declarations."""
    names = buffer_names(plan, interface.names)
    nodes = Generation(plan, interface.names, names, interface.form.cells).nodes()
    return nodes, declared(plan, interface, names)


def text_lines(nodes: Sequence[Node], *, traced: bool = False) -> list[str]:
    """The lines of code."""
    return list(printed(nodes, traced=traced))
