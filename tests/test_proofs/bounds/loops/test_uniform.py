"""Windows at constant distances: never above a play or an optimum; forgeries fail."""

import random

import pytest

from dags import load, matmul
from dags.programs import instantiate
from dags.programs.text import from_c
from pebble import ONE_SHOT, RULES, Move, compulsory_words, min_memory, play
from proofs import (
    Bound,
    Certificate,
    CertificateError,
    NotApplicableError,
    check,
    compulsory,
    uniform,
)
from proofs.bounds.loops.uniform import bordered_lattices, known_lattices
from proofs.certificates import proven_io
from proofs.lemmas.loops.uniform import lattice_of
from schedulers import scheduler_named
from schedulers.exact import exact

ORDERS = ("natural+belady", "depth-first+belady")
IN_PLACE = "for (t = 0; t < T; t++) for (i = 1; i < N; i++) A[i] = A[i-1] + A[i] + A[i+1];"
ALIGNMENT = (
    "for (i = 1; i < T; i++) for (j = 1; j < N; j++)"
    " D[i][j] = D[i-1][j] + D[i][j-1] + D[i-1][j-1] + s[i];"
)
GAUSS = (
    "for (t = 0; t < T; t++) for (i = 1; i < N; i++) for (j = 1; j < N; j++)"
    " A[i][j] = A[i-1][j] + A[i][j-1] + A[i][j] + A[i+1][j] + A[i][j+1];"
)
WAVES = (
    "for (t = 0; t < T; t++) { for (i = 1; i < N; i++) E[i] = E[i] + H[i] - H[i-1];"
    " for (i = 1; i < N; i++) H[i] = H[i] + E[i+1] - E[i]; }"
)


def program(text, **sizes):
    return instantiate(from_c(text), sizes)


DAGS = [
    load("polybench/jacobi-1d:TSTEPS=6,N=14"),
    load("polybench/jacobi-2d:TSTEPS=2,N=7"),
    load("polybench/seidel-2d:TSTEPS=3,N=7"),
    program(IN_PLACE, T=9, N=12),
    program(ALIGNMENT, T=14, N=14),
    program(GAUSS, T=3, N=6),
    program(WAVES, T=9, N=9),
    load("polybench/fdtd-2d:TMAX=4,NX=5,NY=6"),
]


@pytest.mark.parametrize("dag", DAGS, ids=repr)
def test_no_schedule_is_better(dag):
    smallest = min_memory(dag)
    for memory in (smallest, smallest + 2):
        bound = uniform(dag, memory)
        check(dag, memory, bound)
        best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
        assert compulsory(dag, memory).io <= bound.io <= best


@pytest.mark.parametrize("dag", DAGS, ids=repr)
def test_windows_of_plays_exchange_no_more_than_is_moved(dag):
    """The theorem without inequalities: what sets of points of actual plays exchange."""
    rng = random.Random(2)
    for description, boundary in known_lattices(dag):
        lattice = lattice_of(dag, **description)
        steps = [tuple(step) for step in lattice.distances.tolist()]
        place = {int(v): tuple(lattice.at[:, u].tolist()) for u, v in enumerate(lattice.updates)}
        for name in ORDERS:
            memory = min_memory(dag) + rng.randint(0, 3)
            schedule = scheduler_named(name)(dag, memory)
            order = [place[v] for move, v in schedule if move is Move.COMPUTE and v in place]
            size = rng.randint(1, len(order))
            windows = [
                {*order[position : position + size]} for position in range(0, len(order), size)
            ]
            exchanged = sum(exchange(window, steps) for window in windows)
            words = exchanged - boundary.waived - 2 * (memory - 1) * (len(windows) - 1)
            assert compulsory_words(dag) + words <= play(dag, schedule, memory).io
            assert all(exchange(window, steps) >= boundary.least(len(window)) for window in windows)


@pytest.mark.parametrize(
    "spec", ["polybench/jacobi-2d:TSTEPS=2,N=7", "polybench/heat-3d:N=5,TSTEPS=2"]
)
def test_windows_of_plays_exchange_no_more_within_borders(spec):
    """The same where what lies beyond the ends of the lattice does not count."""
    dag, rng = load(spec), random.Random(3)
    result = bordered_lattices(dag)
    assert {len(description["ends"]) for description, _ in result} == {*range(1, len(result) + 1)}
    for description, boundary in result:
        ends = description.pop("ends")
        lattice = lattice_of(dag, **description)
        steps = [(0,) * len(lattice.at), *map(tuple, lattice.distances.tolist())]
        low, high = lattice.at.min(axis=1), lattice.at.max(axis=1)
        place = {int(v): tuple(lattice.at[:, u].tolist()) for u, v in enumerate(lattice.updates)}

        def counts(point, ends=ends, low=low, high=high):
            return all(low[axis] <= point[axis] <= high[axis] for axis in ends)

        for name in ORDERS:
            memory = min_memory(dag) + rng.randint(0, 3)
            schedule = scheduler_named(name)(dag, memory)
            order = [place[v] for move, v in schedule if move is Move.COMPUTE and v in place]
            size = rng.randint(1, len(order))
            windows = [
                {*order[position : position + size]} for position in range(0, len(order), size)
            ]
            sums = [exchange(window, steps, counts) for window in windows]
            words = sum(sums) - boundary.waived - 2 * (memory - 1) * (len(windows) - 1)
            assert compulsory_words(dag) + words <= play(dag, schedule, memory).io
            pairs = zip(sums, windows, strict=True)
            assert all(total >= boundary.least(len(window)) for total, window in pairs)


