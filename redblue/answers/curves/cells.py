"""Cells of sweeps that are whole curves, of computations of any size."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from dags import Computation
from dags.errors import one_line
from pebble import Budget, MemoryTooSmallError, Rules, rules_named
from redblue.answers.references import Reference
from redblue.answers.results import IOCurve, Refined, Row, Spent, WholeRow, WithoutCode
from redblue.limits.progress import Progress
from redblue.sweeps.options import SweepError, SweepOptions
from redblue.sweeps.runner import sweep
from redblue.sweeps.store.cells import Cell

LISTS = "loads", "stores", "replayed"  # of a whole row


def curve_cell(
    spec: str, memories: Sequence[int] | None, rules: Rules, seed: int, **parameters: Any
) -> Cell:
    """The cell of a curve.

    Parameters
    ----------
    spec
        The specification, or the name under which the sweep is given the computation.
    memories
        Words of fast memory; None for a range that is found.
    rules, seed
        The game.
    parameters
        Further arguments of `redblue.io_curve`, of values that JSON has.
    """
    sizes = None if memories is None else list(memories)
    most = 0 if sizes is None else sizes[-1]
    given = {"memories": sizes, **parameters}
    return Cell("curve", spec, memory=most, rules=rules, seed=seed, parameters=given)


def kept_curve(
    computation: Computation,
    spec: str,
    memories: Sequence[int] | None,
    rules: Rules,
    options: SweepOptions,
    how: Mapping[str, Any],
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
    deadline: Budget | None = None,
) -> IOCurve:
    """The curve of a computation that is known by its formulas, from a store if it is there.

    Parameters
    ----------
    computation, spec
        The computation, and its label.
    memories, rules
        Words of fast memory, None for a range that is found; and the rules.
    options
        Where the curve is computed and kept.
    how
        Arguments of `curve_cell`.
    time_limit
        Seconds for the curve; None for no limit.
    progress, deadline
        As for `redblue.sweeps.sweep`.

    Raises
    ------
    MemoryTooSmallError
        If all of the memories are too small.
    SweepError
        If the curve fails.
    """
    least = computation.min_memory(sliding=rules.sliding)
    if memories is not None and memories[-1] < least:
        raise MemoryTooSmallError(memories[-1], least, f"of {computation.name}")
    cell = curve_cell(spec, memories, rules, **how)
    limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": options.memory_limit}
    (outcome,) = sweep(
        [replace(cell, **limits)],
        dags={spec: computation},
        store=options.store,
        dask=options.dask,
        retry=options.retry,
        progress=progress,
        deadline=deadline,
    )
    if outcome.status != "done":
        raise SweepError(f"{one_line(spec)}: {outcome.status}: {outcome.error}")
    return curve_of(outcome.result)


def record_of(found: IOCurve) -> dict[str, Any]:
    """A curve as values that JSON has, of which `curve_of` makes it again."""
    record = {part.name: getattr(found, part.name) for part in fields(found)}
    for name in ("rows", "code"):
        record[name] = [row.to_dict() for row in record[name]]
    for name in ("whole", "references", "without_code"):
        record[name] = [asdict(row) for row in record[name]]
    effort = None if found.effort is None else asdict(found.effort)
    return {**record, "rules": found.rules.name, "effort": effort}


def curve_of(record: dict[str, Any]) -> IOCurve:
    """The curve of a record."""
    given = dict(record)
    given["rules"] = rules_named(given["rules"])
    given["notes"] = tuple(given["notes"])
    for name in ("rows", "code"):
        given[name] = tuple(map(Row.from_dict, given[name]))
    given["whole"] = tuple(
        WholeRow(row["method"], row["first"], *(tuple(row[name]) for name in LISTS))
        for row in given["whole"]
    )
    given["without_code"] = tuple(WithoutCode(**row) for row in given.get("without_code", ()))
    given["references"] = tuple(
        Reference(reference["name"], tuple((memory, io) for memory, io in reference["points"]))
        for reference in given["references"]
    )
    if (spent := given["effort"]) is not None:
        points = tuple(Refined(**point) for point in spent["points"])
        given["effort"] = Spent(spent["name"], spent["seconds"], points, tuple(spent["skipped"]))
    return IOCurve(**given)
