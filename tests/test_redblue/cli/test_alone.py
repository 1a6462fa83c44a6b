"""The command alone: questions, and the commands that answer them."""

import re
from pathlib import Path

import pytest

import redblue
from tests.command_line import run_redblue

QUICKLY = {"report": ("--effort", "quick"), "emit": ("--effort", "0")}


@pytest.mark.slow
def test_redblue_alone_says_which_command_answers_what(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ending = run_redblue()
    assert (ending.code, ending.err) == (0, "")
    assert all(len(line) <= 80 for line in ending.out.splitlines())
    asked = re.findall(r"^\S.*?\? +redblue (.*)$", ending.out, re.MULTILINE)
    assert len(asked) == 13
    index = (Path(redblue.__file__).parents[1] / "docs" / "index.md").read_text()
    for options in asked:
        arguments = options.split()
        assert f"`redblue {arguments[0]} " in index
        assert run_redblue(*arguments, *QUICKLY.get(arguments[0], ())).code == 0
