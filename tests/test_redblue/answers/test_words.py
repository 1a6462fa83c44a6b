"""Sizes in bytes, of the words that a computation's own values have."""

import json

import networkx as nx
import numpy as np
import pytest

import redblue as rb
from dags.importers import TensorGraph, TensorOperator, save_graph
from dags.programs.element_types import bytes_of
from redblue.answers.words import Word, own_word, word_sentence
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
    dag = rb.load(file).dag
    mask = 30 if word is None else 30 * (word // 4) // word + 1
    assert sorted(dag.sizes.tolist()) == [mask, 400, 400, 400, 400]
    assert own_word(dag) == word
    assert own_word(rb.load("fft:n=8")) is own_word("fft:n=8") is None
    assert own_word("a.graphml", "bytes") == 1


@pytest.mark.parametrize("command", ["solve", "plan", "curve", "bound", "compare", "levels"])
def test_bytes_are_those_of_the_graphs_elements(tmp_path, command):
    file = tmp_path / "net.json"
    save_graph(graph(SINGLE), file)
    ending = run_redblue(command, file, "--memory", "8KB", "--json")
    assert "a word is 4 bytes, as its values have; KB is 1,000 bytes (sizes of caches" in ending.err
    assert ending.err.count("a word is") == 1
    record = json.loads(ending.out)
    assert 2000 in set(numbers_in(record))
    assert 1000 not in set(numbers_in(record))
    ending = run_redblue(command, f"{file}:word=2", "--memory", "8KiB", "--json")
    assert "a word is 2 bytes, as word=2 says; KiB is 1,024 bytes" in ending.err
    assert 4096 in set(numbers_in(json.loads(ending.out)))
    old = run_redblue(command, file, "--memory", "8KiB", "--word-bytes", 2, "--json")
    assert (
        "note: '--word-bytes' is 'word=N' at the end of SPEC now; the old name will go" in old.err
    )
    assert 4096 in set(numbers_in(json.loads(old.out)))
    assert "a word is" not in run_redblue(command, file, "--memory", "2000", "--json").err


def numbers_in(printed: object) -> list[int]:
    """All whole numbers in JSON."""
    if isinstance(printed, dict):
        printed = list(printed.values())
    if isinstance(printed, list):
        return [number for entry in printed for number in numbers_in(entry)]
    return [printed] if isinstance(printed, int) else []


def test_functions_take_the_same_words(tmp_path):
    file = tmp_path / "net.json"
    save_graph(graph(SINGLE), file)
    for source in (file, graph(SINGLE)):
        assert rb.bound(source, "8KB").memory == 2000
        assert rb.plan(source, memory="8KB", effort="quick").choice.memory == 2000
        assert rb.io_curve(source, "8KB").memories == (2000,)
    assert rb.bound(rb.load(file), "8KB").memory == 2000
    assert rb.levels(file, "8KB").memories == (2000,)
    assert rb.bound("fft:n=8", "64B").memory == 8
    assert rb.bound("fft:n=8,word=4", "64B").memory == 16


def test_a_comparison_has_one_word(tmp_path):
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file, itemsize in zip(files, (SINGLE, DOUBLE), strict=True):
        save_graph(graph(itemsize), file)
    ending = run_redblue("curve", "--compare", *files, "--memory", "16KB")
    message = "words of 4 and 8 bytes: say word=N at the end of each SPEC"
    assert (ending.code, ending.sentence) == (2, message)
    comparison = rb.compare(files, "16KB")  # each in its own words
    assert {memory for curve in comparison.curves for memory in curve.memories} == {2000, 4000}
    equal = [f"{file}:word=4" for file in files]
    assert run_redblue("curve", "--compare", *equal, "--memory", "16KB").code == 0


def test_too_little_is_told_in_the_same_bytes(tmp_path):
    file = tmp_path / "net.json"
    save_graph(graph(SINGLE), file)
    ending = run_redblue("solve", file, "--memory", "1KB")
    assert ending.code == 2
    assert "4,800 bytes" in ending.sentence


def test_units_are_told_in_one_sentence():
    message = word_sentence(Word(), "1KB", "4KB", "64B")
    assert message.startswith(
        "a word is 8 bytes, by default (word=N at the end of SPEC); KB is 1,000"
    )
    assert message.endswith("bytes (sizes of caches are mostly in KiB, 1,024)")
    message = word_sentence(Word(1, "as word=1 says"), "1KB,1MiB,1GB", "1TB")
    assert message == (
        "a word is 1 byte, as word=1 says; KB, GB, TB are powers of 1,000 (sizes of caches are "
        "mostly in KiB, GiB, TiB, powers of 1,024); MiB is 1,048,576 bytes"
    )
    assert word_sentence(Word(1, "as word=1 says"), "9B") == "a word is 1 byte, as word=1 says"


TEXT = "void f(int n, {0} a[n], {1} b[n]) {{ for (int i = 0; i < n; i++) a[i] = a[i] + b[i]; }}"


@pytest.mark.parametrize(
    ("types", "word", "why"),
    [
        (("float", "float"), 4, "a word is 4 bytes, as float has"),
        (("double", "double"), 8, "a word is 8 bytes, as double has"),
        (("const float", "float"), 4, "as float has"),
        (("unsigned char", "char"), 1, "a word is 1 byte"),
        (("float", "double"), 4, "the smallest element (float 4, double 8): each element counts"),
    ],
)
def test_the_types_of_a_text_give_the_word(tmp_path, types, word, why):
    file = tmp_path / "f.c"
    file.write_text(TEXT.format(*types))
    spec = f"{file}:n=8"
    assert rb.bound(spec, "48KiB").memory == rb.plan(spec, memory="48KiB").choice.memory
    for source in (spec, rb.load(spec)):
        assert rb.bound(source, "48KiB").memory == 48 * 1024 // word
    for command in ("bound", "solve", "plan", "curve", "levels"):
        for extra in ((), ("--counted",)) if command not in ("solve",) else ((),):
            ending = run_redblue(command, spec, "--memory", "48KiB", *extra, "--json")
            assert why in ending.err
            assert 48 * 1024 // word in set(numbers_in(json.loads(ending.out))), (command, extra)
    output = run_redblue("bound", f"{spec},word=2", "--memory", "48KiB", "--json")
    assert 24576 in set(numbers_in(json.loads(output.out)))


def test_emitted_code_has_the_words_of_its_text(tmp_path):
    file = tmp_path / "f.c"
    file.write_text(TEXT.format("float", "float"))
    ask = ("emit", f"{file}:n=8", "--effort", 0, "--json")
    ending = run_redblue(*ask, "--memory", "64B")
    record = json.loads(ending.out)
    assert (record["memory"], record["word_bytes"]) == (16, 4)
    assert "a word is 4 bytes, as float has" in ending.err
    assert rb.emit(f"{file}:n=8", "64B", effort=0, work=1).memory == 16
    lines = run_redblue(*ask, "--memory", "64B", "--straight")
    assert json.loads(lines.out)["memory"] == 16


@pytest.mark.parametrize(
    ("type_", "size"),
    [
        ("float", 4),
        ("int long", 8),
        ("long unsigned", 8),
        ("double long", 16),
        ("_Complex float", 8),
        ("__fp16", 2),
        ("DATA_TYPE", 8),
        ("real_t", None),
        ("", None),
    ],
)
def test_bytes_of_types(type_, size):
    assert bytes_of(type_) == size


def training(tmp_path, column, suffix=".graphml"):
    """Write x -> y -> z with sizes and times in columns; return the file."""
    graph = nx.DiGraph([("x", "y"), ("y", "z"), ("x", "z")])
    nx.set_node_attributes(graph, {"x": 4000, "y": 8000, "z": 4000}, column)
    nx.set_node_attributes(graph, {"y": 12, "z": 5}, "time_us")
    file = tmp_path / f"train{suffix}"
    if suffix == ".graphml":
        nx.write_graphml_xml(graph, file)
    else:
        file.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    return file


@pytest.mark.parametrize("suffix", [".graphml", ".json"])
def test_a_column_of_bytes_makes_a_word_a_byte(tmp_path, suffix):
    file = training(tmp_path, "size_bytes", suffix)
    spec = f"{file}:words=size_bytes,work=time_us"
    ending = run_redblue("solve", spec, "--memory", "16KB")
    assert ending.code == 0
    assert ending.err.splitlines()[0].startswith("note: a word is 1 byte, as words=size_bytes")
    assert "8,000 bytes of I/O" in ending.out
    assert "with 16,000 bytes of fast memory" in ending.out
    assert "word" not in ending.out.replace("words=size_bytes", "")
    assert rb.bound(spec, "16KB").memory == rb.bound(rb.load(spec), "16KB").memory == 16000
    assert rb.load(spec).dag.work.tolist() == [0, 12, 5]
    message = str(rb.plan(rb.load(spec), memory="16KB", effort="quick"))
    assert "bytes are the smallest legal memory" in message
    assert "word" not in message.replace("words=size_bytes", "")
    assert str(rb.curve(spec, "16KB", effort="quick")).startswith("I/O (bytes) of ")
    assert json.loads(run_redblue("dag", spec, "--json").out)["dag"]["word_bytes"] == 1
    small = run_redblue("solve", spec, "--memory", "1000")
    assert small.sentence.startswith("1,000 bytes of fast memory are too few")


def test_columns_that_are_not_used_are_named_in_one_line(tmp_path):
    file = training(tmp_path, "size_bytes")
    output = run_redblue("dag", file).err
    assert output == (
        "note: 3 nodes have attributes 'size_bytes' and 'time_us' that are not used: every value "
        "counts as one word; words=size_bytes, work=time_us count them\n"
    )
    output = run_redblue("dag", f"{file}:words=size_bytes").err
    assert output == (
        "note: 2 nodes have an attribute 'time_us' that is not used: work=time_us counts them\n"
    )
    assert run_redblue("dag", f"{file}:words=size_bytes,work=time_us").err == ""
    ending = run_redblue("dag", f"{file}:work=time")
    assert (ending.code, ending.sentence.partition(": ")[2]) == (
        2,
        "no node has an attribute 'time': they have size_bytes, time_us",
    )


def test_a_converted_file_says_the_bytes_of_a_word(tmp_path):
    file, out = training(tmp_path, "size_bytes"), tmp_path / "a.npz"
    ending = run_redblue("dag", f"{file}:words=size_bytes,work=time_us", "--out", out)
    assert f"note: the file does not store the bytes of a word: load {out}:word=1\n" in ending.err
    assert rb.bound(f"{out}:word=1", "16KB").memory == 16000
    assert "bytes of a word" not in run_redblue("dag", "fft:n=4", "--out", out).err


def test_balance_has_the_words_of_its_computation(tmp_path):
    file = tmp_path / "f.c"
    file.write_text(TEXT.format("float", "float"))
    ask = ("machine", "balance", "--machine", "H100", "--schedulers", "lru", "--json")
    for spec, word in ((f"{file}:n=80", 4), (f"{file}:n=80,word=2", 2), ("fft:n=64", 8)):
        record = json.loads(run_redblue(*ask, "--dag", spec, "--memory", "1KB").out)
        assert record["balance"]["word_bytes"] == word
        assert 1000 // word in {row["memory"] for row in record["rows"]}
    narrow = json.loads(run_redblue(*ask, "--dag", "fft:n=64,word=4", "--memory", "1KB").out)
    assert 250 in {row["memory"] for row in narrow["rows"]}


def test_a_column_of_megabytes_says_which(tmp_path):
    spec = f"{training(tmp_path, 'size_mb')}:words=size_mb"
    ending = run_redblue("solve", spec, "--memory", "16GB")
    assert ending.code == 2
    assert "say word=1000000 or word=1048576" in ending.sentence
    assert rb.bound(f"{spec},work=time_us,word=1048576", "16GiB").memory == 16384
    assert rb.load(f"{spec},work=time_us").dag.word_bytes is None
    second = f"{training(tmp_path, 'KiB')}:words=KiB,work=time_us"
    assert rb.bound(second, "16MiB").memory == 16384


def test_dtypes_of_onnx_and_numpy_agree():
    onnx = pytest.importorskip("onnx")
    built = {}
    for kind in (np.float32, np.float64, np.float16):
        of = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind))
        sides = [onnx.helper.make_tensor_value_info(name, of, [8]) for name in "xy"]
        node = onnx.helper.make_node("Relu", ["x"], ["y"])
        model = onnx.helper.make_model(onnx.helper.make_graph([node], "g", sides[:1], sides[1:]))
        built[own_word(model)] = np.dtype(kind).itemsize
    assert built == {4: 4, 8: 8, 2: 2}
