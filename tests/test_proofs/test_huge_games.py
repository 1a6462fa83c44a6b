"""Bounds and certificates of games with huge memories and values: no sum may wrap."""

import numpy as np
import pytest

import dags
from dags import CDAG, chain, matmul
from pebble import ONE_SHOT, PARTIAL, RULES, Machine, Move, Schedule, all_words, min_memory
from proofs import BOUNDS, Bound, CertificateError, NotApplicableError, check
from proofs.bounds.processors import check_parallel, parallel_bounds
from proofs.certificates import Certificate, proven_io
from schedulers import SCHEDULERS

MEGA = 2**20
HUGE = 2**40, 2**51, 2**58, 10**18, 2**61, 2**62, 4 * 10**18, 2**63, 2**64 // 9 + 1, 10**30
SPECS = (
    "matmul:n=2",
    "chain:n=9",
    "fft:n=8",
    "attention:tokens=3,width=2",
    "lu:n=4",
    "hypercube:d=3",
    "stencil:shape=6,steps=3",
    "polybench/atax:M=5,N=5",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("rules", [*RULES.values(), PARTIAL], ids=lambda entry: entry.name)
def test_bounds_with_more_memory_than_values_are_those_with_all(spec, rules):
    dag = dags.load(spec)
    everything = all_words(dag)
    for name, method in BOUNDS.items():
        try:
            known = method(dag, everything, rules=rules, time_limit=0.1)
        except NotApplicableError:
            continue
        for memory in HUGE:
            bound = method(dag, memory, rules=rules, time_limit=0.1)
            assert (name, bound.io, bound.memory) == (name, known.io, memory)
            check(dag, memory, bound)


@pytest.mark.parametrize("spec", ["matmul:n=3", "fft:n=8", "stencil:shape=6,steps=3"])
def test_processors_with_more_memory_than_values(spec):
    dag = dags.load(spec)
    known = [bound.words for bound in parallel_bounds(dag, Machine.parallel(2, dag.n))]
    for memory in (2**54, 2**62, 2**63, 10**30):
        bounds = parallel_bounds(dag, Machine.parallel(2, memory))
        assert [bound.words for bound in bounds] == known
        for bound in bounds:
            assert bound.machine.memory == memory
            check_parallel(dag, bound)


def proved(dag, memory, kind, data, rules=ONE_SHOT):
    """What a certificate proves, 0 if it is refused."""
    try:
        return proven_io(dag, memory, rules, Certificate(kind, data))
    except CertificateError:
        return 0


@pytest.mark.parametrize("memory", [2**54, 2**58, 10**18, 4 * 10**18, 2**62])
@pytest.mark.parametrize("windows", [3, 4, 8, 100, 600, 700])
def test_open_chains_of_a_forged_number_of_windows(memory, windows):
    dag = matmul(9)
    data = {"m": 9, "n": 9, "k": 9, "windows": windows}
    assert proved(dag, memory, "open-chains", data) <= 3 * 81


@pytest.mark.parametrize("memory", [2**61, 2**61 + 2**58, 2**62])
def test_reuse_with_room_that_wraps(memory):
    data = {"length": 2, "denominator": 1, "price": 1, "charges": [1] * 8}
    assert proved(chain(9), memory, "reuse", data) <= 2
    inner = {"kept": "all", "kind": "reuse", "data": data}
    assert proved(chain(9), memory, "thinned", inner, PARTIAL) <= 2


def test_an_optimum_whose_needless_loads_wrap():
    # 2^7 loads and deletions of 2^57 words are 2^64 words: an engine in 64 bits counts none.
    dag = CDAG([0, 0, 0, 2], [0, 1], words=[2**57, 1, 1])
    repeated = [(Move.LOAD, 0), (Move.DELETE, 0)] * 128
    remaining = [(Move.LOAD, 0), (Move.LOAD, 1), (Move.COMPUTE, 2), (Move.STORE, 2)]
    play = Schedule.from_moves([*repeated, *remaining])
    data = {"kind": "compulsory", "data": {}}
    data |= {"op": play.op.astype("int64"), "vertex": play.vertex.astype("int64")}
    with pytest.raises(CertificateError, match="more than 4611686018427387904 words"):
        proven_io(dag, 2**58, ONE_SHOT, Certificate("optimum", data))


@pytest.mark.parametrize("times", [2**52, 2**54, 2**55, None])
def test_bounds_of_huge_values_are_proved_and_no_more_than_a_play(times):
    for spec in ("fft:n=8", "matmul:n=3", "cholesky:n=4", "random_layered:n=40,seed=3"):
        dag = dags.load(spec)
        everything = 2**62 // int((dag.outdegree + 3).sum())
        size = everything if times is None else min(times, everything)
        large = CDAG(dag.pred_indptr, dag.pred_indices, words=[size] * dag.n)
        memory = min_memory(large) + size
        moves = SCHEDULERS["natural+belady"](dag, memory // size)
        limit = int((moves.op <= Move.STORE).sum()) * size
        for name, method in BOUNDS.items():
            try:
                bound: Bound = method(large, memory, time_limit=0.1)
            except NotApplicableError:
                continue
            assert (name, bound.io <= limit) == (name, True)
            check(large, memory, bound)


def test_sums_of_windows_are_no_int64():
    # Values of one word and one of 2^58: memory, in the least values, times cuts is above 2^63.
    dag = dags.load("fft:n=8")
    words = np.ones(dag.n, np.int64)
    words[0] = 2**58
    sized = CDAG(
        dag.pred_indptr, dag.pred_indices, words=words, family=dag.family, params=dag.params
    )
    for name, method in BOUNDS.items():
        for rules in (*RULES.values(), PARTIAL):
            for memory in (2**58 + 4, 2**60):
                try:
                    bound = method(sized, memory, rules=rules, time_limit=0.1)
                except NotApplicableError:
                    continue
                assert (name, bound.io <= 2**58 + 15 + 64) == (name, True)
                check(sized, memory, bound)
