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
    """What `cases` chains came to, three of four for bounds."""
    looks = {"bounds": bounds, "bounds again": bounds, "forged": bounds, "plays": plays}
    return in_turns(looks, cases, seed)


@lru_cache(maxsize=4096)
def drawn(name: str, sizes: tuple[tuple[str, int], ...]) -> tuple[BoxNest, CDAG]:
    """A chain at some sizes."""
    program = from_c(CHAINS[name][0])
    return box_nest(program, dict(sizes), as_written=True), instantiate(program, dict(sizes))


def chain(rng: random.Random, limit: int) -> tuple[str, BoxNest, CDAG]:
    """A chain of at most so many vertices."""
    while True:
        name = rng.choice([*CHAINS])
        sizes = {entry: rng.choice(LENGTHS) for entry in sized(CHAINS[name][1])}
        if "R" in sizes:
            sizes["R"] = rng.randint(1, 3)
        nest, dag = drawn(name, tuple(sizes.items()))
        if dag.n <= limit:
            return f"{name} {sizes}", nest, dag


def bounds(rng: random.Random) -> str:
    """Hold what is proved of a chain against its optimum."""
    rules = rng.choice([*RULES.values()])
    name, nest, dag = chain(rng, MOST[rules.recompute])
    memory = min_memory(dag, rules=rules) + rng.choice(MORE)
    result = nest_bound(nest, memory, rules=rules)
    claims = [(result.io, result.certificate)]
    for _ in range(FORGED):
        forged = other(rng, nest, memory, rules)
        try:
            claims.append((proven(nest, memory, rules, forged), forged))
        except CertificateError:
            continue
    limit, certificate = max(claims, key=lambda entry: entry[0])
    if limit <= compulsory_of(nest):
        return "compulsory words alone"
    about = f"{name}, M = {memory}, {rules.name}: {limit} by {certificate}"
    searched = exact(dag, memory, rules=rules, time_limit=SECONDS)
    if searched.io is not None and searched.io < limit:
        return f"failed: {about}; {searched.io} are played"
    if searched.status != "optimal":
        return "not searched to the end"
    return "optimum proved" if searched.io == limit else "below the optimum"


def other(rng: random.Random, nest: BoxNest, memory: int, rules: Rules) -> Certificate:
    """A certificate of some parts, with windows of other sizes, and perhaps a field changed."""
    data: dict[str, Any] = {}
    parts = [gain for gain in gains(nest, memory, rules) if rng.random() < 0.7]
    for entry in rng.sample(parts, min(len(parts), rng.randint(1, 5))):
        first = deepcopy(entry.data)
        if "windows" in first and rng.random() < 0.8:
            recut(rng, first)
        if rng.random() < 0.2:
            spoilt(rng, first)
        data.setdefault(entry.field, []).append(first)
    return Certificate(SUM, data)


def recut(rng: random.Random, left: dict[str, Any]) -> None:
    """Cut the same updates into another number of windows."""
    updates = sum(entry["size"] * entry["count"] for entry in left["windows"])
    size, extra = divmod(updates, rng.randint(1, min(updates, 6)))
    number = updates // size if size else 1
    size, extra = divmod(updates, number)
    cut = [(size + 1, extra), (size, number - extra)]
    first = left["windows"][0]
    left["windows"] = [first | {"size": size, "count": n} for size, n in cut if size and n]


def spoilt(rng: random.Random, first: dict[str, Any]) -> None:
    """Change a field of a part."""
    key = rng.choice([*first])
    if isinstance(first[key], str):
        first[key] = rng.choice(["S0", "S1", "S2", "S3", "A_A", "A_B"])
    elif key == "windows":
        for entry in first[key]:
            entry["size"] = max(1, entry["size"] + rng.choice([-1, 1, 2]))
    elif isinstance(first[key], int):
        first[key] += rng.choice([-1, 1, 2])
    elif isinstance(first[key], dict):
        field = rng.choice([*first[key]])
        first[key] = {name: value for name, value in first[key].items() if name != field}
    else:
        rng.shuffle(first[key])
        if rng.random() < 0.5 and first[key]:
            first[key] = first[key][1:]


def plays(rng: random.Random) -> str:
    """Hold the words of plays against the referee, and bounds against them."""
    name, nest, dag = chain(rng, SMALL)
    smallest = min_memory(dag)
    memories = sorted({smallest, smallest + rng.randint(1, 6), smallest + rng.randint(5, 40)})
    tilings = best_tilings(nest, memories, seconds=0.2)
    for entry in tilings:
        count = judge(dag, moves(dag, Counts(nest), entry.tiling), entry.moved.words)
        if (count.loads, count.stores) != (entry.moved.loads, entry.moved.stores):
            return f"failed: {name}, {entry}: the referee counts {count}"
        if nest_bound(nest, entry.moved.words).io > entry.io:
            return f"failed: {name}, {entry}: more is proved"
    return "as the referee counts" if tilings else "no play"
