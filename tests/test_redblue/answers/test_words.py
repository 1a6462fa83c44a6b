"""Sizes in bytes, of the words that a computation's own values have."""

import json

import numpy as np
import pytest

import redblue as rb
from dags.importers import TensorGraph, TensorOperator, save_graph
from redblue.answers.words import own_word, word_sentence
from tests.command_line import run_redblue

SHAPES = {"x": (400,), "w": (400,), "m": (30,), "y": (400,), "z": (400,)}


def graph(itemsize: dict[str, int]) -> TensorGraph:
    """Return y = x w and z = f(y, m), whose mask m is small."""
    steps = (
        TensorOperator("mul", "Mul", ("x", "w"), ("y",), 400),
        TensorOperator("where", "Where", ("y", "m"), ("z",), 400),
    )
    return TensorGraph("net", SHAPES, ("x", "w", "m"), steps, ("z",), itemsize)


SINGLE = {"x": 4, "w": 4, "m": 1, "y": 4, "z": 4}
DOUBLE = {name: 2 * size for name, size in SINGLE.items()}


@pytest.mark.parametrize(("itemsize", "word"), [(SINGLE, 4), (DOUBLE, 8), ({}, None)])
def test_a_graph_of_tensors_knows_its_word(tmp_path, itemsize, word):
    file = tmp_path / "net.json"
    save_graph(graph(itemsize), file)
    assert own_word(file) == own_word(str(file)) == own_word(graph(itemsize)) == word
    assert own_word(f"{file}:word=2") == 2
    dag = rb.load(file)
    mask = 30 if word is None else 30 * (word // 4) // word + 1
    assert sorted(dag.sizes.tolist()) == [mask, 400, 400, 400, 400]
    assert own_word("fft:n=8") is own_word(dag) is None
    assert own_word("a.graphml", "bytes") == 1


@pytest.mark.parametrize("command", ["solve", "plan", "curve", "bound", "compare", "levels"])
def test_bytes_are_those_of_the_graphs_elements(tmp_path, command):
    file = tmp_path / "net.json"
    save_graph(graph(SINGLE), file)
    ending = run_redblue(command, file, "--memory", "8KB", "--json")
    assert "a word is 4 bytes, as its values have; KB is 1,000 bytes (KiB, as" in ending.err
    told = json.loads(ending.out)
    assert 2000 in set(numbers_in(told))
    assert 1000 not in set(numbers_in(told))
    ending = run_redblue(command, file, "--memory", "8KiB", "--word-bytes", 2, "--json")
    assert "a word is 2 bytes, as --word-bytes says; KiB is 1,024 bytes" in ending.err
    assert 4096 in set(numbers_in(json.loads(ending.out)))
    assert "a word is" not in run_redblue(command, file, "--memory", "2000", "--json").err


def numbers_in(told: object) -> list[int]:
    """Return all whole numbers in JSON."""
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list):
        return [number for each in told for number in numbers_in(each)]
    return [told] if isinstance(told, int) else []


def test_functions_take_the_same_words(tmp_path):
    file = tmp_path / "net.json"
    save_graph(graph(SINGLE), file)
    for source in (file, graph(SINGLE)):
        assert rb.bound(source, "8KB").memory == 2000
        assert rb.plan(source, memory="8KB", effort="quick").choice.memory == 2000
        assert rb.io_curve(source, "8KB").memories == (2000,)
    assert rb.bound("fft:n=8", "64B").memory == 8


def test_a_comparison_has_one_word(tmp_path):
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file, itemsize in zip(files, (SINGLE, DOUBLE), strict=True):
        save_graph(graph(itemsize), file)
    ending = run_redblue("curve", "--compare", *files, "--memory", "16KB")
    assert (ending.code, ending.sentence) == (2, "words of 4 and 8 bytes: say --word-bytes")
    assert (
        run_redblue("curve", "--compare", *files, "--memory", "16KB", "--word-bytes", 4).code == 0
    )


def test_too_little_is_told_in_the_same_bytes(tmp_path):
    file = tmp_path / "net.json"
    save_graph(graph(SINGLE), file)
    ending = run_redblue("solve", file, "--memory", "1KB")
    assert ending.code == 2
    assert "4,800 bytes" in ending.sentence


def test_units_are_told_once_each():
    said = word_sentence(8, "by default", "1KB", "4KB", "1MiB", "64B")
    assert said.startswith("a word is 8 bytes, by default; KB is 1,000 bytes (KiB")
    assert said.count("KB is") == 1
    assert said.endswith("; MiB is 1,048,576 bytes")
    assert (
        word_sentence(1, "as --word-bytes says", "9B") == "a word is 1 byte, as --word-bytes says"
    )


def test_dtypes_of_onnx_and_numpy_agree():
    onnx = pytest.importorskip("onnx")
    made = {}
    for kind in (np.float32, np.float64, np.float16):
        of = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind))
        sides = [onnx.helper.make_tensor_value_info(name, of, [8]) for name in "xy"]
        node = onnx.helper.make_node("Relu", ["x"], ["y"])
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "g", sides[:1], sides[1:]))
        made[own_word(model)] = np.dtype(kind).itemsize
    assert made == {4: 4, 8: 8, 2: 2}
