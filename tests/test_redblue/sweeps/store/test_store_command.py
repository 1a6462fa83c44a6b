"""The command `redblue store`: listing, exports, merging, and the files of results."""

import json
import sqlite3
from dataclasses import replace
from importlib.util import find_spec

import pandas as pd
import pytest

from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Artefact
from tests.command_line import run_redblue
from tests.store_cells import DONE, FAILED, about


@pytest.fixture
def filled(store):
    store.put(about(), DONE)
    store.put(about(memory=8, versions={"redblue": "2"}), DONE)
    store.put(about(memory=16), replace(FAILED, error="[red]no[/] luck"))
    store.put(about(kind="pairs", memory=0), replace(DONE, result=[1, 2]))
    store.commit()
    return store.path


def test_listing_keeps_versions_apart(filled):
    lines = run_redblue("store", filled).out.splitlines()
    assert " ".join(lines[0].split()) == (
        "version kind dag rules method results done other memory seconds"
    )
    assert [line.split()[:2] for line in lines[1:]] == [
        ["1", "pairs"],
        ["1", "upper"],
        ["2", "upper"],
    ]


def test_listing_rows(filled):
    ending = run_redblue("store", filled, "--rows", "--only", "kind=upper", "--only", "version=1")
    first, second = ending.out.splitlines()[1:]
    assert first.split() == ["1", "upper", "fft:n=8", "a", "1", "4", "done", "7", "0.500", "-"]
    assert second.endswith("[red]no[/] luck".ljust(len(second) - second.index("[red]")))
    told_of = json.loads(run_redblue("store", filled, "--only", "memory=4,8", "--json").out)["rows"]
    assert [(row["memory"], row["result"]) for row in told_of] == [
        (4, DONE.result),
        (8, DONE.result),
    ]
    asked = ("store", filled, "--rows", "--only")
    assert run_redblue(*asked, "status=timed-out").out.count("\n") == 1
    before = run_redblue("store", filled, "--rows", "--kind", "upper", "--version", "1")
    assert before.out == ending.out
    assert "note: '--kind' is '--only kind=upper' now" in before.err
    assert "no field of results is called 'sort'" in run_redblue(*asked, "sort=a").sentence
    assert "--only kind has no value" in run_redblue(*asked, "kind").sentence


def test_exports(filled, tmp_path):
    csv, parquet = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    assert run_redblue("store", filled, "--export", csv).err == f"wrote 4 lines to {csv}\n"
    table = pd.read_csv(csv)
    assert list(table["memory"]) == [0, 4, 16, 8]
    assert list(table["io"].astype("Int64").fillna(-1)) == [-1, 7, -1, 7]
    assert json.loads(table["result"][1]) == DONE.result
    assert list(table["result"].isna()) == [False, False, True, False]
    pytest.importorskip("pyarrow", reason="the extra 'parquet' is not installed")
    assert run_redblue("store", filled, "--export", parquet).code == 0
    repeated = pd.read_parquet(parquet)
    assert list(repeated["key"]) == list(table["key"])
    assert list(repeated["io"].fillna(-1)) == [-1, 7, -1, 7]


def test_exports_of_a_curve(tmp_path):
    """Some of its results hold the words at all memory sizes, in lists."""
    filled = tmp_path / "curve.db"
    asked = ("curve", "fft:n=4", "--memory", "4:16", "--jobs", "1", "--store", filled)
    assert run_redblue(*asked).code == 0
    with Store(filled, readonly=True) as store:
        entries = {entry.key: entry.outcome.result or {} for entry in store.entries()}
    assert any(isinstance(result.get("loads"), list) for result in entries.values())
    names = ["rows.csv"] + ["rows.parquet"] * bool(find_spec("pyarrow"))
    for name in names:
        assert run_redblue("store", filled, "--export", tmp_path / name).code == 0
    table = pd.read_csv(tmp_path / "rows.csv")
    assert set(table["key"]) == set(entries)
    results = [{} if pd.isna(entry) else json.loads(entry) for entry in table["result"]]
    assert results == [entries[key] for key in table["key"]]
    single = [isinstance(entries[key].get("loads"), int) for key in table["key"]]
    assert list(table["loads"].notna()) == single


def test_exports_that_cannot_be(filled, tmp_path, monkeypatch):
    asked = ("store", filled, "--export")
    assert "is kept as .csv or .parquet" in run_redblue(*asked, tmp_path / "a.txt").sentence
    assert (
        "is no folder that we may write" in run_redblue(*asked, tmp_path / "no" / "a.csv").sentence
    )
    monkeypatch.setattr("redblue.sweeps.store.exports.find_spec", lambda name: None)
    ending = run_redblue(*asked, tmp_path / "a.parquet")
    assert "Parquet takes the extra 'parquet'" in ending.sentence
    assert ending.code == 2


def test_merging_from_the_command_line(filled, tmp_path):
    first, two = tmp_path / "one.db", tmp_path / "two.db"
    with Store(two) as opened:
        opened.put(about(memory=99), DONE)
    ending = run_redblue("store", first, "--merge", filled, "--merge", two, "--json")
    assert ending.err == f"took 4 results from {filled}\ntook 1 results from {two}\n"
    assert len(json.loads(ending.out)["rows"]) == 5
    missing = run_redblue(
        "store", tmp_path / "three.db", "--merge", first, "--merge", tmp_path / "no.db"
    )
    assert missing.sentence == f"{tmp_path / 'no.db'}: there is no such store"
    assert not (tmp_path / "three.db").exists()


@pytest.mark.parametrize(
    ("suffix", "data"),
    [("/../../x.txt", b"{}"), ("", b"{}"), (".json/x", b"{}"), (".JSON", b"{}"), (".npz", "text")],
)
def test_a_forged_artefact_writes_nowhere(store, tmp_path, suffix, data):
    key = store.put(about(), replace(DONE, artefact=Artefact(".json", b"{}")))
    store.commit()
    with sqlite3.connect(store.path) as file:
        file.execute("UPDATE artefacts SET suffix = ?, data = ?", (suffix, data))
    file.close()
    (tmp_path / "out" / key).mkdir(parents=True)  # so that a path through it would be one
    before = sorted(tmp_path.rglob("*"))
    ending = run_redblue("store", store.path, "--artefacts", tmp_path / "out")
    assert ending.code == 2
    assert "damaged" in ending.sentence
    new = [path for path in tmp_path.rglob("*") if path not in before and "db" not in path.name]
    assert new == []


def test_artefacts_come_out(store, tmp_path):
    key = store.put(about(), replace(DONE, artefact=Artefact(".json", b"{}")))
    store.commit()
    ending = run_redblue("store", store.path, "--artefacts", tmp_path / "kept")
    assert ending.err == f"wrote 1 files to {tmp_path / 'kept'}\n"
    assert (tmp_path / "kept" / f"{key}.json").read_bytes() == b"{}"
