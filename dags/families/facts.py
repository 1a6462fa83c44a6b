"""Counts of a DAG that no renumbering changes, from which parameters of a family follow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dags.cdag import CDAG

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Facts:
    """Counts of a DAG.

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


# Yields arguments of a generator with which it may make a DAG of these counts.
Candidates = Callable[[Facts], Iterator[Arguments]]


def facts_of(dag: CDAG) -> Facts:
    """Return the counts of `dag`."""
    return Facts(
        vertices=dag.n,
        edges=dag.m,
        inputs=dag.inputs.size,
        sinks=int((dag.is_computed & ~dag.is_read).sum()),
        depth=int(dag.level.max()),
        widest=int(dag.indegree[dag.widest]),
        largest=1 if dag.words is None else int(dag.words.max()),
    )
