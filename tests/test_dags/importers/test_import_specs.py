"""Graphs of other tools on the command line, and what is said where something is missing."""

import json
import sys

import networkx as nx
import pytest

from dags import FormatError, InvalidSpecError, load
from dags.importers import save_graph
from dags.importers.spec import import_spec, with_tile
from tests.command_line import run_redblue
from tests.test_dags.importers.test_saved import GRAPH


@pytest.fixture
def saved(tmp_path):
    save_graph(GRAPH, tmp_path / "two.json")
    return str(tmp_path / "two.json")


def test_a_specification_has_sizes_a_tile_and_a_word():
    result = import_spec("a.onnx:batch=2,tile=1x4,word=8,x.0=3")
    assert (result.place, result.tile, result.word) == ("a.onnx", (1, 4), 8)
    assert result.sizes == {"batch": 2, "x.0": 3}


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("batch", "'batch' is no size, like batch=1"),
        ("batch=0", "a dimension batch must be a whole number from 1, not '0'"),
        ("batch=x", "a dimension batch must be a whole number from 1, not 'x'"),
        ("batch=1,batch=2", "batch is given twice"),
        ("tile=0", "a tile is like 8, or 1x4x4 by axis, not '0'"),
        ("word=", "word must be a whole number from 1, not ''"),
    ],
)
def test_bad_specifications(rest, message):
    with pytest.raises(InvalidSpecError) as caught:
        import_spec(f"a.onnx:{rest}")
    assert str(caught.value) == f"a.onnx:{rest}: {message}"


def test_the_option_tile_is_that_of_the_specification(saved):
    assert with_tile(saved, None) == saved
    assert with_tile(saved, "2") == f"{saved}:tile=2"
    assert with_tile(f"{saved}:word=4", "2x2") == f"{saved}:word=4,tile=2x2"
    with pytest.raises(InvalidSpecError, match="tile is given twice"):
        with_tile(f"{saved}:tile=2", "4")
    with pytest.raises(InvalidSpecError, match="a tile cuts the operators of an imported graph"):
        with_tile("matmul:n=4", "4")


def test_commands_take_graphs_and_tiles(saved):
    record = json.loads(run_redblue("dag", saved, "--json").out)["dag"]
    parts = json.loads(run_redblue("dag", f"{saved}:tile=3", "--json").out)["dag"]
    assert parts["spec"] == f"{saved}:tile=3"
    assert parts["words"] == record["words"]
    assert parts["min_memory"] < record["min_memory"]
    memory = str(parts["min_memory"])
    drawn = run_redblue("curve", saved, "--tile", "3", "--memory", memory, "--schedulers", "lru")
    assert drawn.code == 0
    named = run_redblue(
        "curve", "--compare", saved, "--tile=3", f"--memory={memory}", "--schedulers=lru"
    )
    assert "two.json:tile=3" in named.out.replace("\n", "")


def test_too_little_memory_says_which_operator_and_why(saved):
    ending = run_redblue("solve", saved, "--memory", "20")
    assert ending.code == 2
    assert ending.sentence == (
        "20 words of fast memory are too few: the step 'dense:y' needs 45 words at once: its "
        "operands 'x' of 24, 'w' of 12 and its result of 9, which are held whole; tile=8 behind "
        "the file (FILE:tile=8) cuts its operators, and what is smaller needs less"
    )
    assert "tile=8" not in run_redblue("solve", f"{saved}:tile=2", "--memory", "2").sentence
    refused = run_redblue("solve", "matmul:n=4", "--memory", "64", "--tile", "2")
    assert (refused.code, "\nredblue: matmul:n=4: " in refused.err) == (2, True)


def test_too_little_memory_is_told_in_its_unit_and_offers_no_tile_that_cannot_be(tmp_path):
    graph = nx.DiGraph([("x", "bwd1")])
    nx.set_node_attributes(graph, {"x": 6_291_456, "bwd1": 8_388_608}, "words")
    path = tmp_path / "training.graphml"
    nx.write_graphml(graph, path)
    asked = ("solve", f"{path}:word=1,recognise=no", "--memory")
    assert run_redblue(*asked, "8MB").sentence == (
        "8,000,000 bytes of fast memory are too few: the step 'bwd1' needs 14,680,064 bytes at "
        "once: its operands 'x' of 6,291,456 and its result of 8,388,608, which are held whole"
    )
    assert "needs 14,680,064 bytes at once" in run_redblue(*asked, "9e6").sentence
    words = ("solve", f"{path}:recognise=no", "--memory", "9e6")
    assert "needs 14,680,064 words at once" in run_redblue(*words).sentence
    wide = run_redblue("solve", f"{path}:recognise=no,word=4", "--memory=4KiB")
    assert "needs 58,720,256 bytes at" in wide.sentence
    old = run_redblue("solve", path, "--no-recognise", "--word-bytes=4", "--memory=4KiB").err
    assert old.splitlines()[1].removeprefix("redblue: ") == wide.sentence


def test_a_graph_is_explained(saved):
    shown = run_redblue("dag", saved, "--explain").out
    assert "two, a graph of 1 operators" in shown
    assert "dense" in shown
    assert "t 6x4, w 4x3" in shown
    facts = json.loads(run_redblue("dag", saved, "--explain", "--json").out)["graph"]
    assert facts["inputs"] == [{"name": "x", "shape": [4, 6]}, {"name": "w", "shape": [4, 3]}]
    assert facts["operators"][0]["work"] == 144


def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch):
    path = tmp_path / "a.onnx"
    path.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(FormatError) as caught:
        load(str(path))
    assert str(caught.value) == (
        f"{path}: files of ONNX need the package onnx: pip install 'redblue[onnx]'"
    )
