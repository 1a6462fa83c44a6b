"""Small ONNX models: a transformer block and a convolutional network."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
TOKENS, WIDTH, HEADS, HIDDEN = 6, 8, 2, 12


def model_of(nodes, inputs, outputs, weights, name="sample", opset=17):
    """A checked model; weights are arrays by name."""
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(key, FLOAT, shape) for key, shape in inputs.items()],
        [helper.make_tensor_value_info(key, FLOAT, None) for key in outputs],
        [numpy_helper.from_array(value, key) for key, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def node(kind, inputs, outputs, **attributes):
    """A node that is called like its first result."""
    names = outputs.split()
    return helper.make_node(kind, inputs.split(), names, name=f"/{names[0]}", **attributes)


def draw(seed=0, **shapes):
    """Weights by name."""
    rng = np.random.default_rng(seed)
    return {key: rng.normal(size=shape).astype(np.float32) for key, shape in shapes.items()}


def transformer_block(batch="batch"):
    """Pre-norm attention and a feed-forward layer, with one symbolic dimension."""
    entry = WIDTH // HEADS
    nodes = [
        node("LayerNormalization", "x g1 b1", "normed", axis=-1),
        node("MatMul", "normed wqkv", "qkv"),
        node("Split", "qkv", "q k v", axis=2),
        *(node("Reshape", f"{name} heads", f"{name}h") for name in "qkv"),
        *(node("Transpose", f"{name}h", f"{name}t", perm=[0, 2, 1, 3]) for name in "qv"),
        node("Transpose", "kh", "kt", perm=[0, 2, 3, 1]),
        node("MatMul", "qt kt", "scores"),
        node("Constant", "", "scale", value=helper.make_tensor("s", FLOAT, [], [entry**0.5])),
        node("Div", "scores scale", "scaled"),
        node("Softmax", "scaled", "weights", axis=-1),
        node("MatMul", "weights vt", "mixed"),
        node("Transpose", "mixed", "mixed_t", perm=[0, 2, 1, 3]),
        node("Reshape", "mixed_t joined", "flat"),
        node("MatMul", "flat wo", "projected"),
        node("Add", "x projected", "middle"),
        node("LayerNormalization", "middle g2 b2", "normed2", axis=-1),
        node("MatMul", "normed2 w1", "wide"),
        node("Add", "wide bias1", "wide_biased"),
        node("Relu", "wide_biased", "active"),
        node("MatMul", "active w2", "narrow"),
        node("Add", "middle narrow", "y"),
    ]
    weights = draw(
        g1=WIDTH,
        b1=WIDTH,
        wqkv=(WIDTH, 3 * WIDTH),
        wo=(WIDTH, WIDTH),
        g2=WIDTH,
        b2=WIDTH,
        w1=(WIDTH, HIDDEN),
        bias1=HIDDEN,
        w2=(HIDDEN, WIDTH),
    )
    weights |= {"heads": np.array([0, 0, HEADS, entry]), "joined": np.array([0, 0, WIDTH])}
    return model_of(nodes, {"x": [batch, TOKENS, WIDTH]}, ["y"], weights, "block", opset=17)


def convolutional(batch=2):
    """Strided, padded and grouped convolutions, pooling, a dense layer and softmax."""
    nodes = [
        node("Conv", "x w1 c1", "conv1", strides=[2, 2], pads=[1, 1, 1, 1]),
        node("BatchNormalization", "conv1 g b m v", "normed"),
        node("Relu", "normed", "active"),
        node("Conv", "active w2", "conv2", group=2, dilations=[2, 2], pads=[2, 2, 2, 2]),
        node("Add", "active conv2", "sum"),
        node("AveragePool", "sum", "pooled", kernel_shape=[2, 2], strides=[2, 2]),
        node("Concat", "pooled pooled2", "joined", axis=1),
        node("MaxPool", "sum", "pooled2", kernel_shape=[2, 2], strides=[2, 2]),
        node("GlobalAveragePool", "joined", "global"),
        node("Flatten", "global", "flat"),
        node("Gemm", "flat wd bd", "dense", transB=1),
        node("Softmax", "dense", "y", axis=-1),
    ]
    nodes[6], nodes[7] = nodes[7], nodes[6]
    weights = draw(
        w1=(4, 3, 3, 3),
        c1=4,
        g=4,
        b=4,
        m=4,
        w2=(4, 2, 3, 3),
        wd=(5, 8),
        bd=5,
    )
    weights["v"] = np.linspace(1, 2, 4, dtype=np.float32)
    return model_of(nodes, {"x": [batch, 3, 8, 8]}, ["y"], weights, "convolutional")
