"""The cell of a leaderboard: an instance is solved, replayed and checked."""

import hashlib
import json
import time
from typing import Any

from dags import CDAG
from pebble import Rules, Schedule, play
from pebble.referee import judge
from proofs import check
from redblue.papers.records.witnesses import packed
from redblue.racing.solving import solve
from redblue.store.cells import Outcome
from redblue.sweeps.artefacts import certificate_file, schedule_file
from redblue.sweeps.task import Task

KIND = "redblue.papers.records.cells:contest"
JUDGED = 1_000_000  # moves up to which the plain referee replays a schedule besides the engine
SHORT = 16  # digits of a digest in tables and records


def contest(dag: CDAG, task: Task) -> Outcome:
    """Return the best schedule and the best bound of a game, both judged.

    The schedule is replayed, the bound's certificate checked; a bound without one does not count.
    """
    cell = task.cell
    assert cell.time_limit is not None
    found = solve(
        dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        time_limit=cell.time_limit,
        spec=cell.dag,
    )
    began = time.monotonic()
    check(dag, cell.memory, found.bound)
    io = replayed(dag, found.schedule, cell.memory, cell.rules)
    certificate = certificate_file(found.bound, dag)
    result: dict[str, Any] = {
        "dag": dag.digest[:SHORT],
        "vertices": dag.n,
        "io": io,
        "scheduled_by": found.method,
        "schedule": schedule_digest(found.schedule),
        "bound": found.bound.io,
        "proved_by": found.bound.method,
        "certificate": json.loads(certificate.data)["seal"][:SHORT],
        "seconds": round(found.seconds, 3),
        "checking": round(time.monotonic() - began, 3),
    }
    artefact = packed(schedule_file(found.schedule), certificate) if task.keep else None
    return Outcome("done", result, seconds=found.seconds, artefact=artefact)


def replayed(dag: CDAG, schedule: Schedule, memory: int, rules: Rules) -> int:
    """Return the words that a schedule moves, as engine and referee count them."""
    io = play(dag, schedule, memory, rules=rules).io
    if len(schedule) <= JUDGED:
        assert judge(dag, schedule, memory, rules=rules).io == io
    return io


def schedule_digest(schedule: Schedule) -> str:
    """Return the first digits of SHA-256 of a schedule's moves."""
    state = hashlib.sha256(schedule.op.tobytes())
    state.update(schedule.vertex.tobytes())
    return state.hexdigest()[:SHORT]
