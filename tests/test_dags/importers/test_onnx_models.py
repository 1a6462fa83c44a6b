import contextlib
import random
from pathlib import Path

import numpy as np
import pytest

from dags import FormatError, RedBlueError, load
from dags.importers import ImportedGraphError, from_onnx, tensor_dag
from pebble import MemoryTooSmallError, min_memory, require_memory

onnx = pytest.importorskip("onnx")
from tests.test_dags.importers.onnx_samples import (  # noqa: E402
    FLOAT,
    HEADS,
    HIDDEN,
    TOKENS,
    WIDTH,
    convolutional,
    draw,
    model_of,
    node,
    transformer_block,
)

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"


def words_of(dag, label):
    return int(dag.sizes[dag.labels.index(label)])


def work_of(dag, label):
    return int(dag.work[dag.labels.index(label)])


def operands_of(dag, label):
    vertex = dag.labels.index(label)
    row = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
    return {dag.labels[entry] for entry in row.tolist()}


def test_a_transformer_block_has_the_operators_of_the_model():
    batch = 3
    dag = tensor_dag(from_onnx(transformer_block(), {"batch": batch}))
    assert operands_of(dag, "/scores") == {"/qkv"}  # slices, reshapes, transposes make no vertex
    assert operands_of(dag, "/mixed") == {"/qkv", "/weights"}
    assert operands_of(dag, "/scaled") == {"/scores"}  # the scale is a constant
    assert operands_of(dag, "/middle") == {"x", "/projected"}
    assert {"heads", "joined"}.isdisjoint(dag.labels)  # shapes are no inputs
    assert [dag.labels[output] for output in dag.outputs.tolist()] == ["/y"]
    assert words_of(dag, "x") == batch * TOKENS * WIDTH
    assert words_of(dag, "/scores") == batch * HEADS * TOKENS**2
    assert words_of(dag, "wqkv") == 3 * WIDTH**2
    assert work_of(dag, "/qkv") == 2 * batch * TOKENS * WIDTH * 3 * WIDTH
    assert work_of(dag, "/scores") == 2 * batch * TOKENS**2 * WIDTH
    assert work_of(dag, "/wide") == 2 * batch * TOKENS * WIDTH * HIDDEN
    assert work_of(dag, "/weights") == 5 * batch * HEADS * TOKENS**2


def test_a_convolutional_network_has_its_shapes_and_flops():
    dag = tensor_dag(from_onnx(convolutional(batch=2)))
    assert words_of(dag, "/conv1") == 2 * 4 * 4 * 4
    assert work_of(dag, "/conv1") == (2 * 3 * 9 + 1) * 2 * 4 * 4 * 4
    assert work_of(dag, "/conv2") == 2 * 2 * 9 * 2 * 4 * 4 * 4  # two groups of two channels
    assert operands_of(dag, "/global") == {"/pooled", "/pooled2"}  # a concatenation is no vertex
    assert operands_of(dag, "/dense") == {"/global", "wd", "bd"}


@pytest.mark.parametrize(
    ("name", "flops"), [("resnet50", 8.2e9), ("vgg19", 39.3e9), ("squeezenet", 0.7e9)]
)
def test_published_networks_that_the_package_brings_along(name, flops):
    """Twice the multiply-adds that their authors state, and a little for what is no product."""
    dag = load(str(LIGHT / f"light_{name}.onnx"))
    assert dag.work.sum() == pytest.approx(flops, rel=0.02)
    tiled = load(f"{LIGHT / f'light_{name}.onnx'}:tile=1x8x8")
    assert tiled.work.sum() == dag.work.sum()
    assert tiled.words_of(tiled.outputs) == dag.words_of(dag.outputs)
    assert min_memory(tiled) < min_memory(dag) / 4


def test_parts_sum_to_the_whole_and_need_less_memory():
    graph = from_onnx(transformer_block(), {"batch": 2})
    full = tensor_dag(graph)
    for tile in (2, (1, 3), (2, 2, 2)):
        parts = tensor_dag(graph, tile=tile)
        assert parts.work.sum() == full.work.sum()
        assert parts.words_of(parts.inputs) == full.words_of(full.inputs)
        assert parts.sizes.sum() == full.sizes.sum()
        assert min_memory(parts) < min_memory(full)


def test_symbolic_dimensions_need_values():
    model = transformer_block()
    with pytest.raises(ImportedGraphError, match=r"^batch has no value; add batch=\.\.\.$"):
        from_onnx(model)
    with pytest.raises(ImportedGraphError, match=r"^there is no dimension n; batch$"):
        from_onnx(model, {"n": 3, "batch": 1})
    unnamed = transformer_block(batch=None)
    with pytest.raises(ImportedGraphError, match=r"^x\.0 has no value; add x\.0=\.\.\.$"):
        from_onnx(unnamed)
    assert tensor_dag(from_onnx(unnamed, {"x.0": 2})) == tensor_dag(from_onnx(model, {"batch": 2}))


