"""Bounds for any program with affine references, by the items that windows of updates touch."""

import time
from functools import partial
from math import inf

from dags import CDAG
from pebble import ONE_SHOT, Game, Rules, compulsory_words
from proofs.base import Bound, NotApplicableError, of_useful_memory
from proofs.bounds.loops.space_search import verified_spaces
from proofs.bounds.loops.window_sizes import best_windows, longer_windows
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate, proven_io


@of_useful_memory
@partial(thinned, direct=True)
def affine(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound for the DAG of a program, by windows of so many updates each.

    The points of `dag.origin` tell which assignments read what; the sets of updates and arrays
    with the most words are chosen. The bound and its proof are those of `projections`, for the
    references of anybody's loops instead of those of a family.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If the DAG has no origin, or nothing is known under such rules.

    Examples
    --------
    >>> from dags import load
    >>> affine(load("polybench/lu:N=16"), 8).io
    1044
    """
    if dag.origin is None:
        raise NotApplicableError(f"{dag!r} has no points of a program")
    end = inf if time_limit is None else time.monotonic() + time_limit
    red = Game.of(dag, memory, rules).room
    best = Bound("affine", memory, compulsory_words(dag), rules, Certificate("compulsory", {}))
    for found in verified_spaces(dag, rules, end):
        windows, exponents = best_windows(found.shape, found.updates, red)
        if rules.partial:
            windows = longer_windows(found.shape, found.updates, red, windows, exponents)
        powers = {name: str(value) for name, value in exponents.items()}
        entries = [{"size": size, "count": count, "exponents": powers} for size, count in windows]
        data = {"argument": found.argument, "space": found.space, "windows": entries}
        certificate = Certificate("affine", data)
        if (io := proven_io(dag, memory, rules, certificate)) > best.io:
            best = Bound("affine", memory, io, rules, certificate)
    return best
