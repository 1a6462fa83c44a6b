"""Chains of statements at tiny sizes: bounds against the exact search, plays against the referee.

A case draws a chain of at most so many vertices, rules and a memory. "bounds": what is found, and
`FORGED` certificates with other windows, other parts, other numbers: none that is accepted proves
more than the optimum, which is searched where one proves more than compulsory words. "plays": each
is counted as the referee counts it.
"""

import random
from copy import deepcopy
from functools import lru_cache
from typing import Any

from dags import CDAG
from dags.programs import instantiate
from dags.programs.box_nests import BoxNest
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import RULES, Rules, judge, min_memory
from proofs import CertificateError
from proofs.bounds.loops.nests import gains, nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.nests import SUM, compulsory_of, proven
from schedulers.exact import exact
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.campaigns.outcomes import Outcomes, in_turns
from tests.chain_texts import CHAINS, sized

MOST = {False: 40, True: 28}  # vertices of what is searched, by whether values are made again,
SMALL = 400  # and of what is played
LENGTHS = (1, 2, 2, 2, 3, 3, 4)  # of loops
MORE = (0, 0, 0, 0, 1, 1, 2, 3, 5)  # memory than the least
FORGED = 12
SECONDS = 20.0  # of the exact search


def run(cases: int, seed: int) -> Outcomes:
    """Return what `cases` chains came to, three of four for bounds."""
    looks = {"bounds": bounds, "bounds again": bounds, "forged": bounds, "plays": plays}
    return in_turns(looks, cases, seed)


@lru_cache(maxsize=4096)
def drawn(name: str, sizes: tuple[tuple[str, int], ...]) -> tuple[BoxNest, CDAG]:
    """A chain at some sizes."""
    program = from_c(CHAINS[name][0])
    return box_nest(program, dict(sizes), as_written=True), instantiate(program, dict(sizes))


def chain(rng: random.Random, most: int) -> tuple[str, BoxNest, CDAG]:
    """A chain of at most so many vertices."""
    while True:
        name = rng.choice([*CHAINS])
        sizes = {each: rng.choice(LENGTHS) for each in sized(CHAINS[name][1])}
        if "R" in sizes:
            sizes["R"] = rng.randint(1, 3)
        nest, dag = drawn(name, tuple(sizes.items()))
        if dag.n <= most:
            return f"{name} {sizes}", nest, dag


def bounds(rng: random.Random) -> str:
    """Hold what is proved of a chain against its optimum."""
    rules = rng.choice([*RULES.values()])
    name, nest, dag = chain(rng, MOST[rules.recompute])
    memory = min_memory(dag, rules=rules) + rng.choice(MORE)
    found = nest_bound(nest, memory, rules=rules)
    claims = [(found.io, found.certificate)]
    for _ in range(FORGED):
        forged = other(rng, nest, memory, rules)
        try:
            claims.append((proven(nest, memory, rules, forged), forged))
        except CertificateError:
            continue
    most, certificate = max(claims, key=lambda each: each[0])
    if most <= compulsory_of(nest):
        return "compulsory words alone"
    about = f"{name}, M = {memory}, {rules.name}: {most} by {certificate}"
    searched = exact(dag, memory, rules=rules, time_limit=SECONDS)
    if searched.io is not None and searched.io < most:
        return f"failed: {about}; {searched.io} are played"
    if searched.status != "optimal":
        return "not searched to the end"
    return "optimum proved" if searched.io == most else "below the optimum"


def other(rng: random.Random, nest: BoxNest, memory: int, rules: Rules) -> Certificate:
    """A certificate of some parts, with windows of other sizes, and perhaps a field changed."""
    data: dict[str, Any] = {}
    parts = [each for each in gains(nest, memory, rules) if rng.random() < 0.7]
    for each in rng.sample(parts, min(len(parts), rng.randint(1, 5))):
        one = deepcopy(each.data)
        if "windows" in one and rng.random() < 0.8:
            recut(rng, one)
        if rng.random() < 0.2:
            spoilt(rng, one)
        data.setdefault(each.field, []).append(one)
    return Certificate(SUM, data)


def recut(rng: random.Random, one: dict[str, Any]) -> None:
    """Cut the same updates into another number of windows."""
    updates = sum(each["size"] * each["count"] for each in one["windows"])
    size, more = divmod(updates, rng.randint(1, min(updates, 6)))
    number = updates // size if size else 1
    size, more = divmod(updates, number)
    cut = [(size + 1, more), (size, number - more)]
    first = one["windows"][0]
    one["windows"] = [first | {"size": size, "count": n} for size, n in cut if size and n]


def spoilt(rng: random.Random, one: dict[str, Any]) -> None:
    """Change a field of a part."""
    key = rng.choice([*one])
    if isinstance(one[key], str):
        one[key] = rng.choice(["S0", "S1", "S2", "S3", "A_A", "A_B"])
    elif key == "windows":
        for each in one[key]:
            each["size"] = max(1, each["size"] + rng.choice([-1, 1, 2]))
    elif isinstance(one[key], int):
        one[key] += rng.choice([-1, 1, 2])
    elif isinstance(one[key], dict):
        field = rng.choice([*one[key]])
        one[key] = {name: value for name, value in one[key].items() if name != field}
    else:
        rng.shuffle(one[key])
        if rng.random() < 0.5 and one[key]:
            one[key] = one[key][1:]


def plays(rng: random.Random) -> str:
    """Hold the words of plays against the referee, and bounds against them."""
    name, nest, dag = chain(rng, SMALL)
    least = min_memory(dag)
    memories = sorted({least, least + rng.randint(1, 6), least + rng.randint(5, 40)})
    found = best_tilings(nest, memories, seconds=0.2)
    for each in found:
        count = judge(dag, moves(dag, Counts(nest), each.tiling), each.moved.words)
        if (count.loads, count.stores) != (each.moved.loads, each.moved.stores):
            return f"failed: {name}, {each}: the referee counts {count}"
        if nest_bound(nest, each.moved.words).io > each.io:
            return f"failed: {name}, {each}: more is proved"
    return "as the referee counts" if found else "no play"
