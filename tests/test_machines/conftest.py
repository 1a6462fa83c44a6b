import json

import pytest


@pytest.fixture(scope="session")
def golden(shared):
    """Return the golden values of the source papers, read in place."""
    return json.loads((shared / "golden" / "seed_papers.json").read_text())
