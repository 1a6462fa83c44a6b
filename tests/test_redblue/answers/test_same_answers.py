"""The contract on same answers (`tests/contract/test_same_answer.py`), for longer questions."""

import pytest

from tests.contract.test_same_answer import (
    FEW,
    QUESTIONS,
    test_the_same_question_has_the_same_answer,
)

__all__ = ["test_the_same_question_has_the_same_answer"]
pytestmark = pytest.mark.slow


@pytest.fixture(params=[question for question in QUESTIONS if question not in FEW])
def question(request):
    return request.param
