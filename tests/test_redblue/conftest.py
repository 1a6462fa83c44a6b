import pytest

from tests.browsers import opened


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all tests of a worker."""
    with opened(tmp_path_factory.mktemp("browser")) as browser:
        yield browser
