"""What cells compute: schedules, bounds, whole solutions, or a function of one's own."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

from dags import CDAG, UnknownNameError
from pebble import MemoryTooSmallError, Schedule, play
from proofs import bound_named, save_bound
from redblue.plays import Table, lay_out, order_of
from redblue.results import Row
from redblue.store.cells import Artefact, Cell
from redblue.sweeps.task import Answer, Task
from schedulers import Accesses, Order, scheduler_named

Kind = Callable[[CDAG, Task], Any]

_layouts: OrderedDict[tuple[str, Order], Accesses | None] = OrderedDict()
_laying_out = Lock()


def upper(dag: CDAG, task: Task) -> Answer:
    """Return the row of a schedule that was replayed, and the schedule where it is kept."""
    cell = task.cell
    player = scheduler_named(cell.method)
    table = Table(dag, cell.rules, cell.seed, cell.time_limit)
    if not task.keep:
        return _told(table.play(cell.method, player, _layout(dag, task), cell.memory))
    try:
        moves = table.schedule(player, cell.memory)
        count = play(dag, moves, cell.memory, rules=cell.rules)
    except MemoryTooSmallError:
        return _told(Row("upper", cell.method, cell.memory, None, None, None, "infeasible", 0.0))
    words = (count.io, count.loads, count.stores)
    row = Row("upper", cell.method, cell.memory, *words, "feasible", 0.0)
    return Answer(_told(row).result, _schedule_file(moves))


def lower(dag: CDAG, task: Task) -> Answer:
    """Return the row of a bound, and its certificate where it is kept."""
    cell = task.cell
    bound = bound_named(cell.method)(
        dag, cell.memory, rules=cell.rules, seed=cell.seed, time_limit=cell.time_limit
    )
    row = Row("lower", cell.method, cell.memory, bound.io, None, None, "bound", 0.0)
    artefact = _file(".json", lambda path: save_bound(bound, dag, path)) if task.keep else None
    return Answer(_told(row).result, artefact)


def solve(dag: CDAG, task: Task) -> Answer:
    """Return what `redblue.solving` finds and proves; parameters of the cell are its arguments."""
    from redblue.solving import TIME_LIMIT
    from redblue.solving import solve as search

    cell = task.cell
    solution = search(
        dag,
        cell.memory,
        rules=cell.rules,
        seed=cell.seed,
        time_limit=TIME_LIMIT if cell.time_limit is None else cell.time_limit,
        spec=cell.dag,
        **cell.parameters,
    )
    told = solution.to_dict()
    rows = [{name: row[name] for name in row if name != "seconds"} for row in told["rows"]]
    artefact = _schedule_file(solution.schedule) if task.keep else None
    return Answer({**told, "rows": rows}, artefact, solution.seconds)


KINDS: dict[str, Kind] = {"lower": lower, "solve": solve, "upper": upper}


def kind_named(name: str) -> Kind:
    """Return the kind called `name`, or the function that "package.module:function" names.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    module, colon, function = name.partition(":")
    if not colon:
        if name not in KINDS:
            raise UnknownNameError("kind of cell", name, [*KINDS, "package.module:function"])
        return KINDS[name]
    try:
        found: Kind = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError):
        raise UnknownNameError("kind of cell", name, KINDS) from None
    return found


def affinity(cell: Cell, identity: str) -> str:
    """Return what cells have in common that are best done by one worker: the DAG, the order."""
    order = order_of(scheduler_named(cell.method)) if cell.kind == "upper" else None
    return f"{identity} {getattr(order, '__name__', '')}"


def _layout(dag: CDAG, task: Task) -> Accesses | None:
    """Return what the scheduler's order touches, laid out once for cells in succession."""
    order = order_of(scheduler_named(task.cell.method))
    if order is None:
        return None
    with _laying_out:
        if (task.identity, order) not in _layouts:
            _layouts.clear()  # first, for two of them may not fit into memory
            _layouts[task.identity, order] = lay_out(dag, order, task.plays)
        return _layouts[task.identity, order]


def _told(row: Row) -> Answer:
    """Return the answer of a row; how long it took is no part of the result."""
    result = asdict(row)
    return Answer(result, seconds=result.pop("seconds"))


def _schedule_file(moves: Schedule) -> Artefact:
    return _file(".npz", moves.save)


def _file(suffix: str, save: Callable[[Path], None]) -> Artefact:
    """Return what `save` writes to a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"artefact{suffix}")
        save(path)
        return Artefact(suffix, path.read_bytes())
