"""Machines of one's own, in files."""

import json

import pytest

from redblue import levels
from redblue.answers.hardware import InvalidMachineError, machine_named
from tests.command_line import run_redblue

OWN = """
title = "our accelerator"
word_bytes = 4
clock = "1.5 GHz"

[compute]
fp32 = "1024 flop/cycle"

[bandwidth]
dram = "100 GB/s"
bus = { value = 64, unit = "Gword/s" }

[memory]
scratchpad = { value = 256, unit = "KiB", fed_by = "bus" }
sram = { value = 8, unit = "MiB", fed_by = "dram" }
dram = "4 GiB"
"""


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "accelerator.toml"
    path.write_text(OWN)
    return path


def test_numbers_are_those_of_the_file(own):
    result = machine_named(str(own))
    assert (result.name, result.title, result.word_bytes) == ("accelerator", "our accelerator", 4.0)
    element = result.element()
    assert element.compute == 1024 * 1.5e9
    assert element.bandwidth == 64e9
    assert element.memory == 256 * 1024 / 4


def test_json_is_the_same_machine(own, tmp_path):
    import tomllib

    right = tmp_path / "accelerator.json"
    right.write_text(json.dumps(tomllib.loads(OWN)))
    first, second = machine_named(str(own)), machine_named(str(right))
    assert first.element() == second.element()
    assert {name: first.base for name, first in first.memory.items()} == {
        name: first.base for name, first in second.memory.items()
    }


def test_every_command_takes_it(own, tmp_path):
    hierarchy = levels("matmul:n=1000", machine=str(own))
    assert hierarchy.names == ("scratchpad", "sram", "dram")
    assert hierarchy.memories == (32 * 1024, 1024 * 1024)  # words of 8 bytes
    assert hierarchy.rates == (64e9 * 4 / 8, 100e9 / 8)
    ending = run_redblue("machine", "balance", "--machine", own, "--dag", "matmul:n=100000")
    assert ending.code == 0
    assert "Its rate (fp32) is 1.536e+12 flop/s" in ending.out
    page = tmp_path / "page.html"
    asked = ("matmul:n=100000", "--memory", "1e4", "--machine", own, "--out", page)
    ending = run_redblue("report", *asked)
    assert ending.code == 0
    assert "scratchpad" in ending.out
    assert "our accelerator" in page.read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = \n", "cannot be read as a machine: Invalid value"),
        ("memroy = 4\n", "'memroy' is unknown; a machine has title, word_bytes"),
        ("title = 'x'\n", "a machine has a memory"),
        ("[memory]\nl1 = '32'\n", "memory.l1 is '32': expected \"2 MiB\""),
        ("[memory]\nl1 = '32 GB/s'\n", "memory of m in GB/s.*: expected byte"),
        ("[memory]\nl1 = '32 pounds'\n", "unknown unit|no unit|pounds"),
        ("[memory]\nl1 = '0 KB'\n", "must be finite and more than 0|positive|not 0"),
        ("[memory]\nl1 = { value = 3, unit = 'KB', fed_by = 'x' }\n", "is fed by 'x', and bandwid"),
        ("[memory]\nl1 = { value = 3, unit = 'KB', kind = 1 }\n", "memory.l1: kind is unknown"),
        ("word_bytes = 0\n[memory]\nl1 = '3 KB'\n", "a word has at least 1 byte, not 0"),
        ("memory = 3\n", "memory is a table of names and amounts"),
        ("[compute]\nx = '4 flop/cycle'\n[memory]\nl1 = '3 KB'\n", "needs a clock"),
    ],
)
def test_bad_files_are_refused_in_a_sentence(tmp_path, text, message):
    path = tmp_path / "m.toml"
    path.write_text(text)
    with pytest.raises(InvalidMachineError, match=message):
        machine_named(str(path))
    ending = run_redblue("levels", "fft:n=8", "--machine", path)
    assert ending.code == 2
    assert "m.toml" in ending.sentence


def test_no_such_file(tmp_path):
    for name in ("none.toml", "none.json"):
        with pytest.raises(InvalidMachineError, match=f"{name} cannot be read .*No such file"):
            machine_named(str(tmp_path / name))
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(InvalidMachineError, match="a machine is a table of title"):
        machine_named(str(tmp_path / "list.json"))
