"""What commands say of one game, each against all the others.

A case draws a DAG (a family, a program, a random one, a family under random numbers from a file,
one with sizes), a memory and rules, and asks all that says something of the game: `solve`,
`bound`, `curve`, `compare`, `plan`, the evidence of `report`, `levels`, plays of `law`. What one
proves is never more than another one plays: a play is legal with more memory, a bound holds with
less. What is proved at once is the same everywhere, and what is proved in some seconds is at most
`LESS` below what another command proves in as many, or at once; `solve`, which shares its seconds
between both sides, has twice as many. What is written passes `check` and `verify`.
"""

import random
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import dags
import redblue as rb
from dags import CDAG, RedBlueError
from pebble import RULES, Rules, compulsory_words, judge, min_memory
from proofs import check
from redblue.answers.evidence import gather
from redblue.answers.hierarchies.crossing import levels
from redblue.laws.fit import fit_dag
from tests.campaigns.families import DRAWN
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.campaigns.recognition import permuted, written_and_read
from tests.test_proofs.small_nests import small_nest

LESS = 0.05  # share by which a bound may be below another one of the same seconds
SECONDS = 0.5, 4.0, 16.0  # of `bound`; the next where one of them is behind, for machines are busy
MOST = 400  # vertices
LARGER = 3  # times the parameters of small families


