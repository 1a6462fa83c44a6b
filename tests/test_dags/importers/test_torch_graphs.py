import json
import zipfile
from types import SimpleNamespace

import pytest

from dags import FormatError, load
from dags.importers import ImportedGraphError, from_fx, from_pt2, tensor_dag
from dags.importers.torch_nodes import length_of
from pebble import min_memory
from tests.test_dags.importers.test_jaxprs import rows_of


class Node(SimpleNamespace):
    """A node of torch.fx."""

    __hash__ = object.__hash__

    def __eq__(self, second):
        return self is second


def call(name, target, *args, shape, op="call_function", **kwargs):
    meta = {"val": shape and SimpleNamespace(shape=shape, dtype=None)}
    return Node(op=op, name=name, target=target, args=args, kwargs=kwargs, meta=meta)


class Target(str):
    """A function whose text is its name."""

    __slots__ = ()


def aten(name):
    return Target(f"aten.{name}")


def attention_graph(rows=8):
    """One head of attention over a packed projection."""
    x = call("x", "x", shape=(rows, 4), op="placeholder")
    w = call("w", "w", shape=(12, 4), op="placeholder")
    packed = call("packed", aten("linear.default"), x, w, shape=(rows, 12))
    parts = [
        call(name, aten("slice.Tensor"), packed, 1, low, low + 4, shape=(rows, 4))
        for name, low in (("q", 0), ("k", 4), ("v", 8))
    ]
    turned = call("turned", aten("t.default"), parts[1], shape=(4, rows))
    scores = call("scores", aten("mm.default"), parts[0], turned, shape=(rows, rows))
    weights = call("weights", aten("_softmax.default"), scores, -1, False, shape=(rows, rows))
    mixed = call("mixed", aten("mm.default"), weights, parts[2], shape=(rows, 4))
    last = call("out", "output", (mixed,), shape=None, op="output")
    return SimpleNamespace(nodes=[x, w, packed, *parts, turned, scores, weights, mixed, last])


def test_a_graph_of_fx_is_read_by_its_attributes():
    graph = from_fx(SimpleNamespace(graph=attention_graph()))
    dag = tensor_dag(graph)
    assert rows_of(dag) == {
        "packed": ["x", "w"],
        "scores": ["packed"],
        "weights": ["scores"],
        "mixed": ["packed", "weights"],
    }
    assert dag.sizes.tolist() == [32, 48, 96, 64, 64, 32]
    assert dag.work.tolist() == [0, 0, 2 * 4 * 96, 2 * 4 * 64, 5 * 64, 2 * 8 * 32]
    rows = rows_of(tensor_dag(graph, tile=(2, 3)))
    assert rows["scores[0:4,0:3]"] == ["packed[0:4,0:4]", "packed[0:4,4:8]"]
    assert rows["scores[4:8,3:6]"] == ["packed[0:4,4:8]", "packed[4:8,0:4]", "packed[4:8,4:8]"]
    assert load(attention_graph()) == dag


def test_a_graph_without_shapes_says_how_to_get_them():
    graph = attention_graph()
    graph.nodes[2].meta = {}
    with pytest.raises(ImportedGraphError, match=r"^packed has no shape: export the program"):
        from_fx(graph)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("s0", 5),
        ("4*s0 + s1 - 1", 22),
        ("s0//2", 2),
        ("Mul(Integer(4), Symbol('s0', positive=True, integer=True))", 20),
        ("Add(Symbol('s0'), Symbol('s1'), Integer(2))", 10),
    ],
)
def test_lengths_with_symbols_have_values(text, value):
    assert length_of(text, {"s0": 5, "s1": 3}) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4*s0 + s1", r"^s0, s1 have no values; add s0=\.\.\.,s1=\.\.\.$"),
        ("Symbol('s3')", r"^s3 has no value; add s3=\.\.\.$"),
        ("open('x')", "is not read"),
        ("1 +", "is not read"),
        ("2**3", "is not read"),
    ],
)
def test_lengths_without_values_are_refused(text, message):
    with pytest.raises(ImportedGraphError, match=message):
        length_of(text, {})


def pt2(path, rows=({"as_int": 8},)):
    """An exported program as torch.export.save lays it out: two linear layers."""

    def tensor(name):
        return {"name": name, "arg": {"as_tensor": {"name": name}}, "kind": 1}

    def sized(*lengths):
        return {"dtype": 7, "sizes": [*rows, *({"as_int": n} for n in lengths)]}

    nodes = [
        {
            "target": "torch.ops.aten.linear.default",
            "inputs": [tensor("x"), tensor("p_weight")],
            "outputs": [{"as_tensor": {"name": "linear"}}],
            "name": "linear",
        },
        {
            "target": "torch.ops.aten.relu.default",
            "inputs": [tensor("linear")],
            "outputs": [{"as_tensor": {"name": "relu"}}],
            "name": "relu",
        },
    ]
    weight = {"dtype": 7, "sizes": [{"as_int": 6}, {"as_int": 4}]}
    graph = {
        "inputs": [{"as_tensor": {"name": "p_weight"}}, {"as_tensor": {"name": "x"}}],
        "outputs": [{"as_tensor": {"name": "relu"}}],
        "nodes": nodes,
        "tensor_values": {
            "x": sized(4),
            "p_weight": weight,
            "linear": sized(6),
            "relu": sized(6),
        },
        "sym_int_values": {},
    }
    parameter = {"arg": {"name": "p_weight"}, "parameter_name": "layer.weight"}
    signature = {"input_specs": [{"parameter": parameter}]}
    program = {"graph_module": {"graph": graph, "signature": signature}}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/models/model.json", json.dumps(program))
    return path


