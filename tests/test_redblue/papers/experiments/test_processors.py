"""The papers' machines, played."""

import numpy as np
import pytest

import dags
from redblue.papers.experiments import EXPERIMENTS, Bench
from redblue.papers.experiments.mesh import played_part
from redblue.papers.experiments.played_nodes import dirac_lattice, played_lattice
from redblue.papers.experiments.processors import Timeline, balanced_element, timeline


def test_all_claims_hold():
    experiment = EXPERIMENTS["processors"](Bench(quick=True))
    assert {claim.verdict for claim in experiment.claims} == {"confirmed"}
    assert len(experiment.claims) == 9


@pytest.mark.parametrize("balance", [0.5, 1.0, 1.5])
def test_arrays_of_elements_need_memory_as_kung_says(balance):
    lines = [balanced_element((p,), balance).memory for p in (2, 4, 8)]
    assert lines[2] / lines[1] == pytest.approx(2, rel=0.1)
    squares = {balanced_element((p, p), balance).memory for p in (2, 3, 4)}
    assert max(squares) - min(squares) <= 2


@pytest.mark.parametrize(("dimensions", "side"), [(1, 7), (2, 5), (3, 3)])
def test_parts_of_a_grid_exchange_faces(dimensions, side):
    part = played_part(dimensions, side)
    assert part.face == side ** (dimensions - 1)
    assert part.received == 2 * dimensions * part.face
    assert part.computes == side**dimensions


def test_nodes_of_a_lattice_send_what_the_paper_says():
    lattice = dirac_lattice(2, 3, (2, 2, 2))
    copies = dirac_lattice(2, 3, (2, 2, 2), copies=True)
    for node in played_lattice(copies, (2, 2, 2)).each:
        assert node.received == node.sent == 144 * lattice.sites // 2
        assert (node.loads, node.stores) == ((96 + 54 // 2) * lattice.sites, 24 * lattice.sites)
    count = played_lattice(lattice, (2, 2, 2))
    for node in count.each:
        assert node.received == node.sent == 144 * lattice.sites // 2
        assert (node.loads, node.stores) == (96 * lattice.sites, 24 * lattice.sites)


def test_a_timeline_moves_the_next_words_while_it_computes():
    windows = Timeline(words=np.array([4, 4, 2]), computes=np.array([8, 8, 4]))
    assert windows.most_cores(1) == 2
    assert windows.time(1, 1) == 4 + 8 + 8 + 4  # the first words, and then computations
    assert windows.time(8, 1) == 4 + 4 + 2 + 1  # words, and then the last computations
    assert windows.time(8, 2) == 2 + 2 + 1 + 1


def test_windows_of_a_play_hold_all_of_it():
    dag = dags.load("matmul:n=12")
    result = timeline(dag, 60)
    assert result.computes.sum() == dag.computed.size
    assert result.words.sum() >= dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)
    assert result.words.max() <= 30
