"""The store: results of sweeps and of functions, in one file that survives whatever ends them."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dags.errors import one_line
from redblue.sweeps.store.cells import (
    ARTEFACT_SUFFIX,
    Artefact,
    Outcome,
    canonical,
    digest_of,
    versions,
)
from redblue.sweeps.store.schema import StoreError, open_for_reading, open_for_writing, told

BATCH = 64  # results, or
PAUSE = 0.25  # seconds, between two commits
COLUMNS = (
    *("key", "kind", "dag", "method", "memory", "rules", "seed", "version"),
    *("status", "result", "error", "seconds", "finished", "configuration"),
)
DAMAGED = "the store is damaged: a result is not as it was written"
SEAL = "seal"  # beside the fields of a configuration
# What is done stays, unless now its schedule comes with it; what failed gives way to another try.
PUT = f"""
INSERT INTO cells ({", ".join(COLUMNS)}) VALUES ({", ".join("?" * len(COLUMNS))})
ON CONFLICT(key) DO UPDATE SET
    {", ".join(f"{name}=excluded.{name}" for name in COLUMNS[1:])}
WHERE status != 'done'
    OR (? AND NOT EXISTS (SELECT 1 FROM artefacts WHERE artefacts.key = excluded.key))
"""
KEEP = "INSERT OR IGNORE INTO artefacts (key, suffix, data) VALUES (?, ?, ?)"


@dataclass(frozen=True)
class Entry:
    """One line of a store: a configuration, its key, and its outcome."""

    key: str
    configuration: Mapping[str, Any]
    outcome: Outcome


class Store:
    """Results by key, in an SQLite file.

    Commits come in batches, a few times a second at most; a program that is killed loses no more
    than the results after the last one. Several programs may use one file: each waits for the
    other.

    Parameters
    ----------
    path
        The file; made if there is none, on a disk of this machine.
    readonly
        Whether it is only read.

    Raises
    ------
    StoreError
        If it is no store, or cannot be opened for that.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder, "a.db")) as store:
    ...     key = store.put({"kind": "sum", "of": [1, 2]}, Outcome("done", 3))
    ...     store.get(key).result
    3
    """

    def __init__(self, path: Path | str, *, readonly: bool = False) -> None:
        self.path = Path(path)
        self._connection = (open_for_reading if readonly else open_for_writing)(self.path)
        self._waiting: dict[str, tuple[tuple[Any, ...], Outcome]] = {}
        self._committed = float("-inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def get(self, key: str) -> Outcome | None:
        """The outcome of the cell of `key`, without its artefact; None if it is not here."""
        if key in self._waiting:
            return self._waiting[key][1]
        wanted = "SELECT * FROM cells WHERE key = ?"
        row = next(iter(self._select(wanted, (key,))), None)
        if row is not None and row.key != key:  # pages of the file in each other's place
            raise StoreError(self.path, DAMAGED)
        return None if row is None else row.outcome

    def put(self, configuration: Mapping[str, Any], outcome: Outcome) -> str:
        """Keep the outcome of a configuration, and return its key.

        Of two results the first one that is done stays.

        Raises
        ------
        StoreError
            If the store cannot be written.
        """
        key = digest_of(_deciding(configuration))
        self._waiting[key] = (_line(key, configuration, outcome), outcome)
        if len(self._waiting) >= BATCH:
            self.commit()
        self.commit_when_due()
        return key

    def commit_when_due(self) -> None:
        """Write waiting results, if the last commit was some time ago."""
        if self._waiting and time.monotonic() - self._committed > PAUSE:
            self.commit()

    def commit(self) -> None:
        """Write waiting results.

        Raises
        ------
        StoreError
            If the store cannot be written; waiting results are lost then, committed ones are not.
        """
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        lines = [(*line, outcome.artefact is not None) for line, outcome in waiting.values()]
        kept = [(key, outcome.artefact) for key, (_, outcome) in waiting.items()]
        with told(self.path):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(PUT, lines)
                self._connection.executemany(
                    KEEP,
                    (
                        (key, artefact.suffix, artefact.data)
                        for key, artefact in kept
                        if artefact is not None
                    ),
                )
                self._connection.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):  # SQLite has rolled back itself after some errors
                    self._connection.execute("ROLLBACK")
                if not isinstance(error, sqlite3.Error):  # Ctrl-C: there is another time
                    self._waiting = waiting
                raise
        self._committed = time.monotonic()

    def entries(self, **wanted: Any) -> Iterator[Entry]:
        """Yield all entries, by version, kind, DAG, method, rules, seed and memory.

        Parameters
        ----------
        wanted
            Values of columns ("kind", "dag", "method", "memory", "rules", "seed", "version",
            "status", "key"), or tuples of values.
        """
        self.commit()
        tests: list[str] = []
        values: list[Any] = []
        for name, value in wanted.items():
            choices = value if isinstance(value, tuple) else (value,)
            tests.append(f"{name} IN ({', '.join('?' * len(choices))})")
            values += choices
        condition = f"WHERE {' AND '.join(tests)}" if tests else ""
        order = "ORDER BY version, kind, dag, rules, method, seed, memory, key"
        yield from self._select(f"SELECT * FROM cells {condition} {order}", values)

    def artefact(self, key: str) -> Artefact | None:
        """The schedule or certificate that was kept beside the result of `key`.

        Raises
        ------
        StoreError
            If the file holds something else there: its suffix ends the name of a file.
        """
        self.commit()
        with told(self.path):
            query = "SELECT suffix, data FROM artefacts WHERE key = ?"
            row = self._connection.execute(query, (key,)).fetchone()
        if row is None:
            return None
        suffix, data = row
        named = isinstance(suffix, str) and ARTEFACT_SUFFIX.fullmatch(suffix)
        if not named or not isinstance(data, bytes):
            raise StoreError(self.path, DAMAGED)
        return Artefact(suffix, data)

    def merge(self, store: "Store") -> int:
        """Take over results of `store` that this one has not; return how many results there were.

        Results stay; failures here that are done there are replaced.
        """
        count = 0
        for entry in store.entries():
            outcome = entry.outcome
            fields = {**vars(outcome), "artefact": store.artefact(entry.key)}
            self.put(entry.configuration, Outcome(**fields))
            count += 1
        self.commit()
        return count

    def check(self) -> None:
        """Raise StoreError if the file is damaged."""
        with told(self.path):
            faults = [line for (line,) in self._connection.execute("PRAGMA integrity_check")]
        if faults != ["ok"]:
            first = next((line for line in faults[0].splitlines() if line[:3] != "***"), "")
            raise StoreError(self.path, f"the store is damaged: {one_line(first, 80)}")

    def close(self) -> None:
        """Write waiting results, and let go of the file."""
        try:
            self.commit()
        finally:
            self._connection.close()

    def _select(self, query: str, values: Iterable[Any]) -> Iterator[Entry]:
        with told(self.path):
            for line in self._connection.execute(query, tuple(values)):
                yield self._entry(line)

    def _entry(self, line: tuple[Any, ...]) -> Entry:
        """The outcome in the columns of a result, if they are as they were written."""
        try:
            fields = dict(zip(COLUMNS, line, strict=True))
            configuration = json.loads(fields["configuration"])
            seal = configuration.pop(SEAL, None)
            known = key_of(configuration) == fields["key"]
            if known and seal in (None, _seal(line, configuration)):  # once there was none
                result = None if fields["result"] is None else json.loads(fields["result"])
                about = fields["error"], fields["seconds"], fields["finished"]
                return Entry(
                    fields["key"], configuration, Outcome(fields["status"], result, *about)
                )
        except (ValueError, TypeError, AttributeError, RecursionError):  # no text, no JSON
            pass
        raise StoreError(self.path, DAMAGED)


def _deciding(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a key: the DAG's content is one, its user's name for it is not."""
    return {name: value for name, value in configuration.items() if name != "spec"}


