"""Bounds: the methods that prove at once, and those that search in a given time."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs import BOUNDS, METHODS, Bound, bounds_by
from redblue.racing.experience import learned_shares

# The methods that search where values are computed once, and where they may be computed again,
# each with its share of the time that is left for it and those after it.
SEARCHING = {each.name: each.share for each in METHODS.values() if each.share}
AGAIN = {each.name: each.again for each in METHODS.values() if each.again}

# Moments of a DAG of up to so many vertices count each time that a value waits, and prove most on
# iterations and random graphs: `decomposition` has as long as `exact-pieces` there.
MODERATE, MODERATE_SHARES = 1200, {"exact-pieces": 0.45, "decomposition": 0.65}

# In DAGs of so few steps `ideals` applies mostly, which says little before it had a second: the
# first method has no more than this share, and `ideals` this one.
FEW_STEPS, BEFORE_IDEALS, IDEALS = 64, 0.45, 0.75

# Where memory has at most so many times the words that a step touches on average, `reuse` proves
# more than pieces do, and comes first with this share; elsewhere it proves little.
LITTLE_ROOM, REUSE_FIRST = 2.25, 0.35


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
        Seed of methods that draw at random.
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

    end = time.monotonic() + seconds
    shares = shares_of(dag, memory, rules=rules)
    if proved_by is not None and proved_by in shares:
        yield from asked(proved_by, seconds)
        return
    most, tried, busy = known, end, dict[str, int]()
    if len(shares) > 1:
        tried -= (1 - TRIALS) * seconds
    for name, share in shares.items():
        began = time.monotonic()
        limit = share * max(tried - began, SURE * (end - began))
        if limit <= 0:
            break
        for bound in asked(name, limit):
            if time.monotonic() - began > METHODS[name].busy * limit:
                busy[name] = bound.io
            most = max(most, bound.io)
            yield bound
    left = end - time.monotonic()
    if busy and tried < end and left > 0:
        yield from asked(most_promising(busy, most), left)


def most_promising(proved: Mapping[str, int], most: int) -> str:
    """Return the method that should have the rest of the time.

    Parameters
    ----------
    proved
        Words that methods proved in a trial that was too short for them, as they were asked.
    most
        Words that all methods together have proved: where each of these has proved less, trials
        were so short that they say nothing, and the one that was asked first is as good as any.
    """
    if max(proved.values()) < most:
        return next(iter(proved))
    return max(proved, key=lambda name: proved[name] * METHODS[name].grows)


def searching_bounds(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> tuple[str, ...]:
    """Return the names of the methods that search, those that are likely to prove most first.

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
    """Return the methods that search, in the order in which they are asked, with their shares.

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
    few = dag.computed.size <= FEW_STEPS
    first, own = next(iter(shares)), IDEALS if few else SEARCHING["ideals"]
    early = min(shares[first], BEFORE_IDEALS) if few else shares[first]
    others = {name: share for name, share in shares.items() if name not in (first, "ideals")}
    shares = {first: early, "ideals": own, **others}
    touched = dag.words_of(dag.pred_indices) + dag.words_of(dag.computed)
    if memory * dag.computed.size > LITTLE_ROOM * touched:
        return shares
    others = {name: share for name, share in shares.items() if name != "reuse"}
    return {"reuse": REUSE_FIRST, **others}
