"""Traced products, whose sums go out: what is made by hand, never above plays and optima."""

import numpy as np
import pytest

from dags import load
from dags.tracing import trace
from pebble import ONE_SHOT, min_memory, play
from proofs import Certificate, CertificateError, affine, check, compulsory, projections
from proofs.certificates import proven_io
from schedulers import scheduler_named
from schedulers.exact import exact

ORDERS = ("natural+belady", "depth-first+belady")


def product(m, k, n):
    return trace(lambda a, b: a @ b, (m, k), (k, n))


TRACED = {
    "product": product(6, 7, 5),
    "relu": trace(lambda a, b, c: np.maximum(a @ b + c, 0), (5, 5), (5, 6), (5, 6)),
    "rows": trace(lambda a: a @ a.T, (6, 6)),
    "einsum": trace(lambda a, b: np.einsum("ki,kj->ij", a, b), (6, 5), (6, 6)),
    "two": trace(lambda a, b, c: (a @ b) @ c, (5, 5), (5, 5), (5, 5)),
    "outer": trace(np.outer, (12,), (12,)),
}


@pytest.mark.parametrize(("m", "k", "n"), [(10, 10, 10), (6, 9, 12), (3, 4, 20)])
def test_a_traced_product_is_the_one_made_by_hand(m, k, n):
    family = load(f"matmul:m={m},n={n},k={k},form=multiply-add")
    for memory in (5, 8, 17):
        bound = affine(product(m, k, n), memory)
        check(product(m, k, n), memory, bound)
        assert bound.io == projections(family, memory).io


@pytest.mark.parametrize("name", TRACED)
def test_no_schedule_is_better(name):
    dag = TRACED[name]
    for memory in (min_memory(dag), min_memory(dag) + 3):
        bound = affine(dag, memory)
        check(dag, memory, bound)
        best = min(play(dag, scheduler_named(n)(dag, memory), memory).io for n in ORDERS)
        assert compulsory(dag, memory).io < bound.io <= best


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 2), (2, 2, 4), (4, 1, 4), (1, 4, 4)])
def test_never_above_the_optimum(sizes):
    dag = product(*sizes)
    for memory in (min_memory(dag), min_memory(dag) + 1):
        bound = affine(dag, memory)
        solution = exact(dag, memory, time_limit=1.0)
        assert bound.io <= play(dag, solution.schedule, memory).io


def test_forged_labels():
    """Entries that are not where they should be, operators that are left out or do not exist."""
    dag = TRACED["relu"]
    bound = affine(dag, 5)
    space = bound.certificate.data["space"]
    labels = space["labels"]
    assert len(labels) == 4
    minimum = min(play(dag, scheduler_named(n)(dag, 5), 5).io for n in ORDERS)
    changes = [labels[:count] for count in range(4)]
    changes += [[{**labels[0], **change}, *labels[1:]] for change in (
        {"loops": [0]}, {"loops": [0, 2]}, {"loops": [0, 3]}, {"loops": [-1, 0]}, {"operator": 99},
        {"operator": labels[1]["operator"]}, {"loops": "ab"}, {"references": []},
    )]  # fmt: skip
    refused = 0
    for changed in changes:
        data = {**bound.certificate.data, "space": {**space, "labels": changed}}
        try:
            assert proven_io(dag, 5, ONE_SHOT, Certificate("affine", data)) <= minimum
        except CertificateError:
            refused += 1
    assert refused >= len(changes) - 1
