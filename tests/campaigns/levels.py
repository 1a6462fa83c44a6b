"""Hierarchies of memories: referee, engine, exact search and nested plays on random games.

A case is a random play on a hierarchy of two to four levels, most often with some moves changed:
referee and engine must say the same of it, and with two levels what the sequential referee says. Or
a tiny game: the exact search must find what an exhaustive search of elementary moves finds. Or an
order, whose plays by LRU and furthest next use must nest.
"""

from pebble import (
    IllegalMoveError,
    InvalidScheduleError,
    Machine,
    Move,
    judge,
    judge_on,
    min_memory,
    nested,
    play,
    play_on,
)
from pebble.small.levels import least_cost
from schedulers import EVICTIONS, ORDERS, accesses, schedule
from tests.campaigns.extremes import BEYOND, OFTEN, is_uncountable, sometimes_huge
from tests.campaigns.games import drawn
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.level_games import (
    changed,
    cheapest_on_levels,
    hierarchy,
    leveled,
    random_play,
    small_dag,
)


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` came to, a third of them of each kind."""
    return in_turns(LOOKS, cases, seed)


def judged(rng) -> str:
    """Return "legal", "illegal", or how referee and engine differ about a play."""
    dag = sometimes_huge(rng, small_dag(rng, most_vertices=12))
    memories = hierarchy(rng, dag, levels=rng.choice([2, 2, 3, 3, 4]))
    moves = random_play(rng, dag, memories)
    if rng.random() < OFTEN:  # the same moves, where some level has room for everything
        memories = [rng.choice([words, *BEYOND, 2**62]) for words in memories]
    loads = [place for place, (move, *_) in enumerate(moves) if move is Move.LOAD]
    if loads and rng.random() < OFTEN:
        place = rng.choice(loads)
        repeated = [(Move.DELETE, *moves[place][1:]), moves[place]] * rng.choice([1, 31, 127])
        moves[place + 1 : place + 1] = repeated
    built = leveled(moves)
    if rng.random() < 0.7:
        built = changed(rng, moves, dag, len(memories) + 1)
    first, second = (_said(first, dag, built, memories) for first in (judge_on, play_on))
    if is_uncountable(first, second):
        return "refused"
    if first != second:
        return f"failed: the referee says {first}, the engine {second}"
    if len(memories) == 1 and not _same_as_sequential(dag, built, memories[0], first):
        return "failed: with two levels it is not the sequential game"
    return "illegal" if isinstance(first, tuple) else "legal"


def _said(judge, dag, built, memories):
    try:
        return judge(dag, built, Machine.levels(memories))
    except IllegalMoveError as error:
        return error.step, error.move, error.vertex, error.rule, str(error)
    except InvalidScheduleError as error:
        return str(error)


def _same_as_sequential(dag, built, memory, message) -> bool:
    """Whether the sequential referee says the same; levels that are none are not its."""
    if built.place is not None:
        return True
    try:
        count = judge(dag, built, memory)
    except IllegalMoveError as error:
        return isinstance(message, tuple) and message[:3] == (error.step, error.move, error.vertex)
    return (
        not isinstance(message, tuple)
        and message.words == (count.io,)
        and message.peaks == (count.peak,)
    )


def searched(rng) -> str:
    """Return "sound", or what is wrong with the cheapest play of a tiny game."""
    dag = small_dag(rng, most_vertices=5)
    memories, costs = hierarchy(rng, dag), [rng.randint(0, 2), rng.randint(0, 4)]
    if rng.random() < OFTEN:
        memories[-1] = rng.choice([2**62 - 1, 2**62, *BEYOND])
    minimum, result = cheapest_on_levels(dag, memories, costs), least_cost(dag, memories, costs)
    if result.cost != minimum:
        return f"failed: the search finds {result.cost}, and {minimum} is the optimum"
    count = judge_on(dag, result.schedule, Machine.levels(memories))
    return "sound" if count.weighed(costs) == minimum else "failed: the play costs something else"


def nests(rng) -> str:
    """Return "nested", or what is wrong with plays of one order on a hierarchy."""
    dag = drawn(rng)
    if dag.words is not None or not dag.m:
        return "sized"
    smallest = min_memory(dag)
    memories = sorted(smallest + rng.randint(0, 8) for _ in range(rng.randint(1, 3)))
    layout = accesses(dag, ORDERS[rng.choice(sorted(ORDERS))](dag))
    policy = EVICTIONS[rng.choice(["lru", "belady"])]
    plays = [schedule(layout, words, policy) for words in memories]
    words = tuple(play(dag, first, size).io for first, size in zip(plays, memories, strict=True))
    count = judge_on(dag, nested(plays), Machine.levels(memories))
    return "nested" if count.words == words else f"failed: {count.words} and not {words} words"


LOOKS = {"plays": judged, "games": searched, "orders": nests}
