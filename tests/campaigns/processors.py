"""Several processors: referee, engine and exact search on random plays and tiny games.

A case is a legal play on a random machine with some of its moves changed: referee and engine must
say the same of it. Or a tiny game: the exact search must find what an exhaustive search over
elementary moves finds, in a play that both judges accept at that cost; with one processor that is
the least I/O of the sequential game times the price of a word, and a computation for each vertex.
"""

from pebble import (
    RULES,
    Costs,
    IllegalMoveError,
    InvalidScheduleError,
    Machine,
    Rules,
    judge_on,
    min_memory,
    play_on,
)
from schedulers.parallel import exact_parallel
from tests.campaigns.extremes import BEYOND, OFTEN, is_uncountable
from tests.campaigns.games import drawn
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.oracles import optimum
from tests.parallel_games import RandomPlayer, broken, cheapest, random_machine, tiny_dag


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` came to, half of them plays and half of them tiny games."""
    return in_turns(LOOKS, cases, seed)


def judged(rng) -> str:
    """Return "legal", "illegal", or how referee and engine differ about a play."""
    dag, rules = drawn(rng), RULES[rng.choice(list(RULES))]
    machine = random_machine(rng, min_memory(dag) + rng.choice([0, 1, 3]))
    schedule = RandomPlayer(rng, dag, machine, rules).play()
    if rng.random() < OFTEN:  # the same moves, where there is room for everything
        machine = machine.with_memory(rng.choice([2**62 - 1, 2**62, *BEYOND]))
    if rng.random() < 0.8:
        try:
            schedule = broken(rng, schedule, dag, machine)
        except InvalidScheduleError:
            return "no schedule"
    first, second = (_said(judge, dag, schedule, machine, rules) for judge in JUDGES)
    if is_uncountable(first, second):
        return "refused"
    if first != second:
        return f"failed: the referee says {first}, the engine {second}"
    return "illegal" if isinstance(first, tuple) else "legal"


JUDGES = judge_on, play_on


def _said(judge, dag, schedule, machine, rules: Rules):
    try:
        return judge(dag, schedule, machine, rules=rules)
    except IllegalMoveError as error:
        return error.step, error.move, error.vertex, error.rule, str(error)
    except InvalidScheduleError as error:
        return str(error)


def searched(rng) -> str:
    """Return "sound", or what is wrong with the cheapest play of a tiny game."""
    processors = rng.choice([1, 2, 2, 3])
    dag = tiny_dag(rng, {1: 6, 2: 5, 3: 4}[processors] + (rng.random() < 0.1))
    rules = Rules(recompute=rng.random() < 0.4)
    memory, g = min_memory(dag) + rng.choice([0, 0, 1]), rng.choice([1, 2, 4])
    memory = rng.choice([2**31, 2**62]) if rng.random() < OFTEN else memory
    machine = Machine.parallel(processors, memory)
    result = exact_parallel(dag, machine, rules=rules, g=g)
    minimum = cheapest(dag, processors, memory, recompute=rules.recompute, g=g)
    if (result.cost, result.status) != (minimum, "optimal"):
        return f"failed: {result.cost} of {minimum} for {dag!r}, {machine}, {rules.name}, g = {g}"
    counts = [judge(dag, result.schedule, machine, rules=rules) for judge in JUDGES]
    if counts[0] != counts[1] or counts[0].cost(Costs(g=g)) != minimum:
        return f"failed: the play of {dag!r} on {machine} costs {counts[0].cost(Costs(g=g))}"
    if processors == 1 and not rules.recompute:
        single = optimum(dag, memory, rules)
        if minimum != g * single + dag.computed.size:
            return f"failed: {minimum} is not {g} * {single} and the computations of {dag!r}"
    return "sound"


LOOKS = {"plays": judged, "games": searched}
