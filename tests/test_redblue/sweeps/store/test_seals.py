"""Lines of a store that are not as they were written."""

import sqlite3

import pytest

from redblue.sweeps.store import Store, StoreError
from redblue.sweeps.store.cells import Outcome

CONFIGURATION = {"kind": "lower", "spec": "fft:n=8", "method": "compulsory", "memory": 4}


@pytest.fixture
def path(tmp_path):
    with Store(tmp_path / "a.db") as store:
        store.put(CONFIGURATION, Outcome("done", {"io": 16}, seconds=1))
    return tmp_path / "a.db"


def changed(path, statement):
    """Change the file behind the store's back."""
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "change",
    [
        "result = '{\"io\":61}'",
        "memory = 5",
        "method = 'wavefront'",
        "status = 'failed'",
        "seconds = 2.0",
        "result = x'ff'",
        "configuration = '[]'",
        "configuration = replace(configuration, '4', '5')",
    ],
)
def test_a_changed_line_is_refused(path, change):
    changed(path, f"UPDATE cells SET {change}")
    with Store(path, readonly=True) as store, pytest.raises(StoreError, match="not as it was"):
        list(store.entries())


def test_lines_of_the_first_versions_have_no_seal(path):
    changed(path, "UPDATE cells SET configuration = json_remove(configuration, '$.seal')")
    with Store(path) as store:
        (entry,) = store.entries()
    assert entry.configuration == CONFIGURATION
    assert entry.outcome.result == {"io": 16}


def test_another_result_of_the_same_cell_is_sealed_too(path):
    with Store(path) as store:
        store.put({**CONFIGURATION, "memory": 8}, Outcome("failed", error="it broke"))
        store.put({**CONFIGURATION, "memory": 8, "spec": "again"}, Outcome("done", {"io": 17}))
        results = {entry.configuration["spec"]: entry.outcome.result for entry in store.entries()}
    assert results == {"fft:n=8": {"io": 16}, "again": {"io": 17}}
