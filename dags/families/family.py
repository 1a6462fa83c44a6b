"""Families of DAGs: types of a row of the table, and of the sizes of a member."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dags.cdag import CDAG
from dags.families.facts import Arguments, Facts

Params = Mapping[str, Any]


class Sizes(NamedTuple):
    """Counts of a DAG.

    Attributes
    ----------
    vertices, edges, inputs, outputs
        How many there are.
    work
        Operations of all computations.
    operands, result
        Words of the operands, and of the result, of the vertex that needs most memory.
    compulsory
        Words of inputs that are read, and of outputs; None where they are as many as these.
    """

    vertices: int
    edges: int
    inputs: int
    outputs: int
    work: int
    operands: int
    result: int = 1
    compulsory: int | None = None

    @property
    def computed(self) -> int:
        """Number of vertices that are computed."""
        return self.vertices - self.inputs


# All parameters of a member, as `CDAG.params` has them, and its sizes, from arguments.
SizesOf = Callable[..., tuple[Params, Sizes]]
# Values that a parameter may have in a DAG of some counts, given the parameters before it.
Source = Callable[[Facts, Arguments], Iterable[Any]]


class Family(NamedTuple):
    """A generator, and all that is known of its members before one is laid out.

    Attributes
    ----------
    make
        The generator.
    example, small
        Parameters of a member that is small enough to look at, and of one for tests of products.
    sizes
        Parameters and sizes of a member; None where they depend on what is drawn.
    sought
        Values of parameters by which `dags.recognition` inverts the sizes; or what yields the
        arguments of members of some counts; None for a family that is another's under a new name.
    """

    make: Callable[..., CDAG]
    example: str
    small: str
    sizes: SizesOf | None = None
    sought: Mapping[str, Source] | Callable[[Facts], Iterator[Arguments]] | None = None
