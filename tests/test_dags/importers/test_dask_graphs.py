from operator import add, mul, neg

import numpy as np
import pytest

from dags import load
from dags.importers import ImportedGraphError, from_dask, read_graph, save_graph
from tests.test_dags.importers.test_jaxprs import rows_of


def test_a_dict_of_tasks():
    tasks = {
        "x": 1,
        ("y", 0): (add, "x", 2),
        ("y", 1): (mul, "x", ("y", 0)),
        "sum": (sum, [("y", 0), ("y", 1)]),
        "alias": "sum",
    }
    dag = load(tasks)
    assert rows_of(dag) == {
        "y[0]": ["x"],
        "y[1]": ["x", "y[0]"],
        "sum": ["y[0]", "y[1]"],
    }
    assert [dag.labels[v] for v in dag.outputs.tolist()] == ["sum"]
    assert dag.work is None


def test_data_has_the_words_of_its_shape():
    dag = load({"x": np.zeros((3, 4)), "y": (neg, "x")})
    assert dag.sizes.tolist() == [12, 1]


def test_tasks_that_wait_for_each_other_are_refused():
    with pytest.raises(ImportedGraphError, match=r"^the tasks wait for each other: '[xy]' -> "):
        load({"x": (neg, "y"), "y": (neg, "x")})
    with pytest.raises(ImportedGraphError, match=r"^tasks: nothing is computed from inputs"):
        load({})


def test_chunks_of_an_array_have_their_sizes(tmp_path):
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.ones((8, 6)), chunks=(4, 3))
    product = (x @ x.T).sum(axis=0)
    dag = load(product)
    assert "array[0,1]" in dag.labels
    assert dag.sizes[dag.labels.index("array[0,1]")] == 12
    assert {dag.labels[v] for v in dag.outputs.tolist()} == {"sum-aggregate[0]", "sum-aggregate[1]"}
    assert dag.words_of(dag.outputs) == 8
    with pytest.raises(ImportedGraphError, match=r"^Array has no operators that can be cut"):
        load(product, tile=2)
    for name in ("graph.dask", "graph.json"):
        save_graph(from_dask(product), tmp_path / name)
        assert load(str(tmp_path / name)) == dag
        assert load(str(tmp_path / name)).labels == dag.labels
    assert read_graph(tmp_path / "graph.dask") == from_dask(product)


def test_delayed_values_are_words():
    dask = pytest.importorskip("dask")
    parts = [dask.delayed(abs)(entry) for entry in (1, 2)]
    dag = load(dask.delayed(sum)(parts))
    assert rows_of(dag) == {"sum": ["abs", "abs.1"]}
