"""The contract on best schedules and bounds (`tests/contract/test_order.py`), on more texts."""

import pytest

from tests.contract.test_order import (
    FAMILIES,
    FEW,
    FEW_FAMILIES,
    OWN,
    SHARED,
    test_no_best_is_above_the_formula_of_the_family,
    test_no_best_is_above_the_text_as_written_nor_its_code,
    test_no_bound_is_below_another_of_the_same_game,
    text,
)

__all__ = [
    "test_no_best_is_above_the_formula_of_the_family",
    "test_no_best_is_above_the_text_as_written_nor_its_code",
    "test_no_bound_is_below_another_of_the_same_game",
    "text",
]
pytestmark = pytest.mark.slow


@pytest.fixture(params=[name for name in (*OWN, *SHARED) if name not in FEW])
def name(request):
    return request.param


@pytest.fixture(params=[family for family in FAMILIES if family not in FEW_FAMILIES])
def family(request):
    return request.param
