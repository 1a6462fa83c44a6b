"""Types of a row of the table of families, of sizes of a member, and of counts of any DAG."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy.typing as npt

from dags.cdag.value import CDAG
from dags.families.common.published import Law, Params, Trend

Arguments = dict[str, Any]


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


# Vertices in their numbering: what makes them, as `Origin.made_by`, and the values of the loop
# variables, or the indices of inputs. All are broadcast together, row-major.
Block = tuple[npt.ArrayLike, ...]


@dataclass(frozen=True)
class Points:
    """A member as a program: its text, and where in it each vertex is computed.

    Parameters
    ----------
    text
        The loops in C. Assignments that start a sum from a constant are not counted.
    arrays
        Names of the arrays of inputs, and their numbers of indices.
    loops
        Of each assignment the loop variables around it; a loop has one name throughout.
    blocks
        A field of all vertices, block by block; made when it is asked for.
    """

    text: str
    arrays: tuple[tuple[str, int], ...]
    loops: tuple[tuple[str, ...], ...]
    blocks: Iterable[Block]


@dataclass(frozen=True)
class Facts:
    """Counts of a DAG that no renumbering changes.

    Parameters
    ----------
    vertices, edges
        How many there are.
    inputs, sinks
        Vertices without operands, and computed ones without readers.
    depth
        Edges on a longest path.
    widest
        Most operands of a vertex.
    largest
        Words of the largest value.
    """

    vertices: int
    edges: int
    inputs: int
    sinks: int
    depth: int
    widest: int
    largest: int

    @property
    def computed(self) -> int:
        """Number of vertices that are computed."""
        return self.vertices - self.inputs

    @property
    def counts(self) -> tuple[int, int, int]:
        """Vertices, edges and inputs, which closed forms of most families give."""
        return self.vertices, self.edges, self.inputs


def facts_of(dag: CDAG) -> Facts:
    """The counts of `dag`."""
    return Facts(
        vertices=dag.n,
        edges=dag.m,
        inputs=dag.inputs.size,
        sinks=int((dag.is_computed & ~dag.is_read).sum()),
        depth=int(dag.level.max()),
        widest=int(dag.indegree[dag.widest]),
        largest=1 if dag.words is None else int(dag.words.max()),
    )


# The program of a member, from all of its parameters; None for a form that is none.
PointsOf = Callable[..., Points | None]
# All parameters of a member, as `CDAG.params` has them, and its sizes, from arguments.
SizesOf = Callable[..., tuple[Params, Sizes]]
# Values that a parameter may have in a DAG of some counts, given the parameters before it.
Source = Callable[[Facts, Arguments], Iterable[Any]]


SEEDS = range(8)  # of members that are drawn: the first few
MOST_VERTICES = 1 << 14


class Nest(NamedTuple):
    """A member as a text that is read: an einsum string, or C of several assignments.

    Attributes
    ----------
    text
        The text.
    sizes
        The parameter of the member that each index of the string, or size of the text, is.
    """

    text: str
    sizes: Mapping[str, str]

    @classmethod
    def of_loops(cls, name: str, loops: str, arrays: Mapping[str, str]) -> "Nest":
        """Loops as a function of C, whose sizes are parameters of the same names.

        Parameters
        ----------
        name
            The function.
        loops
            Its loops, whose variables are those of C that are neither arrays nor sizes.
        arrays
            Of each array its sides, a letter each.
        """
        sizes = dict.fromkeys("".join(arrays.values()))
        variables = dict.fromkeys(re.findall(r"for \((\w+) =", loops))
        sides = {
            array: "".join(f"[{side}]" for side in array_sides)
            for array, array_sides in arrays.items()
        }
        declarations = [f"int {size}" for size in sizes]
        declarations += [f"double {array}{array_sides}" for array, array_sides in sides.items()]
        text = f"void {name}({', '.join(declarations)}) {{ int {', '.join(variables)}; {loops} }}"
        return cls(text, {size: size for size in sizes})

    @property
    def is_text(self) -> bool:
        """True for C."""
        return "{" in self.text

    def sizes_of(self, params: Params) -> tuple[tuple[str, int], ...]:
        """Indices or sizes with their values for a member with these parameters."""
        return tuple((name, params[parameter]) for name, parameter in self.sizes.items())


class Texts(NamedTuple):
    """Members as texts at their sizes, by which loop nests are recognised as members.

    They are of families whose answers come from their DAGs and formulas, and not from these loops.

    Attributes
    ----------
    text
        The text of a member with these parameters, in C. All values that one statement makes are
        items of one array.
    sought
        Arguments of members that a nest may be, from its counts and the sides of its arrays.
    """

    text: Callable[[Params], str]
    sought: Callable[[Sizes, Collection[int]], Iterator[Arguments]]


class Family(NamedTuple):
    """A generator, and the facts about its members that are known without building their DAGs.

    Attributes
    ----------
    make
        The generator.
    example, small
        Parameters of a member that is small enough to look at, and of one for tests of products.
    sizes
        Parameters and sizes of a member; None where they depend on a draw.
    sought
        Values of parameters by which `recognition` inverts the sizes; or a function that yields the
        arguments of members of some counts; None for a family that is another's under a new name.
    points
        Members as programs; None for those that are none.
    turned
        Whether a grid with its sides in another order makes another DAG, as sums along the rows of
        a matrix have an order.
    nest
        The text of members, for answers at any size.
    texts
        Texts of members, by which nests are recognised, where there is no `nest`.
    law
        The law that the literature states for large sizes, or a function of all parameters to it.
    trends
        Leading terms, published or expected for large problems: no proofs.
    """

    make: Callable[..., CDAG]
    example: str
    small: str
    sizes: SizesOf | None = None
    sought: Mapping[str, Source] | Callable[[Facts], Iterator[Arguments]] | None = None
    points: PointsOf | None = None
    turned: bool = False
    nest: Nest | None = None
    texts: Texts | None = None
    law: Law | Callable[[Params], Law | None] | None = None
    trends: tuple[Trend, ...] = ()
