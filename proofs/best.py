"""The largest of the bounds that apply."""

import time
from collections.abc import Callable, Iterable, Iterator

from dags import CDAG
from pebble import ONE_SHOT, Budget, Rules
from proofs.base import Bound, BoundMethod, NotApplicableError
from proofs.bounds.compulsory import compulsory


def bounds_by(
    methods: Iterable[BoundMethod],
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    strict: bool = False,
    begins: Callable[[BoundMethod], object] = bool,
) -> Iterator[tuple[Bound, float]]:
    """Yield the bound by each of `methods`, and the seconds that it took.

    Parameters
    ----------
    methods
        Methods to try, in this order.
    dag, memory, rules, seed
        As for every bound.
    time_limit
        Seconds of work for all of them; each may take an equal share of what is left.
    strict
        Whether a method that does not apply is an error; otherwise it is left out.
    begins
        Called with each method before it begins.
    """
    waiting = list(methods)
    budget = Budget(time_limit)
    while waiting:
        began = time.monotonic()
        left = None if time_limit is None else budget.left / len(waiting)
        method = waiting.pop(0)
        begins(method)
        try:
            bound = method(dag, memory, rules=rules, seed=seed, time_limit=left)
        except NotApplicableError:
            if strict:
                raise
            continue
        yield bound, time.monotonic() - began


def best_bound(
    methods: Iterable[BoundMethod],
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """The largest bound that `methods` prove, at least the compulsory traffic.

    Parameters
    ----------
    methods
        Methods to try, in this order; one that does not apply is left out.
    dag, memory, rules, seed
        As for every bound.
    time_limit
        Seconds of work for all of them; each may take an equal share of what is left.

    Examples
    --------
    >>> from dags import fft
    >>> from proofs import BOUNDS
    >>> best_bound(BOUNDS.values(), fft(8), 10).io
    16
    """
    floor = compulsory(dag, memory, rules=rules)
    proved = bounds_by(methods, dag, memory, rules=rules, seed=seed, time_limit=time_limit)
    return max([floor, *(bound for bound, _ in proved)], key=lambda bound: bound.io)
