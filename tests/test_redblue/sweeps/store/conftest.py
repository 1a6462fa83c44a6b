"""An open store."""

import pytest

from redblue.sweeps.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "a.db") as opened:
        yield opened
