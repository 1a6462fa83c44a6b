"""Builds the verified checker, and asks it of bounds and of plays."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dags import CDAG, RedBlueError
from dags._numba import own_folder
from dags.families.common.members import Member
from dags.formats import save
from dags.programs.box_nests import BoxNest
from pebble import Move, Rules, Schedule
from proofs.base import Bound
from proofs.certificates import CertificateError
from proofs.core.records import shown
from proofs.files import save_bound

SOURCES: Final = Path(__file__).parent
PROJECT: Final = "_CoqProject"
READER: Final = "redblue_check.ml"
CLOSED: Final = "Closed under the global context"
TOOLS: Final = ("coqc", "ocamlopt")
PROVED, BEYOND, REFUSED = 0, 3, 4  # exit codes of the program
PATIENCE: Final = 2.0  # seconds
LETTERS: Final = {Move.LOAD: "L", Move.STORE: "S", Move.COMPUTE: "C", Move.DELETE: "D"}


class NotBuiltError(RedBlueError):
    """The verified checker is not there; the message says how to build it."""


class NotVerifiedError(RedBlueError, ValueError):
    """A bound of a kind that the verified checker does not know."""


def coq_files() -> tuple[str, ...]:
    """The names of the Coq sources in the order in which they are compiled."""
    lines = (SOURCES / PROJECT).read_text().splitlines()
    return tuple(line for line in lines if line.endswith(".v"))


def program() -> Path:
    """Return where the program is, or would be: sources of another version have another place."""
    state = hashlib.sha256()
    for name in (*coq_files(), READER):
        state.update((SOURCES / name).read_bytes())
    return own_folder() / f"redblue-check-{state.hexdigest()[:16]}"


def build() -> Path:
    """The program, after compiling it with Coq and OCaml if it is not there.

    Raises
    ------
    NotBuiltError
        If a compiler is missing, or a theorem rests on an axiom.
    """
    place = program()
    if place.exists():
        return place
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise NotBuiltError(
            f"the verified checker is built with Coq and OCaml: {' and '.join(missing)} "
            "cannot be found (Debian has both in the packages coq and ocaml)"
        )
    with TemporaryDirectory() as folder:
        for name in (*coq_files(), READER):
            shutil.copy(SOURCES / name, folder)
        told = {name: _run(folder, ["coqc", "-Q", ".", "RedBlue", name]) for name in coq_files()}
        theorems = (SOURCES / "Theorems.v").read_text().count("Print Assumptions")
        if told["Theorems.v"].count(CLOSED) != theorems:
            raise NotBuiltError(f"a theorem rests on more than Coq: {told['Theorems.v']}")
        sources = ["checker.mli", "checker.ml", READER]
        _run(folder, ["ocamlopt", "-w", "-a", "-o", "redblue-check", *sources])
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_suffix(f".{os.getpid()}")
        shutil.copy(Path(folder, "redblue-check"), new)
        new.replace(place)
    return place


def verify(dag: CDAG | BoxNest | Member, bound: Bound, *, seconds: float | None = None) -> str:
    """The sentence that the verified checker prints of a bound that it has proved.

    Parameters
    ----------
    dag, bound
        The computation, and the bound with its certificate.
    seconds
        After which it is given up; None for never.

    Raises
    ------
    CertificateError
        If the certificate does not prove the bound.
    NotVerifiedError
        If it is of a kind that only the other checker knows.
    NotBuiltError
        If the program has not been built.
    """
    if isinstance(dag, BoxNest):
        raise NotVerifiedError("the verified checker reads DAGs, not nests that are not built")
    if isinstance(dag, Member):
        raise NotVerifiedError("the verified checker reads DAGs, not members that are not built")
    with TemporaryDirectory() as folder:
        graph, certificate = Path(folder, "dag.cdag"), Path(folder, "certificate.json")
        save(dag, graph)
        save_bound(bound, dag, certificate)
        code, told = _ask([str(graph), str(certificate)], seconds)
    if code == PROVED:
        return told
    reason = told.partition(": ")[2]
    if code == BEYOND:
        raise NotVerifiedError(
            f"the verified checker does not know {reason}; the other checker reads this certificate"
        )
    if code == REFUSED:
        raise CertificateError("verified", f"the verified checker says: {reason}")
    raise CertificateError("verified", f"the verified checker ends: {shown(told)}")


def judged_by_definition(
    dag: CDAG, games: Sequence[tuple[Schedule, int, Rules]]
) -> list[int | str]:
    """What the definition of the game in Coq says of plays: their cost, or why none.

    Parameters
    ----------
    dag
        The computation.
    games
        Schedules, each with the words of fast memory and the rules.
    """
    lines = []
    for schedule, memory, rules in games:
        moves = zip(schedule.op.tolist(), schedule.vertex.tolist(), strict=True)
        lines += [f"{memory} {rules.name}", " ".join(f"{LETTERS[Move(op)]}{v}" for op, v in moves)]
    with TemporaryDirectory() as folder:
        graph, plays = Path(folder, "dag.cdag"), Path(folder, "plays")
        save(dag, graph)
        plays.write_text("\n".join(lines))
        code, told = _ask(["--play", str(graph), str(plays)], None)
    if code != PROVED:
        raise NotBuiltError(f"the verified checker ends: {shown(told)}")
    return [int(line) if line.isdigit() else line for line in told.splitlines()]


def _ask(arguments: list[str], seconds: float | None) -> tuple[int, str]:
    """The exit code of the program, and what it prints."""
    place = program()
    if not place.exists():
        raise NotBuiltError(
            "the verified checker is not built: 'redblue compile --verified' builds it "
            "where Coq and OCaml are"
        )
    last = None if seconds is None else seconds + PATIENCE  # for whoever waits to give up before
    try:
        done = subprocess.run(
            [str(place), *arguments], capture_output=True, text=True, timeout=last, check=False
        )
    except subprocess.TimeoutExpired:
        raise CertificateError("verified", f"takes more than {seconds} seconds") from None
    return done.returncode, (done.stdout or done.stderr).strip()


def _run(folder: str, command: list[str]) -> str:
    """What a command prints that has to succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotBuiltError(f"{' '.join(command)} fails: {shown(done.stderr)}")
    return done.stdout
