"""Bad input ends in one clear sentence, exit code 2, and nothing written."""

import os

import numpy as np
import pytest

import dags
import redblue.answers.curves.curve
from dags import GENERATORS, fft, from_edges, save
from dags.formats import FORMATS
from pebble import Schedule
from proofs import BOUNDS
from schedulers import scheduler_named
from tests.command_line import run_redblue

NAMES = ", ".join(sorted(GENERATORS))

EMPTY = {
    ".dot": "digraph {}",
    ".graphml": "<graphml><graph edgedefault='directed'/></graphml>",
    ".hdag": "0 0 0\n",
    ".json": '{"directed": true, "nodes": [], "edges": []}',
    ".mtx": "%%MatrixMarket matrix coordinate real general\n0 0 0\n",
    ".txt": "0 0 0\n",
}
ISOLATED = {
    ".dot": "digraph {a; b}",
    ".graphml": (
        "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/></graph></graphml>"
    ),
    ".hdag": "0 2 0\n0\n1\n",
    ".json": '{"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "edges": []}',
}
CYCLE = {
    ".csv": "a,b\nb,a\n",
    ".dot": "digraph {a -> b -> a}",
    ".edges": "a b\nb a\n",
    ".graphml": (
        "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>"
        "<edge source='a' target='b'/><edge source='b' target='a'/></graph></graphml>"
    ),
    ".hdag": "2 2 4\n0\n1\n0\n1\n0 0\n0 1\n1 1\n1 0\n",
    ".json": (
        '{"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "edges": '
        '[{"source": "a", "target": "b"}, {"source": "b", "target": "a"}]}'
    ),
}


@pytest.fixture
def out(tmp_path):
    """A folder that a command that fails does not make."""
    return tmp_path / "out"


