"""Schedules and certificates behind a leaderboard, as files."""

import re
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from dags.cdag.files import writing
from redblue.papers.records.instances import Case
from redblue.store.cells import Artefact

SCHEDULE, BOUND = "schedule.npz", "bound.json"


def packed(schedule: Artefact, certificate: Artefact) -> Artefact:
    """Return both as one file, a .zip."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(SCHEDULE, schedule.data)
        archive.writestr(BOUND, certificate.data)
    return Artefact(".zip", file.getvalue())


def save_witnesses(found: Iterable[tuple[Case, Artefact]], folder: Path) -> list[Path]:
    """Write NAME.schedule.npz and NAME.bound.json of each case to a folder; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for case, artefact in found:
        with zipfile.ZipFile(BytesIO(artefact.data)) as archive:
            for part in (SCHEDULE, BOUND):
                path = folder / f"{file_name(case)}.{part}"
                with writing(path) as new:
                    new.write_bytes(archive.read(part))
                written.append(path)
    return written


def file_name(case: Case) -> str:
    """Return the beginning of the names of a case's files: "fft_n_1024-64-one-shot"."""
    title = re.sub(r"[^A-Za-z0-9.-]+", "_", case.instance)
    return f"{title}-{case.memory}-{case.rules.name}"
