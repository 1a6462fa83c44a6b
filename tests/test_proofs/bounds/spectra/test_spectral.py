"""Spectral bounds: each step of the theorem on its own, and the method with its certificate."""

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dags import CDAG, fft, from_edges, hypercube, load
from pebble import ONE_SHOT, RULES, Move, Rules, min_memory, play
from proofs import Bound, Certificate, CertificateError, NotApplicableError, check, spectral
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.spectra.cliques import pairs_of, read_cliques
from proofs.certificates.spectra.spectral import (
    eigenvalues_at_least,
    proven,
    red_words,
    weighted_sum,
)
from tests.registries import QUICK_SCHEDULERS
from tests.strategies import SEEDS, dags, legal_schedules, memories
from tests.test_proofs.certificates.test_certificates import changed, changes

ONCE = [RULES["one-shot"], RULES["one-shot-sliding"]]


@given(st.data())
@settings(max_examples=400)
def test_every_play_moves_what_its_segments_need(data):
    """Item 1 of the theorem, for random plays, pieces, cuts, and both ways to count."""
    rules = data.draw(st.sampled_from(ONCE))
    dag = data.draw(dags(max_vertices=10))
    memory = data.draw(memories(dag, rules))
    schedule = data.draw(legal_schedules(dag, memory, rules))
    random = Random(data.draw(SEEDS))
    chosen = random.sample(range(dag.n), random.randint(1, dag.n))
    piece = Cutter(dag).cut(np.array(sorted(chosen)))
    local = {v: i for i, v in enumerate(piece.vertices.tolist())}
    indptr, indices = piece.successors
    linked = {*piece.pred_indices.tolist(), *np.flatnonzero(np.diff(piece.pred_indptr)).tolist()}
    assume(linked)
    appear, moved = [], np.zeros(piece.size, np.int64)
    for move, v in schedule:
        if v in local:
            i = local[v]
            if move in (Move.LOAD, Move.COMPUTE) and i in linked and i not in appear:
                appear.append(i)
            moved[i] += move in (Move.LOAD, Move.STORE)
    # An input that is read in the piece has a load that is no excess, an output a store.
    readers = np.diff(indptr) > 0
    excess = piece.words * (moved - (piece.is_input & readers) - piece.is_output)
    inside = np.array(sorted(linked))
    k = random.randint(1, len(appear))
    cuts = sorted(random.sample(range(1, len(appear)), k - 1))
    segment = {v: int(np.searchsorted(cuts, i, side="right")) for i, v in enumerate(appear)}
    for theta in (1, 2):
        needed = -theta * (k - 1) * red_words(piece, inside, memory, rules)
        capacity = piece.words * np.minimum(theta, piece.price) / 2
        for u in inside.tolist():
            touched = {segment[u], *(segment[v] for v in indices[indptr[u] : indptr[u + 1]])}
            needed += capacity[u] * len(touched) * (len(touched) > 1)
        assert excess[inside].sum() >= needed


