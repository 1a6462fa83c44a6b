"""Options at the end of a specification: how a file is read."""

import json

import networkx as nx
import pytest

from dags import InvalidSpecError, RedBlueError, fft, load, save
from dags.importers import save_graph
from dags.spec.options import FileSpec, file_spec, with_options
from redblue.answers.words import own_word
from tests.command_line import run_redblue
from tests.test_dags.importers.test_saved import GRAPH


@pytest.mark.parametrize(
    ("spec", "plain", "said"),
    [
        ("a.json", "a.json", {}),
        ("fft:n=8", "fft:n=8", {}),
        ("a.json:words=bytes", "a.json", {"words": "bytes"}),
        ("a.edges:family=grid:shape=8x8,steps=4", "a.edges", {"family": "grid:shape=8x8,steps=4"}),
        (
            "a.edges:family=fft:n=8,recognise=no,word=4",
            "a.edges",
            {"family": "fft:n=8", "recognise": False, "word": 4},
        ),
        ("s.py:f:N=4,word=8,M=3", "s.py:f:N=4,M=3", {"word": 8}),
        ("s.py:f:word=8,N=4", "s.py:f:N=4", {"word": 8}),
        ("s.py:f:word=8", "s.py:f", {"word": 8}),
        ("m.onnx:word=8,batch=1,tile=1x2", "m.onnx:batch=1,tile=1x2", {"word": 8}),
        ("m.onnx:family=fft:n=8,tile=2", "m.onnx:tile=2", {"family": "fft:n=8"}),
    ],
)
def test_what_is_said(spec, plain, said):
    assert file_spec(spec) == FileSpec(plain, **said)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("a.edges:words=x,words=y", "words is given twice"),
        ("a.edges:family=", "family has no value"),
        ("a.edges:recognise=maybe", "recognise is yes or no, not 'maybe'"),
        ("a.edges:word=0", "word must be a whole number from 1, not '0'"),
        (
            "a.edges:colour=red",
            "takes words, work, family, recognise, word, not 'colour=red'",
        ),
        ("a.edges:words=x,colour=red", "recognise, word, not 'colour=red'"),
        ("a.c:N=4,colour=red", "colour"),
        ("fft:n=8,words=x", "fft takes"),
    ],
)
def test_refusals(spec, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(fft(4), "a.edges")
    (tmp_path / "a.c").write_text("for (i = 0; i < N; i++) a[i] = a[i] + 1;")
    with pytest.raises(RedBlueError) as caught:
        load(spec)
    assert sentence in str(caught.value)
    assert run_redblue("dag", spec).sentence == str(caught.value)


def test_a_file_is_read_as_it_says(tmp_path):
    path = tmp_path / "a.json"
    graph = nx.DiGraph([("x", "y"), ("x", "z"), ("y", "z")])
    nx.set_node_attributes(graph, {"x": 8, "y": 4, "z": 2}, "bytes")
    path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    assert load(f"{path}:words=bytes").sizes.tolist() == [8, 4, 2]
    assert load(str(path), words="bytes").sizes.tolist() == [8, 4, 2]
    assert own_word(f"{path}:words=bytes") == 1
    assert own_word(f"{path}:word=4") == 4
    ask = ("curve", "--memory", "14B", "--schedulers", "lru", "--json")
    new, old = run_redblue(*ask, f"{path}:words=bytes"), run_redblue(*ask, path, "--words", "bytes")
    message, before = json.loads(new.out), json.loads(old.out)
    assert message["dag"] == before["dag"]
    assert message["dag"]["spec"] == f"{path}:words=bytes"
    assert message["word_bytes"] == before["word_bytes"] == 1


def test_a_family_is_verified_and_recognition_is_left_out(tmp_path):
    path = tmp_path / "a.edges"
    save(fft(8), path)
    assert load(f"{path}:family=fft:n=8").recognised.spec == "fft:n=8"
    assert load(f"{path}:recognise=no").recognised is None
    with pytest.raises(InvalidSpecError):
        load(f"{path}:family=fft:n=16")


def test_words_of_tensors_are_bytes_if_that_is_said(tmp_path):
    path = tmp_path / "a.dask"
    save_graph(GRAPH, path)
    assert load(f"{path}:words=bytes").sizes.tolist() == load(f"{path}:word=1").sizes.tolist()
    with pytest.raises(InvalidSpecError, match="elements, or bytes"):
        load(f"{path}:words=size")


def test_a_file_may_be_called_like_an_option(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(fft(4), "plain.edges")
    (tmp_path / "plain.edges").rename("a.edges:words=x.edges")
    assert load("a.edges:words=x.edges").n == fft(4).n


def test_options_at_the_end():
    assert with_options("a.edges", words=None) == "a.edges"
    assert with_options("a.edges", words="x", recognise="no") == "a.edges:words=x,recognise=no"
    assert with_options("a.edges:word=4", family="fft:n=8") == "a.edges:word=4,family=fft:n=8"
