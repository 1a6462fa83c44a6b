"""Members of families that are not laid out: facts about their DAGs, from formulas alone."""

import inspect
from dataclasses import dataclass
from typing import ClassVar

from dags.errors import InvalidSpecError, UnknownNameError
from dags.families import FAMILIES
from dags.families.common.family import Sizes
from dags.families.common.published import Params
from dags.spec import parse_parameters

MOST_BITS = 1000  # of the counts of a member: floats, and texts of numbers, end not far above


@dataclass(frozen=True)
class Member:
    """A member of a family, known by its parameters: no DAG is made of it.

    Parameters
    ----------
    spec
        Its specification, "lu:n=100000".
    family, params
        The generator, and all parameters as `CDAG.params` would have them.
    sizes
        Counts of the DAG, exact however large they are.
    """

    spec: str
    family: str
    params: Params
    sizes: Sizes

    bounds_are: ClassVar[str] = "closed forms"

    @property
    def compulsory(self) -> int:
        """Compulsory I/O in words: inputs that are read, and outputs."""
        counts = self.sizes
        words = counts.compulsory
        return counts.inputs + counts.outputs if words is None else words

    def min_memory(self, *, sliding: bool = False) -> int:
        """Return the smallest fast memory, in words, in which every vertex can be computed."""
        needed = self.sizes
        return max(needed.operands, needed.result) + (0 if sliding else needed.result)


def member_of(spec: str) -> Member:
    """Return the member of a family that `spec` names, a generator's name with parameters.

    Raises
    ------
    UnknownNameError
        If no family with formulas is called so.
    InvalidSpecError
        If the parameters do not fit it.
    """
    name, _, text = spec.partition(":")
    formulas = {key: family.sizes for key, family in FAMILIES.items() if family.sizes is not None}
    if name not in formulas:
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
            f"{name}: there is nothing to compute, for none of its {sizes.vertices} vertices has "
            "an operand"
        )
    if max(sizes.vertices, sizes.edges, sizes.work).bit_length() > MOST_BITS:
        raise InvalidSpecError(
            f"{name}: numbers of up to 2^{MOST_BITS} are shown, and its are larger"
        )
    return Member(spec, name, params, sizes)
