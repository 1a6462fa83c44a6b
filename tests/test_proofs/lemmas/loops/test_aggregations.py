"""Windows of plays with partial computation, followed move by move."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

import dags
from pebble import PARTIAL, Move, judge, min_memory
from proofs import check
from proofs.bounds.loops.projections import affine, projections
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.lemmas.loops.affine import named
from proofs.lemmas.loops.affine import premises as program_premises
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.projections import premises
from proofs.lemmas.loops.updates import compact_words
from schedulers import structured
from tests.partial_games import random_schedule

CHAINS = ["matmul:n=3", "matmul:m=2,n=4,k=5", "matmul:m=1,n=3,k=4"]


def exponents_of(shape):
    """One half for each array: Loomis and Whitney."""
    return {measure.name: "1/2" for measure in shape.partial}


@pytest.mark.parametrize("spec", CHAINS)
def test_each_window_has_the_words_of_the_lemma(spec):
    """Red when a window begins, loaded in it, or born in it: counted in random plays."""
    rng, dag = random.Random(spec), dags.load(spec)
    shape, updates, _ = premises(dag, "aggregations", dag.family, dag.params)
    powers = {measure.name: Fraction(1, 2) for measure in shape.partial}
    assert updates == dag.computed.size
    for _ in range(6):
        moves = random_schedule(rng, dag, min_memory(dag, rules=PARTIAL) + rng.choice([0, 1, 3, 9]))
        for size in (1, 2, 4, 7, updates):
            for words, births, completed in windows_of(dag, moves, size):
                assert words + births >= compact_words(shape, completed, powers)


def windows_of(dag, moves, size):
    """Yield words that are red at the beginning or loaded, heads of chains, and updates."""
    rows = [set(dag.pred_indices[a:b].tolist()) for a, b in pairwise(dag.pred_indptr)]
    added, red, words, count = [set() for _ in range(dag.n)], set(), set(), 0
    births = 0
    for (move, v), u in zip(moves, moves.operands.tolist(), strict=True):
        if move is Move.COMPUTE:
            after = added[v] | (rows[v] if u < 0 else {u})
            if after == rows[v]:
                if count == size:
                    yield len(words), births, count
                    words, count, births = set(red), 0, 0
                count += 1
                births += all(not rows[w] for w in rows[v])
            added[v] = after
            red.add(v)
        elif move is Move.LOAD:
            red.add(v)
            words.add(v)
        elif move is Move.DELETE:
            red.remove(v)
    yield len(words), births, count


@pytest.mark.parametrize(
    "spec", ["matmul:n=6", "matmul:m=3,n=8,k=5", "matmul:n=5,form=tree", "lu:n=7", "syrk:n=5,k=6"]
)
def test_no_windows_prove_more_than_a_play_moves(spec):
    dag = dags.load(spec)
    if dag.family in ("lu", "syrk"):  # whose updates are points of a member
        kind, data = "affine", dict(affine(dag, 6).certificate.data)
        shape, updates, _ = program_premises(
            named(dag, data["member"]), "aggregations", data["space"]
        )
    else:
        kind, data = "projections", {"family": dag.family, "params": dict(dag.params)}
        shape, updates, _ = premises(dag, "aggregations", dag.family, dag.params)
    powers = exponents_of(shape)
    for memory in (3, 4, 6, 12, 30):
        played = judge(dag, structured(dag, memory, rules=PARTIAL), memory, rules=PARTIAL).io
        for number in {1, 2, 3, 5, 8, 13, *range(20, updates + 1, 23)}:
            size, extra = divmod(updates, number)
            windows = [
                {"size": entry, "count": count, "exponents": powers}
                for entry, count in ((size, number - extra), (size + 1, extra))
                if count
            ]
            proof = Certificate(kind, {**data, "argument": "aggregations", "windows": windows})
            assert proven_io(dag, memory, PARTIAL, proof) <= played


def test_compact_words_are_the_least():
    shape, _, _ = premises(dags.matmul(6), "aggregations", "matmul", dags.matmul(6).params)
    powers = {measure.name: Fraction(1, 2) for measure in shape.partial}
    for size in range(1, 80):
        words = compact_words(shape, size, powers)
        assert words >= least_words(shape, size - words, powers)
        assert words - 1 < least_words(shape, size - words + 1, powers)


def test_large_products_keep_most_of_the_leading_term():
    """Two thirds of the bound of one-shot plays, where more memory had left a third."""
    dag = dags.matmul(24)
    for memory in (64, 128):
        bound = projections(dag, memory, rules=PARTIAL)
        check(dag, memory, bound)
        assert bound.certificate.kind == "projections"
        assert bound.io > 2 / 3 * projections(dag, memory).io


def test_arguments_are_told_apart():
    dag = dags.matmul(24)
    bound = projections(dag, 64, rules=PARTIAL)
    data = dict(bound.certificate.data)
    assert data["argument"] == "aggregations"
    with pytest.raises(CertificateError, match="do not hold under one-shot rules"):
        proven_io(dag, 64, projections(dag, 64).rules, bound.certificate)
    data["argument"] = "segments"
    with pytest.raises(CertificateError, match="do not hold under partial rules"):
        proven_io(dag, 64, PARTIAL, Certificate("projections", data))
