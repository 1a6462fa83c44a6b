"""Nests that compute what a text computes, value for value, and are tiled in its place.

The text itself is one. Others have scalars with a cell for each iteration (`expansion`), so that a
sum in a scalar is a sum; or they are its canonical form, whose arrays have rows and whose loops are
neither tiled nor unrolled by hand. Code has the arrays of the text in all of them, and its loops
where a nest is that of the text at the given sizes alone.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from dags.programs.affine import Affine, variable
from dags.programs.canonical import canonical
from dags.programs.canonical.mapping import Cells
from dags.programs.fixed import with_sizes
from dags.programs.instances import NotReadError
from dags.programs.nest import If, Loop, Program, Statement
from redblue.emission.expansion import expanded
from redblue.emission.expressions import EmissionError
from redblue.emission.same_values import same_values
from redblue.emission.statements import Nest

NAMED: Final = 8  # the least number at the end of a loop that has a name for isl's scheduler


@dataclass(frozen=True)
class Form:
    """A nest in the place of a text.

    Parameters
    ----------
    nest
        Its statements.
    sizes
        Values of its sizes.
    live
        Its arrays whose last values are outputs.
    plain
        The same statements with no cells for iterations.
    cells
        Where the text has the cells of arrays that it has by other names or indices.
    only
        Sizes of the text at which it is in its place; none where it always is.
    is_text
        Whether it is the text itself at these sizes, where buffers may have whole rows and arrays.
    """

    nest: Nest
    sizes: Mapping[str, int]
    live: tuple[str, ...]
    plain: Nest
    cells: Mapping[str, Cells] = field(default_factory=dict)
    only: Mapping[str, int] = field(default_factory=dict)
    is_text: bool = False


@dataclass(frozen=True)
class Text:
    """A text of which C can be made, at some sizes.

    Parameters
    ----------
    nest
        Its statements.
    sizes
        Values of its sizes.
    live
        Its arrays whose last values are outputs.
    forms
        The nests that may be tiled in its place, itself first.
    """

    nest: Nest
    sizes: Mapping[str, int]
    live: tuple[str, ...]
    forms: tuple[Form, ...]


def text_of(
    program: Program,
    sizes: Mapping[str, int],
    live: tuple[str, ...],
    fixed: Mapping[str, int] | None = None,
) -> Text:
    """A text with the nests that may be tiled in its place.

    Parameters
    ----------
    program, sizes, live
        The program, values of its sizes, and arrays whose last values are outputs.
    fixed
        Sizes that are numbers in the code.
    """
    nest = Nest(program, fixed)
    forms = [Form(nest, sizes, live, nest)]
    general = nest.general or nest
    plain = expanded(general, live)
    if plain.kept:
        forms.append(Form(Nest(plain.program, fixed, plain.kept), sizes, live, nest))
    forms += _at_sizes(nest, sizes, live)
    return Text(nest, sizes, live, tuple(forms))


def _at_sizes(nest: Nest, sizes: Mapping[str, int], live: Collection[str]) -> Iterator[Form]:
    """Yield the nests that are in the place of a text at some sizes."""
    program, cells = nest.program, dict[str, Cells]()
    try:
        form = canonical(program, sizes, live, same=same_values)
        if form.steps and (form.is_other or not sizes):
            program, cells, live = form.program, {**form.cells}, form.live or ()
        else:
            program = with_sizes(program, sizes)
        plain = Nest(program, stored=cells)
        inner = expanded(plain, tuple(live), arrays=True)
        general, fixed = with_names_for_numbers(inner.program)
        is_other = bool(cells) or program.body != with_sizes(nest.program, sizes).body
        is_other |= any(program.dimensions.get(name) for name in inner.parts)
        if is_other or sizes:
            complete = Nest(general, fixed, inner.kept, stored=cells)
            yield Form(complete, {}, tuple(live), plain, cells, sizes, not is_other)
    except (EmissionError, NotReadError):
        return


def with_names_for_numbers(program: Program) -> tuple[Program, dict[str, int]]:
    """A program with sizes in the place of numbers at the ends of loops, and these numbers.

    isl finds orders for all sizes at once for which it has no end with large numbers.
    """
    names = {*program.dimensions, *program.sizes}
    names |= {loop.variable for _, loops in program.statements for loop in loops}
    numbers: dict[str, int] = {}

    def named(form: Affine) -> Affine:
        if form.terms or form.constant < NAMED or f"size_{form.constant}" in names:
            return form
        numbers[f"size_{form.constant}"] = form.constant
        return variable(f"size_{form.constant}")

    def changed(statement: Statement) -> Statement:
        if isinstance(statement, Loop):
            body = tuple(map(changed, statement.body))
            start, stop = tuple(map(named, statement.start)), tuple(map(named, statement.stop))
            return replace(statement, start=start, stop=stop, body=body)
        if isinstance(statement, If):
            body, otherwise = (
                tuple(map(changed, statement.body)),
                tuple(map(changed, statement.otherwise)),
            )
            return replace(statement, body=body, otherwise=otherwise)
        return statement

    return replace(program, body=tuple(map(changed, program.body))), numbers
