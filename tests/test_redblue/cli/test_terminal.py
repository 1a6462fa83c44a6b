"""What commands print on a terminal: names as they are, and tables that fit."""

import re
from itertools import chain
from pathlib import Path

import pytest

from dags import fft, save
from tests.command_line import on_a_terminal

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours, and moves of the cursor
NAMES = ["x[/red].edges", "[link=y]x[bold]z.edges", "a:smile:b[.edges"]


def shown(text):
    """The text that a terminal shows."""
    return CODES.sub("", text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "command",
    [
        ("solve", "--time-limit", "5"),
        ("curve", "--effort", "quick"),
        ("curve", "--compare", "--effort", "quick", "--jobs", "1"),
        ("levels", "--memory"),
    ],
    ids=lambda command: command[0],
)
def test_names_are_shown_as_they_are(command, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    save(fft(4), path)
    size = ("4,6",) if command[0] == "levels" else ("--memory", "4")
    ending = on_a_terminal(command[0], name, *command[1:], *size, columns=120)
    assert ending.code == 0, ending.err
    assert path.name in shown(ending.out + ending.err)
    assert "\x1b]8" not in ending.out + ending.err  # what makes a link


def test_wide_tables_are_printed_in_parts():
    asked = ("curve", "fft:n=8", "--memory", "4,6", "--effort", "quick")
    lines = shown(on_a_terminal(*asked).out).splitlines()
    table = lines[2 : next(i for i, line in enumerate(lines) if "I/O" in line and i) - 1]
    assert max(map(len, table)) <= 80
    assert not any("\u2026" in line for line in table)
    parts = [line.split()[1:] for line in table if line.startswith("M ")]
    assert len(parts) > 1
    full = shown(on_a_terminal(*asked, columns=300).out).splitlines()
    assert [list(chain(*parts))] == [line.split()[1:] for line in full if line.startswith("M ")]
    assert [line.split()[0] for line in table if re.match(r"\d", line)] == ["4", "6"] * len(parts)
