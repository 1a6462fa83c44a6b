"""Parts of ONNX's operators need what they read, by ONNX's own reference."""

import numpy as np
import pytest

from dags.importers import from_onnx, tensor_dag
from tests.test_dags.importers.part_checks import check_operator

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from tests.test_dags.importers.onnx_samples import model_of, node  # noqa: E402


def case(kind, *shapes, constants=None, later=None, opset=17, **attributes):
    """An operator on inputs a, b, c of these shapes and on constants; `then` is another's name."""
    names = " ".join(["a", "b", "c", "d", "e"][: len(shapes)] + list(constants or {}))
    nodes = [node(kind, names, "middle" if later else "y", **attributes)]
    nodes += [node(later, "middle", "y")] if later else []
    arrays = {key: np.array(value) for key, value in (constants or {}).items()}
    inputs = dict(zip("abcde", map(list, shapes), strict=False))
    return model_of(nodes, inputs, ["y"], arrays, opset=opset)


CASES = {
    "add": case("Add", (4, 6), (6,)),
    "where": case("Sum", (4, 1), (1, 5), (4, 5)),
    "gemm": case("Gemm", (6, 4), (5, 6), (5,), transA=1, transB=1),
    "matmul": case("MatMul", (2, 3, 4, 6), (3, 6, 5)),
    "vector": case("MatMul", (4, 6), (6,)),
    "einsum": case("Einsum", (2, 4, 3), (3, 5), equation="bik, kj -> bij"),
    "trace": case("Einsum", (4, 3), (5, 3), equation="ik,jk"),
    "softmax": case("Softmax", (4, 6), axis=0),
    "old softmax": case("Softmax", (4, 3, 2), axis=1, opset=11),
    "layer norm": case("LayerNormalization", (2, 4, 6), (4, 6), axis=1),
    "instance norm": case("InstanceNormalization", (2, 4, 3, 3), (4,), (4,)),
    "reduce": case("ReduceMean", (4, 6, 3), axes=[1], keepdims=0),
    "sums": case("ReduceSum", (4, 6, 3), constants={"axes": [0, 2]}),
    "cumulative": case("CumSum", (4, 5), constants={"axis": 1}),
    "convolution": case(
        "Conv",
        (2, 3, 7, 8),
        (4, 3, 3, 2),
        (4,),
        strides=[2, 1],
        pads=[1, 2, 0, 1],
        dilations=[1, 2],
    ),
    "same": case("Conv", (1, 2, 6, 5), (3, 2, 3, 2), auto_pad="SAME_UPPER", strides=[2, 2]),
    "groups": case("Conv", (1, 4, 5, 5), (6, 2, 3, 3), group=2),
    "pool": case("AveragePool", (1, 3, 7, 5), kernel_shape=[3, 2], strides=[2, 1]),
    "global": case("GlobalAveragePool", (2, 3, 4, 4)),
    "batch norm": case("BatchNormalization", (2, 3, 4), (3,), (3,), (3,), (3,)),
    "slice": case(
        "Slice",
        (5, 6),
        constants={"starts": [4, 1], "ends": [-9, 9], "axes": [0, 1], "steps": [-2, 2]},
        later="Neg",
    ),
    "gather": case("Gather", (5, 6), constants={"places": [[0, 4], [2, 2]]}, axis=1, later="Neg"),
    "expand": case("Expand", (4, 1), constants={"shape": [2, 4, 3]}, later="Neg"),
    "tile": case("Tile", (2, 3), constants={"repeats": [2, 2]}, later="Neg"),
    "pad": case("Pad", (3, 4), constants={"pads": [1, 0, 0, 2]}, later="Neg"),
    "concat": case("Concat", (3, 4), (2, 4), axis=-2, later="Neg"),
    "transpose": case("Transpose", (3, 4, 2), later="Neg"),
    "reshape": case("Reshape", (4, 6), constants={"shape": [0, 2, -1]}, later="Neg"),
}


@pytest.mark.parametrize("name", CASES)
def test_parts(name):
    model = CASES[name]
    evaluator = ReferenceEvaluator(model)
    graph = from_onnx(model)
    rng = np.random.default_rng(0)
    arrays = {
        key: rng.uniform(0.5, 1.5, graph.shapes[key]).astype(np.float32) for key in graph.inputs
    }

    def compute(**inputs):
        with np.errstate(all="ignore"):
            return evaluator.run(None, inputs)[0]

    for tile in (None, 2, (2, 2), (1, 3, 2)):
        check_operator(tensor_dag(graph, tile=tile), arrays, compute)
