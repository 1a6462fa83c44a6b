"""The file of a store: SQLite in WAL mode, and the mark that makes it ours."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dags import FormatError

MARK = 0x52424C55  # "RBLU", SQLite's application_id of our files
SCHEMA = 1
PATIENCE = 60.0  # seconds to wait for another writer, who holds the file for milliseconds
PAUSE = 0.01  # seconds between two attempts

TABLES = """
CREATE TABLE cells (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    dag TEXT NOT NULL,
    method TEXT NOT NULL,
    memory INTEGER NOT NULL,
    rules TEXT NOT NULL,
    seed INTEGER NOT NULL,
    version TEXT NOT NULL,
    status TEXT NOT NULL,
    result TEXT,
    error TEXT,
    seconds REAL NOT NULL,
    finished TEXT NOT NULL,
    configuration TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE artefacts (
    key TEXT PRIMARY KEY REFERENCES cells(key),
    suffix TEXT NOT NULL,
    data BLOB NOT NULL
);
"""


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection to the store at `path`, which is made if there is none.

    Raises
    ------
    StoreError
        If it is no store, or one that cannot be written.
    """
    if path.exists() and not path.is_file():
        raise StoreError(path, "is no plain file")
    with told(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables and set the modes, when no other program is at it.

    SQLite does not wait for those who change the journal's mode, or recover a file, while we do.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            _make(connection, path)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & PRIMARY == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > end:
                raise
        time.sleep(PAUSE)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection to the store at `path` that writes nothing.

    SQLite reads a file in WAL mode through files beside it, which it cannot make in a folder
    that is read-only; where there are none, the file alone is all there is.

    Raises
    ------
    StoreError
        If there is none.
    """
    if not path.is_file():
        raise StoreError(path, "is no plain file" if path.exists() else "there is no such store")
    with told(path):
        locked = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
        place = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' * locked}"
        connection = sqlite3.connect(place, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            require_ours(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def require_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError unless the file is a store that this version reads."""
    if _number(connection, "application_id") != MARK:
        raise StoreError(path, "is no store")
    version = _number(connection, "user_version")
    if version != SCHEMA:
        raise StoreError(
            path, f"the store has format {version}, of a newer version; known: {SCHEMA}"
        )


def _make(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file; of two programs at once, one makes them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if empty and _number(connection, "application_id") == 0:
            for statement in TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={MARK}")
            connection.execute(f"PRAGMA user_version={SCHEMA}")
        require_ours(connection, path)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


INTACT = "what it holds already is intact"
SENTENCES = {
    sqlite3.SQLITE_READONLY: "the store cannot be written: it is read-only",
    sqlite3.SQLITE_PERM: "the store cannot be written: it is read-only",
    sqlite3.SQLITE_FULL: f"the store cannot be written: the disk is full; {INTACT}",
    sqlite3.SQLITE_IOERR: f"the store cannot be written (no space, or a disk error); {INTACT}",
    sqlite3.SQLITE_NOTADB: "is no store",
    sqlite3.SQLITE_CORRUPT: "the store is damaged",
    sqlite3.SQLITE_CANTOPEN: "the store cannot be opened: no such folder, or no permission",
    sqlite3.SQLITE_BUSY: "the store is locked by another program that does not let go",
}
PRIMARY = 0xFF  # the low byte of SQLite's extended codes


class StoreError(FormatError):
    """A store that cannot be opened, read or written; nothing in it is lost by that."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Raise SQLite's errors in the block as a StoreError about `path`."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
        raise StoreError(path, SENTENCES.get(code, f"the store: {error}")) from error
    except UnicodeDecodeError as error:  # names in the file, and messages that repeat them
        raise StoreError(path, SENTENCES[sqlite3.SQLITE_CORRUPT]) from error
