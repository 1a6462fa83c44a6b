"""Items of the five papers: their commands, and the page of what they found."""

import json
import shlex

import pytest

from benchmarks.papers_table import PAGE, STATUSES, Item, checked, papers, status_of, table
from redblue import cli
from redblue.papers.experiments import EXPERIMENTS, Bench
from redblue.show.reporting.as_data import to_data
from tests.command_line import run_redblue

ITEMS = [item for of_paper in papers().values() for item in of_paper]
SAMPLE = ("communication-density", "qcd-chips")  # a tenth of a second each


def test_there_are_96_items_and_each_is_on_the_page():
    assert len(ITEMS) == 96
    page = PAGE.read_text()
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    known = {(row[0].removeprefix("| "), row[1], row[3]): row[2] for row in rows if len(row) == 5}
    for item in ITEMS:
        assert known[item.where, item.what, f"`{item.command}`"] in STATUSES


@pytest.mark.parametrize("command", sorted({item.command for item in ITEMS}))
def test_commands_parse(command):
    name, *arguments = shlex.split(command)
    assert name == "redblue"
    commands = cli.command()
    while arguments and arguments[0] in getattr(commands, "commands", {}):
        commands = commands.commands[arguments.pop(0)]
    assert commands.name != "redblue"
    context = commands.make_context("redblue", list(arguments))
    assert set(context.params.get("experiments") or []) <= set(EXPERIMENTS)


@pytest.mark.parametrize("name", SAMPLE)
def test_claims_of_cheap_experiments_are_those_of_the_page(name):
    data = to_data(EXPERIMENTS[name](Bench(quick=True)))
    printed = json.dumps({"runs": [{"experiment": data}]})
    page = PAGE.read_text()
    own_values = [item for item in ITEMS if item.command == f"redblue report {name} --effort quick"]
    assert own_values
    for item in own_values:
        row = table("a paper", (item,), [checked(item, printed)]).splitlines()[-1]
        assert row in page


def test_models_print_what_the_page_says():
    cheap = [item for item in ITEMS if item.says and "many-core" in item.command]
    assert cheap
    for item in cheap:
        output = run_redblue(*shlex.split(item.command)[1:])
        assert output.code == 0
        assert checked(item, output.out) == (item.status, f"prints “{item.says}”")


def test_what_is_not_found_is_no_check():
    silent = Item("1", "a thing", "redblue dags", says="nothing", status="played")
    with pytest.raises(LookupError, match="does not print 'nothing'"):
        checked(silent, "something")
    second = Item("1", "a thing", "redblue report mesh", claim="No such")
    with pytest.raises(LookupError, match="makes 0 claims"):
        checked(second, '{"runs": [{"experiment": {"claims": [{"statement": "It is"}]}}]}')


def test_statuses():
    assert status_of("corrected", "plays") == "corrected, played"
    assert status_of("corrected", "formulas") == "corrected"
    assert status_of("confirmed", "plays") == "played"
    assert status_of("confirmed", "proof") == "proved"
    assert status_of("refuted", "plays") == "refuted"
