"""Work of searches, a clock that is the same on every machine, however busy.

What a search evaluates is charged for as it takes on the reference machine. A search that ends by
its work evaluates the same for the same question, so that its answer is a function of the question.
`python benchmarks/work_units.py` measures the units, and compares them with this table.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
T = TypeVar("T")

# Nanoseconds of the reference machine that a unit takes.
UNITS: Mapping[str, float] = MappingProxyType(
    {
        # of every search
        "look": 2_000,  # at what is left of a budget
        # of nests
        "set": 60_000,  # what an access touches
        "tied count": 150_000,  # points of loops that conditions tie
        "tied cell": 40,  # a cell of the array that such a count adds up
        "hold": 50_000,  # words of an array that stays at a level
        "price": 3.5,  # of words of a hold, for some sizes
        "tree": 50_000,  # legality of an order of loops
        "play of holds": 200_000,  # counted
        "skewed tile": 900_000,  # room of a tile
        # of plays of DAGs
        "step": 60,  # a vertex or an edge of an order that is played
        "point": 60,  # a vertex or an edge of an order in tiles that is laid out
        "change": 5,  # of an order in annealing, for each vertex of the DAG and 150 more
        "sequence": 120,  # a computation of a sequence that is played again
        "move": 5_000,  # of a play that is looked through for values to compute again
        "edge play": 2_500,  # an edge of a play of partial computation
        # of exact searches
        "state": 12,  # a state, step or move that is looked at where each value is computed once
        "recompute state": 28,  # the same where values may be computed again
        "partial state": 15,  # the same in partial computation
        "level state": 60,  # the same on a hierarchy
        "machine state": 2_000,  # a state that is opened or kept, on several processors
        # of bounds
        "arc": 2,  # looked at in search of a way for a flow
        "way": 30,  # an arc looked at in search of the cheapest way for a flow
        "network": 10,  # an arc of a network that is filled with room, or read
        "moment": 150_000,  # an inequality of a moment
        "front": 60,  # a vertex of a piece, for a set of which the first is computed
        "piece": 400,  # a vertex of a piece that is cut and given a form
        "subset": 40,  # of steps, of which is looked at what it saves
        "peel": 600,  # a set that is taken apart step by step
        "settled pair": 20,  # of a step and another in its window, by which charges settle
        "entry": 4.5,  # of a matrix, in a step of a first-order method
        "pivot": 14,  # an entry of a matrix, in an iteration of the simplex method
        "barrier": 900,  # an entry of a matrix, in an iteration of an interior-point method
        "program": 400_000,  # a linear program that is handed to a solver
        "ideal": 25,  # an ideal or a way from it, in a step of balances
        "premise": 60,  # a vertex or an edge of a DAG whose premises are verified
        "chain": 100,  # a pair of readers of a value
        "exchange": 150,  # a size of a set, in a table of what sets exchange
        "model": 1e9,  # a unit of the deterministic time of CP-SAT
        "placement": 2,  # a unit of the work of a search for addresses
        # of code
        "candidate": 2_000,  # sides of tiles of code, estimated
        "code count": 20_000_000,  # a statement of code whose words are counted exactly
        "code loop": 10_000_000,  # a loop or condition of the code that such a count goes through
        "isl tree": 20_000_000,  # an order by isl's scheduler
    }
)

_here = threading.local()


def charge(unit: str, count: float = 1) -> None:
    """Add work to that of this thread: so many units of the table."""
    ledger()[unit] += count
    _here.spent += int(UNITS[unit] * count)


def seconds_of(unit: str, count: float = 1) -> float:
    """The seconds of a given number of units on the reference machine."""
    return UNITS[unit] * count / 1e9


def ledger() -> defaultdict[str, float]:
    """The units of each kind that this thread has been charged for."""
    if not hasattr(_here, "units"):
        _here.units, _here.spent = defaultdict(float), 0
    units: defaultdict[str, float] = _here.units
    return units


def worked() -> int:
    """The nanoseconds of the reference machine that this thread has worked."""
    ledger()
    spent: int = _here.spent
    return spent


@contextmanager
def uncharged() -> Iterator[None]:
    """Charge nothing for the block, which is done once a process, or for another's sake."""
    before = worked()
    try:
        yield
    finally:
        _here.spent = before


def charge_worked(nanoseconds: int) -> None:
    """Add work that was done elsewhere, or before, to that of this thread."""
    ledger()
    _here.spent += nanoseconds


def charged(
    maxsize: int | None,
) -> Callable[[Callable[Arguments, T]], Callable[Arguments, T]]:
    """A decorator that caches a function, and charges its work for cached results too.

    The work of a question then does not depend on the questions before it.

    Parameters
    ----------
    maxsize
        The number of results in the cache; None for any number.
    """

    def decorate(function: Callable[Arguments, T]) -> Callable[Arguments, T]:
        def evaluate(*args: Any, **options: Any) -> tuple[T, int]:
            before = worked()
            return function(*args, **options), worked() - before

        evaluated: Any = lru_cache(maxsize=maxsize)(evaluate)

        @wraps(function)
        def wrapper(*args: Arguments.args, **options: Arguments.kwargs) -> T:
            before = worked()
            value: T
            value, work = evaluated(*args, **options)
            charge_worked(work - (worked() - before))  # nothing where it was evaluated just now
            return value

        return wrapper

    return decorate


class Kept:
    """Results that are kept, with the work that they took, which they take again.

    So whoever asks second ends as if nobody had asked before.

    Parameters
    ----------
    known
        Where results are kept, by questions.
    """

    def __init__(self) -> None:
        self._known: dict[object, tuple[object, int]] = {}

    def get(
        self,
        question: object,
        find: Callable[[], T],
        enough: float,
        is_complete: Callable[[], bool],
    ) -> T:
        """The result of `find`, kept where it was not cut short.

        Parameters
        ----------
        question
            What the result depends on.
        find
            Finds it.
        enough
            Seconds of work that there are; a result that took more is found anew, and cut short.
        is_complete
            Says whether the result that was just found was not cut short.
        """
        before = worked()
        known = self._known.get(question)
        if known is not None and known[1] / 1e9 < enough:
            charge_worked(known[1])
            value: T = known[0]  # type: ignore[assignment]
            return value
        value = find()
        if is_complete():
            self._known[question] = value, worked() - before
        return value
