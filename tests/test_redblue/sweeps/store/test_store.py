"""The store of results: what is put into it, and what damages or fills it."""

import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from dags import CDAG, InvalidSpecError, fft, load
from redblue.sweeps.store import Store, StoreError, identity, key_of, remembered, versions
from redblue.sweeps.store.cells import Artefact, _sources
from redblue.sweeps.store.schema import SCHEMA
from tests.command_line import run_redblue
from tests.store_cells import DONE, FAILED, about

NOBODY = 65534


def told(store):
    return {entry.key: entry.outcome for entry in store.entries()}


def test_what_is_put_is_got_again(store):
    key = store.put(about(), DONE)
    for _ in range(2):
        assert store.get(key) == DONE
        store.commit()
    assert store.get("nothing") is None
    entry = next(store.entries())
    assert (entry.key, entry.configuration, entry.outcome) == (key, about(), DONE)
    store.check()


def test_every_field_but_the_name_of_the_dag_is_in_the_key():
    assert key_of(about(spec="other")) == key_of(about())
    changes = ({"kind": "x"}, {"dag": "x"}, {"memory": 5}, {"seed": 2}, {"versions": {}})
    keys = {key_of(about(**change)) for change in ({}, *changes, {"more": None})}
    assert len(keys) == len(changes) + 2


def test_a_key_is_independent_of_the_order_of_fields():
    assert key_of(dict(reversed(about().items()))) == key_of(about())


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, b"", object()])
def test_what_json_does_not_have_has_no_key(value):
    with pytest.raises(InvalidSpecError, match="JSON does not have this"):
        key_of({"a": value})


def test_the_identity_of_a_dag_is_its_content_and_its_family():
    assert identity(load("fft:n=8")) == identity(fft(8)) != identity(fft(16))
    tree = load("tree:height=3")
    plain, repeated = (CDAG(tree.pred_indptr, tree.pred_indices, work=tree.work) for _ in range(2))
    assert tree == plain
    assert identity(tree) != identity(plain) == identity(repeated)


def test_versions_name_what_computes():
    assert set(versions()) == {"redblue", "numba", "numpy", "ortools", "scipy"}
    assert versions()["redblue"].count("+") == 1


def test_what_is_done_stays_and_what_failed_gives_way(store):
    later = replace(DONE, result={"io": 9})
    for first, second, kept in ((FAILED, DONE, DONE), (DONE, FAILED, DONE), (DONE, later, DONE)):
        key = store.put(about(), first)
        store.commit()
        store.put(about(), second)
        store.commit()
        assert store.get(key) == kept


def test_a_result_is_replaced_together_with_its_artefact(store):
    key = store.put(about(), DONE)
    store.commit()
    assert store.artefact(key) is None
    for number in (1, 2):
        artefact = Artefact(".npz", bytes([number]))
        store.put(about(), replace(DONE, result={"io": number}, artefact=artefact))
        assert store.artefact(key) == Artefact(".npz", b"\x01")
        assert store.get(key).result == {"io": 1}


def test_entries_are_filtered(store):
    for memory in (4, 8, 16):
        store.put(about(memory=memory, method="ab"[memory > 4]), DONE)
    store.put(about(kind="lower"), FAILED)

    def sizes(**wanted):
        return [entry.configuration["memory"] for entry in store.entries(**wanted)]

    assert sizes() == [4, 4, 8, 16]
    assert sizes(memory=(4, 16), kind="upper") == [4, 16]
    assert sizes(method="b", status=("done", "failed"), dag="fft:n=8") == [8, 16]
    assert sizes(status="failed") == [4]
    assert sizes(version="2") == []


def test_merging_takes_what_is_not_there(store, tmp_path):
    store.put(about(memory=1), DONE)
    store.put(about(memory=2), FAILED)
    with Store(tmp_path / "b.db") as second:
        artefact = Artefact(".npz", b"moves")
        second.put(about(memory=1), replace(DONE, result=None))
        second.put(about(memory=2), replace(DONE, artefact=artefact))
        key = second.put(about(memory=3), FAILED)
        assert store.merge(second) == 3
    results = [entry.outcome for entry in store.entries()]
    assert results == [DONE, DONE, FAILED]
    assert store.artefact(key_of(about(memory=2))) == artefact
    assert store.artefact(key) is None


def test_several_programs_write_at_once(tmp_path):
    def fill(writer):
        with Store(tmp_path / "a.db") as own_part:
            for memory in range(100):
                own_part.put(about(memory=memory, seed=writer % 2), DONE)
                own_part.commit()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(fill, range(4)))
    with Store(tmp_path / "a.db", readonly=True) as kept:
        kept.check()
        assert len(told(kept)) == 200
        assert all(outcome == DONE for outcome in told(kept).values())


def test_a_reader_sees_what_is_committed_and_writes_nothing(store):
    store.put(about(), DONE)
    store.commit()
    with Store(store.path, readonly=True) as reader:
        assert len(told(reader)) == 1
        store.put(about(memory=8), DONE)
        store.commit()
        assert len(told(reader)) == 2
        with pytest.raises(StoreError, match="the store cannot be written: it is read-only"):
            reader.put(about(memory=9), DONE)


