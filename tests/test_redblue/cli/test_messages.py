"""What commands say of hostile arguments: one printable sentence, with no line of garbage in it."""

import re

import pytest

from redblue.cli import console
from tests.command_line import run_redblue

HOSTILE = {
    "long": "x" * 3000,
    "control": "a\x1b[2Jb\nc\u2028d",
    "digits": "9" * 3000,
    "list": ",".join(f"ab{i}" for i in range(500)),
    "spec": "fft:" + "n=1," * 500,
    "path": "/nowhere/" + "y" * 300 + ".npz",
}
COMMANDS = [
    ("@",),
    ("dag", "@"),
    ("dags", "@"),
    ("solve", "@", "--memory", "4"),
    ("solve", "fft:n=4", "--memory", "@"),
    ("solve", "fft:n=4", "--memory", "4", "--rules", "@"),
    ("solve", "fft:n=4", "--memory", "4", "--method", "@"),
    ("solve", "fft:n=4", "--@", "3"),
    ("bound", "fft:n=4", "--memory", "4", "--bounds", "@"),
    ("curve", "--compare", "@", "--memory", "4"),
    ("check", "@", "@"),
    ("check", "fft:n=4", "@", "--memory", "4"),
    ("papers", "@"),
    ("store", "@"),
    ("machine", "@"),
]


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_one_sentence(command, hostile):
    ending = run_redblue(*(part.replace("@", hostile) for part in command))
    assert ending.code == 2
    assert ending.sentence.isprintable()
    assert len(ending.sentence) <= console.LONGEST
    assert max(map(len, ending.sentence.split())) <= console.LONGEST_WORD
    assert not re.search(r"[.?!] [A-Z]", ending.sentence)


def test_what_is_printed_commands_no_terminal(tmp_path, capsys):
    console.say("wrote \x1b[2J")
    console.emit_text("\x07\ntwo")
    printed = capsys.readouterr()
    assert (printed.err, printed.out) == ("wrote \\x1b[2J\n", "\\x07\ntwo\n")
