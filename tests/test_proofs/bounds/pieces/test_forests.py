"""Forests: the bound is the optimum."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import chain, fft, from_edges, random_tree, tree
from pebble import ONE_SHOT, RULES, min_memory, play
from proofs import Bound, Certificate, CertificateError, NotApplicableError, check, forests
from proofs.certificates.pieces.forests import FORESTS
from proofs.certificates.pieces.piece import Cutter
from tests.oracles import optimum
from tests.registries import QUICK_SCHEDULERS


@st.composite
def small_forests(draw, outputs=False):
    """Every vertex is read by one later one, or by none; `outputs` lets some be stored as well."""
    n = draw(st.integers(2, 10))
    readers = [draw(st.none() | st.integers(v + 1, min(n - 1, v + 4))) for v in range(n - 1)]
    edges = [(v, reader) for v, reader in enumerate(readers) if reader is not None]
    computed = sorted({reader for _, reader in edges})
    named = draw(st.sets(st.sampled_from(computed))) if outputs and computed else ()
    return from_edges(n, edges, outputs=sorted(named))


@given(small_forests(), st.sampled_from(list(RULES.values())), st.integers(0, 2))
@settings(max_examples=300)
def test_the_bound_is_the_optimum(dag, rules, more):
    memory = min_memory(dag, rules=rules) + more
    bound = forests(dag, memory, rules=rules)
    check(dag, memory, bound)
    assert bound.io == optimum(dag, memory, rules)


@given(small_forests(outputs=True), st.booleans(), st.integers(0, 1))
@settings(max_examples=150)
def test_outputs_that_are_read(dag, sliding, more):
    rules = RULES["one-shot-sliding" if sliding else "one-shot"]
    memory = min_memory(dag, rules=rules) + more
    assert forests(dag, memory, rules=rules).io <= optimum(dag, memory, rules)


@pytest.mark.parametrize("height", range(1, 9))
@pytest.mark.parametrize("memory", range(3, 12))
def test_complete_binary_trees(height, memory):
    """2^h + 1 words with h + 2 pebbles, and two words more for each spill below that."""
    spills = max(0, 2 ** (height - memory + 2) - 1) if memory < height + 2 else 0
    assert forests(tree(height), memory).io == 2**height + 1 + 2 * spills
    slid = RULES["one-shot-sliding"]
    assert forests(tree(height), memory - 1, rules=slid).io == 2**height + 1 + 2 * spills


def test_chains_and_large_trees():
    assert forests(chain(50), 2).io == 2
    dag = random_tree(3000, seed=4)
    for memory in (min_memory(dag), min_memory(dag) + 3):
        bound = forests(dag, memory)
        check(dag, memory, bound)
        best = min(play(dag, plan(dag, memory), memory).io for plan in QUICK_SCHEDULERS.values())
        assert bound.io <= best


def test_a_forest_as_a_piece():
    """The two halves of a tree exceed as much as they do alone."""
    dag = tree(4)
    full = Cutter(dag).whole()
    assert FORESTS.proven(full, 3, ONE_SHOT, {}) == forests(dag, 3).io - 17
    with pytest.raises(CertificateError, match="only for forests"):
        FORESTS.proven(Cutter(fft(4)).whole(), 3, ONE_SHOT, {})


def test_not_applicable():
    with pytest.raises(NotApplicableError, match="no forest"):
        forests(fft(8), 4)
    with pytest.raises(NotApplicableError, match="no forest"):
        forests(random_tree(9, max_words=3), 40)
    read = from_edges(4, [(0, 1), (1, 2), (2, 3)], outputs=[1])
    assert forests(read, 2).io == 3
    with pytest.raises(NotApplicableError, match="compute that again"):
        forests(read, 2, rules=RULES["recompute"])


def test_certificates():
    dag, certificate = tree(3), Certificate("forest", {})
    for io in (10, 12):
        with pytest.raises(CertificateError, match="proves 11"):
            check(dag, 4, Bound("forests", 4, io, ONE_SHOT, certificate))
    with pytest.raises(CertificateError, match="does not belong"):
        check(dag, 4, Bound("forests", 4, 11, ONE_SHOT, Certificate("forest", {"spills": 1})))
    with pytest.raises(CertificateError, match="only for forests"):
        check(fft(8), 4, Bound("forests", 4, 11, ONE_SHOT, certificate))
