"""The contract on spellings (`tests/contract/test_rewriting.py`), at the sizes of real programs."""

import pytest

pytest.importorskip("islpy")

from tests.contract.test_rewriting import (
    test_a_spelling_has_the_bound_and_the_play_of_the_plain_text,
)

__all__ = ["test_a_spelling_has_the_bound_and_the_play_of_the_plain_text"]
pytestmark = pytest.mark.slow


@pytest.fixture
def is_small():
    return False
