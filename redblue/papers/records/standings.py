"""Standings: cases solved and judged, the words reached on each, and the means of each group."""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import Any

from dags import CDAG, Computation
from pebble import Rules, Schedule, play
from pebble.referee import judge
from proofs import check
from redblue.limits.progress import Progress
from redblue.papers.records.instances import Case, packed
from redblue.racing.solving import solve
from redblue.sweeps.kinds import certificate_file, schedule_file
from redblue.sweeps.runner import sweep
from redblue.sweeps.store import Store
from redblue.sweeps.store.cells import Artefact, Cell, Outcome
from redblue.sweeps.task import Task

ALL = "all"
CHECKING = 60.0  # seconds for judging beyond the limit, and the limit once more


@dataclass(frozen=True)
class Standing:
    """Result of one case.

    Parameters
    ----------
    case
        The case.
    io, scheduled_by, schedule
        Words of the best schedule, the method behind it, and the first digits of its digest; None
        and empty where the cell failed.
    bound, proved_by, certificate
        The best bound, likewise.
    vertices, dag
        Size of the DAG, and the first digits of its digest.
    seconds
        Time of the search.
    error
        Why there is no result; empty where there is one.
    """

    case: Case
    io: int | None = None
    scheduled_by: str = ""
    schedule: str = ""
    bound: int | None = None
    proved_by: str = ""
    certificate: str = ""
    vertices: int = 0
    dag: str = ""
    seconds: float = 0.0
    error: str = ""

    @property
    def ratio(self) -> float | None:
        """Best schedule over best bound; None where there is none."""
        return self.io / self.bound if self.io and self.bound else None

    def to_dict(self) -> dict[str, Any]:
        """The row that `--json` prints."""
        case = self.case
        about = {"suite": case.suite, "group": case.group, "instance": case.instance}
        game = {"memory": case.memory, "rules": case.rules.name}
        fields = {name: value for name, value in vars(self).items() if name != "case"}
        return {**about, **game, **fields, "ratio": self.ratio}


@dataclass
class Standings:
    """Results of all cases so far.

    Parameters
    ----------
    cases
        The cases.
    found
        The outcomes by the number of the case.
    """

    cases: Sequence[Case]
    found: dict[int, Standing] = field(default_factory=dict)
    witnesses: dict[int, Artefact] = field(default_factory=dict)

    @property
    def rows(self) -> list[Standing]:
        """Results, in the order of the cases."""
        return [self.found[number] for number in sorted(self.found)]

    def means(self) -> dict[str, tuple[int, float]]:
        """(cases, geometric mean of best schedule over best bound) of groups and of all."""
        ratios: dict[str, list[float]] = {}
        for row in self.rows:
            if row.ratio is not None:
                ratios.setdefault(row.case.group, []).append(row.ratio)
        all_ratios = [ratio for group_ratios in ratios.values() for ratio in group_ratios]
        return {
            group: (len(group_ratios), exp(sum(map(log, group_ratios)) / len(group_ratios)))
            for group, group_ratios in (*ratios.items(), (ALL, all_ratios))
            if group_ratios
        }

    def take(self, number: int, outcome: Outcome) -> None:
        """Take the outcome of a case."""
        case, result = self.cases[number], outcome.result
        if outcome.status == "done":
            fields = {name: value for name, value in result.items() if name != "checking"}
            self.found[number] = Standing(case, **fields)
        else:
            self.found[number] = Standing(case, error=outcome.error or outcome.status)
        if outcome.artefact is not None:
            self.witnesses[number] = outcome.artefact


def measure(
    standings: Standings,
    *,
    seconds: float,
    seed: int = 0,
    jobs: int = 1,
    store: Store | None = None,
    keep: bool = False,
    progress: Progress | None = None,
    arrived: Callable[[Standing], None] | None = None,
) -> None:
    """Solve all cases; those done are in `standings` whatever ends it.

    Parameters
    ----------
    standings
        The cases; takes the results.
    seconds
        Time limit of each case, for schedules and bounds together.
    seed
        Seed of the searches.
    jobs
        Cases that are solved side by side, each on one core.
    store
        Where results are kept; those there are not computed again.
    keep
        Whether schedules and certificates are kept.
    progress
        Called with (cases done, all, failed).
    arrived
        Called with the result of a case.

    Raises
    ------
    SweepInterrupted
        On Ctrl-C.
    """

    def take(number: int, outcome: Outcome) -> None:
        standings.take(number, outcome)
        if arrived is not None:
            arrived(standings.found[number])

    cells = [
        Cell(KIND, case.spec, "", case.memory, case.rules, seed, {}, seconds)
        for case in standings.cases
    ]
    sweep(
        cells,
        store=store,
        jobs=jobs,
        keep=keep,
        progress=progress,
        arrived=take,
        grace=CHECKING + seconds,
    )


KIND = "redblue.papers.records.standings:contest"
JUDGED = 1_000_000  # moves up to which the plain referee replays a schedule besides the engine
SHORT = 16  # digits of a digest in tables and records


def contest(computation: Computation, task: Task) -> Outcome:
    """The best schedule and the best bound of a game, both judged.

    The schedule is replayed, the bound's certificate checked; a bound without one does not count.
    """
    cell, dag = task.cell, computation.dag
    assert cell.time_limit is not None
    solution = solve(
        dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        time_limit=cell.time_limit,
        spec=cell.dag,
    )
    began = time.monotonic()
    check(dag, cell.memory, solution.bound)
    io = replayed(dag, solution.schedule, cell.memory, cell.rules)
    certificate = certificate_file(solution.bound, dag)
    result: dict[str, Any] = {
        "dag": dag.digest[:SHORT],
        "vertices": dag.n,
        "io": io,
        "scheduled_by": solution.method,
        "schedule": schedule_digest(solution.schedule),
        "bound": solution.bound.io,
        "proved_by": solution.bound.method,
        "certificate": json.loads(certificate.data)["seal"][:SHORT],
        "seconds": round(solution.seconds, 3),
        "checking": round(time.monotonic() - began, 3),
    }
    artefact = packed(schedule_file(solution.schedule), certificate) if task.keep else None
    return Outcome("done", result, seconds=solution.seconds, artefact=artefact)


def replayed(dag: CDAG, schedule: Schedule, memory: int, rules: Rules) -> int:
    """The words that a schedule moves, as engine and referee count them."""
    io = play(dag, schedule, memory, rules=rules).io
    if len(schedule) <= JUDGED:
        assert judge(dag, schedule, memory, rules=rules).io == io
    return io


def schedule_digest(schedule: Schedule) -> str:
    """The first digits of SHA-256 of a schedule's moves."""
    state = hashlib.sha256(schedule.op.tobytes())
    state.update(schedule.vertex.tobytes())
    return state.hexdigest()[:SHORT]
