"""Results of elementwise operators that may take the place of an operand."""

import pytest

from dags import FormatError, InvalidSpecError, load
from dags.importers import from_onnx, tensor_dag
from dags.importers.spec import object_dag
from pebble import RULES, min_memory

onnx = pytest.importorskip("onnx")
from tests.command_line import run_redblue  # noqa: E402
from tests.test_dags.importers.onnx_samples import (  # noqa: E402
    convolutional,
    model_of,
    node,
    transformer_block,
)

SLIDING = RULES["one-shot-sliding"]


def marked(model, **options):
    """The names of the values that may be computed in place."""
    dag = object_dag(model, in_place="elementwise", **options)
    return {dag.labels[v] for v in dag.in_place.nonzero()[0].tolist()}


def test_elementwise_operators_of_a_network_work_in_place():
    assert marked(convolutional()) == {"/normed", "/active", "/sum"}


def test_softmax_and_products_of_a_transformer_do_not():
    names = marked(transformer_block(), sizes={"batch": 2})
    assert {"/scaled", "/middle"} <= names
    assert names.isdisjoint({"/scores", "/weights", "/mixed", "/qkv"})


@pytest.mark.parametrize(
    ("nodes", "inputs", "works"),
    [
        ([node("Relu", "x", "y")], {"x": [4, 6]}, True),
        ([node("Add", "x z", "y")], {"x": [4, 6], "z": [6]}, True),
        ([node("Add", "z x", "y")], {"x": [4, 6], "z": [4, 1]}, True),
        ([node("Add", "x z", "y")], {"x": [4, 1], "z": [1, 6]}, False),  # both are broadcast
        ([node("Softmax", "x", "y", axis=-1)], {"x": [4, 6]}, False),
        ([node("MatMul", "x z", "y")], {"x": [6, 6], "z": [6, 6]}, False),
        # its elements are not in the order of their tensor
        ([node("Transpose", "x", "t", perm=[1, 0]), node("Relu", "t", "y")], {"x": [4, 6]}, False),
        ([node("Transpose", "x", "t", perm=[1, 0]), node("Add", "x t", "y")], {"x": [6, 6]}, False),
        ([node("Flatten", "x", "t"), node("Relu", "t", "y")], {"x": [4, 6]}, True),
    ],
)
def test_an_operand_gives_its_place_that_has_the_elements_of_the_result_in_order(
    nodes, inputs, works
):
    assert marked(model_of(nodes, inputs, ["y"], {})) == ({"/y"} if works else set())


def test_parts_of_tensors_work_in_place_of_parts():
    plain = model_of([node("Relu", "x", "y")], {"x": [4, 6]}, ["y"], {})
    assert tensor_dag(from_onnx(plain), tile=2, in_place=True).in_place.sum() == 2
    # a row of x has as many words as z, which all rows read: rules tell operands apart by size
    square = model_of([node("Add", "x z", "y")], {"x": [6, 6], "z": [1, 6]}, ["y"], {})
    assert tensor_dag(from_onnx(square), tile=(2, 1), in_place=True).in_place.sum() == 2
    assert not tensor_dag(from_onnx(square), tile=(6, 1), in_place=True).in_place.any()


def test_a_small_network_needs_what_planners_of_arenas_need(shared):
    """Its values in place where elementwise, its pooling beside its operand: 1,469,952 bytes."""
    file = f"{shared / 'texts' / 'small_cnn.onnx'}"
    dag = load(f"{file}:in-place=elementwise")
    assert (min_memory(dag), min_memory(dag, rules=SLIDING)) == (692_736, 367_488)
    assert min_memory(load(file), rules=SLIDING) == 346_688
    spec = f"{file}:in-place=elementwise"
    assert "367,488 words" in run_redblue("plan", spec, "--rules", "one-shot-sliding").out
    placed = run_redblue(
        "plan", spec, "--rules", "one-shot-sliding", "--memory", "367488", "--addresses",
        "--time-limit", "3"
    )  # fmt: skip
    assert placed.code == 0
    assert "optimal" in placed.out


def test_the_option_has_one_value(tmp_path):
    onnx.save(convolutional(), tmp_path / "net.onnx")
    spec = f"{tmp_path / 'net.onnx'}:in-place="
    with pytest.raises(InvalidSpecError, match="in-place is elementwise, not 'all'"):
        load(f"{spec}all")
    with pytest.raises(InvalidSpecError, match="in-place is elementwise"):
        object_dag(convolutional(), in_place="yes")
    with pytest.raises((InvalidSpecError, FormatError)):
        load(f"{spec}elementwise,in-place=elementwise")
