"""``redblue check``: the verdict of referee and engine."""

import json

import numpy as np
import pytest

import redblue.cli.check_command
from dags import fft, from_edges, save
from pebble import Move, Schedule, judge
from schedulers import scheduler_named
from tests.command_line import run_redblue


def answer(*arguments):
    """The one JSON object that a command prints."""
    ending = run_redblue(*arguments, "--json")
    assert (ending.code, ending.err) == (0, "")
    assert ending.out.endswith("}\n")
    return json.loads(ending.out)


@pytest.fixture(scope="module")
def schedule():
    return scheduler_named("belady")(fft(8), 4)


@pytest.mark.parametrize("suffix", [".npz", ".jsonl"])
def test_verify_a_legal_schedule(suffix, schedule, tmp_path):
    path = tmp_path / f"a{suffix}"
    schedule.save(path)
    count = judge(fft(8), schedule, 4)
    ending = run_redblue("check", "fft:n=8", path, "--memory", 4)
    assert (ending.code, ending.err) == (0, "")
    assert ending.out == (
        f"legal: {count.io} words of I/O ({count.loads} loaded, {count.stores} stored), "
        "24 computations (0 recomputed), at most 4 of 4 words in use\n"
    )
    assert answer("check", "fft:n=8", path, "--memory", 4) == {
        "spec": "fft:n=8",
        "schedule": str(path),
        "memory": 4,
        "rules": "one-shot",
        "moves": len(schedule),
        "judge": "referee",
        "legal": True,
        "io": count.io,
        "loads": count.loads,
        "stores": count.stores,
        "computes": 24,
        "recomputes": 0,
        "peak": 4,
        "channels": {},
    }


@pytest.mark.parametrize("by", ["referee", "engine"])
def test_verify_an_illegal_schedule(by, schedule, tmp_path, monkeypatch):
    monkeypatch.setattr(redblue.cli.check_command, "REFEREE_MOVES", 0 if by == "engine" else 1000)
    path = tmp_path / "a.npz"
    end = int(np.flatnonzero(schedule.op == Move.STORE)[-1])
    Schedule(schedule.op[:end], schedule.vertex[:end]).save(path)
    last = int(schedule.vertex[end])
    message = f"step {end}, END {last}: it is an output that does not end in slow memory"
    ending = run_redblue("check", "fft:n=8", path, "--memory", 4)
    assert (ending.code, ending.out, ending.err) == (4, f"illegal: {message}\n", "")
    ending = run_redblue("check", "fft:n=8", path, "--memory", 4, "--json")
    assert (ending.code, ending.err) == (4, "")
    verdict = json.loads(ending.out)
    assert (verdict["legal"], verdict["judge"]) == (False, by)
    assert verdict["error"] == {
        "step": end,
        "move": "END",
        "vertex": last,
        "rule": "OUTPUT_NOT_STORED",
        "message": message,
    }


def test_referee_and_engine_agree(schedule, tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    schedule.save(path)
    by_referee = answer("check", "fft:n=8", path, "--memory", 4)
    monkeypatch.setattr(redblue.cli.check_command, "REFEREE_MOVES", 0)
    by_engine = answer("check", "fft:n=8", path, "--memory", 4)
    assert by_engine == {**by_referee, "judge": "engine"}


def test_verify_judges_by_the_memory_and_the_rules(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('["LOAD", 0]\n["LOAD", 1]\n["COMPUTE", 2]\n["DELETE", 0]\n["STORE", 2]\n')
    ask = ("verify", "tree:height=1", path, "--memory")
    assert run_redblue(*ask, 3).code == 0
    ending = run_redblue(*ask, 2)
    assert ending.code == 4
    assert ending.out == (
        "illegal: step 2, COMPUTE 2: fast memory is full: 2 + 1 words do not fit into 2\n"
    )
    assert run_redblue(*ask, 2, "--rules", "one-shot-sliding").code == 0
    assert run_redblue(*ask, 1, "--rules", "one-shot-sliding").code == 4


def test_verify_counts_per_channel(tmp_path):
    dag, schedule = tmp_path / "a.json", tmp_path / "a.npz"
    graph = from_edges(3, [(0, 2), (1, 2)], words=[2, 3, 4], channel=[0, 1, 1])
    save(graph, dag)
    scheduler_named("lru")(graph, 9).save(schedule)
    assert answer("check", dag, schedule, "--memory", 9)["channels"] == {
        "0": {"loads": 2, "stores": 0},
        "1": {"loads": 3, "stores": 4},
    }