@pytest.fixture
def refused(out):
    """Run a curve that must be refused; give back the sentence."""

    def run(spec, memory="4:16", *extra):
        ending = run_redblue("curve", spec, "--memory", memory, "--out", out, "--json", *extra)
        assert ending.code == 2
        assert not out.exists()
        return ending.sentence

    return run


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00nothing", b"1 2 3 4 5 6 7 8 9\n", b"{"])
def test_malformed_files(suffix, content, refused, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    assert refused(path).startswith(f"{path}")


# part of an edge list is an edge list
@pytest.mark.parametrize("suffix", [s for s in FORMATS if s not in (".csv", ".edges")])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_truncated_files(suffix, share, refused, tmp_path):
    path = tmp_path / f"a{suffix}"
    save(fft(8), path)
    full = path.read_bytes()
    path.write_bytes(full[: int(len(full) * share)])
    assert refused(path).startswith(f"{path}")


@pytest.mark.parametrize(("suffix", "line"), [(".csv", "1,2,3"), (".edges", "1 2 3")])
def test_edges_of_three_vertices(suffix, line, refused, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_text(f"{line[:3]}\n{line}\n")
    assert refused(path) == f"{path}, line 2: holds 3 names; an edge has two"


@pytest.mark.parametrize("suffix", CYCLE)
def test_cyclic_graphs(suffix, refused, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_text(CYCLE[suffix])
    sentence = refused(path)
    assert sentence.startswith(f"{path}: ")
    assert "cycle" in sentence


def test_a_cycle_in_arrays(refused, tmp_path):
    path = tmp_path / "a.npz"
    save(from_edges(3, [(0, 1), (0, 2), (1, 2)]), path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays["pred_indices"] = np.array([2, 0, 1], np.int32)
    np.savez(path, **arrays)
    assert "vertex 1 has predecessor 2, which is not smaller" in refused(path)


@pytest.mark.parametrize("suffix", EMPTY)
def test_empty_graphs(suffix, refused, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_text(EMPTY[suffix])
    sentence = refused(path)
    assert sentence.startswith(f"{path}")
    assert "empty" in sentence or "at least" in sentence


@pytest.mark.parametrize("suffix", ISOLATED)
def test_graphs_of_isolated_vertices(suffix, refused, tmp_path):
    path = tmp_path / f"a{suffix}"
    path.write_text(ISOLATED[suffix])
    assert refused(path) == (
        f"{path}: there is nothing to compute, for none of its 2 vertices has an operand"
    )


def test_a_value_of_no_words(refused, tmp_path):
    path = tmp_path / "a.hdag"
    path.write_text("1 2 2\n0 0\n0\n1\n0 0\n0 1\n")
    assert "size 0" in refused(path)


def test_a_value_larger_than_memory(refused, tmp_path):
    path = tmp_path / "a.json"
    save(from_edges(3, [(0, 1), (1, 2)], words=[1, 50, 1]), path)
    assert refused(path, "4:16") == (
        "16 words of fast memory are too few: computing vertex 1 takes 51"
    )


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ("2", "2 words of fast memory are too few: computing vertex 33 takes 4"),
        ("1:3", "3 words of fast memory are too few: computing vertex 33 takes 4"),
        ("0", "memory must be at least 1 word, not 0"),
        ("-3", "memory must be at least 1 word, not -3"),
        ("abc", "memory must be like 64 or 8,16,32 or 8:512 or 8:512:10, not 'abc'"),
        ("", "memory must be like 64 or 8,16,32 or 8:512 or 8:512:10, not ''"),
        ("9:3", "memory 9:3 ends before it begins"),
        ("4:8:0", "memory a:b:count takes 2 to 10000 sizes, not 0"),
        (str(10**20), f"memory must be at most {2**62} words, not {10**20}"),
    ],
)
def test_memory_that_does_not_work(memory, message, refused):
    assert refused("matmul:n=4", memory) == message


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "--schedulers",
            "no scheduler is called 'nothing'; known: structured, search, tiled, ",
        ),
        ("--bounds", f"no bound is called 'nothing'; known: {', '.join(BOUNDS)}"),
        ("--rules", "no rule set is called 'nothing'; known: one-shot, recompute,"),
    ],
)
def test_unknown_methods(option, message, refused):
    assert refused("fft:n=8", "4:16", option, "nothing").startswith(message)


def test_nothing_to_try(refused):
    sentence = refused("fft:n=8", "4", "--schedulers", "", "--bounds", ",")
    assert sentence == "a curve needs a memory size, and a scheduler or bound"
    assert refused("fft:n=8", "4", "--jobs", "0").endswith("must be at least 1, not 0")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nothing:n=8", f"no generator or file is called 'nothing'; known: {NAMES}"),
        ("nothing.foo", f"no generator or file is called 'nothing.foo'; known: {NAMES}"),
        ("nothing.hdag", "nothing.hdag: cannot be read: No such file or directory"),
        ("fft", "n is missing; fft takes n"),
        ("fft:m=8", "'m=8' is no parameter; fft takes n"),
        ("fft:n=x", "fft: n must be a whole number, not 'x'"),
        ("fft:n=12", "fft: n must be a power of two, not 12"),
        ("fft:n=-8", "fft: n must be at least 2, not -8"),
        ("chain:n=1", "chain:n=1: there is nothing to compute"),
        ("tree:height=-1", "tree: height must be at least"),
        ("stencil:shape=4x0,steps=2", "stencil: side must be at least 1, not 0"),
        ("random_layered:n=9,seed=-1", "random_layered: seed must be at least 0, not -1"),
        ("chain:n=3000000000", "chain: a DAG has at most 2147483647 vertices"),
        ("tree:height=99999", "tree: height must be below"),
    ],
)
def test_specifications_of_no_dag(spec, message, refused):
    assert refused(spec).startswith(message)


def test_a_dag_too_large_for_the_machine(refused, monkeypatch):
    monkeypatch.setattr(os, "sysconf", lambda name: 2**15)  # a gibibyte, in pages and their size
    assert refused("chain:n=100000000") == (
        "chain: 100000000 vertices and 99999999 edges take 2 GiB to build; this machine has 1"
    )


def test_memory_that_runs_out(refused, monkeypatch):
    def load(spec, **options):
        raise MemoryError

    monkeypatch.setattr(dags.computation, "load", load)
    assert refused("fft:n=8") == "this takes more memory than there is"