@given(st.integers(2, 9), st.integers(1, 20))
def test_no_cut_of_a_clique_exceeds_its_charge(size, weight):
    rows, columns, weights = pairs_of(
        np.array([size]), np.arange(size), np.array([weight], np.int64)
    )
    assert rows.size == size * (size - 1) // 2
    cuts = [
        weights[np.array(side)[rows] != np.array(side)[columns]].sum()
        for side in itertools.product((0, 1), repeat=size)
    ]
    assert max(cuts) == weight * (size**2 // 4)


@given(st.data())
def test_segments_cost_at_least_the_least_eigenvalues(data):
    """Item 3: for any symmetric matrix and any partition into near-equal parts."""
    n = data.draw(st.integers(1, 9))
    k = data.draw(st.integers(1, n))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    matrix = rng.integers(-9, 9, (n, n))
    matrix = matrix + matrix.T
    parts = np.array_split(rng.permutation(n), k)
    inside = sum(int(matrix[np.ix_(part, part)].sum()) for part in parts)
    eigenvalues = np.floor(np.linalg.eigvalsh(matrix.astype(float))[:k] - 1e-9).astype(np.int64)
    assert inside >= weighted_sum(eigenvalues, n)


def test_eigenvalues_from_counts():
    shifts, counts = np.array([30, 10, 20]), np.array([4, 0, 2])
    assert eigenvalues_at_least(6, -5, shifts, counts).tolist() == [10, 10, 20, 20, 30, 30]
    assert eigenvalues_at_least(2, -5, np.array([7]), np.array([1])).tolist() == [-5, 7]


@pytest.fixture(scope="module")
def cube():
    """A DAG for which the method proves much, and the bound."""
    return hypercube(6), spectral(hypercube(6), 7)


def test_much_is_proved_about_a_hypercube(cube):
    dag, bound = cube
    check(dag, 7, bound)
    assert bound.io >= compulsory_words(dag) + 12
    best = min(play(dag, scheduler(dag, 7), 7).io for scheduler in QUICK_SCHEDULERS.values())
    assert bound.io <= best


def test_every_change_is_rejected_or_proves_the_same(cube):
    dag, bound = cube
    data = bound.certificate.data
    for place, value in changes({"data": dict(data)}):
        other = Certificate("parts", changed({"data": dict(data)}, place, value)["data"])
        try:
            check(dag, 7, Bound("spectral", 7, bound.io, ONE_SHOT, other))
        except CertificateError:
            continue
        assert place[-2] in ("weights", "diagonal", "shifts", "counts") or place[-1] == "slack"


FORGED = {
    "theta": (3, "theta"),
    "denominator": (2**22 + 1, "denominator"),
    "owners": ([0], "owners"),
    "sizes": ([3, 1], "sizes"),
    "members": ([0, 1, 3, 0, 0], "members"),
    "weights": ([2**20 + 1, 2**20], "weights"),
    "diagonal": ([0, 0], "diagonal"),
    "parts": (5, "parts"),
    "shifts": ([1, 2], "counts"),
    "slack": (0, "slack"),
}


@pytest.mark.parametrize("field", FORGED)
def test_forged_fields(field):
    """Vertex 0 is an input with readers 1 and 2; 3 reads both."""
    piece = Cutter(from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3)])).whole()
    data = {
        "theta": 2,
        "denominator": 2**22,
        "owners": [0, 1],
        "sizes": [3, 2],
        "members": [0, 1, 2, 1, 3],
        "weights": [2**19, 2**20],
        "diagonal": [0, 0, 0, 0],
        "parts": 2,
        "shifts": [],
        "counts": [],
        "slack": 64,
    }
    assert proven(piece, 3, ONE_SHOT, data) == 0
    value, name = FORGED[field]
    with pytest.raises(CertificateError) as raised:
        proven(piece, 3, ONE_SHOT, {**data, field: value})
    assert raised.value.field == name


def test_a_reader_of_another_value_is_no_member():
    piece = Cutter(from_edges(4, [(0, 1), (0, 2), (1, 3), (2, 3)])).whole()
    data = {"theta": 1, "denominator": 2, "diagonal": [0, 0]}
    one = {"owners": [1], "sizes": [2], "weights": [1]}
    with pytest.raises(CertificateError, match="does not read its clique's owner"):
        read_cliques(piece, {**data, **one, "members": [1, 2]})


@given(dags(max_vertices=12), st.integers(2, 3), st.sampled_from(ONCE))
@settings(max_examples=60)
def test_small_dags_pass_the_checker(dag, memory, rules):
    memory = max(memory, min_memory(dag, rules=rules))
    check(dag, memory, spectral(dag, memory, rules=rules))


@pytest.mark.parametrize(
    ("spec", "memory"),
    [
        ("hypercube:d=7", 8),
        ("stencil:shape=6x6,steps=6", 6),
        ("stencil:shape=30,steps=12", 4),
        ("matmul:n=5", 4),
        ("strassen:n=4", 5),
        ("conjugate_gradient:shape=4x4,steps=2", 8),
    ],
)
def test_no_schedule_beats_the_bound(spec, memory):
    dag = load(spec)
    memory = max(memory, min_memory(dag))
    bound = spectral(dag, memory, time_limit=10)
    check(dag, memory, bound)
    for scheduler in QUICK_SCHEDULERS.values():
        assert play(dag, scheduler(dag, memory), memory).io >= bound.io


def test_what_is_read_alone_is_counted_once():
    """Every value is an input or an output: only loads count, and less is lost at the cuts."""
    cube = hypercube(6)
    dag = CDAG(cube.pred_indptr, cube.pred_indices, outputs=cube.computed)
    bound = spectral(dag, 7)
    check(dag, 7, bound)
    assert bound.certificate.data["parts"][0]["data"]["theta"] == 1
    assert compulsory_words(dag) < bound.io


def test_it_does_not_apply_where_values_are_computed_again():
    with pytest.raises(NotApplicableError, match="computed once"):
        spectral(fft(8), 4, rules=Rules(recompute=True))


def test_the_same_seed_gives_the_same_bound():
    dag = load("stencil:shape=8x8,steps=4")
    assert spectral(dag, 6, seed=3) == spectral(dag, 6, seed=3)
