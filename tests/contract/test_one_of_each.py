"""One product: commands are functions of `redblue`, checkers have one table, and none is a fork."""

import ast

import pytest

from benchmarks.house import FORKS, answers, imported, sources_here
from proofs.certificates import CHECKERS
from proofs.lemmas import LEMMAS
from proofs.lemmas.loops.nests import NESTS

LINE = ("redblue", "cli")


@pytest.fixture(scope="module")
def counts():
    places = (("redblue",), ("proofs", "certificates"), ("proofs", "lemmas"))
    sources = sources_here().items()
    return answers(
        {
            path: text
            for path, text in sources
            if any(path.parts[: len(place)] == place for place in places)
            and path.parts[1] not in ("papers", "show")
        }
    )


def test_every_command_is_the_function_of_its_name(counts):
    assert counts["commands that are the API's"] == counts["commands with a function of the API"]
    assert counts["commands with a function of the API"] == 11


def test_no_command_decides_which_of_several_products_it_is(counts):
    """Nor by a module that decides it, nor by the type of a computation or of a plan."""
    assert counts["forks, in modules of the command line"] == 0
    for path, text in sources_here().items():
        if path.parts[:2] == LINE:
            assert not any(name.startswith(FORKS) for name in imported(path, text)), path
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                    kinds = ast.unparse(node.args[1])
                    assert not {"Computation", "Plan", "CountedPlan", "FoundLaw"} & {
                        part.strip("() ") for part in kinds.replace("|", ",").split(",")
                    }, (path, kinds)


def test_checkers_have_one_table():
    for table in (LEMMAS, NESTS):
        assert all(CHECKERS[kind] is lemma for kind, lemma in table.items())


def test_checkers_are_looked_up_in_that_table_and_by_parts_of_nests_alone(counts):
    assert counts["lookups of checkers"] <= 2
