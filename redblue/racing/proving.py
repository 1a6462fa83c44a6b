"""Bounds: methods that prove at once, and those that search, with shares of time by experience.

`experience.csv` has drawn DAGs and the words that each method alone proves of them; `python
benchmarks/make_experience.py` makes it.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import ONE_SHOT, Budget, Rules, min_memory
from proofs import BOUNDS, METHODS, Bound, bounds_by

FloatArray = npt.NDArray[np.float64]
FILE = files("redblue.racing").joinpath("experience.csv")
NEAREST = 6  # games whose experience counts
DECAY = 0.05  # of the logarithm of words: a method that proves 5 % less gets 1 / e of the time
FARTHEST = 1.5  # that the nearest of them may be, in powers of two
LEAST = 0.05  # of the time of the best method: what others get at least


class Shape(NamedTuple):
    """Shape of a game: logarithms to base 2, each as much as the others."""

    vertices: float
    degree: float  # edges per vertex
    slenderness: float  # length of the longest path over the mean width
    room: float  # memory over the least that plays the DAG


class Experience(NamedTuple):
    """Games, and the words that methods prove of them.

    Parameters
    ----------
    shapes
        (games, 4) their shapes.
    losses
        (games, methods) logarithm of the best bound over that of each method.
    methods
        Names of the methods.
    """

    shapes: FloatArray
    losses: FloatArray
    methods: tuple[str, ...]


def shape_of(dag: CDAG, memory: int) -> Shape:
    """The shape of a game."""
    length = int(dag.level.max(initial=0)) + 1
    return Shape(
        vertices=log(dag.n, 2),
        degree=log(dag.m / dag.n, 2),
        slenderness=log(length * length / dag.n, 2),
        room=log(memory / min_memory(dag), 2),
    )


def learned_shares(
    dag: CDAG, memory: int, *, without: str | None = None
) -> Mapping[str, float] | None:
    """Methods of bounds, each with its share of the time that is left for it and the others.

    The one that has lost least on the games that are nearest comes first. None where there is no
    game near.

    Parameters
    ----------
    dag, memory
        The game.
    without
        Name of an instance that does not count.
    """
    known = experience(without)
    distances = np.linalg.norm(known.shapes - np.array(shape_of(dag, memory)), axis=1)
    nearest = np.argsort(distances, kind="stable")[:NEAREST]
    if distances[nearest[0]] > FARTHEST:
        return None
    losses = known.losses[nearest].mean(axis=0)
    return shares(dict(zip(known.methods, losses.tolist(), strict=True)))


def shares(losses: Mapping[str, float]) -> dict[str, float]:
    """Methods, that with the least loss first, with their shares of the time left.

    Parameters
    ----------
    losses
        Logarithm of the best bound over that of each method.

    Examples
    --------
    >>> {name: round(share, 2) for name, share in shares({"a": 0.0, "b": 0.0, "c": 9.0}).items()}
    {'a': 0.49, 'b': 0.95, 'c': 1.0}
    """
    order = sorted(losses, key=losses.__getitem__)
    weights = [max(exp(-(losses[name] - losses[order[0]]) / DECAY), LEAST) for name in order]
    return {name: weights[i] / sum(weights[i:]) for i, name in enumerate(order)}


@cache
def experience(without: str | None = None) -> Experience:
    """The games of the file, without those of one instance."""
    lines = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
    lines = [line for line in lines if line["instance"] != without]
    methods = tuple(lines[0])[1 + len(Shape._fields) :]
    words = np.array([[int(line[name]) for name in methods] for line in lines])
    losses = np.log(words.max(axis=1, keepdims=True)) - np.log(words)
    shapes = np.array([[float(line[name]) for name in Shape._fields] for line in lines])
    return Experience(shapes, losses, methods)


# The methods that search where values are computed once, and where they may be computed again,
# each with its share of the time that is left for it and those after it.
SEARCHING = {method.name: method.share for method in METHODS.values() if method.share}
AGAIN = {method.name: method.again for method in METHODS.values() if method.again}

# Moments of a DAG of up to so many vertices count each time that a value waits, and prove most on
# iterations and random graphs: `decomposition` has as long as `exact-pieces` there.
MODERATE, MODERATE_SHARES = 1200, {"exact-pieces": 0.45, "decomposition": 0.65}

# In DAGs of so few steps `ideals` applies mostly, which says little before it had a second: the
# first method has no more than this share, and `ideals` this one.
FEW_STEPS, BEFORE_IDEALS, IDEALS = 64, 0.45, 0.75

# Where memory has at most so many times the words that a step touches on average, `reuse` proves
# more than pieces do, and comes first with this share; elsewhere it proves little.
LITTLE_ROOM, REUSE_FIRST = 2.8, 0.35


# The methods that take little time, the one that needs no DAG first.
DEFAULT_BOUNDS = (
    "compulsory",
    *(name for name in BOUNDS if name not in {**SEARCHING, **AGAIN, "compulsory": 0}),
)

# All methods that search share so much of the time, and the one that then has proved most has the
# rest: how fast they are told apart on a DAG is told by no other DAG.
TRIALS = 0.33
# Whatever those before have taken beyond their share, as they look at the clock seldom: a trial has
# its share of this part of all that is left.
SURE = 0.15


def bounds_in(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    seconds: float,
    known: int = 0,
    proved_by: str | None = None,
    begins: Callable[[str], object] = bool,
) -> Iterator[Bound]:
    """Yield bounds as methods that search prove them, for so many seconds.

    Whoever takes them may stop as soon as one is enough. Methods are tried, each for its share
    whatever those before it took, and the one that proved most has the rest of the time.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Seed of random methods.
    seconds
        Seconds, roughly.
    known
        Words that are proved already.
    proved_by
        The method that proved most when they were tried before, if it searches: nothing is tried
        again.
    begins
        Called with the name of each method before it begins.
    """

    def asked(name: str, limit: float) -> Iterator[Bound]:
        begins(name)
        game: dict[str, Any] = {"rules": rules, "seed": seed, "time_limit": limit}
        return (bound for bound, _ in bounds_by([BOUNDS[name]], dag, memory, **game))

    budget, largest, busy = Budget(seconds), known, dict[str, int]()
    shares = shares_of(dag, memory, rules=rules)
    if proved_by is not None and proved_by in shares:
        yield from asked(proved_by, seconds)
        return
    reserved = (1 - TRIALS) * seconds if len(shares) > 1 else 0.0  # for the most promising
    for name, share in shares.items():
        began = budget.used
        limit = share * max(budget.left - reserved, SURE * budget.left)
        if limit <= 0:
            break
        for bound in asked(name, limit):
            if budget.used - began > METHODS[name].busy * limit:
                busy[name] = bound.io
            largest = max(largest, bound.io)
            yield bound
    if busy and reserved and budget.left:
        yield from asked(most_promising(busy, largest), budget.left)


def most_promising(proved: Mapping[str, int], largest: int) -> str:
    """The method that should have the rest of the time.

    Parameters
    ----------
    proved
        Words that methods proved in a trial that was too short for them, as they were asked.
    largest
        Words that all methods together have proved: where each of these has proved less, trials
        were so short that they say nothing, and the one that was asked first is as good as any.
    """
    if max(proved.values()) < largest:
        return next(iter(proved))
    return max(proved, key=lambda name: proved[name] * METHODS[name].grows)


def searching_bounds(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> tuple[str, ...]:
    """The names of the methods that search, those that are likely to prove most first.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    return tuple(shares_of(dag, memory, rules=rules))


