import networkx as nx
import numpy as np
from hypothesis import given

from dags import to_networkx
from dags.cdag.rows import path_lengths, reader_counts, successor_rows
from tests.strategies import dags


@given(dags())
def test_successors_lengths_and_readers(dag):
    graph = nx.convert_node_labels_to_integers(to_networkx(dag))
    for pointers in (np.int32, np.int64):
        indptr, indices = successor_rows(dag.pred_indptr, dag.pred_indices, pointers=pointers)
        assert indptr.dtype == pointers
        assert not indptr.flags.writeable
        assert not indices.flags.writeable
        for v in range(dag.n):
            assert indices[indptr[v] : indptr[v + 1]].tolist() == sorted(graph.successors(v))
    lengths = path_lengths(dag.pred_indptr, dag.pred_indices)
    for layer, vertices in enumerate(nx.topological_generations(graph)):
        assert lengths[list(vertices)].tolist() == [layer] * len(vertices)
    for dtype in (np.int32, np.int64):
        readers = reader_counts(dag.pred_indices, dag.n, dtype=dtype)
        assert readers.dtype == dtype
        assert readers.tolist() == [graph.out_degree(v) for v in range(dag.n)]
