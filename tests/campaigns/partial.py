"""Partial computation: referee, engine, exact search, schedulers and bounds on random tiny games.

A case is a random play, most often with some moves changed: referee and engine must say the same of
it. Or a tiny game: the exact search must find what an exhaustive search of elementary moves finds,
in a play that both accept; no scheduler moves less, and no bound is more, whose checker accepts it.
"""

from pebble import PARTIAL, IllegalMoveError, InvalidScheduleError, Move, Schedule, judge, play
from pebble.small.search import MOST_LEVELS
from proofs import BOUNDS, NotApplicableError, check
from schedulers import SCHEDULERS
from schedulers.exact import exact
from tests.campaigns.extremes import (
    BEYOND,
    OFTEN,
    is_uncountable,
    some_memory,
    sometimes_huge,
)
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.partial_games import partial_optimum, random_schedule, tight_memory, tiny_dag

SECONDS = 0.02  # for a bound
EACH = 2  # schedulers and bounds of a case


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` came to, half of them plays and half of them tiny games."""
    return in_turns(LOOKS, cases, seed)


def judged(rng) -> str:
    """Return "legal", "illegal", or how referee and engine differ about a play."""
    dag = sometimes_huge(rng, tiny_dag(rng, most_edges=20))
    memory = tight_memory(rng, dag)
    schedule = random_schedule(rng, dag, memory, broken=rng.choice([0, 1, 1, 2]))
    memory -= rng.random() < 0.2
    if rng.random() < OFTEN:
        memory = rng.choice([2**62 - 1, 2**62, *BEYOND])
        schedule = churned(rng, schedule)
    first, second = (_said(judge, dag, schedule, memory) for judge in (judge, play))
    if is_uncountable(first, second):
        return "refused"
    if first != second:
        return f"failed: the referee says {first}, the engine {second}"
    return "illegal" if isinstance(first, tuple) else "legal"


def _said(judge, dag, schedule, memory):
    try:
        return judge(dag, schedule, memory, rules=PARTIAL)
    except IllegalMoveError as error:
        return error.step, error.move, error.vertex, error.rule, str(error)
    except InvalidScheduleError as error:
        return str(error)


def churned(rng, schedule):
    """A schedule in which something is loaded again and again."""
    loads = (schedule.op == Move.LOAD).nonzero()[0].tolist()
    if not loads:
        return schedule
    moves = [
        (move, v) if u < 0 else (move, v, u)
        for (move, v), u in zip(schedule, schedule.operands.tolist(), strict=True)
    ]
    place = rng.choice(loads)
    repeated = [(Move.DELETE, moves[place][1]), moves[place]] * rng.choice([1, 31, 127])
    return Schedule.from_moves([*moves[: place + 1], *repeated, *moves[place + 1 :]])


def searched(rng) -> str:
    """Return "sound", or what is wrong about a tiny game."""
    dag = sometimes_huge(rng, tiny_dag(rng))
    memory = some_memory(rng, dag, tight_memory(rng, dag), [0])
    minimum, result = partial_optimum(dag, memory), exact(dag, memory, rules=PARTIAL)
    beyond = minimum - dag.words_of(dag.used_inputs) - dag.words_of(dag.outputs)
    given_up = beyond >= MOST_LEVELS and result.lower_bound <= minimum <= result.io
    if (result.status, result.io, result.lower_bound) != (
        "optimal",
        minimum,
        minimum,
    ) and not given_up:
        return f"failed: the search finds {result.io}, and {minimum} is the optimum"
    if judge(dag, result.schedule, memory, rules=PARTIAL).io != result.io or result.io < minimum:
        return "failed: the play does not move what the search says"
    for name in rng.sample(sorted(SCHEDULERS), EACH):
        schedule = SCHEDULERS[name](dag, memory, rules=PARTIAL)
        if judge(dag, schedule, memory, rules=PARTIAL).io < minimum:
            return f"failed: {name} moves less than the optimum"
    for name in rng.sample(sorted(BOUNDS), EACH):
        wrong = _wrong_bound(name, dag, memory, minimum)
        if wrong:
            return wrong
    return "sound"


def _wrong_bound(name, dag, memory, minimum) -> str:
    try:
        bound = BOUNDS[name](dag, memory, rules=PARTIAL, time_limit=SECONDS)
    except NotApplicableError:
        return ""
    check(dag, memory, bound)
    return f"failed: {name} proves {bound.io}, more than {minimum}" if bound.io > minimum else ""


LOOKS = {"plays": judged, "games": searched}