def shares_of(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    learned: Callable[[CDAG, int], Mapping[str, float] | None] = learned_shares,
) -> Mapping[str, float]:
    """The methods that search, in the order in which they are asked, with their shares.

    Parameters
    ----------
    dag, memory, rules
        The game.
    learned
        Returns the shares that experience says, None where it says nothing.
    """
    if rules.recompute:
        return AGAIN
    shares: Mapping[str, float] = SEARCHING
    if dag.n <= MODERATE:
        shares = learned(dag, memory) or SEARCHING | MODERATE_SHARES
    # Experience has no games that are small enough for `ideals`: it keeps its place and its share.
    is_small = dag.computed.size <= FEW_STEPS
    first, first_share = next(iter(shares)), IDEALS if is_small else SEARCHING["ideals"]
    early = min(shares[first], BEFORE_IDEALS) if is_small else shares[first]
    further = {name: share for name, share in shares.items() if name not in (first, "ideals")}
    shares = {first: early, "ideals": first_share, **further}
    touched = dag.words_of(dag.pred_indices) + dag.words_of(dag.computed)
    if memory * dag.computed.size > LITTLE_ROOM * touched:
        return shares
    further = {name: share for name, share in shares.items() if name != "reuse"}
    return {"reuse": REUSE_FIRST, **further}
