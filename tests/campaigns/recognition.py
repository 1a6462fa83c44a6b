"""DAGs of all families, renumbered at random: each is recognised; with one edge changed, it is not.

A case takes a family. In half of them a member that is drawn is written under random numbers to a
file of some format, read, and compared with what it is recognised as, edge by edge. In the others
one edge of a small example leads elsewhere; networkx says whether that is the same DAG after all.
"""

import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import networkx as nx
import numpy as np

import dags
from dags import InvalidSpecError, from_edges, recognise
from dags.families import FAMILIES
from dags.formats import FORMATS
from tests.campaigns.outcomes import Failure, Outcomes
from tests.registries import SMALL_EXAMPLES

SUFFIXES = sorted(FORMATS)
MOST_EDGES = 4000
NEVER = {"panel"}  # of the Dirac operator: those of the plans that play it are found, not all
CALLED = {"diamond": "grid"}  # generators that make a DAG of another family


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` DAGs were recognised as."""
    outcomes = Outcomes()
    names = sorted(dags.EXAMPLES)
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            name, turn = names[case // 2 % len(names)], case // 2 // len(names)
            if case % 2:
                suffix = SUFFIXES[(turn + names.index(name)) % len(SUFFIXES)]
                right = is_recognised(name, Path(folder) / f"case{suffix}", seed + case)
                kind, outcome = suffix, "recognised"
            else:
                right = is_missed(name, seed + case)
                kind, outcome = "one edge changed", "missed"
            outcomes.counts[kind, outcome if right else "wrong"] += 1
            if not right:
                outcomes.failures.append(Failure(case, kind, f"{name} is not {outcome}"))
    return outcomes


def is_recognised(name, path, seed):
    """Whether a member of a family is recognised under random numbers, and rightly."""
    read = written_and_read(permuted(drawn_member(name, seed), seed), path)
    known = read.recognised
    return known is not None and is_that(read, known)


def drawn_member(name, seed):
    """A small member of a family; the example where what is drawn has no sizes beforehand."""
    make, sizes, rng = FAMILIES[name].make, FAMILIES[name].sizes, random.Random(seed)
    while sizes is not None:
        arguments = {key: drawn_value(key, kind, rng) for key, kind in kinds_of(make).items()}
        with suppress(InvalidSpecError):
            params, result = sizes(**arguments)
            if 0 < result.edges <= MOST_EDGES:
                built = make(**arguments)
                assert (built.params, built.n, built.m) == (params, result.vertices, result.edges)
                return built
    return dags.load(dags.EXAMPLES[name])


def kinds_of(make):
    """The types of the parameters of a generator."""
    return {key: kind for key, kind in get_type_hints(make).items() if key != "return"}


def drawn_value(key, kind, rng):
    """A value of a parameter of some type."""
    if get_origin(kind) is Literal:
        return rng.choice(get_args(kind))
    if kind is bool:
        return rng.random() < 1 / 2
    if get_origin(kind) is tuple:
        return tuple(rng.randint(1, 7) for _ in range(rng.randint(1, 3)))
    if key in NEVER or (kind is not int and rng.random() < 1 / 2):
        return None
    return rng.randint(1, 32 if key == "n" else 8)


def is_missed(name, seed):
    """Whether a small example with one edge changed is recognised only as what it is."""
    rng = random.Random(seed)
    original = dags.load(SMALL_EXAMPLES[name])
    edges = edges_of(original)
    changed = rng.randrange(len(edges))
    edges[changed, 1] = rng.randrange(edges[changed, 0] + 1, original.n)
    near = from_edges(original.n, edges)
    known = recognise(near).recognised
    present = original if known is None else dags.load(known.spec)
    equal = near.m == present.m and nx.is_isomorphic(
        dags.to_networkx(near), dags.to_networkx(present)
    )
    return equal == (known is not None)


def edges_of(dag):
    """The (m, 2) edges of a DAG."""
    return np.column_stack((dag.pred_indices, np.repeat(np.arange(dag.n), dag.indegree)))


def permuted(dag, seed):
    """The same DAG under random numbers, with what a generator gave besides."""
    new = np.random.default_rng(seed).permutation(dag.n)
    old = np.argsort(new)
    fields = {name: getattr(dag, name) for name in ("words", "work", "channel")}
    moved = {name: None if field is None else field[old] for name, field in fields.items()}
    return from_edges(dag.n, new[edges_of(dag)], outputs=new[dag.outputs], **moved)


def written_and_read(dag, path):
    """What `dags.load` makes of a file of the DAG."""
    dags.save(dag, path)
    return dags.load(str(path))


def is_that(dag, known):
    """Whether the numbers that a recognised DAG has make it the generator's, edge by edge."""
    place = np.argsort(known.vertex)
    ours = {(u, v) for u, v in place[edges_of(dag)].tolist()}
    return ours == {(u, v) for u, v in edges_of(dags.load(known.spec)).tolist()}
