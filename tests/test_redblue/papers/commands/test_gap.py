"""``redblue papers gap``: the table, the records, and what it writes."""

import json
from pathlib import Path

from dags import save
from dags.families.random_dags import random_layered
from redblue.papers.commands.gap import RECORDS
from redblue.papers.records import load_records
from tests.command_line import run_redblue

OPTIONS = ("--effort", "5")


def collection(folder, monkeypatch):
    """A folder with one small published DAG."""
    (folder / "data" / "mine").mkdir(parents=True)
    save(random_layered(14, seed=3), folder / "data" / "mine" / "small.hdag")
    monkeypatch.setenv("REDBLUE_DATA", str(folder / "data"))
    return str(folder / "records.csv")


def test_table_records_and_witnesses(tmp_path, monkeypatch):
    records = collection(tmp_path, monkeypatch)
    ending = run_redblue(
        *("papers", "gap", "--records", f"{records}:update"),
        *(*OPTIONS, "--out", str(tmp_path / "out")),
    )
    assert ending.code == 0
    assert "mine/small" in ending.out
    assert "0 of 5 cases are on record" in ending.out
    path, records = records, load_records(tmp_path / "records.csv")
    assert len(records) == 5
    record = next(iter(records.values()))
    name = f"mine_small-{record.memory}-one-shot"
    spec = str(tmp_path / "data" / "mine" / "small.hdag")
    schedule = str(tmp_path / "out" / f"{name}.schedule.npz")
    verified = run_redblue("check", spec, schedule, "--memory", str(record.memory), "--json")
    assert json.loads(verified.out)["io"] == record.io
    checked = run_redblue("check", spec, str(tmp_path / "out" / f"{name}.bound.json"))
    assert checked.code == 0
    output = run_redblue("papers", "gap", "--records", path, *OPTIONS, "--json")
    result = json.loads(output.out)
    assert (result["better"], result["worse"]) == ([], [])
    assert [row["io"] for row in result["rows"]] == [row["bound"] for row in result["rows"]]


def test_a_record_that_contradicts_ends_with_code_4(tmp_path, monkeypatch):
    records = collection(tmp_path, monkeypatch)
    sample = ("--instances", "small", "--memory", "1:1000")
    asked = ("papers", "gap", *OPTIONS, *sample, "--records")
    assert run_redblue(*asked, f"{records}:update").code == 0
    path = tmp_path / "records.csv"
    lines = path.read_text().splitlines()
    fields = lines[1].split(",")
    fields[10] = "9999"
    path.write_text("\n".join([lines[0], ",".join(fields), *lines[2:]]) + "\n")
    ending = run_redblue(*asked, records)
    assert ending.code == 4
    assert "9999" in ending.err


def test_bad_arguments(tmp_path):
    for arguments, word in (
        (("--suite", "none"), "suite"),
        (("--suite", "families", "--instances", "sonnet"), "no instance"),
        (("--effort", "0"), "effort must be more than 0 seconds"),
        (("--data", str(tmp_path)), "no published"),
    ):
        ending = run_redblue("papers", "gap", *arguments)
        assert (ending.code, ending.out) == (2, "")
        assert word in ending.err


def test_records_are_those_of_the_benchmarks():
    root = Path(__file__).resolve().parents[4]
    assert root / "benchmarks" / "records.csv" == RECORDS
    assert RECORDS.exists()
