"""Evidence on the I/O of a DAG: at each memory size a play and a checked bound, and their files."""

from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from dags import CDAG
from pebble import Rules, Schedule, play
from proofs import Bound, save_bound
from proofs.laws import Law
from redblue.answers.results import IOCurve, Row, describe
from redblue.laws.fit import Fit
from schedulers import scheduler_named

UNNAMED = "dag.npz"  # file of a DAG that only Python knows


@dataclass(frozen=True)
class Point:
    """The best play and the best bound at one memory size.

    Parameters
    ----------
    memory
        Words of fast memory.
    upper
        The best schedule's row; its memory is that for which it was made, at most `memory`.
    bound
        The best bound, whose certificate was checked; its memory is that for which it was proved,
        at least `memory`.
    schedule
        The moves, where a search found them; None where the method makes them again.
    """

    memory: int
    upper: Row
    bound: Bound
    schedule: Schedule | None = None

    @property
    def io(self) -> int:
        """I/O of the schedule, in words."""
        return self.upper.io or 0

    @property
    def ratio(self) -> float:
        """Words moved over words proved, at least 1; 1 where neither moves any."""
        return self.io / self.bound.io if self.bound.io else 1.0

    @property
    def met(self) -> bool:
        """True if the schedule moves no more than is proved."""
        return self.io == self.bound.io


@dataclass(frozen=True)
class Evidence:
    """Plays and proofs of one DAG.

    Parameters
    ----------
    dag, spec
        The DAG, and its label in results.
    rules, seed, effort
        The game, and how hard was searched.
    curve
        The rows of all methods that search nothing.
    points
        The best of each kind, by rising memory.
    searched
        Words of fast memory at which schedules and bounds were searched.
    fit, published
        The law of the schedules, and the literature's for the family.
    seconds
        Time that it took.
    """

    dag: CDAG
    spec: str
    rules: Rules
    seed: int
    effort: str
    curve: IOCurve
    points: tuple[Point, ...]
    searched: tuple[int, ...]
    fit: Fit
    published: Law | None
    seconds: float

    @property
    def widest(self) -> Point:
        """The point with the widest gap, the smallest memory of several."""
        return max(self.points, key=lambda point: point.ratio)

    @property
    def address(self) -> str:
        """The DAG as commands take it: a file to be saved where only Python knows it."""
        return quote(self.spec if self.named else UNNAMED)

    @property
    def named(self) -> bool:
        """True if the label of the DAG is a specification that loads it."""
        return self.dag.family is not None or self.spec != describe(self.dag)["spec"]

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds of all points, each once, by rising memory."""
        return tuple({point.bound.memory: point.bound for point in self.points}.values())

    def moves(self, point: Point) -> Schedule:
        """The schedule of a point, laid out, after the engine has replayed it.

        Parameters
        ----------
        point
            One of the points.
        """
        made = point.upper
        schedule = point.schedule
        if schedule is None:
            scheduler = scheduler_named(made.method)
            schedule = scheduler(self.dag, made.memory, rules=self.rules, seed=self.seed)
        count = play(self.dag, schedule, point.memory, rules=self.rules)
        assert count.io == made.io, (made, count)
        return schedule


MOST = 1 << 18  # vertices and edges of a DAG whose schedules are laid out and written


def save_evidence(evidence: Evidence, folder: Path) -> list[Path]:
    """Write certificates and, unless the DAG is large, schedules to `folder`; return the files.

    Each stands for the memory size in its name, "certificates/M64.json" or "schedules/M64.npz",
    and holds for larger memories (schedules) or smaller ones (certificates) too.
    """
    certificates, schedules = folder / "certificates", folder / "schedules"
    certificates.mkdir(parents=True, exist_ok=True)
    written = []
    for bound in evidence.bounds:
        written.append(certificates / f"M{bound.memory}.json")
        save_bound(bound, evidence.dag, written[-1])
    if evidence.dag.n + evidence.dag.m > MOST:
        return written
    schedules.mkdir(exist_ok=True)
    for point in {one.upper.memory: one for one in evidence.points}.values():
        written.append(schedules / f"M{point.upper.memory}.npz")
        evidence.moves(point).save(written[-1], evidence.dag)
    return written