def test_remembered(store):
    calls = []

    def compute():
        calls.append(1)
        return {"pair": (1, 2)}

    for _ in range(3):
        assert remembered(store, {"kind": "pairs", "of": 2}, compute) == {"pair": [1, 2]}
    assert len(calls) == 1
    assert remembered(store, {"kind": "pairs", "of": 3}, compute) == {"pair": [1, 2]}
    assert remembered(None, {"kind": "pairs", "of": 2}, compute) == {"pair": [1, 2]}
    assert len(calls) == 3
    assert [entry.configuration["kind"] for entry in store.entries()] == ["pairs", "pairs"]


def test_what_raises_is_not_remembered(store):
    with pytest.raises(ZeroDivisionError):
        remembered(store, {"of": 2}, lambda: 1 // 0)
    assert remembered(store, {"of": 2}, lambda: 1) == 1


def sqlite_file(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_what_is_no_store(tmp_path):
    text, second, newer = (tmp_path / name for name in ("text.db", "other.db", "newer.db"))
    text.write_text("no database, but long enough to be looked at as one\n" * 40)
    sqlite_file(second, "CREATE TABLE a (b)")
    Store(newer).close()
    sqlite_file(newer, f"PRAGMA user_version={SCHEMA + 1}")
    missing = tmp_path / "missing" / "a.db"
    for path, message, readonly in (
        *((text, "is no store", readonly) for readonly in (True, False)),
        *((second, "is no store", readonly) for readonly in (True, False)),
        *((newer, "of a newer version", readonly) for readonly in (True, False)),
        *((tmp_path, "is no plain file", readonly) for readonly in (True, False)),
        (missing, "cannot be opened: no such folder", False),
        (missing, "there is no such store", True),
    ):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(StoreError, match=message):
            Store(path, readonly=readonly)
        assert (path.read_bytes() if path.is_file() else None) == before


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "a.db"
    path.touch()
    with Store(path) as opened:
        opened.put(about(), DONE)
    with Store(path, readonly=True) as opened:
        assert len(told(opened)) == 1


def test_damage_is_found(tmp_path):
    path = tmp_path / "a.db"
    with Store(path) as opened:
        for memory in range(2000):
            opened.put(about(memory=memory), DONE)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8192] = bytes(8192)
    path.write_bytes(data)
    with Store(path, readonly=True) as opened, pytest.raises(StoreError, match="is damaged"):
        opened.check()
    ending = run_redblue("store", path, "--check")
    assert ending.code == 4
    assert "the store is damaged" in ending.sentence


@contextmanager
def powerless(folder):
    """Without the right to write in `folder`, also for root, who has it everywhere."""
    folder.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(NOBODY)
    try:
        if not os.access(folder, os.R_OK | os.X_OK, effective_ids=True):
            pytest.skip("nobody cannot read temporary folders here")
        yield
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        folder.chmod(0o755)


def test_a_store_that_is_read_only():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "a.db"
        asked = ("curve", "fft:n=8", "--jobs", 1, "--store", path, "--json", "--memory")
        assert run_redblue(*asked, "4,8").code == 0
        assert run_redblue("store", path).code == 0
        path.chmod(0o444)
        before = path.read_bytes()
        with powerless(folder):
            refused, listed = run_redblue(*asked, "4,8,16"), run_redblue("store", path)
        assert refused.code == 2
        assert refused.sentence == f"{path}: the store cannot be written: it is read-only"
        assert listed.code == 0
        assert "natural+lru" in listed.out
        assert path.read_bytes() == before


FULL = """
import resource, sys
from redblue import io_curve
from redblue.cli import main
from dags import load
sizes = range(4, 200)
io_curve(load("fft:n=16"), sizes, schedulers=["lru"], bounds=["compulsory"])
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
sys.argv = ["redblue", *sys.argv[1:]]
main()
"""


def test_a_disk_that_is_full(tmp_path):
    path = tmp_path / "a.db"
    asked = ("curve", "fft:n=16", "--schedulers", "lru", "--bounds", "compulsory", "--jobs", 1)
    asked += ("--store", path, "--memory")
    assert run_redblue(*asked, "4,8").code == 0
    with Store(path, readonly=True) as before:
        known = told(before)
    command = [sys.executable, "-c", FULL, *map(str, asked), ",".join(map(str, range(4, 200)))]
    ending = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ending.returncode == 2, ending.stderr
    assert ending.stdout == ""
    assert ending.stderr.startswith(f"redblue: {path}: the store cannot be written (")
    assert ending.stderr.count("\n") == 1
    with Store(path) as after:
        after.check()
        result = told(after)
    assert known.items() <= result.items()
    assert len(known) < len(result) < 2 * 196
    assert run_redblue(*asked, ",".join(map(str, range(4, 200)))).code == 0
    with Store(path, readonly=True) as repeated:
        assert result.items() <= told(repeated).items()
        assert len(told(repeated)) == 2 * 196


def test_the_version_tells_states_of_the_source_apart():
    assert _sources() != hashlib.sha256().hexdigest()[:8]  # nothing was read
