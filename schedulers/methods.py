"""The table of schedulers: each with all known facts, once.

Curves read which they take unasked, reports the literature, and all commands the names.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dags import CDAG, UnknownNameError
from dags.spec import Plugged, called, offered, plugged
from pebble import Schedule
from schedulers.base import OPTIONS, OrderAndEviction, Scheduler
from schedulers.eviction import EVICTIONS
from schedulers.exact.patient import OptimalEviction, cp_sat_schedule
from schedulers.families import FAMILIES, Structured, structured
from schedulers.orders import ORDERS
from schedulers.search.portfolio import search_schedule
from schedulers.tilings.scheduler import tiled_schedule


@dataclass(frozen=True)
class Method:
    """A scheduler.

    Parameters
    ----------
    name, run
        Its name, and the function that plays.
    unasked
        Whether a curve takes it where nobody names schedulers, or of which DAGs it does.
    sources
        Keys of the literature that it builds on, beside that of the game.
    patient
        Whether it leaves choices to OR-Tools, takes seconds, and is asked for by name alone.
    about
        A sentence on what it does.
    """

    name: str
    run: Scheduler
    unasked: Callable[[CDAG], bool] | bool = False
    sources: tuple[str, ...] = ()
    patient: bool = False
    about: str = ""


ORDER_SENTENCES = {
    "natural": "It computes in program order, as the loops or the file number the values",
    "depth-first": "It computes the operands of a value just before the value, sink after sink",
    "breadth-first": "It computes values in the order in which their operands become ready",
    "least-live": "It computes next whichever ready value leaves the fewest live words",
}
EVICTION_SENTENCES = {
    "lru": "evicts the least recently used value",
    "fifo": "evicts the value that entered fast memory first",
    "belady": "evicts the value whose next use is furthest away (Belady's MIN)",
    "belady-clean": "evicts the value whose next use is furthest away, and among equals one that "
    "need not be stored",
    "belady-cost": "evicts the value that costs fewest words for each step that its space is free",
    "optimal-eviction": "evicts by a linear program, with the least I/O for this order",
}


def _about(order: str, eviction: str) -> str:
    """The sentence on an order with an eviction."""
    computes = ORDER_SENTENCES.get(order, f"It computes in the order '{order}'")
    evicts = EVICTION_SENTENCES.get(eviction, f"evicts by '{eviction}'")
    return f"{computes}, and {evicts}."


BELADY, STACKS = ("belady1966",), ("mattson1970",)
SOURCES = {"lru": STACKS, "belady": BELADY, "belady-clean": BELADY, "belady-cost": BELADY}
GENERIC_SCHEDULERS = (
    "natural+lru",
    "natural+belady",
    "depth-first+belady-cost",
    "least-live+belady-cost",
)
_TABLE = (
    *(
        Method(
            f"{order}+{eviction}",
            OrderAndEviction(ORDERS[order], EVICTIONS[eviction]),
            f"{order}+{eviction}" in GENERIC_SCHEDULERS,
            SOURCES.get(eviction, ()),
            about=_about(order, eviction),
        )
        for order in ORDERS
        for eviction in EVICTIONS
    ),
    Method(
        "structured",
        structured,
        lambda dag: dag.as_generated.family in FAMILIES,
        about="It computes in the orders that the literature gives for this family, such as blocks "
        "of a matrix product, and takes the one that moves fewest words.",
    ),
    Method(
        "search",
        search_schedule,
        about="It begins with the best of several schedulers and changes the order as long as that "
        "saves words.",
    ),
    Method(
        "tiled",
        tiled_schedule,
        lambda dag: dag.origin is not None,
        about="It computes the points of the loop nest in tiles, whose shape, order and skew it "
        "searches for.",
    ),
    *(
        Method(
            f"{order}+optimal-eviction",
            OptimalEviction(ORDERS[order]),
            patient=True,
            about=_about(order, "optimal-eviction"),
        )
        for order in ORDERS
    ),
    Method(
        "cp-sat",
        cp_sat_schedule,
        patient=True,
        about="It states the whole game as a constraint program and leaves it to CP-SAT.",
    ),
)
METHODS = {method.name: method for method in _TABLE}
SCHEDULERS = {method.name: method.run for method in _TABLE if not method.patient}
PATIENT = {method.name: method.run for method in _TABLE if method.patient}

GONE = {"lns": "search, in the time that windows of CP-SAT took,"}  # names of earlier releases


def full_name(name: str) -> str:
    """The name in `METHODS` of `name`: "lru" is "natural+lru".

    A name of a plug-in (`dags.spec`) stays as it is.

    Raises
    ------
    UnknownNameError
        If it has none.
    """
    policies = (*EVICTIONS, "optimal-eviction")
    known = f"natural+{name}" if name in policies else name
    if known not in METHODS and plugged("scheduler", name) is None:
        single = [name for name in METHODS if "+" not in name]
        pairs = (f"{order}+EVICTION" for order in ORDERS)
        choices = [*single, *policies, *pairs, *offered("scheduler"), "MODULE:FUNCTION"]
        raise UnknownNameError("scheduler", name, choices, gone=GONE.get(name))
    return known


def scheduler_named(name: str) -> Scheduler:
    """The scheduler called `name`; raises as `full_name`."""
    known = full_name(name)
    function = None if known in METHODS else plugged("scheduler", known)
    return METHODS[known].run if function is None else Plugged(known, function, Schedule, OPTIONS)


def as_scheduler(method: str | Scheduler) -> Scheduler:
    """A scheduler by its name, or a function of one's own, whose schedules are checked."""
    if isinstance(method, str):
        return scheduler_named(method)
    ours = isinstance(method, OrderAndEviction | Structured | Plugged)
    ours = ours or any(method == known.run for known in METHODS.values())
    return method if ours else Plugged(called(method), method, Schedule, OPTIONS)


def default_schedulers(dag: CDAG) -> tuple[str, ...]:
    """The names of schedulers that a curve of a DAG has where nobody names any."""
    defaults = ((method.name, method.unasked) for method in METHODS.values())
    return tuple(
        name
        for name, is_default in defaults
        if (is_default(dag) if callable(is_default) else is_default)
    )


def sources_of(name: str) -> tuple[str, ...]:
    """Keys of the literature behind a scheduler, or another order with one of our evictions.

    Examples
    --------
    >>> sources_of("bisection+belady-cost")
    ('belady1966',)
    """
    return METHODS[name].sources if name in METHODS else SOURCES.get(name.rpartition("+")[2], ())


def about(name: str) -> str:
    """What the scheduler of this name does, in a sentence; "" of a function without a docstring."""
    if name in METHODS:
        return METHODS[name].about
    function = plugged("scheduler", name)
    return (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]
