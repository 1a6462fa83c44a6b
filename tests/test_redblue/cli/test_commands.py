"""Commands made of functions."""

import json
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.main import get_command

from redblue.cli.commands import command
from redblue.show.answer import Facts
from redblue.show.rows import table


@dataclass
class Machine:
    """A machine.

    Parameters
    ----------
    memory
        Words of it.
    """

    memory: int = 8


def planned(
    spec: Annotated[str, "SPEC"],
    machine: Machine,
    sides: tuple[float, ...] = (1, 2.5),
    loud: bool = False,
    minimum: int | None = None,
) -> Facts:
    """Plan something.

    In several words.

    Parameters
    ----------
    spec
        What is planned.
    sides, minimum
        Of it,
        in words.
    """
    rows = [{"memory": machine.memory, "ends": {"low": minimum, "high": max(sides)}}]
    columns = ("M <- memory", "least <- ends.low", "high <- ends.high")
    record = {"spec": spec, "sides": sides, "loud": loud}
    bad = minimum == 0
    return Facts(record, ("told", table("t", "A table", rows, *columns)), 4 * bad, "no" * bad)


@pytest.fixture
def run(capsys):
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command("plan")(command(planned))
    app.callback()(lambda: None)
    built = get_command(app)

    def ask(*arguments):
        try:
            code = built(list(arguments), standalone_mode=False)
        except SystemExit as ending:
            code = ending.code
        return code or 0, *capsys.readouterr()

    return ask


def test_parameters_are_arguments_and_options(run):
    code, out, err = run("plan", "fft", "--sides", "3,4", "--loud", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"spec": "fft", "sides": [3, 4], "loud": True}
    assert json.loads(run("plan", "fft", "--json")[1])["sides"] == [1, 2.5]


def test_fields_of_records_are_options_too(run):
    code, out, _ = run("plan", "fft", "--memory", "16", "--minimum", "3")
    assert code == 0
    assert out.split() == ["told", "A", "table", "M", "least", "high", "16", "3", "2.5"]


def test_help_is_the_docstring(run):
    _, out, _ = run("plan", "--help")
    shown = " ".join(out.replace("│", " ").split())
    assert "Plan something. In several words." in shown
    assert "Parameters" not in shown
    for text in ("SPEC", "What is planned.", "[default: 1,2.5]", "Of it, in words.", "Words of it"):
        assert text in shown
    assert shown.index("--sides") < shown.index("--memory")  # its own options come first


def test_an_answer_may_end_in_a_code_and_a_sentence(run):
    code, out, err = run("plan", "fft", "--minimum", "0")
    assert (code, err) == (4, "redblue: no\n")
    assert "A table" in out