class Known(NamedTuple):
    """Words that a command names for a memory.

    Parameters
    ----------
    command
        The command, and what it was asked.
    memory
        Words of fast memory.
    words
        Words that a play moves, or that are proved to be moved.
    """

    command: str
    memory: int
    words: int


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` DAGs came to, of each kind as many."""
    return in_turns({kind: partial(_case, draw) for kind, draw in DRAWS.items()}, cases, seed)


def _case(draw: Any, rng: random.Random) -> str:
    """How a drawn game came out."""
    dag = draw(rng)
    names = list(RULES) if dag.indegree.max(initial=0) else ["one-shot"]
    rules = RULES[rng.choice(["one-shot", *names])]
    smallest = min_memory(dag, rules=rules)
    memory = smallest + rng.choice([0, 1, 2, 4, 8]) * int(dag.sizes.max())
    wrong = disagreement(dag, memory, rules)
    return f"failed: {wrong}; {dag!r}, {memory} words, {rules.name}" if wrong else "agreed"


def disagreement(dag: CDAG, memory: int, rules: Rules) -> str:
    """What commands say of a game that cannot all be true; nothing, if they agree.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    message = ""
    for seconds in SECONDS:
        plays, quick = at_once(dag, memory, rules)
        extra, timed = in_seconds(dag, memory, rules, seconds)
        if wrong := contradiction([*plays, *extra], [*quick, *timed]):
            return wrong
        message = weaker(quick, quick) or weaker(timed, [*quick, *timed])
        if not message:
            break
    return message


def at_once(dag: CDAG, memory: int, rules: Rules) -> tuple[list[Known], list[Known]]:
    """What is played and proved by commands that search nothing."""
    curve = rb.curve(dag, [memory, 2 * memory], rules=rules, effort="quick")
    printed = gather(dag, [memory], rules=rules, effort="quick").points
    planned = rb.plan(dag, memory=memory, rules=rules, effort="quick")
    compared = rb.compare(dag, [memory], rules=rules, effort="quick").curves[0]
    assert planned.choice is not None
    assert planned.bound is not None
    once = rb.bound(dag, memory, rules=rules, effort="quick")
    check(dag, memory, once)
    end, compulsory = planned.end, compulsory_words(dag)
    plays = [
        *(Known("curve", *point) for point in curve.envelope("upper")),
        *(Known("compare", *point) for point in compared.envelope("upper")),
        *(Known("report", point.memory, point.io) for point in printed),
        *(Known("plan", size, int(cost)) for size, cost in planned.points),
        Known("plan --memory", memory, planned.choice.count.io),
        Known("plan's end", end.choice.memory, compulsory),
    ]
    proofs = [
        *(Known("curve", *point) for point in curve.envelope("lower")),
        *(Known("compare", *point) for point in compared.envelope("lower")),
        *(Known("report", point.memory, point.bound.io) for point in printed),
        Known("plan --memory", memory, planned.bound.io),
        Known("bound --effort quick", memory, once.io),
    ]
    if rules.name == "one-shot":
        across = levels(dag, [memory, 2 * memory])
        plays += [Known("levels", memory, across.best.words[0])]
        proofs += [Known("levels", memory, across.lower[0])]
        plays += [Known("law", *point) for point in fitted(dag, memory)]
    if end.bound is not None:  # with less memory more is moved
        proofs.append(Known("plan's end", end.at_least - 1, compulsory + 1))
    return plays, proofs


def fitted(dag: CDAG, memory: int) -> tuple[tuple[int, int], ...]:
    """The plays that a law is fitted to."""
    return fit_dag(dag, [memory, 2 * memory, 4 * memory])[1].envelope("upper")


def in_seconds(
    dag: CDAG, memory: int, rules: Rules, seconds: float
) -> tuple[list[Known], list[Known]]:
    """What `solve` and `bound` play and prove in so many seconds, after its verification."""
    solved = rb.solve(dag, memory, rules=rules, time_limit=2 * seconds)
    check(dag, memory, solved.bound)
    bound = rb.bound(dag, memory, rules=rules, time_limit=seconds)
    check(dag, memory, bound)
    moved = judge(dag, solved.schedule, memory, rules=rules).io
    assert moved == solved.count.io, (moved, solved.count)
    return [Known("solve", memory, moved)], [
        Known("solve", memory, solved.bound.io),
        Known("bound", memory, bound.io),
    ]


def contradiction(plays: list[Known], proofs: list[Known]) -> str:
    """A bound that is above a play of no more memory; nothing, if there is none."""
    for play in plays:
        for proof in proofs:
            if play.memory <= proof.memory and proof.words > play.words:
                return f"{told(proof)} is proved, and {told(play)} is played"
    return ""


def weaker(chosen: list[Known], remaining: list[Known]) -> str:
    """A bound that is far below another one of no less memory; nothing, if there is none."""
    for bound_ in chosen:
        best = max(
            (entry for entry in remaining if entry.memory >= bound_.memory),
            key=lambda entry: entry.words,
        )
        if bound_.words < (1 - LESS) * best.words and not bound_.command.startswith("plan's"):
            return f"{told(bound_)} is proved, and {told(best)} as well"
    return ""


def told(known: Known) -> str:
    """Return "17 words at M = 4 by solve"."""
    return f"{known.words} words at M = {known.memory} by {known.command}"


def family(rng: random.Random) -> CDAG:
    """A member of a family."""
    while True:
        name = rng.choice(list(DRAWN))
        ranges = DRAWN[name].items()
        arguments = ",".join(
            f"{key}={rng.randint(low, LARGER * high)}" for key, (low, high) in ranges
        )
        try:
            dag = dags.load(f"{name}:{arguments}")
        except RedBlueError:
            continue
        if dag.n <= MOST and dag.computed.size:
            return dag


def renumbered(rng: random.Random) -> CDAG:
    """A member of a family under random numbers, as a file has it."""
    with TemporaryDirectory() as folder:
        return written_and_read(
            permuted(family(rng), rng.randrange(10**6)), Path(folder) / "a.hdag"
        )


def program(rng: random.Random) -> CDAG:
    """The DAG of a small nest."""
    dag = None
    while dag is None:
        dag = small_nest(f"{rng.random()}", 60, 120, "statement")
    return dag


def drawn(rng: random.Random) -> CDAG:
    """A random DAG."""
    return dags.random_layered(rng.randint(8, 150), seed=rng.randrange(10**6))


def weighted(rng: random.Random) -> CDAG:
    """A random DAG, or a family, whose values differ in size."""
    if rng.random() < 0.5:
        return dags.random_layered(rng.randint(8, 90), max_words=7, seed=rng.randrange(10**6))
    dag = family(rng)
    words = [rng.choice([1, 1, 4, 1 << 20]) for _ in range(dag.n)]
    return CDAG(dag.pred_indptr, dag.pred_indices, words=words, outputs=dag.outputs)


DRAWS = {
    "family": family,
    "renumbered": renumbered,
    "program": program,
    "random": drawn,
    "weighted": weighted,
}
