"""What `emit` and specifications refuse, and the table of all refusals of loop nests."""

from collections.abc import Mapping
from typing import Final

import pytest

pytest.importorskip("islpy")

from dags.errors import RedBlueError
from tests import refusals
from tests.test_redblue.emission.refused import EMITTED, SPECIFIED, emitted, specified

# Places that refuse and that no text gets to: guards behind others, what readers take back
# themselves, and what a text of the tests would be too long for.
GUARDS: Final[Mapping[str, int]] = {
    "c_calls.parsed": 1,
    "c_expressions.at": 1,
    "c_pieces.parsed": 1,
    "c_text._assignment": 1,
    "c_text._cell": 1,
    "c_text._filled": 1,
    "c_text._loops": 1,
    "c_text._walked": 1,
    "emission.prepared": 1,  # islpy is not installed
    "expressions.expression_of": 1,
    "expressions.of": 1,
    "layout._most": 1,
    "layout.values_of": 1,
    "loop_table.form": 1,
    "loop_table.loop_table": 1,
    "python_text._function": 2,  # by `test_functions_are_found_by_name`
    "python_text._tree": 1,
    "python_text.from_python": 2,
    "scopes._entry": 1,
    "scopes.holds_value": 3,
    "scopes.require_known": 1,
    "spec.canonical": 1,
    "spec.dag": 1,
    "syntax.loop": 1,
    "syntax.program_of": 1,
    "syntax.turns": 1,
}


@pytest.mark.parametrize("case", EMITTED, ids=lambda case: f"{case.text[-40:]} {case.options}")
def test_what_is_not_emitted_says_what_to_write(case):
    with pytest.raises(RedBlueError) as caught:
        emitted(case)
    assert str(caught.value).startswith(case.message)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("spec", SPECIFIED)
def test_what_is_no_specification_of_a_program_says_why(spec):
    with pytest.raises(RedBlueError) as caught:
        specified(spec)
    message = getattr(caught.value, "message", str(caught.value))
    assert message.startswith(SPECIFIED[spec])


def test_the_page_has_the_sentences_of_all_texts():
    made = refusals.page()
    assert refusals.PAGE.read_text(encoding="utf-8") == made, "python -m tests.refusals --write"


def test_each_place_that_refuses_has_a_text():
    unmet = {
        function: sentences
        for function, sentences in refusals.places_unmet().items()
        if len(sentences) > GUARDS.get(function, 0)
    }
    assert not unmet
