"""Descriptions of computations without their DAGs: exact sizes from formulas, at any size."""

import hashlib
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dags.errors import InvalidSpecError, UnknownNameError, one_line
from dags.families import FAMILIES
from dags.families.common.family import Sizes
from dags.families.common.published import Params
from dags.spec import matrices, parse_parameters

if TYPE_CHECKING:
    from dags.programs.box_nests import BoxNest

MOST_BITS = 1000  # of the counts of a member: floats, and texts of numbers, end not far above


@dataclass(frozen=True)
class Member:
    """A computation that is known by formulas: a family's member, or a program at its sizes.

    Parameters
    ----------
    spec
        Its specification, "lu:n=100000".
    family, params
        The generator or the program, and all parameters as `CDAG.params` would have them.
    sizes
        Counts of the DAG, exact however large they are.
    boxes
        The loop nest of a program; None of a family's member.
    apart
        A sentence on each operator of a graph that is no loops, and runs apart; and one on elements
        of several sizes.
    """

    spec: str
    family: str
    params: Params
    sizes: Sizes
    boxes: "BoxNest | None" = None
    apart: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the family and its parameters, however the specification writes them."""
        written = repr((self.family, sorted(self.params.items())))
        return hashlib.sha256(written.encode()).hexdigest()


def member_of(spec: str) -> Member:
    """The member of a family that `spec` names, a generator's name with parameters.

    Raises
    ------
    UnknownNameError
        If no family with formulas is called so.
    InvalidSpecError
        If the parameters do not fit it.
    """
    name, _, text = spec.partition(":")
    formulas = {key: family.sizes for key, family in FAMILIES.items() if family.sizes is not None}
    if name not in formulas or matrices.takes(spec):
        raise UnknownNameError("family with formulas", name, sorted(formulas))
    generator = FAMILIES[name].make
    given = parse_parameters(name, generator, text)
    defaults = {key: each.default for key, each in inspect.signature(generator).parameters.items()}
    try:
        params, sizes = formulas[name](**(defaults | given))
    except InvalidSpecError as error:
        raise InvalidSpecError(f"{name}: {error}") from error
    if sizes.edges == 0:
        raise InvalidSpecError(
            f"{one_line(spec)}: there is nothing to compute, for none of its {sizes.vertices} "
            "vertices has an operand"
        )
    if max(sizes.vertices, sizes.edges, sizes.work).bit_length() > MOST_BITS:
        raise InvalidSpecError(
            f"{name}: numbers of up to 2^{MOST_BITS} are shown, and its are larger"
        )
    return Member(spec, name, params, sizes)
