"""Study of a computation: its curve, and the law of its operations per word."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf, log
from types import MappingProxyType

import numpy as np

from dags import CDAG, load
from redblue.balance.refine import merged
from redblue.experiments.bench import Bench
from redblue.fit import Fit, Points, as_far_as_it_tells, default_players, fit, points_of
from redblue.results import IOCurve
from redblue.sandwich import Corridor, corridor_of

NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Study:
    """A DAG that was played at several sizes of memory.

    Parameters
    ----------
    spec
        What generates it.
    dag
        The DAG.
    curve
        The best schedule and the best bound at each size.
    """

    spec: str
    dag: CDAG
    curve: IOCurve

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
    slow: Mapping[str, float] = NOTHING,
) -> Study:
    """Return a DAG played by its family's schedule.

    Parameters
    ----------
    bench
        Where to play.
    spec
        The DAG.
    memories
        Words of fast memory; by default those at which the schedule is tuned, as far as they
        tell anything of the law.
    bounds
        Lower bounds beside the compulsory words.
    slow
        Further bounds, and the largest memory at which each is asked, for they take long.
    """
    dag = load(spec)

    def play(sizes: Sequence[int]) -> IOCurve:
        return _curve(bench, spec, tuple(sizes), default_players(dag), ("compulsory",))

    curve = as_far_as_it_tells(dag, play) if memories is None else play(list(memories))
    for method, most in (*((name, inf) for name in bounds), *slow.items()):
        asked = [memory for memory in curve.memories if memory <= most]
        if asked:
            curve = merged(curve, _curve(bench, spec, tuple(asked), (), (method,)))
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


def grown_memories(found: Fit, alpha: float) -> Iterator[float]:
    """Yield the factor by which memory grows until operations per word are `alpha` times as many.

    It counts from the smallest memory that shows the law, in words that can hold tiles, between
    points by straight lines in logarithms: once with the ratio as counted, once corrected for
    the size of the DAG. Nothing is yielded where the curve does not reach so far.
    """
    told = found.points
    sizes = np.log(told.effective)
    for ratios in (np.log(told.ratios), np.log(told.net_ratios)):
        wanted = ratios[0] + log(alpha)
        if ratios[-1] >= wanted:
            yield float(np.exp(np.interp(wanted, ratios, sizes) - sizes[0]))
