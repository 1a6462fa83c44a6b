import json

import pytest

from tests.browsers import opened


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all tests of a worker."""
    with opened(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="session")
def golden(shared):
    """The golden values of the source papers, read in place."""
    return json.loads((shared / "golden" / "seed_papers.json").read_text())
