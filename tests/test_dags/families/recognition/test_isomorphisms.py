"""Isomorphisms of drawn DAGs, against networkx."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dags import from_edges, to_networkx
from dags.families.recognition.recogniser import by_colour, coloured, isomorphism
from tests.campaigns.recognition import edges_of, permuted
from tests.strategies import dags


def found_between(first, second):
    """The isomorphism that is found between two DAGs, or None."""
    return isomorphism(*(by_colour(dag, coloured(dag)) for dag in (first, second)))


@given(dags(), st.integers(0, 99))
def test_a_renumbered_dag_is_the_same(dag, seed):
    second = from_edges(dag.n, edges_of(permuted(dag, seed)))
    vertex = found_between(second, dag)
    assert sorted(vertex.tolist()) == list(range(dag.n))
    place = np.argsort(vertex)
    assert {(u, v) for u, v in place[edges_of(second)].tolist()} == {
        (u, v) for u, v in edges_of(dag).tolist()
    }


@given(dags(), st.data())
def test_what_networkx_calls_different_is_different(dag, data):
    edges = edges_of(dag)
    if len(edges):
        edge = data.draw(st.integers(0, len(edges) - 1))
        edges[edge, 0] = data.draw(st.integers(0, int(edges[edge, 1]) - 1))
    second = from_edges(dag.n, edges)
    equal = nx.is_isomorphic(to_networkx(dag), to_networkx(second))
    assert (found_between(dag, second) is not None) == equal
