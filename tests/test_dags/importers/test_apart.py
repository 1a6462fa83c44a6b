"""Operators that are no loops run apart: they read their operands and store their results once."""

import json
import math

import numpy as np
import pytest

import redblue as rb
from dags import Computation, load
from dags.importers import TensorGraph, TensorOperator, TensorView, from_onnx
from dags.importers.nests import graph_nest, nest_and_apart
from dags.programs.members import sizes_of
from pebble import judge, min_memory
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from tests.command_line import run_redblue
from tests.test_dags.importers.nest_layout import laid_out

onnx = pytest.importorskip("onnx", reason="onnx is not installed")

from onnx import TensorProto, helper  # noqa: E402

from tests.test_dags.importers.onnx_samples import draw, model_of, node  # noqa: E402

SIDE = 4
IMAGE, WIDE = (1, 3, SIDE, SIDE), (1, 4, SIDE, SIDE)
UP, DOWN = (1, 4, 2 * SIDE, 2 * SIDE), (1, 4, 2 * SIDE - 2, 2 * SIDE - 2)


def numbers(**values):
    return {name: np.array(value, np.int64) for name, value in values.items()}


def resized(tmp_path):
    """A convolution, a Resize and a convolution; return the file."""
    nodes = [
        node("Conv", "x w", "c", pads=[1] * 4),
        helper.make_node("Resize", ["c", "", "", "sizes"], ["r"], name="up"),
        node("Conv", "r w2", "y"),
    ]
    weights = draw(w=(4, 3, 3, 3), w2=(4, 4, 3, 3)) | numbers(sizes=UP)
    path = tmp_path / "resized.onnx"
    onnx.save(model_of(nodes, {"x": IMAGE}, ["y"], weights), path)
    return path


def test_an_unknown_operator_moves_its_compulsory_words_and_is_named(tmp_path):
    path, size = resized(tmp_path), math.prod
    words = size(IMAGE) + 108 + 2 * size(WIDE) + 2 * size(UP) + 144 + size(DOWN)
    known = Computation(str(path))
    assert known.compulsory == words
    ending = run_redblue("curve", path, "--counted", "--memory", "4000", "--json")
    message = (
        "Resize up is not known as loops; it runs apart, where its operands are read and its "
        f"results written once: {size(WIDE) + size(UP):,} words"
    )
    assert f"note: {message}\n" in ending.err
    record = json.loads(ending.out)
    assert record["dag"]["apart"] == [message]
    assert {row["io"] for row in record["rows"] if row["method"] == "best"} == {words}
    for command in ("bound", "levels"):
        ending = run_redblue(command, path, "--counted", "--memory", "4000")
        assert (ending.code, message in ending.err) == (0, True)
    certificate = tmp_path / "bound.json"
    assert (
        run_redblue(
            "bound", path, "--counted", "--memory", "100", "--certificate", certificate
        ).code
        == 0
    )
    assert run_redblue("check", path, certificate).code == 0


NODES = {
    "reflected": [node("Pad", "x ends", "q", mode="reflect"), node("Conv", "q w", "y")],
    "sorted": [node("TopK", "x one", "y index", axis=3)],
    "summed": [node("CumSum", "x one", "q"), node("Relu", "q", "y")],
    "edged": [node("Pad", "x ends", "q"), node("Relu", "q", "y")],
    "looked": [node("Cast", "i", "j", to=TensorProto.INT64), node("Gather", "x j", "y")],
    "constant": [node("ConstantOfShape", "large", "k"), node("Add", "x k", "y")],
    "joined": [
        node("ConstantOfShape", "large", "k"),
        node("Concat", "x k", "d", axis=1),
        node("ReduceSum", "d", "y", keepdims=0),
    ],
}
ALONE = {"constant", "joined"}  # constants that are made take part in nothing


@pytest.mark.parametrize("name", NODES)
def test_no_operator_refuses_a_model(name):
    large = (1, 3, 200, 200)
    x = large if name in ALONE else (1, 1, 3, 3)
    values = numbers(ends=[0, 0, 1, 1, 0, 0, 1, 1], one=1, large=large)
    values["one"] = np.array([1], np.int64) if name == "sorted" else values["one"]
    arguments = {"x": x, "i": (2,)} if name == "looked" else {"x": x}
    weights = draw(w=(2, 1, 3, 3)) | values
    nest, separate = nest_and_apart(from_onnx(model_of(NODES[name], arguments, ["y"], weights)))
    assert bool(separate) is (name not in ALONE)
    if name in ALONE:
        assert sizes_of(nest).inputs == math.prod(x)
        return
    dag = laid_out(nest)
    compulsory = sizes_of(nest).inputs + sizes_of(nest).outputs
    assert dag.inputs.size + dag.outputs.size == compulsory
    smallest = min_memory(dag)
    for memory in (smallest, 50):
        proved = nest_bound(nest, memory)
        check(nest, memory, proved)
        assert compulsory <= proved.io
        assert proved.io <= rb.solve(dag, memory, time_limit=1).count.io


