"""Gathering of evidence: plays and bounds at every memory size, searches where they leave a gap."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Budget, Schedule
from proofs import Bound, bound_named, check, compulsory
from proofs.laws import published_law
from redblue.answers.curves.curve import io_curve
from redblue.answers.efforts import effort_named, open_gaps, seconds_of
from redblue.answers.evidence.points import Evidence, Point
from redblue.answers.memories import is_range
from redblue.answers.results import BEST, IOCurve, Row
from redblue.answers.solutions import Solution
from redblue.answers.sources import (
    Memories,
    RulesLike,
    Source,
    label_of,
    load,
    rules_of,
)
from redblue.answers.words import memories_of
from redblue.laws.fit import fit_dag
from redblue.limits.progress import Message, silent
from redblue.racing.at_once import searched_shortly
from redblue.racing.solving import solve

PARTS = 3, 1.5  # a third of a limit's time for the curve, and another one for searches


def gather(
    source: Source,
    memories: Memories | None = None,
    *,
    rules: RulesLike = ONE_SHOT,
    effort: str = "normal",
    seed: int = 0,
    jobs: int = 1,
    spec: str = "",
    progress: Message | None = None,
    deadline: Budget | None = None,
) -> Evidence:
    """Plays and proofs of a DAG; every certificate has been checked.

    Parameters
    ----------
    source
        The computation: a DAG, or another source that `redblue.load` takes.
    memories
        Words of fast memory, as numbers or as a text like "8:512"; by default from the least
        memory to where only compulsory I/O is left.
    rules, seed
        The game.
    effort
        One of `redblue.answers.efforts.EFFORTS`: the seconds of `solve` at the sizes where
        schedules and bounds leave a gap.
    jobs
        Number of methods that run side by side.
    spec
        Label of the DAG in results.
    progress
        Called with the work at hand.
    deadline
        The end of it; searches are shorter then, and methods that are not done by then left out.

    Raises
    ------
    MemoryTooSmallError
        If all of `memories` are too small.

    Examples
    --------
    >>> found = gather("fft:n=4", [4, 6], effort="quick")
    >>> [(point.memory, point.io, point.bound.io) for point in found.points]
    [(4, 11, 11), (6, 8, 8)]
    """
    began = time.monotonic()
    dag = load(source).dag
    tell = progress or silent
    tell("schedules and bounds that search nothing")
    label = label_of(source, spec)
    parts = [None if deadline is None else deadline.turn(1 / some) for some in PARTS]
    game: dict[str, Any] = {"rules": rules_of(rules), "seed": seed, "jobs": jobs}
    game |= {"effort": "quick", "whole": is_range(memories)}
    sizes = None if memories is None else memories_of(memories, source)
    curve = io_curve(dag, sizes, spec=label, deadline=parts[0], **game)
    left = None if parts[1] is None else parts[1].left
    solutions = searched(dag, curve, effort, seed=seed, jobs=jobs, tell=tell, left=left)
    tell("checking certificates")
    points = points_of(dag, curve, solutions, seed)
    tell("the law")
    last = None if deadline is None else deadline
    found, _ = fit_dag(dag, rules=curve.rules, jobs=jobs, spec=curve.dag["spec"], deadline=last)
    return Evidence(
        dag=dag,
        spec=curve.dag["spec"],
        rules=curve.rules,
        seed=seed,
        effort=effort,
        curve=curve,
        points=points,
        searched=tuple(sorted(solutions)),
        fit=found,
        published=published_law(dag),
        seconds=time.monotonic() - began,
    )


def searched(
    dag: CDAG,
    curve: IOCurve,
    name: str,
    *,
    seed: int,
    jobs: int,
    tell: Message,
    left: float | None = None,
) -> dict[int, Solution]:
    """The results of `solve` at the sizes of a curve where a gap is left, the widest first.

    Parameters
    ----------
    dag, curve
        The computation, and its curve without searches.
    name
        The effort.
    seed, jobs
        As for `gather`.
    tell
        Called with the work at hand.
    left
        Seconds for all of them, if less than the effort's; None for those.
    """
    effort = effort_named(name).within(left)
    gaps = open_gaps([row for row in curve.rows if row.method == BEST])
    if not gaps or not effort.seconds or dag.n + dag.m > effort.largest:
        return {}
    found: dict[int, Solution] = {}
    budget = Budget(left)
    for memory, seconds in sorted(seconds_of(gaps, effort).items(), key=lambda one: -gaps[one[0]]):
        if budget.over:
            return found
        tell(f"searching {seconds:.1f} s with {memory:,} words")
        found[memory] = solve(dag, memory, rules=curve.rules, seed=seed, effort=seconds, jobs=jobs)
    return found


def points_of(
    dag: CDAG, curve: IOCurve, solutions: Mapping[int, Solution], seed: int
) -> tuple[Point, ...]:
    """The best play and the best checked bound at each size that some play is legal with.

    A schedule for less memory counts too, and so does a bound for more.

    Parameters
    ----------
    dag, curve
        The computation and the rows of its methods.
    solutions
        Results of searches, by memory.
    seed
        Seed of random methods.
    """
    rows = [row for row in curve.rows if row.method != BEST and row.io is not None]
    plays: list[tuple[Row, Schedule | None]] = [(row, None) for row in rows if row.kind == "upper"]
    plays += [(row_of(one), one.schedule) for one in solutions.values()]
    bounds = checked_bounds(dag, curve, solutions, rows, seed)
    points = []
    for memory in feasible(curve):
        legal = [each for each in plays if each[0].memory <= memory]
        if legal:
            upper, schedule = min(legal, key=lambda each: (each[0].io, -each[0].memory))
            holds = (bound for bound in bounds if bound.memory >= memory)
            best = max(holds, key=lambda bound: (bound.io, -bound.memory))
            points.append(Point(memory, upper, best, schedule))
    return tuple(points)


def feasible(curve: IOCurve) -> tuple[int, ...]:
    """The sizes of a curve that are enough to play at all."""
    return tuple(memory for memory in curve.memories if memory >= curve.dag["min_memory"])


def row_of(solution: Solution) -> Row:
    """The row of a solution's schedule; "search" if no other method made it."""
    count, made = solution.count, solution.method
    words = (count.io, count.loads, count.stores)
    return Row(
        "upper",
        "search" if made == BEST else made,
        solution.memory,
        *words,
        "feasible",
        solution.seconds,
        solution.tiling,
    )


def checked_bounds(
    dag: CDAG,
    curve: IOCurve,
    solutions: Mapping[int, Solution],
    rows: Sequence[Row],
    seed: int,
) -> list[Bound]:
    """The best bound at each memory size, after its certificate has been verified.

    Parameters
    ----------
    dag, curve, solutions, seed
        As for `points_of`.
    rows
        The rows of the curve that tell anything.
    """
    found = []
    for memory in feasible(curve):
        here = [row for row in rows if (row.kind, row.memory) == ("lower", memory)]
        row = max(here, key=lambda row: row.io or 0, default=None)
        method = compulsory if row is None else bound_named(row.method)
        best = searched_shortly(dag, method(dag, memory, rules=curve.rules, seed=seed))
        if memory in solutions and solutions[memory].bound.io >= best.io:
            best = solutions[memory].bound
        check(dag, memory, best)
        found.append(best)
    return found
