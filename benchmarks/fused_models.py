"""Fused plans of a transformer block and of a residual block, beside operators by themselves.

    python benchmarks/fused_models.py [block] [residual]

The models are made by the package onnx, at true sizes: GPT-2's block (1,024 tokens, width 768, 12
heads), and a residual block of ResNet-18 (64 channels of 56 x 56). A word is an element. *alone*
is each assignment with tiles of its own, everything else in slow memory; *fused* the best groups
that are found; *proved* what every play moves.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from dags import Computation
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.parts import part_of
from schedulers.tilings.search import best_tilings

TOKENS, WIDTH, HEADS, HIDDEN = 1024, 768, 12, 3072
CHANNELS, SIDE = 64, 56
MEMORIES = {"block": (30_000, 500_000, 2_000_000), "residual": (2_000, 30_000, 250_000)}


def node(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def model(nodes, inputs, weights, constants):
    floats = TensorProto.FLOAT
    arrays = {name: np.zeros(shape, np.float32) for name, shape in weights.items()} | constants
    initial = [onnx.numpy_helper.from_array(array, name) for name, array in arrays.items()]
    arguments = [
        helper.make_tensor_value_info(name, floats, shape) for name, shape in inputs.items()
    ]
    built = [helper.make_tensor_value_info("y", floats, None)]
    graph = helper.make_graph(nodes, "model", arguments, built, initial)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])


def transformer_block():
    nodes = [
        node("LayerNormalization", "x g1 b1", "normed", axis=-1),
        node("MatMul", "normed wqkv", "qkv0"),
        node("Add", "qkv0 bqkv", "qkv"),
        node("Split", "qkv", "q k v", axis=2, num_outputs=3),
        *(node("Reshape", f"{name} heads", f"{name}h") for name in "qkv"),
        *(node("Transpose", f"{name}h", f"{name}t", perm=[0, 2, 1, 3]) for name in "qv"),
        node("Transpose", "kh", "kt", perm=[0, 2, 3, 1]),
        node("MatMul", "qt kt", "scores"),
        node("Div", "scores scale", "scaled"),
        node("Softmax", "scaled", "weights", axis=-1),
        node("MatMul", "weights vt", "mixed"),
        node("Transpose", "mixed", "mixed_t", perm=[0, 2, 1, 3]),
        node("Reshape", "mixed_t joined", "flat"),
        node("MatMul", "flat wo", "projected0"),
        node("Add", "projected0 bo", "projected"),
        node("Add", "x projected", "middle"),
        node("LayerNormalization", "middle g2 b2", "normed2", axis=-1),
        node("MatMul", "normed2 w1", "wide0"),
        node("Add", "wide0 bias1", "wide"),
        node("Gelu", "wide", "active"),
        node("MatMul", "active w2", "narrow0"),
        node("Add", "narrow0 bias2", "narrow"),
        node("Add", "middle narrow", "y"),
    ]
    vectors = dict.fromkeys(("g1", "b1", "bo", "g2", "b2", "bias2"), (WIDTH,))
    weights = vectors | {
        "wqkv": (WIDTH, 3 * WIDTH),
        "bqkv": (3 * WIDTH,),
        "wo": (WIDTH, WIDTH),
        "w1": (WIDTH, HIDDEN),
        "bias1": (HIDDEN,),
        "w2": (HIDDEN, WIDTH),
    }
    constants = {
        "heads": np.array([0, 0, HEADS, WIDTH // HEADS]),
        "joined": np.array([0, 0, WIDTH]),
        "scale": np.array((WIDTH // HEADS) ** 0.5, np.float32),
    }
    return model(nodes, {"x": [1, TOKENS, WIDTH]}, weights, constants)


def residual_block():
    names = ("scale", "shift", "mean", "var")
    nodes = [
        node("Conv", "x w1", "conv1", pads=[1, 1, 1, 1]),
        node("BatchNormalization", "conv1 " + " ".join(f"{entry}1" for entry in names), "norm1"),
        node("Relu", "norm1", "active"),
        node("Conv", "active w2", "conv2", pads=[1, 1, 1, 1]),
        node("BatchNormalization", "conv2 " + " ".join(f"{entry}2" for entry in names), "norm2"),
        node("Add", "x norm2", "sum"),
        node("Relu", "sum", "y"),
    ]
    weights = dict.fromkeys(("w1", "w2"), (CHANNELS, CHANNELS, 3, 3))
    weights |= {f"{name}{place}": (CHANNELS,) for name in names for place in (1, 2)}
    return model(nodes, {"x": [1, CHANNELS, SIDE, SIDE]}, weights, {})


def nest_of(built):
    """The loops of a model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(built, path)
        return Computation(str(path)).nest


def rows(name, built):
    nest = nest_of(built)
    for memory in MEMORIES[name]:
        began = time.thread_time()
        fused = min(play.io for play in best_tilings(nest, [memory]) if play.moved.words <= memory)
        seconds = time.thread_time() - began
        single = sum(
            min(
                play.io
                for play in best_tilings(part_of(nest, [assignment.name]), [memory])
                if play.moved.words <= memory
            )
            for assignment in nest.assignments
        )
        bound = nest_bound(nest, memory)
        check(nest, memory, bound)
        yield name, memory, single, fused, bound.io, fused / bound.io, seconds


if __name__ == "__main__":
    sys.stdout.write("| model | M | alone | fused | proved | fused / proved | CPU s |\n")
    sys.stdout.write("|---|---|---|---|---|---|---|\n")
    models = {"block": transformer_block, "residual": residual_block}
    for chosen in sys.argv[1:] or models:
        for model_name, *numbers, ratio, seconds in rows(chosen, models[chosen]()):
            said = " | ".join(f"{number:,}" for number in numbers)
            sys.stdout.write(f"| {model_name} | {said} | {ratio:.2f} | {seconds:.1f} |\n")
            sys.stdout.flush()
