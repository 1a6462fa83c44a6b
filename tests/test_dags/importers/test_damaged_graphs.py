"""Graphs of other tools with changed fields: each is read, or refused by an error of ours."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from dags import RedBlueError
from dags.importers import ImportedGraphError, from_fx, from_jaxpr, tensor_dag
from dags.importers.nests import nest_and_apart
from dags.programs.members import sizes_of
from tests.test_dags.importers.test_jaxprs import Literal, Var, equation, jaxpr_of
from tests.test_dags.importers.test_torch_graphs import attention_graph

SHAPES = [(), (4,), (4, 6), (6, 4), (1, 4), (0, 3), (2, 3, 4, 4), (4, 3, 1, 1)]
VALUES = [None, 0, -1, 5, (0,), (1, 0), (0, 0), (9,), [], "x", ((0, 0), (1, 1)), 2**62, 1.5]
SPECS = SimpleNamespace(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3))
PRIMITIVES = {
    "add": {},
    "transpose": {"permutation": (1, 0)},
    "dot_general": {"dimension_numbers": (([1], [0]), ([], []))},
    "reshape": {"dimensions": None},
    "broadcast_in_dim": {"shape": (4, 6), "broadcast_dimensions": (0, 1)},
    "slice": {"start_indices": (0, 0), "limit_indices": (2, 3), "strides": None},
    "pad": {"padding_config": ((0, 0, 0), (1, 1, 0))},
    "reduce_sum": {"axes": (0,)},
    "cumsum": {"axis": 0},
    "sort": {"dimension": 0},
    "concatenate": {"dimension": 0},
    "split": {"axis": 0},
    "rev": {"dimensions": (0,)},
    "convert_element_type": {},
    "conv_general_dilated": {
        "window_strides": (1, 1),
        "padding": ((0, 0), (0, 0)),
        "lhs_dilation": (1, 1),
        "rhs_dilation": (1, 1),
        "dimension_numbers": SPECS,
        "feature_group_count": 1,
        "batch_group_count": 1,
    },
}


def require_ours(read):
    """What is read is laid out whole, in parts and as a nest, or refused by errors of ours."""
    try:
        graph = read()
    except RedBlueError:
        return False
    for lay in (
        lambda: tensor_dag(graph),
        lambda: tensor_dag(graph, tile=2),
        lambda: sizes_of(nest_and_apart(graph)[0]),
    ):
        try:
            lay()
        except RedBlueError:
            continue
    return True


def drawn_jaxpr(rng):
    def var():
        return Var(rng.choice(SHAPES), np.dtype(rng.choice([np.float32, np.float16, np.int32])))

    arguments = [var() for _ in range(rng.randint(1, 3))]
    pool, equations = [*arguments, Literal(())], []
    for _ in range(rng.randint(1, 4)):
        name = rng.choice([*PRIMITIVES])
        params = dict(PRIMITIVES[name])
        for key in rng.sample([*params], min(len(params), rng.randint(0, 1))):
            params[key] = rng.choice(VALUES)
            if rng.random() < 0.2:
                del params[key]
        built = [var() for _ in range(rng.choice([1, 1, 1, 2, 0]))]
        operands = [rng.choice(pool) for _ in range(rng.choice([1, 1, 2, 2, 0, 3]))]
        equations.append(equation(name, operands, built, **params))
        pool += built
    return jaxpr_of(arguments, equations, [rng.choice(pool) for _ in range(2)])


def test_jaxprs():
    rng = random.Random(5)
    read = sum(require_ours(lambda: from_jaxpr(drawn_jaxpr(rng))) for _ in range(300))
    assert read > 30
    x = Var((4, 6))
    turned = jaxpr_of([x], [equation("transpose", [x], [Var((6, 4))])], [x])
    with pytest.raises(ImportedGraphError, match=r"^transpose cannot be read: there is no 'perm"):
        from_jaxpr(turned)


def test_graphs_of_fx():
    rng = random.Random(6)
    read = 0
    for _ in range(200):
        graph = attention_graph()
        for node in rng.sample([*graph.nodes], 2):
            field = rng.choice(["args", "kwargs", "meta", "target", "op"])
            new = rng.choice([(), (None,), (0, "x"), {}, {"dim": 9}, "aten.split.Tensor", None])
            setattr(node, field, new)
        read += require_ours(lambda graph=graph: from_fx(graph))
    assert read > 3


def test_models_of_onnx():
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    from dags.importers import from_onnx
    from tests.test_dags.importers.onnx_samples import convolutional, transformer_block

    rng = random.Random(7)
    numbers = [0, -1, 1, 2, 7, 100, 2**31, 2**62, -(2**63)]
    seeds = [transformer_block(batch=1), convolutional(batch=1)]
    read = 0
    for _ in range(250):
        model = onnx.ModelProto()
        model.CopyFrom(rng.choice(seeds))
        node = rng.choice(model.graph.node)
        change = rng.randrange(6)
        if change == 0 and node.attribute:
            attribute = rng.choice(node.attribute)
            if attribute.ints:
                attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice(numbers)
            else:
                attribute.i = rng.choice(numbers)
        elif change == 1 and node.input:
            remaining = [name for entry in model.graph.node for name in entry.output]
            node.input[rng.randrange(len(node.input))] = rng.choice([*remaining, "", "nobody"])
        elif change == 2:
            node.output[0] = rng.choice([*node.input, ""])
        elif change == 3:
            tensor = rng.choice(model.graph.initializer)
            tensor.data_type = rng.choice([1, 7, 10, 11, 1000000])
        elif change == 4:
            tensor = rng.choice(model.graph.initializer)
            tensor.dims[:] = [rng.choice(numbers) for _ in range(rng.randint(0, 3))]
        else:
            node.op_type = rng.choice(["Split", "Gemm", "Conv", "Concat", "Pad", "Einsum", "What"])
        read += require_ours(lambda model=model: from_onnx(model))
    assert read > 30


def test_what_does_not_fit_is_named():
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    from dags.importers import from_onnx
    from tests.test_dags.importers.onnx_samples import model_of, node

    nodes = [node("Relu", "x", "y")]
    model = model_of(nodes, {"x": (3, 3)}, ["y"], {"w": np.zeros((2, 2), np.int64)})
    model.graph.initializer[0].dims[0] = 3
    with pytest.raises(ImportedGraphError, match=r"^the initialiser w cannot be read: "):
        from_onnx(model)
    del model.graph.initializer[:]
    model.graph.input[0].type.tensor_type.elem_type = 77
    with pytest.raises(ImportedGraphError, match=r"^x has elements of type 77, which ONNX has not"):
        from_onnx(model)
    del nodes[0].output[:]
    with pytest.raises(ImportedGraphError, match=r"^the node Relu /y has no result"):
        from_onnx(model_of(nodes, {"x": (3, 3)}, [], {}))
    assert onnx.ModelProto  # the samples are made by it
