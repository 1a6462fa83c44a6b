"""Kernels as plain Python against themselves compiled, in the games of other campaigns.

Each call of a kernel from Python is made twice, by Python on copies of its arrays, and compiled:
what is returned, and all that is written, has to be the same to the last bit. Python may give up,
as it does where integers would overflow.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dags import _numba, interpreted
from tests.campaigns import families, games, levels, nests, partial, processors
from tests.campaigns.outcomes import Failure, Outcomes

GAMES = (games, partial, levels, processors, families, nests)
ENOUGH = 10**7  # ticks of a call


def run(cases: int, seed: int) -> Outcomes:
    """What became of the calls of `cases` games of each campaign.

    Kernels that this process has compiled before are not compared.
    """
    outcomes = Outcomes()
    with compared(outcomes):
        for campaign in GAMES:
            campaign.run(cases, seed)
    return outcomes


@contextmanager
def compared(outcomes: Outcomes) -> Iterator[None]:
    """Count in `outcomes` what becomes of each call of a kernel in the block."""

    def call(first: Any, *arguments: Any) -> Callable[..., Any]:
        # No code is put where Numba would find it before it asks.
        vars(first.dispatcher)["_insert"] = lambda *_: None
        compiled = first.compiled(*arguments)
        return lambda *arguments: both(first.interpreter, compiled, arguments, outcomes)

    before = _numba.FirstCalls.__call__
    _numba.FirstCalls.__call__ = call
    try:
        yield
    finally:
        _numba.FirstCalls.__call__ = before


def both(
    interpreter: interpreted.Interpreter,
    compiled: Callable[..., Any],
    arguments: tuple[Any, ...],
    outcomes: Outcomes,
) -> Any:
    """What a compiled kernel returns; compare it with what Python does.

    Parameters
    ----------
    interpreter, compiled
        Of the kernel.
    arguments
        Of the call.
    outcomes
        Take the comparison.
    """
    name = interpreter.function.__name__
    if sum(array.size for array in interpreted.arrays_in(arguments)) > interpreted.CELLS:
        outcomes.counts[name, "too large"] += 1
        return compiled(*arguments)
    interpreter.left = None
    if not interpreter.takes(arguments):
        outcomes.counts[name, "compiled at once"] += 1
        return compiled(*arguments)
    copies = copied(arguments)
    interpreter.left = ENOUGH
    done, returned = interpreter.run(copies)
    wanted = compiled(*arguments)
    if not done:
        outcomes.counts[name, "given up"] += 1
    elif same(returned, wanted) and same(copies, arguments):
        outcomes.counts[name, "same"] += 1
    else:
        outcomes.counts[name, "other"] += 1
        outcomes.failures.append(Failure(0, name, f"{returned!r:.200} and {wanted!r:.200}"))
    return wanted


def copied(value: Any) -> Any:
    """Arguments with arrays of their own."""
    if isinstance(value, np.ndarray):
        changed = value.copy()
        changed.setflags(write=value.flags.writeable)
        return changed
    if isinstance(value, tuple):
        parts = [copied(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def same(value: Any, second: Any) -> bool:
    """Whether two values are the same, and of the same types."""
    if isinstance(value, np.ndarray):
        return value.dtype == second.dtype and value.tobytes() == second.tobytes()
    if isinstance(value, tuple):
        return len(value) == len(second) and all(map(same, value, second))
    return type(value) is type(second) and (value == second or value != value)
