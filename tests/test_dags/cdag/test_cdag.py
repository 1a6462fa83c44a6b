import pickle

import numpy as np
import pytest
from hypothesis import given

from dags import CDAG, InvalidDAGError, from_edges
from tests.strategies import dags

ARRAYS = ("pred_indptr", "pred_indices", "words", "work", "outputs", "channel")


def diamond(**fields):
    return CDAG([0, 0, 1, 2, 4], [0, 0, 1, 2], **fields)


@pytest.mark.parametrize(
    ("indptr", "indices", "message"),
    [
        ([0], [], "empty"),
        ([0, 0, 1], [5], "vertex 1 has predecessor 5, outside 0..1"),
        ([0, 0, 1], [-1], "vertex 1 has predecessor -1, outside 0..1"),
        ([0, 0, 1], [1], "vertex 1 has an edge to itself"),
        ([0, 1, 1], [1], "vertex 0 has predecessor 1, which is not smaller"),
        ([0, 0, 2], [0, 0], "vertex 1 has predecessor 0 twice"),
        ([0, 0, 0, 2], [1, 0], "predecessors of vertex 2 do not rise"),
        ([0, 0, 1], [0, 0], "must run from 0 to 2, not from 0 to 1"),
        ([1, 1, 1], [0], "must run from 0 to 1, not from 1"),
        ([0, 2, 1, 3], [0, 0, 1], "pred_indptr falls at vertex 1"),
        ([[0, 0]], [], "one dimension, not 2"),
        ([0, 0, 1], [0.0], "must hold integers, not float64"),
        ([0, 0, 1], [2**40], "pred_indices must be in"),
    ],
)
def test_structure_that_is_no_dag_is_refused(indptr, indices, message):
    with pytest.raises(InvalidDAGError, match=message):
        CDAG(indptr, indices)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"words": [1, 1, 0, 1]}, "vertex 2 has size 0: at least 1 word"),
        ({"words": [1, -3, 1, 1]}, "vertex 1 has size -3"),
        ({"words": [1, 1]}, "words has 2 entries for 4 vertices"),
        ({"words": [1.5, 1, 1, 1]}, "words must hold integers"),
        ({"work": [0, 0, 0, -1]}, "vertex 3 has work -1: at least 0"),
        ({"work": [0]}, "work has 1 entries for 4 vertices"),
        ({"channel": [0, 0, 0, 256]}, "channel must be in 0..255"),
        ({"channel": [0]}, "channel has 1 entries"),
        ({"outputs": [4]}, "outputs must be in 0..3, not 4"),
        ({"outputs": [-1]}, "outputs must be in 0..3, not -1"),
        ({"outputs": [0]}, "vertex 0 is an output that is an input"),
        ({"labels": ["a"]}, "labels has 1 entries for 4 vertices"),
        ({"labels": ["a", "b", "a", "c"]}, "labels must differ"),
        ({"labels": ["a", "b", 1.5, "c"]}, "strings or integers, not 1.5"),
        ({"labels": list("abcd"), "words": [1, 1, 0, 1]}, r"vertex 2 \('c'\) has size 0"),
    ],
)
def test_fields_that_do_not_fit_are_refused(fields, message):
    with pytest.raises(InvalidDAGError, match=message):
        diamond(**fields)


def test_cdag_knows_its_parts():
    dag = CDAG([0, 0, 0, 2, 3, 3], [0, 1, 2], outputs=[2])
    assert (dag.n, dag.m) == (5, 3)
    assert dag.inputs.tolist() == [0, 1, 4]
    assert dag.used_inputs.tolist() == [0, 1]
    assert dag.computed.tolist() == [2, 3]
    assert dag.outputs.tolist() == [2, 3]
    assert dag.indegree.tolist() == [0, 0, 2, 1, 0]
    assert dag.outdegree.tolist() == [1, 1, 1, 0, 0]
    assert [array.tolist() for array in dag.successors] == [[0, 1, 2, 3, 3, 3], [2, 2, 3]]
    assert dag.sizes.tolist() == [1] * 5
    assert dag.words_of(dag.inputs) == 3


def test_sinks_are_outputs_and_isolated_vertices_are_not():
    assert diamond().outputs.tolist() == [3]
    assert diamond(outputs=[3, 1, 1]).outputs.tolist() == [1, 3]
    single = CDAG([0, 0, 0], [])
    assert single.outputs.size == 0
    assert single.inputs.tolist() == [0, 1]
    assert single.used_inputs.size == 0
    with pytest.raises(InvalidDAGError, match="output that is an input"):
        CDAG([0, 0, 0], [], outputs=[1])


def test_sizes_of_one_word_are_no_sizes():
    assert diamond(words=[1, 1, 1, 1]).words is None
    assert diamond(words=[1, 1, 1, 1]) == diamond()


def test_words_of_adds_sizes():
    assert diamond(words=[1, 2, 3, 4]).words_of(np.array([1, 3])) == 6


