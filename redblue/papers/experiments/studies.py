"""Study of a computation: its curve, and the law of its operations per word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dags import CDAG, load
from redblue.answers.balance.refine import merged
from redblue.answers.results import IOCurve
from redblue.laws.fit import Fit, Points, as_far_as_it_tells, default_players, fit, points_of
from redblue.laws.sandwich import Corridor, corridor_of
from redblue.papers.experiments.bench import Bench


@dataclass(frozen=True)
class Study:
    """A DAG that was played at several sizes of memory."""

    spec: str  # of what generates it
    dag: CDAG
    curve: IOCurve  # the best schedule and the best bound at each size

    @cached_property
    def points(self) -> Points:
        """All sizes at which it was played."""
        return points_of(self.dag, self.curve.envelope("upper"))

    @cached_property
    def found(self) -> Fit:
        """The law."""
        return fit(self.points)

    @cached_property
    def corridor(self) -> Corridor:
        """Words played and words proved, at the sizes that tell of the law."""
        moved, floor = (dict(self.curve.envelope(kind)) for kind in ("upper", "lower"))
        sizes = self.found.points.memories.astype(int).tolist()
        rows = ((size, moved[size], floor[size]) for size in sizes if floor.get(size))
        return corridor_of(rows, self.points.overhead)

    @property
    def gaps(self) -> dict[int, float]:
        """Ratio of the words played to the words proved, by memory."""
        floor = dict(self.curve.envelope("lower"))
        return {memory: io / floor[memory] for memory, io in self.curve.envelope("upper")}


def study(
    bench: Bench,
    spec: str,
    memories: Iterable[int] | None = None,
    *,
    bounds: Iterable[str] = (),
) -> Study:
    """Return a DAG played by its family's schedule, with bounds beside the compulsory words.

    By default at the memories at which the schedule is tuned, as far as they tell of the law.
    """
    dag = load(spec)

    def play(sizes: Sequence[int]) -> IOCurve:
        return _curve(bench, spec, tuple(sizes), default_players(dag), ("compulsory",))

    curve = as_far_as_it_tells(dag, play) if memories is None else play(list(memories))
    for method in bounds:
        curve = merged(curve, _curve(bench, spec, tuple(curve.memories), (), (method,)))
    return Study(spec, dag, curve)


@lru_cache(maxsize=256)
def _curve(
    bench: Bench,
    spec: str,
    memories: tuple[int, ...],
    schedulers: tuple[str, ...],
    bounds: tuple[str, ...],
) -> IOCurve:
    """Return a curve; several experiments look at the same ones."""
    return bench.curve(spec, memories, schedulers=schedulers, bounds=bounds)
