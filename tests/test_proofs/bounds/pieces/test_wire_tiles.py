"""Tiles of networks: every vertex has a wire, and tiles are parts of runs that do not overlap."""

import itertools

import numpy as np
import pytest

from dags import bitonic_sort, fft, grid, hypercube, matmul, odd_even_merge_sort
from pebble import ONE_SHOT, RULES
from proofs import check
from proofs.bounds.pieces.exact_pieces import exact_pieces
from proofs.bounds.pieces.layouts import MOST_MEMORY, wire_tiles, wires
from proofs.certificates.pieces.piece import Cutter

NETWORKS = [fft(16), bitonic_sort(16), odd_even_merge_sort(32)]


@pytest.mark.parametrize("dag", NETWORKS, ids=repr)
def test_a_wire_is_a_path_from_an_input(dag):
    wire = wires(dag)
    for number in range(dag.inputs.size):
        axis = np.flatnonzero(wire == number)
        for u, v in itertools.pairwise(axis.tolist()):
            assert u in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]]


def test_what_is_no_network_has_no_wires():
    for dag in (grid((4, 4)), fft(8), matmul(4), hypercube(5)):
        assert wires(dag) is None


@pytest.mark.parametrize("dag", NETWORKS, ids=repr)
def test_tiles_are_disjoint_parts_of_their_levels(dag):
    cutter = Cutter(dag)
    for tiles in wire_tiles(dag, cutter, 4):
        everything = np.concatenate([piece.vertices for piece in tiles.pieces])
        assert np.unique(everything).size == everything.size
        assert (
            tiles.first <= dag.level[everything].min() <= dag.level[everything].max() < tiles.last
        )
        assert any(tiles.one is piece for piece in tiles.pieces)
    assert not list(wire_tiles(dag, cutter, MOST_MEMORY + 1))


def test_pieces_of_a_sorting_network_hold():
    dag = bitonic_sort(32)
    for rules, minimum in ((ONE_SHOT, 100), (RULES["one-shot-sliding"], 64)):
        bound = exact_pieces(dag, 4, rules=rules, time_limit=0.5)
        check(dag, 4, bound)
        assert minimum <= bound.io <= 596  # the structured play moves so many