@pytest.mark.parametrize(
    "fields",
    [
        {"words": [1, 1, 1, 2]},
        {"work": [0, 0, 0, 0]},
        {"outputs": [1]},
        {"channel": [0, 0, 0, 0]},
    ],
)
def test_everything_that_the_game_sees_counts_for_equality(fields):
    assert diamond(**fields) != diamond()
    assert diamond(**fields) == diamond(**fields)


def test_names_do_not_count_for_equality():
    named = diamond(labels=["a", "b", "c", "d"], family="diamond", params={"n": 4})
    assert named == diamond()
    assert hash(named) == hash(diamond())
    assert named != "diamond"


def test_structures_that_differ_are_unequal():
    assert diamond() != CDAG([0, 0, 1, 2, 3], [0, 0, 1])
    assert CDAG([0, 0], []) != CDAG([0, 0, 0], [])


@given(dags())
def test_arrays_are_locked_also_after_pickle(dag):
    for copy in (dag, pickle.loads(pickle.dumps(dag))):
        assert copy == dag
        for name in ARRAYS:
            array = getattr(copy, name)
            assert array is None or not array.flags.writeable


def test_pickle_keeps_names():
    dag = diamond(labels=["a", "b", "c", 3], family="diamond", params={"n": 4})
    copy = pickle.loads(pickle.dumps(dag))
    assert (copy.labels, copy.family, copy.params) == (dag.labels, "diamond", {"n": 4})


def test_derived_arrays_are_locked():
    dag = diamond()
    derived = [dag.indegree, dag.outdegree, dag.inputs, dag.used_inputs, dag.computed, dag.sizes]
    assert not any(array.flags.writeable for array in [*derived, *dag.successors])


def test_a_cdag_cannot_be_changed():
    with pytest.raises(AttributeError, match="immutable: cannot set words"):
        diamond().words = None


def test_writable_arrays_are_copied():
    indices = np.array([0, 0, 1, 2], np.int32)
    dag = CDAG([0, 0, 1, 2, 4], indices)
    indices[0] = 7
    assert dag.pred_indices[0] == 0


def test_locked_arrays_that_own_their_data_are_adopted():
    indices = np.array([0, 0, 1, 2], np.int32)
    indices.setflags(write=False)
    assert CDAG([0, 0, 1, 2, 4], indices).pred_indices is indices


def test_locked_views_are_copied():
    base = np.array([0, 0, 1, 2], np.int32)
    view = base[:]
    view.setflags(write=False)
    dag = CDAG([0, 0, 1, 2, 4], view)
    base[0] = 7
    assert dag.pred_indices[0] == 0


def test_labels_that_are_the_numbers_are_dropped():
    assert diamond(labels=[0, 1, 2, 3]).labels is None
    assert diamond(labels=[0, 1, 2, "3"]).labels == (0, 1, 2, "3")


def test_name_shows_number_and_label():
    assert diamond().name(2) == "2"
    assert diamond(labels=["a", "b", "c", 3]).name(2) == "2 ('c')"
    assert diamond(labels=["a", "b", "c", 3]).name(3) == "3"


def test_repr_tells_family_and_size():
    assert repr(diamond()) == "<CDAG(): 4 vertices, 4 edges>"
    named = diamond(family="diamond", params={"n": 2})
    assert repr(named) == "<diamond(n=2): 4 vertices, 4 edges>"


def test_sizes_whose_traffic_could_not_be_counted_are_refused():
    with pytest.raises(InvalidDAGError, match="vertex 1 has size 4611686018427387904"):
        CDAG([0, 0, 1], [0], words=[1, 2**62])
    CDAG([0, 0, 1], [0], words=[1, 2**60])


def test_work_may_be_one_number_for_all_that_is_computed():
    dag = CDAG([0, 0, 1], [0], work=3)
    assert dag.work.tolist() == [0, 3]
    assert dag == CDAG([0, 0, 1], [0], work=[0, 3])
    assert pickle.loads(pickle.dumps(dag)) == dag
    assert not dag.work.flags.writeable
    for work in (-1, 2**31):
        with pytest.raises(InvalidDAGError, match=f"not {work}"):
            CDAG([0, 0, 1], [0], work=work)


def test_predecessors_are_the_operands_of_a_vertex():
    dag = from_edges(4, [(0, 2), (1, 2), (2, 3), (0, 3)])
    assert [dag.predecessors(vertex).tolist() for vertex in range(4)] == [[], [], [0, 1], [0, 2]]
    assert dag.predecessors(np.int64(3)).tolist() == [0, 2]
    with pytest.raises(InvalidDAGError, match="there is no vertex 4: they are 0 to 3"):
        dag.predecessors(4)
    with pytest.raises(InvalidDAGError, match="a vertex is a whole number, not 'x'"):
        dag.predecessors("x")
