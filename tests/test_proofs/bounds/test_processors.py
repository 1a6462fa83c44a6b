"""Bounds on what several processors move: checked, and below every play."""

import dataclasses

import pytest

import dags
from pebble import RULES, Machine, Rules, min_memory, play_on
from proofs.bounds.processors import (
    best_busiest,
    best_total,
    check_parallel,
    parallel_bounds,
)
from proofs.certificates import Certificate, CertificateError
from schedulers.parallel import parallel_plays, played
from schedulers.parallel.products import on_grid

SPECS = [
    "matmul:m=3,n=4,k=5",
    "matmul:n=4,form=tree",
    "fft:n=32",
    "lu:n=6",
    "syrk:n=4,k=5",
    "stencil:shape=12,steps=6",
    "random_layered:n=30,max_words=4,seed=3",
    # without updates
    "cholesky:n=2",
    "syrk:n=1,k=1",
    "triangular_solve:n=1",
    # of a family that knows no order for it
    "grid:shape=2",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("processors", [1, 2, 5])
def test_no_play_moves_less(spec, processors):
    dag = dags.load(spec)
    machine = Machine.parallel(processors, min_memory(dag) + 2)
    bounds = parallel_bounds(dag, machine)
    for bound in bounds:
        check_parallel(dag, bound)
    assert best_total(bounds).words >= dag.words_of(dag.outputs) + dag.words_of(dag.used_inputs)
    for play in parallel_plays(dag, machine):
        for bound in bounds:
            assert bound.busiest <= play.count.busiest
            assert bound.words <= (
                play.count.busiest if bound.counts == "busiest" else play.count.io
            )


@pytest.mark.parametrize("grid", [(2, 2, 1), (4, 4, 1), (8, 8, 1), (2, 2, 2), (4, 4, 4)])
def test_products_are_played_close_to_the_bound(grid):
    dag, processors = dags.load("matmul:n=32"), grid[0] * grid[1] * grid[2]
    machine = Machine.parallel(processors, 32 * 32 // (grid[0] * grid[1]) + 32 // grid[0] + 2)
    count = play_on(dag, played(dag, on_grid(dag, grid, machine.memory), machine), machine)
    bound = best_busiest(parallel_bounds(dag, machine))
    assert bound.busiest <= count.busiest <= (1.4 if grid[2] > 1 else 1.12) * bound.busiest


def test_one_block_of_products_moves_three_times_the_power_two_thirds():
    dag = dags.load("matmul:n=16")
    bound = best_busiest(parallel_bounds(dag, Machine.parallel(8, 10_000)))
    assert bound.words == 3 * 8**2  # 8^3 of the products each


def test_where_nothing_moves_the_bound_is_no_words():
    for rules in RULES.values():
        bounds = parallel_bounds(dags.from_edges(3, []), Machine.parallel(2, 4), rules=rules)
        assert [(bound.busiest, bound.words) for bound in bounds] == [(0, 0)]


def test_forged_certificates_are_refused():
    dag, machine = dags.load("matmul:n=4"), Machine.parallel(2, 8)
    for bound in parallel_bounds(dag, machine):
        with pytest.raises(CertificateError):
            check_parallel(dag, dataclasses.replace(bound, words=bound.words + 1))
        certificate = Certificate("other", bound.certificate.data)
        with pytest.raises(CertificateError):
            check_parallel(dag, dataclasses.replace(bound, certificate=certificate))
        data = {**bound.certificate.data, "more": 1}
        forged = dataclasses.replace(bound, certificate=Certificate(bound.certificate.kind, data))
        with pytest.raises(CertificateError):
            check_parallel(dag, forged)
        if bound.certificate.kind != "one-processor":
            with pytest.raises(CertificateError):
                check_parallel(dags.load("matmul:n=5"), bound)


def test_what_needs_values_to_be_computed_once_says_so():
    dag, machine = dags.load("fft:n=32"), Machine.parallel(2, 4)
    results = {bound.method for bound in parallel_bounds(dag, machine, rules=Rules(recompute=True))}
    assert results == {"compulsory"}
    sets = next(bound for bound in parallel_bounds(dag, machine) if bound.method == "sets")
    with pytest.raises(CertificateError, match="only if none is computed again"):
        check_parallel(dag, dataclasses.replace(sets, rules=Rules(recompute=True)))


def test_sums_that_go_out_are_not_born():
    """The busiest loads items alone, so that births of sums would be lost: 199 words for 319."""
    bounds = parallel_bounds(dags.load("syrk:n=16,k=8"), Machine.parallel(2, 8))
    busiest = next(bound for bound in bounds if bound.counts == "busiest")
    assert busiest.words == 319
    assert busiest.certificate.data["source"]["space"]["labels"]