def tiny(kind="Sort"):
    """An elementwise operator, one that nobody knows, and another elementwise one, by parts."""
    shapes = dict.fromkeys("xasy", (2, 2)) | {"p": (1, 2), "z": (1, 2)}
    axis = load_along()
    steps = (
        TensorOperator("a", "Relu", ("x",), ("a",), 4, axis),
        TensorView(("a",), "p", "cut", {"starts": [0, 0], "stops": [1, 2], "steps": [1, 1]}),
        TensorOperator("s", kind, ("p",), ("z",), 2),
        TensorOperator("y", "Relu", ("a",), ("y",), 4, axis, passes=0),
    )
    steps = (steps[0].__class__(**{**vars(steps[0]), "passes": 0}), *steps[1:])
    return TensorGraph("g", shapes, ("x",), steps, ("y", "z"))


def load_along():
    from dags.importers.tensor_graph import Along

    return ((Along(0), Along(1)),)


def test_of_a_tensor_the_part_that_is_read_apart_is_stored():
    nest, (message,) = nest_and_apart(tiny())
    assert message.startswith("Sort s is not known as loops; it runs apart")
    assert message.endswith("once: 4 words")
    dag = laid_out(nest)
    # x is read, and p, a half of a, stored; p is read and z stored; y is stored.
    assert (dag.inputs.size, dag.outputs.size) == (4 + 2, 2 + 2 + 4)
    moves = rb.solve(dag, 6, time_limit=1)
    assert judge(dag, moves.schedule, 6).io == 14
    assert nest_bound(nest, 6).io == 14


def test_parts_that_are_padded_count_no_constants():
    nodes = [node("Pad", "x ends", "q"), node("Relu", "q", "y")]
    ends = numbers(ends=[1, 1, 1, 1])
    nest = graph_nest(from_onnx(model_of(nodes, {"x": (2, 3)}, ["y"], ends)))
    assert (sizes_of(nest).inputs, sizes_of(nest).outputs) == (6, 20)


def test_a_name_that_is_defined_twice_is_refused(tmp_path):
    weights = draw(w=(3, 3), c=(3, 3))
    graphs = {
        "by an initialiser and by the node MatMul /c": [node("MatMul", "x w", "c")],
        "by an input and by the node Relu /x": [node("Relu", "x", "x"), node("Relu", "x", "c2")],
        "by the node Relu /d and by the node Exp /d": [
            node("Relu", "x", "d"),
            node("Exp", "x", "d"),
        ],
    }
    for message, nodes in graphs.items():
        name = nodes[0].output[0]
        path = tmp_path / "twice.onnx"
        onnx.save(model_of(nodes, {"x": (3, 3)}, [nodes[-1].output[0]], weights), path)
        for extra in ((), ("--counted",)):
            ending = run_redblue("bound", path, "--memory", "30", *extra)
            assert ending.code == 2
            assert ending.sentence == f"{path}: '{name}' is defined twice: {message}"


def test_the_file_that_was_handed_over_names_c0(shared):
    ending = run_redblue("bound", shared / "texts/name_twice.onnx", "--counted", "--memory", "2000")
    assert ending.code == 2
    assert "'c0' is defined twice: by an initialiser and by the node Conv" in ending.sentence


def test_axes_without_names_are_different_axes(tmp_path):
    for unnamed in ("?", "", "-1"):
        path = tmp_path / "unnamed.onnx"
        arguments = {"a": [unnamed, 3], "b": [3, unnamed]}
        onnx.save(model_of([node("MatMul", "a b", "y")], arguments, ["y"], {}), path)
        assert "a.0, b.1 have no values; add a.0=...,b.1=..." in run_redblue("dag", path).sentence
        assert load(f"{path}:a.0=4,b.1=5").sizes.tolist() == [12, 15, 20]


def cast_model():
    nodes = [
        node("Cast", "x", "h", to=TensorProto.FLOAT16),
        node("Relu", "h", "r"),
        node("Cast", "r", "y", to=TensorProto.FLOAT),
    ]
    return model_of(nodes, {"x": (8, 8)}, ["y"], {}, opset=19)


def test_casts_to_other_sizes_make_values_of_their_own_sizes():
    dag = load(cast_model(), word=1)
    assert dict(zip(dag.labels, dag.sizes.tolist(), strict=True)) == {
        "x": 256,
        "h": 128,
        "/r": 128,
        "y": 256,
    }
    assert load(cast_model()).sizes.tolist() == [64, 32, 32, 64]
    assert sizes_of(graph_nest(from_onnx(cast_model()))).outputs == 64


def test_elements_of_several_sizes_are_named_where_each_is_a_word(tmp_path):
    path = tmp_path / "cast.onnx"
    onnx.save(cast_model(), path)
    ending = run_redblue("bound", path, "--counted", "--memory", "100B")
    assert "note: elements have 2 and 4 bytes, and each counts as one word\n" in ending.err
