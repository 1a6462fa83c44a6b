"""Errors of a store, each in one sentence."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dags import FormatError

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
    """Raise what SQLite raises in the block as a StoreError about `path`."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & PRIMARY
        raise StoreError(path, SENTENCES.get(code, f"the store: {error}")) from error
    except UnicodeDecodeError as error:  # names in the file, and messages that repeat them
        raise StoreError(path, SENTENCES[sqlite3.SQLITE_CORRUPT]) from error
