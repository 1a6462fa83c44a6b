"""Listings of a store, as tables and files."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dags import FormatError
from dags.cdag.files import writing
from dags.cdag.tables import harmless
from redblue.sweeps.store.cells import Outcome, canonical
from redblue.sweeps.store.results import Entry, Store

if TYPE_CHECKING:
    import pandas as pd

WORDS = ("io", "loads", "stores")
SUFFIXES = (".csv", ".parquet")


def line_of(entry: Entry) -> dict[str, Any]:
    """Return one line of a listing; io, loads and stores where the result has one of each."""
    about, outcome = entry.configuration, entry.outcome
    result = outcome.result if isinstance(outcome.result, dict) else {}
    words = {name: result.get(name) for name in WORDS}
    return {
        "key": entry.key,
        "version": about.get("versions", {}).get("redblue", ""),
        "kind": about.get("kind", ""),
        "dag": about.get("spec", ""),
        "method": about.get("method", ""),
        "rules": about.get("rules", ""),
        "seed": about.get("seed", 0),
        "memory": about.get("memory", 0),
        "status": outcome.status,
        **{name: count if isinstance(count, int) else None for name, count in words.items()},
        "seconds": outcome.seconds,
        "finished": outcome.finished,
        "error": outcome.error,
        "result": outcome.result,
    }


def require_listing_suffix(path: Path) -> None:
    """Raise FormatError if `path` is no name for a listing, or pandas cannot write such files."""
    if path.suffix not in SUFFIXES:
        raise FormatError(path, f"a listing is kept as {' or '.join(SUFFIXES)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise FormatError(path, "Parquet takes the extra 'parquet' (pyarrow)")


def save_entries(entries: Iterable[Entry], path: Path) -> int:
    """Write a listing to `path`, whole or not at all, and return how many lines it has.

    Raises
    ------
    FormatError
        If the suffix is neither .csv nor .parquet, or the file cannot be written.
    """
    require_listing_suffix(path)
    table = frame(entries)
    with writing(path) as new:
        if path.suffix == ".csv":
            table.map(harmless).to_csv(new, index=False)
        else:
            table.to_parquet(new, index=False)
    return len(table)


def frame(entries: Iterable[Entry]) -> "pd.DataFrame":
    """A listing as a table; results as the JSON text that the store has."""
    import pandas as pd

    columns = [*line_of(Entry("", {}, Outcome("done")))]
    lines = [line_of(entry) for entry in entries]
    table = pd.DataFrame(lines, columns=columns)
    for name in ("seed", "memory", *WORDS):
        table[name] = table[name].astype("Int64")
    results = (line["result"] for line in lines)
    table["result"] = [None if result is None else canonical(result) for result in results]
    return table


def save_artefacts(store: Store, entries: Iterable[Entry], folder: Path) -> list[Path]:
    """Write the schedules and certificates of `entries`, and return the files.

    Parameters
    ----------
    store
        The store that keeps them.
    entries
        Results of the store; those without a schedule or certificate are passed over.
    folder
        Folder for the files, made if it is not there; each is named by the key of its result.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for entry in entries:
        artefact = store.artefact(entry.key)
        if artefact is not None:
            path = folder / f"{entry.key}{artefact.suffix}"
            with writing(path) as new:
                new.write_bytes(artefact.data)
            paths.append(path)
    return paths
