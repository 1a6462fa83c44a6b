"""`redblue compile` runs commands and methods that are there, and says where kernels are kept."""

import pytest
from numba import config

from dags import load
from redblue.cli import command, compile_command
from redblue.racing import first_runs
from redblue.sweeps import sweep
from redblue.sweeps.store.cells import Cell
from tests.command_line import run_redblue


@pytest.fixture
def little(monkeypatch):
    """One command and no methods."""
    monkeypatch.setattr(compile_command, "PLAYED", ())
    monkeypatch.setattr(compile_command, "BOUNDED", ())
    monkeypatch.setattr(compile_command, "COMMANDS", "dag chain:n=3")


def test_it_says_where_compiled_code_is_kept(little, monkeypatch, tmp_path):
    (tmp_path / "kernels").mkdir()
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    ending = run_redblue("compile", "--jobs", 1)
    assert (ending.code, ending.err) == (0, "")
    assert ending.out == f"all kernels are compiled and saved in {tmp_path / 'kernels'}\n"


def test_where_nothing_can_be_kept_it_says_so(little, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "file"))
    ending = run_redblue("compile", "--jobs", 1)
    assert ending.code == 2
    assert (
        ending.sentence == f"{tmp_path / 'file' / 'kernels'}: compiled code cannot be saved there"
    )


def test_a_command_that_fails_is_told(little, monkeypatch):
    monkeypatch.setattr(compile_command, "COMMANDS", "dag nothing:n=3")
    ending = run_redblue("compile", "--jobs", 1)
    assert ending.code == 1
    assert "dag nothing:n=3" in ending.sentence


def test_every_command_can_be_run_and_every_dag_be_made():
    for line in filter(None, compile_command.COMMANDS.splitlines()):
        name, *arguments = line.split()
        command().commands[name].make_context(name, arguments)
    for spec in (*compile_command.PLAYED, *compile_command.BOUNDED):
        assert load(spec).n < 200


def test_all_methods_of_a_tiny_dag():
    assert first_runs.__name__ == compile_command.PLACE
    kinds = [f"{compile_command.PLACE}:{name}" for name in ("plays", "bounds")]
    outcomes = sweep([Cell(kind, "tree:height=2") for kind in kinds])
    assert [outcome.status for outcome in outcomes] == ["done", "done"]