def test_an_interruption(monkeypatch):
    def io_curve(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(redblue.answers.curves.curve, "io_curve", io_curve)
    ending = run_redblue("curve", "fft:n=8", "--memory", "4")
    assert (ending.code, ending.out) == (130, "")


def test_a_folder_is_no_dag(refused, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    assert refused(folder).startswith("no file format is called 'folder'; known: .cdag, .csv,")
    hdag = tmp_path / "a.hdag"
    hdag.mkdir()
    assert refused(hdag) == f"{hdag}: cannot be read: Is a directory"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "fft:n=8"], "Missing option '--memory'; see 'redblue solve --help'"),
        (["curve"], "Missing argument 'SPEC...'; see 'redblue curve --help'"),
        (["curve", "fft:n=8", "--memory", "4", "--jobs", "x"], "Invalid value for '--jobs': "),
        (["dag", "fft:n=8", "--nothing"], "No such option: --nothing"),
        (["dag", "fft:n=8", "more"], "Got unexpected extra argument"),
        (["nothing"], "No such command 'nothing'; see 'redblue --help'"),
        (
            ["check", "fft:n=8"],
            "fft:n=8 is no plan; to check a schedule or a certificate: redblue",
        ),
        (["check", "fft:n=8", "a.npz"], "a.npz is a schedule, so give its --memory"),
    ],
)
def test_usage(arguments, message):
    ending = run_redblue(*arguments)
    assert ending.code == 2
    assert ending.sentence.startswith(message)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("folder", "no file format is called 'folder'"),
        ("a.foo", "no file format is called '.foo'; known: .cdag, .csv, .dot,"),
        ("folder.dot", "cannot be written: it is no plain file"),
        ("missing/a.dot", "cannot be written: No such file or directory"),
    ],
)
def test_dag_cannot_be_written(name, message, tmp_path):
    for folder in ("folder", "folder.dot"):
        (tmp_path / folder).mkdir()
    ending = run_redblue("dag", "fft:n=8", "--out", tmp_path / name, "--json")
    assert ending.code == 2
    assert message in ending.sentence
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "folder.dot"]


def test_a_folder_that_is_locked(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    assert f"{tmp_path} is no folder that we may write to" in refused("fft:n=8")


@pytest.fixture
def schedule_file(tmp_path):
    path = tmp_path / "a.npz"
    scheduler_named("lru")(fft(8), 4).save(path)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--memory", "0"], "memory must be at least 1 word, not 0"),
        (["--memory", "x"], "memory must be one size like 64, not 'x'"),
        (["--memory", "4:8"], "memory must be one size like 64, not '4:8'"),
        (["--memory", "4", "--rules", "nothing"], "no rule set is called 'nothing'"),
    ],
)
def test_verify_asks_for_a_game(arguments, message, schedule_file):
    ending = run_redblue("check", "fft:n=8", schedule_file, *arguments)
    assert ending.code == 2
    assert ending.sentence.startswith(message)


@pytest.mark.parametrize("name", ["a.npz", "a.jsonl"])
@pytest.mark.parametrize(
    "content", [b"", b"nothing\n", b'["LOAD"]\n', b'["FLY", 1]\n', b"PK\x03\x04", b"\xff\xfe\n"]
)
def test_verify_files_that_hold_no_schedule(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    ending = run_redblue("check", "fft:n=8", path, "--memory", 4)
    if name == "a.jsonl" and not content:  # the play of no moves, which stores nothing
        assert ending.code == 4
    else:
        assert ending.code == 2
        assert ending.sentence.startswith(f"{path}")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_verify_a_truncated_schedule(share, schedule_file):
    full = schedule_file.read_bytes()
    schedule_file.write_bytes(full[: int(len(full) * share)])
    ending = run_redblue("check", "fft:n=8", schedule_file, "--memory", 4)
    assert ending.code == 2
    assert ending.sentence.startswith(f"{schedule_file}")


def test_verify_what_is_no_file(tmp_path):
    for path in (tmp_path, tmp_path / "missing.npz", tmp_path / "missing.jsonl"):
        ending = run_redblue("check", "fft:n=8", path, "--memory", 4)
        assert ending.code == 2
        assert ending.sentence.startswith(f"{path}")


def test_verify_a_schedule_of_another_dag(tmp_path):
    path = tmp_path / "a.npz"
    Schedule([0, 0], [3, 400]).save(path)
    ending = run_redblue("check", "fft:n=8", path, "--memory", 4)
    assert ending.code == 4
    assert ending.out == "illegal: step 1, LOAD 400: there is no such vertex\n"