def test_borders_of_programs_prove_more():
    """Halo cells that are read at every step are no points beyond a border."""
    for spec, memory, words in (
        ("polybench/jacobi-2d:TSTEPS=8,N=18", 32, 1808),
        ("polybench/heat-3d:N=6,TSTEPS=2", 16, 480),
    ):
        dag = load(spec)
        bound = uniform(dag, memory)
        check(dag, memory, bound)
        assert bound.io >= words
        data = bound.certificate.data
        for wrong in ([0], [1, 1], [2, 1], [9], "1", [1, 2, 3, 4]):
            with pytest.raises(CertificateError):
                proven_io(dag, memory, ONE_SHOT, Certificate("uniform", {**data, "ends": wrong}))
        fewer = [entry for entry in data["distances"] if any(entry[1:])]
        with pytest.raises(CertificateError):
            proven_io(dag, memory, ONE_SHOT, Certificate("uniform", {**data, "distances": fewer}))


def exchange(points, steps, counts=lambda _: True):
    """Points that are read outside, and points that are read outside."""

    def moved(point, step, sign):
        return tuple(a + sign * b for a, b in zip(point, step, strict=True))

    reads = {moved(point, step, 1) for point in points for step in steps} - points
    later = [{moved(point, step, -1) for step in steps} - points for point in points]
    return sum(map(counts, reads)) + sum(any(map(counts, selected)) for selected in later)


def test_never_above_the_optimum():
    """Small stencils, all of their cells written, with and without borders that are inputs."""
    stronger = 0
    for text in (IN_PLACE, ALIGNMENT):
        for sizes in ({"T": 4, "N": 8}, {"T": 5, "N": 7}, {"T": 7, "N": 6}):
            dag = program(text, **sizes)
            memory = min_memory(dag)
            bound = uniform(dag, memory)
            check(dag, memory, bound)
            solution = exact(dag, memory, time_limit=1.0)
            assert bound.io <= play(dag, solution.schedule, memory).io
            stronger += bound.io > compulsory(dag, memory).io
    assert stronger


def test_sandwich_of_a_line():
    dag = load("polybench/jacobi-1d:TSTEPS=24,N=66")
    assert uniform(dag, 8).io >= 1215
    assert uniform(dag, 24).io >= 268


def test_paths_by_way_of_another_operator():
    """The fields of finite differences read each other in turn, none of them itself elsewhere."""
    dag = load("polybench/fdtd-2d:TMAX=12,NX=14,NY=14")
    bound = uniform(dag, 8)
    check(dag, 8, bound)
    assert bound.io > 1.4 * compulsory(dag, 8).io
    slots = bound.certificate.data["statements"][0]["slots"]
    assert any("through" in slot for slot in slots)
    for slot in slots:
        if "through" in slot:
            slot["operator"] += 1
            with pytest.raises(CertificateError):
                check(dag, 8, bound)
            slot["operator"] -= 1
    slots[0], slots[1] = slots[1], slots[1]  # a vertex between two pairs
    with pytest.raises(CertificateError):
        check(dag, 8, bound)


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="no points of a program"):
        uniform(matmul(3), 6)
    with pytest.raises(NotApplicableError, match="constant distances"):
        uniform(load("polybench/gemm:NI=2,NJ=2,NK=2"), 6)
    with pytest.raises(NotApplicableError, match="only where each value is computed once"):
        uniform(DAGS[0], 6, rules=RULES["recompute"])
    bound = uniform(load("polybench/jacobi-1d:TSTEPS=24,N=66"), 8)
    with pytest.raises(CertificateError, match="only if none is computed again"):
        check(
            load("polybench/jacobi-1d:TSTEPS=24,N=66"),
            8,
            Bound("uniform", 8, bound.io, RULES["recompute"], bound.certificate),
        )


def places(data, path=()):
    """Every place of the data, with values to put there."""
    if isinstance(data, dict | list):
        yield from ((path, wrong) for wrong in ({}, [], None, "x", 1))
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))
    else:
        yield from ((path, wrong) for wrong in (data + 1, data - 1, 9, 2**62, 2**70, "0", True))


def forged(data, path, value):
    """A copy of the data with one place changed."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = forged(data[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize(
    ("dag", "memory"),
    [
        (load("polybench/jacobi-1d:TSTEPS=8,N=20"), 6),
        (program(WAVES, T=12, N=24), 4),
        (load("polybench/jacobi-2d:TSTEPS=2,N=8"), 10),
    ],
    ids=repr,
)
def test_forged_certificates(dag, memory):
    """A change is refused, or proves no more than what some play moves."""
    bound = uniform(dag, memory)
    assert bound.certificate.kind == "uniform"
    minimum = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
    refused = 0
    for path, value in places(bound.certificate.data):
        if not path:
            continue
        changed = forged(bound.certificate.data, path, value)
        try:
            assert proven_io(dag, memory, ONE_SHOT, Certificate("uniform", changed)) <= minimum
        except CertificateError:
            refused += 1
    assert refused > 100
