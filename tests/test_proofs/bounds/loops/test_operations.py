"""Programs one operation a vertex: products with their sums are the updates of the statement."""

import copy
import random
from math import ceil

import pytest

from dags import load
from pebble import ONE_SHOT, RULES, Budget, Move, min_memory, play
from proofs import Certificate, CertificateError, affine, check, compulsory
from proofs.bounds.loops.space_search import verified_spaces
from proofs.certificates import proven_io
from proofs.lemmas.loops.program_space import program_space
from schedulers import scheduler_named
from schedulers.exact import exact
from tests.test_proofs.small_nests import small_nest
from tests.test_proofs.touched import touched_words

ORDERS = ("natural+belady", "depth-first+belady")
KERNELS = {
    "gemm": "NI=4,NJ=4,NK=4",
    "lu": "N=7",
    "cholesky": "N=7",
    "syrk": "M=5,N=5",
    "trmm": "M=5,N=5",
}


def by_operations(name, sizes):
    return load(f"polybench/{name}:{sizes},level=operation")


@pytest.mark.parametrize("name", KERNELS)
def test_as_much_as_by_statements(name):
    dag = by_operations(name, KERNELS[name])
    for memory in (min_memory(dag), 6):
        bound = affine(dag, memory)
        check(dag, memory, bound)
        assert bound.io >= affine(load(f"polybench/{name}:{KERNELS[name]}"), memory).io
        best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
        assert compulsory(dag, memory).io <= bound.io <= best


def test_windows_of_plays_touch_no_more_than_is_moved():
    """The theorem without the inequality: windows of actual plays, for kernels and random nests."""
    rng = random.Random(5)
    nests = [small_nest(f"operations {seed}", 120, level="operation") for seed in range(10)]
    seen = {"sum": 0, "through": 0}
    for dag in (*filter(None, nests), *(by_operations(*entry) for entry in KERNELS.items())):
        plays = [played(dag, name, min_memory(dag) + rng.randint(0, 3)) for name in ORDERS]
        for verified_space in verified_spaces(dag, ONE_SHOT, Budget()):
            space = program_space(dag, verified_space.space)
            seen["sum"] += bool(space.sums)
            seen["through"] += bool(space.between)
            number = {int(v): u for u, v in enumerate(space.updates)}
            for memory, computed, io in plays:
                order = [number[v] for v in computed if v in number]
                size = rng.randint(1, len(order))
                windows = [
                    order[position : position + size] for position in range(0, len(order), size)
                ]
                words = sum(ceil(touched_words(space, window)) for window in windows)
                assert words - (memory - 1) * (len(windows) - 1) + verified_space.gain <= io
    assert min(seen.values()) > 2


def played(dag, name, memory):
    """The memory, the order of computing, and the words of a play."""
    schedule = scheduler_named(name)(dag, memory)
    computed = [v for move, v in schedule if move is Move.COMPUTE]
    return memory, computed, play(dag, schedule, memory).io


def test_never_above_the_optimum():
    tiny = [small_nest(f"tiny {seed}", 18, 16, "operation") for seed in range(30)]
    tiny += [by_operations("lu", "N=3"), by_operations("gemm", "NI=2,NJ=2,NK=2")]
    for dag in filter(None, tiny):
        memory = min_memory(dag)
        bound = affine(dag, memory)
        check(dag, memory, bound)
        if bound.io > compulsory(dag, memory).io:
            solution = exact(dag, memory, time_limit=0.3)
            assert bound.io <= play(dag, solution.schedule, memory).io


@pytest.mark.parametrize("name", ["gemm", "lu"])
def test_every_field_that_is_changed_is_refused_or_proves_no_more_than_holds(name):
    """All that says where sums and what is between are, one field after the other."""
    dag = by_operations(name, KERNELS[name])
    bound = affine(dag, 5)
    minimum = min(play(dag, scheduler_named(n)(dag, 5), 5).io for n in ORDERS)
    tried = refused = 0
    for path in paths(bound.certificate.data["space"]["statements"], ()):
        for value in (0, -1, 7, "ab"):
            data = copy.deepcopy(bound.certificate.data)
            place = data["space"]["statements"]
            for step in path[:-1]:
                place = place[step]
            if place[path[-1]] == value:
                continue
            place[path[-1]] = value
            tried += 1
            try:
                assert proven_io(dag, 5, ONE_SHOT, Certificate("affine", data)) <= minimum
            except CertificateError:
                refused += 1
    assert refused > tried / 2 > 20


def paths(data, path):
    """The way to each field and entry."""
    if path:
        yield path
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries:
        if isinstance(value, dict | list):
            yield from paths(value, (*path, key))
        else:
            yield (*path, key)


def test_sums_hold_only_where_each_value_is_computed_once():
    dag = by_operations("gemm", "NI=4,NJ=4,NK=4")
    data = affine(dag, 5).certificate.data
    for argument in ("chains", "dominators"):
        forged = Certificate("affine", {**data, "argument": argument})
        with pytest.raises(CertificateError, match="sums"):
            proven_io(dag, 5, RULES["recompute"], forged)
