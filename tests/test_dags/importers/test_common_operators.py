"""Operators that stand in one row of the vocabulary are read by every tool."""

from types import SimpleNamespace

import pytest
from onnx import TensorProto, helper

from dags.importers import from_fx, from_jaxpr, from_onnx, jax_primitives, rules
from dags.importers.rules import COMMON, pointwise
from tests.test_dags.importers.onnx_samples import model_of, node
from tests.test_dags.importers.test_jaxprs import Var, equation, jaxpr_of
from tests.test_dags.importers.test_torch_graphs import aten, call

SHAPES, RESULT = [(4, 6), (1, 6)], (4, 6)


def of_onnx(name):
    kind = name.title().replace("_", "")
    inputs = dict(zip("ab", SHAPES, strict=True))
    model = model_of([node(kind, "a b", "c")], inputs, [], {})
    model.graph.output.append(helper.make_tensor_value_info("c", TensorProto.FLOAT, RESULT))
    return from_onnx(model)


def of_torch(name):
    arguments = [call(x, x, shape=s, op="placeholder") for x, s in zip("ab", SHAPES, strict=True)]
    built = call("c", aten(f"{name}.Tensor"), *arguments, shape=RESULT)
    last = call("out", "output", (built,), shape=None, op="output")
    return from_fx(SimpleNamespace(graph=SimpleNamespace(nodes=[*arguments, built, last])))


def of_jax(name):
    arguments, built = [Var(shape) for shape in SHAPES], [Var(RESULT)]
    return from_jaxpr(jaxpr_of(arguments, [equation(name, arguments, built)], built))


TOOLS = {"onnx": of_onnx, "torch": of_torch, "jax": of_jax}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("name", rules.POINTWISE.split())
def test_pointwise_operators_of_one_row_are_read_by_every_tool(tool, name):
    (step,) = TOOLS[tool](name).steps
    rule = pointwise(SHAPES, RESULT)
    assert (step.reads, step.work, step.passes) == (rule.reads, rule.work, rule.passes)


def test_rows_of_a_tool_come_before_those_of_all():
    """Max of ONNX and JAX has two operands; of PyTorch, it is that of an axis."""
    assert not {"max", "min", "sum", "mean"} & {*rules.POINTWISE.split()}
    assert set(rules.table({})) <= set(jax_primitives.RULES)
    second = (rules.lookup, rules.no_attributes)
    assert rules.table({"Exp": second})["exp"] is second
    assert all(len(names.split()) == len({*names.split()}) for names in COMMON)
