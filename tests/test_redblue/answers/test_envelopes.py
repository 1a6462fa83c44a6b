"""The contract on one envelope (`tests/contract/test_envelope.py`), of more games."""

import pytest

from tests.contract.test_envelope import FEW, GAMES, test_no_door_is_worse_than_another

__all__ = ["spec", "test_no_door_is_worse_than_another"]


pytestmark = pytest.mark.slow


@pytest.fixture(params=[name for name in GAMES if name not in FEW])
def spec(request):
    return request.param