def key_of(configuration: Mapping[str, Any]) -> str:
    """The key under which a store has `configuration`."""
    return digest_of(_deciding(configuration))


def _line(key: str, configuration: Mapping[str, Any], outcome: Outcome) -> tuple[Any, ...]:
    """The columns of a result."""
    told_of = configuration.get
    line = (
        key,
        told_of("kind", ""),
        told_of("spec", ""),
        told_of("method", ""),
        told_of("memory", 0),
        told_of("rules", ""),
        told_of("seed", 0),
        told_of("versions", {}).get("redblue", ""),
        outcome.status,
        None if outcome.result is None else canonical(outcome.result),
        outcome.error,
        float(outcome.seconds),
        outcome.finished or datetime.now(UTC).isoformat(timespec="seconds"),
        "",
    )
    about = json.loads(canonical(dict(configuration)))
    return (*line[:-1], canonical({**about, SEAL: _seal(line, about)}))


def _seal(line: tuple[Any, ...], configuration: Mapping[str, Any]) -> str:
    """The digest of all that a line says: SQLite notices no changed byte in a text."""
    return digest_of([*line[:-1], dict(configuration)])


def remembered(
    store: Store | None, configuration: Mapping[str, Any], compute: Callable[[], Any]
) -> Any:
    """The result of `compute`, as JSON has it, from `store` where it has been computed.

    Parameters
    ----------
    store
        Where results are kept; None to compute whatever happens.
    configuration
        All that decides the result, as JSON has it, but the versions of redblue and its
        libraries, which are added. "kind", "spec", "method" and "memory" show in listings.
    compute
        Makes the result, of values that JSON has. Its errors are not kept.

    Examples
    --------
    >>> remembered(None, {"kind": "pair"}, lambda: (1, 2))
    [1, 2]
    """
    if store is None:
        return json.loads(canonical(compute()))
    complete = {"kind": "remembered", **configuration, "versions": dict(versions())}
    known = store.get(key_of(complete))
    if known is not None and known.status == "done":
        return known.result
    began = time.perf_counter()
    result = json.loads(canonical(compute()))
    store.put(complete, Outcome("done", result, seconds=time.perf_counter() - began))
    store.commit()
    return result