def test_shapes_that_the_model_computes_are_folded():
    """A reshape to (batch, -1) by Shape, Gather and Concat, as exporters write it."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape zero", "first", axis=0),
        node("Unsqueeze", "first zeros", "list"),
        node("Concat", "list minus", "target", axis=0),
        node("Reshape", "x target", "flat"),
        node("MatMul", "flat w", "y"),
    ]
    numbers = {"zero": np.array(0), "zeros": np.array([0]), "minus": np.array([-1])}
    model = model_of(nodes, {"x": ["n", 2, 3]}, ["y"], draw(w=(6, 4)) | numbers)
    dag = tensor_dag(from_onnx(model, {"n": 5}))
    assert set(dag.labels) == {"x", "w", "/y"}
    assert words_of(dag, "/y") == 20


def test_an_operator_of_two_results_is_two_vertices_with_the_work_on_the_first():
    nodes = [node("TopK", "x k", "top places", axis=-1), node("Neg", "top", "y")]
    model = model_of(nodes, {"x": [4, 10]}, ["y"], {"k": np.array([3])})
    model.graph.output.append(onnx.helper.make_tensor_value_info("places", 7, None))
    dag = tensor_dag(from_onnx(model))
    pair = {"/top:top", "/top:places"}
    assert pair <= set(dag.labels)
    assert operands_of(dag, "/top:top") == operands_of(dag, "/top:places") == {"x"}
    assert (work_of(dag, "/top:top"), work_of(dag, "/top:places")) == (12, 0)


def test_an_operator_that_is_not_known_is_not_cut():
    nodes = [node("Relu", "x", "r"), node("LpNormalization", "r", "y", axis=0)]
    dag = tensor_dag(from_onnx(model_of(nodes, {"x": [4, 6]}, ["y"], {})), tile=2)
    assert operands_of(dag, "/y") == {"/r[0:2,0:6]", "/r[2:4,0:6]"}


def test_constant_arrays_are_parameters_and_single_constants_are_none():
    array = onnx.helper.make_tensor("w", FLOAT, [2, 2], [1.0, 2.0, 3.0, 4.0])
    nodes = [
        node("Constant", "", "w", value=array),
        node("Constant", "", "two", value=onnx.helper.make_tensor("t", FLOAT, [], [2.0])),
        node("MatMul", "x w", "product"),
        node("Mul", "product two", "y"),
    ]
    dag = tensor_dag(from_onnx(model_of(nodes, {"x": [3, 2]}, ["y"], {})))
    assert set(dag.labels) == {"x", "w", "/product", "/y"}


def test_words_are_elements_or_as_many_bytes_as_one_says():
    model = convolutional()
    graph = from_onnx(model)
    assert tensor_dag(graph).sizes.sum() == tensor_dag(graph, word=4).sizes.sum()
    assert words_of(tensor_dag(graph, word=8), "w1") == 54
    assert words_of(tensor_dag(graph, word=1), "w1") == 432


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (
            [node("NonZero", "x", "where"), node("Cast", "where", "y", to=1)],
            "NonZero /where: the shape of where depends on values",
        ),
        (
            [node("Fancy", "x", "y", domain="own")],
            "Fancy /y: the shape of y is not known",
        ),
    ],
)
def test_what_depends_on_values_is_refused(nodes, message):
    model = model_of(nodes, {"x": [4, 4]}, ["y"], {})
    model.opset_import.append(onnx.helper.make_opsetid("own", 1))
    with pytest.raises(ImportedGraphError, match=f"^{message}$"):
        from_onnx(model)


def test_a_loop_is_refused():
    body = onnx.helper.make_graph([], "body", [], [])
    nodes = [node("If", "c", "y", then_branch=body, else_branch=body)]
    with pytest.raises(ImportedGraphError, match=r"^If /y has a graph inside, which is not read$"):
        from_onnx(model_of(nodes, {"c": [1]}, ["y"], {}))


def test_what_is_no_model_is_refused(tmp_path):
    path = tmp_path / "a.onnx"
    for content in (b"", b"not a model", b"\x80\x04\x95"):
        path.write_bytes(content)
        with pytest.raises(FormatError, match=r"a\.onnx: is no ONNX model"):
            load(str(path))
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        load(str(tmp_path / "b.onnx"))


def test_damaged_models_are_read_or_refused(tmp_path):
    path = tmp_path / "a.onnx"
    full = convolutional().SerializeToString()
    rng = random.Random(0)
    for _ in range(150):
        damaged = bytearray(full)
        for _ in range(rng.choice([1, 2, 4])):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        with contextlib.suppress(RedBlueError):
            load(f"{path}:tile=2")


def test_too_little_memory_names_the_operator_and_what_it_holds():
    dag = tensor_dag(from_onnx(transformer_block(), {"batch": 2}))
    with pytest.raises(MemoryTooSmallError) as caught:
        require_memory(dag, 100)
    message = str(caught.value)
    assert message.startswith("100 words of fast memory are too few: the step '/qkv' needs 576 ")
    assert "'wqkv' of 192" in message
    assert "and its result of 288" in message
    assert caught.value.minimum == min_memory(dag)
