"""Schedules and certificates as the files that a store keeps."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from dags import CDAG
from pebble import Schedule
from proofs import Bound, load_bound, save_bound
from redblue.store.cells import Artefact

T = TypeVar("T")


def schedule_file(schedule: Schedule) -> Artefact:
    """Return a schedule as an .npz file."""
    return _written(".npz", schedule.save)


def certificate_file(bound: Bound, dag: CDAG) -> Artefact:
    """Return a bound of `dag` with its certificate as a .json file."""
    return _written(".json", lambda path: save_bound(bound, dag, path))


def schedule_of(artefact: Artefact) -> Schedule:
    """Return the schedule in an .npz file."""
    return _read(artefact, Schedule.load)


def bound_of(artefact: Artefact, dag: CDAG) -> Bound:
    """Return the bound of `dag` in a .json file."""
    return _read(artefact, lambda path: load_bound(path, dag))


def _read(artefact: Artefact, load: Callable[[Path], T]) -> T:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"artefact{artefact.suffix}")
        path.write_bytes(artefact.data)
        return load(path)


def _written(suffix: str, save: Callable[[Path], None]) -> Artefact:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"artefact{suffix}")
        save(path)
        return Artefact(suffix, path.read_bytes())
