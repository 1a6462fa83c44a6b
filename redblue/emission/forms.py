"""Nests that compute what a text computes, value for value, and are tiled in its place.

The text itself is one. Another has scalars with a cell for each iteration (`expansion`), so that
a sum in a scalar is a sum. Code has the arrays of the text in all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dags.programs.nest import Program
from redblue.emission.expansion import expanded
from redblue.emission.statements import Nest


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
        The same statements with the cells that the text has.
    """

    nest: Nest
    sizes: Mapping[str, int]
    live: tuple[str, ...]
    plain: Nest


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
    """Return a text with the nests that may be tiled in its place.

    Parameters
    ----------
    program, sizes, live
        The program, values of its sizes, and arrays whose last values are outputs.
    fixed
        Sizes that are numbers in the code.
    """
    nest = Nest(program, fixed)
    forms = [Form(nest, sizes, live, nest)]
    plain = expanded(nest.general or nest, live)
    if plain.kept:
        forms.append(Form(Nest(plain.program, fixed, plain.kept), sizes, live, nest))
    return Text(nest, sizes, live, tuple(forms))
