"""Kinds of cells: schedules, bounds, whole solutions, functions of one's own; and their files."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from dags import CDAG, Computation, UnknownNameError
from pebble import Schedule
from proofs import Bound, Claim, PluggedBound, bound_named, load_bound, save_bound
from redblue.answers.plays import Player, order_of
from redblue.answers.results import Row
from redblue.sweeps.layouts import LAYOUTS
from redblue.sweeps.store.cells import Artefact, Cell, Outcome
from redblue.sweeps.task import Task
from schedulers import Order, OrderAndEviction, Scheduler, scheduler_named

# Takes the computation, None where the cell names none. Returns JSON values, or an `Outcome`.
Kind = Callable[[Any, Task], Any]


def upper(computation: Computation, task: Task) -> Outcome:
    """The row of a schedule that was replayed, and the schedule where it is kept.

    The parameter "count" of the cell says whether its play is counted "alone", or replayed and
    "compared" with the count.
    """
    cell, dag = task.cell, computation.dag
    scheduler: Scheduler = task.function or scheduler_named(cell.method)
    player = Player(dag, cell.rules, cell.seed, cell.time_limit)
    if task.keep:
        row, moves = player.keep(cell.method, scheduler, cell.memory)
        return row_outcome(row, None if moves is None else schedule_file(moves))
    with LAYOUTS.borrowed(dag, task.identity, order_of(scheduler), task.plays) as layout:
        counting = cell.parameters.get("count")
        if layout is None or not isinstance(scheduler, OrderAndEviction) or counting is None:
            accesses = None if layout is None else layout.accesses
            return row_outcome(player.play(cell.method, scheduler, accesses, cell.memory))
        counted = layout.counts.row(cell.method, scheduler.policy, cell.memory)
        if counting == "alone":
            return row_outcome(counted)
        row = player.play(cell.method, scheduler, layout.accesses, cell.memory)
        assert (row.loads, row.stores) == (counted.loads, counted.stores), (row, counted)
        return row_outcome(row)


def lower(computation: Computation, task: Task) -> Outcome:
    """The row of a bound, and its certificate where it is kept; or the row of a claim."""
    cell, dag = task.cell, computation.dag
    options: dict[str, Any] = {"time_limit": cell.time_limit, "seed": cell.seed}
    parameters = {
        name: value for name, value in options.items() if value
    }  # own bounds need know none
    method = task.function or bound_named(cell.method)
    prove = method.answer if isinstance(method, PluggedBound) else method
    bound = prove(dag, cell.memory, rules=cell.rules, **parameters)
    if isinstance(bound, Claim):
        words = bound.io, None, None
        return row_outcome(Row("claim", cell.method, cell.memory, *words, "claimed", 0.0))
    row = Row("lower", cell.method, cell.memory, bound.io, None, None, "bound", 0.0)
    artefact = certificate_file(bound, dag) if task.keep else None
    return row_outcome(row, artefact)


def whole(computation: Computation, task: Task) -> Outcome:
    """The I/O at every memory size from the parameter "first" to the cell's memory."""
    cell, dag = task.cell, computation.dag
    scheduler = task.function or scheduler_named(cell.method)
    assert isinstance(scheduler, OrderAndEviction)
    with LAYOUTS.borrowed(dag, task.identity, scheduler.order, task.plays) as layout:
        assert layout is not None
        first = cell.parameters["first"]
        row = layout.counts.whole(cell.method, scheduler.policy, first, cell.memory)
    return Outcome("done", None if row is None else vars(row))


# A kind that uses sweeps itself is listed by its address: importing it here would be a circle.
KINDS: dict[str, Kind | str] = {
    "curve": "redblue.answers.curves.swept_curve:curve",
    "lower": lower,
    "solve": "redblue.racing.solving_cells:solve",
    "upper": upper,
    "whole": whole,
}


def kind_named(name: str) -> Kind:
    """The kind called `name`, or the function that "package.module:function" names.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    known = KINDS.get(name, name)
    if not isinstance(known, str):
        return known
    module, colon, function = known.partition(":")
    if not colon:
        raise UnknownNameError("kind of cell", name, [*KINDS, "package.module:function"])
    try:
        kind: Kind = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError):
        raise UnknownNameError("kind of cell", name, KINDS) from None
    return kind


def laid_out(task: Task) -> Order | None:
    """The order whose layout a task uses, None where it uses none."""
    if task.cell.kind not in ("upper", "whole") or task.keep:
        return None
    return order_of(task.function or scheduler_named(task.cell.method))


def affinity(cell: Cell, identity: str, function: Callable[..., Any] | None) -> str:
    """A name that cells share which one worker should do: of the DAG and the order.

    Parameters
    ----------
    cell
        The cell.
    identity
        The identity of its DAG.
    function
        Its method where it is no registered one.
    """
    if cell.kind not in ("upper", "whole"):
        return identity
    order = order_of(function or scheduler_named(cell.method))
    return f"{identity} {getattr(order, '__name__', '')}"


def row_outcome(row: Row, artefact: Artefact | None = None) -> Outcome:
    """The outcome of a row; its time is no part of the result."""
    result = row.to_dict()
    return Outcome("done", result, seconds=result.pop("seconds"), artefact=artefact)


T = TypeVar("T")


def schedule_file(schedule: Schedule) -> Artefact:
    """A schedule as an .npz file."""
    return _written(".npz", schedule.save)


def certificate_file(bound: Bound, dag: CDAG) -> Artefact:
    """A bound of `dag` with its certificate as a .json file."""
    return _written(".json", lambda path: save_bound(bound, dag, path))


def schedule_of(artefact: Artefact) -> Schedule:
    """The schedule in an .npz file."""
    return _read(artefact, Schedule.load)


def bound_of(artefact: Artefact, dag: CDAG) -> Bound:
    """The bound of `dag` in a .json file."""
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
