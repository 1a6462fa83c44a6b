"""Families are recognised in whatever numbering and format, and nothing else is."""

import pickle

import numpy as np
import pytest

import dags
from dags import CDAG, InvalidSpecError, from_edges, from_networkx, recognise, recognise_as
from dags.families import FAMILIES
from tests.campaigns import recognition as campaign
from tests.campaigns.recognition import CALLED, SUFFIXES, is_that, permuted, written_and_read


def test_all_generators_can_be_recognised():
    sought = {name for name, family in FAMILIES.items() if family.sought is not None}
    assert sought == set(dags.GENERATORS) - set(CALLED)


@pytest.mark.parametrize("name", dags.EXAMPLES)
def test_examples_are_recognised_from_files(name, tmp_path):
    """Two formats for each; a campaign has all of them."""
    shuffled = permuted(dags.load(dags.EXAMPLES[name]), seed=len(name))
    place = sorted(dags.EXAMPLES).index(name)
    for suffix in (SUFFIXES[place % len(SUFFIXES)], SUFFIXES[(place + 4) % len(SUFFIXES)]):
        read = written_and_read(shuffled, tmp_path / f"shuffled{suffix}")
        assert read.recognised is not None, suffix
        assert read.as_generated.family == CALLED.get(name, name), suffix
        assert is_that(read, read.recognised), suffix
        assert read.labels == dags.load(str(tmp_path / f"shuffled{suffix}"), recognise=False).labels


@pytest.mark.parametrize("name", dags.EXAMPLES)
def test_a_graph_of_networkx_is_the_generators_dag(name):
    original = dags.load(dags.EXAMPLES[name])
    read = from_networkx(dags.to_networkx(permuted(original, seed=1)))
    generated = read.as_generated
    assert generated == dags.load(read.recognised.spec)
    assert read.recognised.own == ()
    assert from_networkx(dags.to_networkx(original), recognise=False).recognised is None


def test_a_campaign_finds_no_format_and_no_near_miss_that_is_wrong():
    outcomes = campaign.run(cases=62, seed=4)
    assert not outcomes.failures, outcomes.table()
    assert {outcome for _, outcome in outcomes.counts} == {"recognised", "missed"}


def test_what_a_generator_made_is_left_alone():
    dag = dags.fft(8)
    assert recognise(dag) is dag
    assert dag.as_generated is dag


def test_a_family_that_is_stated_is_verified():
    read = recognise_as(permuted(dags.lu(5), seed=3), dags.lu(5), "lu:n=5")
    assert (read.family, read.recognised.spec) == (None, "lu:n=5")
    with pytest.raises(InvalidSpecError, match="is not lu:n=6: it has 65 vertices, not 106"):
        recognise_as(read, dags.lu(6), "lu:n=6")
    first, second = from_edges(4, [(0, 2), (1, 2), (0, 3)]), from_edges(4, [(0, 2), (1, 2), (2, 3)])
    with pytest.raises(InvalidSpecError, match="other numbers of operands and readers"):
        recognise_as(first, second, "another")


def test_sizes_of_ones_own_are_kept_and_said():
    product = permuted(dags.matmul(3), seed=2)
    sized = CDAG(product.pred_indptr, product.pred_indices, words=np.arange(1, product.n + 1))
    read = recognise(sized)
    assert read.recognised.own == ("words",)
    assert read == sized
    generated = read.as_generated
    assert generated.words.tolist() == sized.words[read.recognised.vertex].tolist()
    assert generated.work.tolist() == dags.matmul(3).work.tolist()


def test_sizes_that_are_not_the_generators_are_another_dag():
    drawn = permuted(dags.random_tree(20, max_words=3), seed=2)
    larger = CDAG(drawn.pred_indptr, drawn.pred_indices, words=drawn.words[::-1])
    assert recognise(drawn).recognised is not None
    assert recognise(larger).recognised is None


def test_outputs_that_are_not_the_generators_are_another_dag():
    product = dags.matmul(3)
    extra = CDAG(product.pred_indptr, product.pred_indices, outputs=product.computed)
    assert recognise(extra).recognised is None
    lost = CDAG(dags.lu(4).pred_indptr, dags.lu(4).pred_indices)
    assert recognise(lost).recognised.own == ("outputs",)


def test_a_recognised_dag_survives_pickle():
    read = recognise(permuted(dags.grid((4, 5)), seed=4))
    back = pickle.loads(pickle.dumps(read))
    assert back.recognised.spec == read.recognised.spec == "grid:shape=5x4"
    assert back.as_generated.params == {"shape": (5, 4)}
    assert not back.recognised.vertex.flags.writeable
