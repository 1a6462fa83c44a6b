import contextlib
import copy
import json
import random

import pytest

from dags import FormatError, RedBlueError, load
from dags.importers import TensorGraph, TensorOperator, TensorView, read_graph, save_graph
from dags.importers.tensor_graph import Along

GRAPH = TensorGraph(
    name="two",
    shapes={"x": (4, 6), "t": (6, 4), "w": (4, 3), "y": (6, 3), "m": (6, 1), "p": (2, 2)},
    inputs=("x", "w"),
    steps=(
        TensorView(("x",), "t", "transpose", {"axes": [1, 0]}),
        TensorOperator(
            "dense",
            "MatMul",
            ("t", "w"),
            ("y", "m"),
            144,
            ((Along(0), None), (None, Along(1))),
            (1,),
        ),
        TensorView(("y",), "p", "cut", {"starts": [0, 0], "stops": [4, 2], "steps": [2, 1]}),
    ),
    outputs=("y", "m"),
    itemsize={"x": 4, "y": 2},
)


def test_a_saved_graph_is_the_same_graph(tmp_path):
    save_graph(GRAPH, tmp_path / "a.json")
    assert read_graph(tmp_path / "a.json") == GRAPH
    assert load(f"{tmp_path / 'a.json'}:tile=2").labels == load(GRAPH, tile=2).labels
    with pytest.raises(FormatError, match="there is no dimension n: all have lengths"):
        load(f"{tmp_path / 'a.json'}:n=3")


def test_a_file_of_tasks_is_a_graph_of_words(tmp_path):
    path = tmp_path / "a.dask"
    path.write_text('{"z": ["x", "y"], "y": ["x"], "x": []}')
    dag = load(str(path))
    assert dag.labels == ("x", "y", "z")
    assert (dag.n, dag.m, dag.words) == (3, 3, None)
    for text in ('{"x": ["y"], "y": ["x"]}', '{"x": ["w"]}', "{}", '{"x": []}'):
        path.write_text(text)
        with pytest.raises(FormatError, match=r"a\.dask: "):
            load(str(path))


def test_node_link_files_are_read_as_before(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(
        '{"directed": true, "nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1}]}'
    )
    assert load(str(path)).n == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["inputs"].append("x"), "the input 'x' has no shape, or is there twice"),
        (lambda data: data["tensors"].pop("y"), "'y' has no shape, or is computed twice"),
        (lambda data: data["steps"].reverse(), "'y' is read before it is computed"),
        (lambda data: data["steps"][0].update(view="open"), "no view is called 'open'"),
        (lambda data: data["steps"][0]["arguments"].update(axes=[0, 0]), "t: transpose does not"),
        (lambda data: data["steps"][0]["arguments"].update(f=1), "t: transpose does not fit"),
        (lambda data: data["tensors"].update(t=[[4, 6], 4]), "t is said not to have its shape"),
        (lambda data: data["tensors"].update(x=[[2**39, 6], 4]), "more than 1099511627776"),
        (lambda data: data["tensors"].update(x=[[-1], 4]), "-1 is no whole number from 0"),
        (lambda data: data["steps"][1]["reads"][0].append(None), "reads axes that are not there"),
        (lambda data: data["steps"][1]["results"].clear(), "the operator 'dense' has no result"),
        (lambda data: data.pop("steps"), "is no tensor graph that can be read: KeyError"),
        (lambda data: data.update(outputs=["x"]), "two: nothing is computed from inputs"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, change, message):
    path = tmp_path / "a.json"
    save_graph(GRAPH, path)
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(FormatError) as caught:
        load(str(path))
    assert message in str(caught.value)


def test_damaged_files_are_read_or_refused(tmp_path):
    path = tmp_path / "a.dask"
    save_graph(GRAPH, path)
    data = json.loads(path.read_text())
    rng = random.Random(0)
    for _ in range(300):
        damaged = damage(rng, copy.deepcopy(data))
        path.write_text(json.dumps(damaged))
        with contextlib.suppress(RedBlueError):
            load(f"{path}:tile=2")


def damage(rng, data):
    """A value somewhere replaced or left out."""
    place = data
    while isinstance(place, dict | list) and place:
        key = rng.choice([*place] if isinstance(place, dict) else range(len(place)))
        if rng.random() < 0.3 or not isinstance(place[key], dict | list) or not place[key]:
            if rng.random() < 0.3:
                del place[key]
            else:
                place[key] = rng.choice([None, -1, 0, 3, 2**40, "x", "y", [], {}, [1], 1.5, True])
            return data
        place = place[key]
    return data
