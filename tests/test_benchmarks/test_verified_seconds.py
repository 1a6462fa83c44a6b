"""Certificates of copies of a computation prove as much as those of each copy."""

import pytest

from benchmarks.certificate_examples import plain
from benchmarks.verified_seconds import beside, copied
from dags import load
from pebble import ONE_SHOT
from proofs import BOUNDS
from proofs.certificates import Certificate, proven_io

COPIES = 3


@pytest.mark.parametrize(
    ("spec", "memory", "method", "kind"),
    [
        ("binomial:n=4", 4, "decomposition", "staged"),  # a front
        ("bitonic_sort:n=4", 4, "decomposition", "staged"),  # moments of one order, too
        ("polybench/lu:N=3", 5, "slices", "shares"),
        ("fft:n=8", 4, "compulsory", "compulsory"),
    ],
)
def test_copies_prove_as_much_as_each(spec, memory, method, kind):
    dag = load(spec)
    bound = BOUNDS[method](dag, memory, time_limit=5.0)
    assert bound.certificate.kind == kind
    data = copied(kind, plain(bound.certificate.data), dag, COPIES)
    wide = beside(dag, COPIES)
    assert wide.n == COPIES * dag.n
    words = proven_io(wide, memory, ONE_SHOT, Certificate(kind, data))
    assert COPIES * (bound.io - 1) < words <= COPIES * bound.io  # fractions are rounded up once