def test_an_exported_program_is_read_without_pytorch(tmp_path):
    path = pt2(tmp_path / "model.pt2")
    dag = load(str(path))
    assert rows_of(dag) == {"linear": ["layer.weight", "x"], "relu": ["linear"]}
    assert dag.sizes.tolist() == [24, 32, 48, 48]
    assert load(f"{path}:tile=2,word=2").sizes.sum() == 2 * dag.sizes.sum()


def test_an_exported_program_with_a_symbolic_dimension(tmp_path):
    expression = {"as_expr": {"expr_str": "Symbol('s0', integer=True)", "hint": None}}
    path = pt2(tmp_path / "model.pt2", [expression])
    with pytest.raises(FormatError, match=r"s0 has no value; add s0=\.\.\.$"):
        load(str(path))
    assert load(f"{path}:s0=5").sizes.tolist() == [24, 20, 30, 30]


def test_what_is_no_exported_program_is_refused(tmp_path):
    path = tmp_path / "a.pt2"
    path.write_bytes(b"PK no archive")
    with pytest.raises(FormatError, match=r"a\.pt2: is no archive of torch\.export"):
        load(str(path))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data.pkl", "")
    with pytest.raises(FormatError, match=r"without models/model\.json"):
        load(str(path))
    for content in ("[", "[]", '{"graph_module": {"graph": {}, "signature": {}}}'):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a/models/model.json", content)
        with pytest.raises(FormatError, match="has no graph that can be read"):
            load(str(path))


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of PyTorch's own modules
def test_a_transformer_layer_of_pytorch(tmp_path):
    torch = pytest.importorskip("torch")
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True).eval()
    program = torch.export.export(layer, (torch.zeros(1, 8, 16),))
    dag = load(program)
    rows = rows_of(dag)
    assert rows["scaled_dot_product_attention"] == ["linear"]
    assert rows["linear_2"] == ["linear1.weight", "linear1.bias", "layer_norm_1"]
    assert rows["add_1"] == ["add", "linear_3"]
    decomposed = load(program.run_decompositions())
    assert decomposed.words_of(decomposed.inputs) == dag.words_of(dag.inputs)
    torch.export.save(program, tmp_path / "layer.pt2")
    assert load(str(tmp_path / "layer.pt2")) == dag
    assert load(f"{tmp_path / 'layer.pt2'}:tile=1x4") == load(program, tile=(1, 4))
    assert from_pt2(tmp_path / "layer.pt2").itemsize["src"] == 4


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_network_of_pytorch_traced_and_exported():
    torch = pytest.importorskip("torch")
    from torch.fx.passes.shape_prop import ShapeProp

    network = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2, padding=1),
        torch.nn.BatchNorm2d(8),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(128, 10),
        torch.nn.Softmax(-1),
    ).eval()
    example = torch.zeros(1, 3, 16, 16)
    traced = torch.fx.symbolic_trace(network)
    with pytest.raises(ImportedGraphError, match="has no shape: export the program"):
        load(traced)
    ShapeProp(traced).propagate(example)
    exported = torch.export.export(network, (example,))
    pair = [load(entry, tile=(1, 2, 2)) for entry in (traced, exported)]
    assert pair[0].sizes.sum() == pair[1].sizes.sum()
    assert pair[0].work.sum() == pair[1].work.sum()
    assert pair[0].n == pair[1].n
    assert min_memory(pair[0]) == min_memory(pair[1]) < min_memory(load(traced))


@pytest.mark.parametrize(
    ("in_directory", "in_file", "value", "reason"),
    [(10, 8, 99, "compression method is not supported"), (8, 6, 1, "is encrypted")],
)
def test_archives_that_zipfile_cannot_unpack(in_directory, in_file, value, reason, tmp_path):
    path = tmp_path / "a.pt2"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/models/model.json", "{}")
    content = bytearray(path.read_bytes())
    for position in (
        content.rfind(b"PK\x01\x02") + in_directory,
        content.find(b"PK\x03\x04") + in_file,
    ):
        content[position : position + 2] = value.to_bytes(2, "little")
    path.write_bytes(content)
    with pytest.raises(FormatError, match=f"no archive of torch.export: .*{reason}"):
        from_pt2(path)
