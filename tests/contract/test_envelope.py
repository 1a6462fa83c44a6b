"""One envelope: whatever a command knows of a game, no other command is worse in it.

Formulas and nests count at any size, methods play and prove on the DAG: of a computation whose DAG
is small all doors have the best of both. More games are in
`tests/test_redblue/answers/test_envelopes.py`, for they take longer.
"""

import pytest

import redblue as rb
from redblue.answers.counted.curves import counted_curve

GAMES = {
    "bitonic_sort:n=16": (5, 12),
    "cholesky:n=12": (12, 40),
    "dirac_steps:shape=3x4,steps=3": (300, 900),
    "fft:n=32": (4, 12),
    "fft:n=27,radix=3": (9, 20),
    "grid:shape=9x8": (5, 12),
    "grid:shape=5x4x5": (9, 20),
    "lu:n=9": (12, 40),
    "lu:n=14": (20, 60),
    "lu:n=100": (1000, 1500),
    "matmul:n=8": (8, 30),
    "matmul:m=3,n=9,k=5": (9, 24),
    "matvec:n=30,m=20": (8, 12),
    "qr_givens:n=7": (12, 30),
    "stencil:shape=12,steps=9": (6, 12),
    "stencil:shape=6x6,steps=4": (9, 30),
    "syrk:n=9,k=6": (9, 30),
    "triangular_solve:n=10,k=4": (9, 24),
}


FEW = ("bitonic_sort:n=16", "fft:n=32", "fft:n=27,radix=3", "matvec:n=30,m=20", "qr_givens:n=7")


@pytest.fixture(params=FEW)
def spec(request):
    return request.param


def test_no_door_is_worse_than_another(spec):
    small, large = GAMES[spec]
    curve = rb.curve(spec, [small, large], effort="quick")
    best, proved = (dict(curve.envelope(kind)) for kind in ("upper", "lower"))
    assert best[small] >= best[large] >= proved[large]
    assert proved[small] >= proved[large]
    counted = rb.curve(spec, [small, large], effort="quick", counted=True)
    assert [counted.envelope(kind) for kind in ("upper", "lower")] == [
        curve.envelope(kind) for kind in ("upper", "lower")
    ]
    formulas = counted_curve(spec, [small, large])
    assert all(best[memory] <= words for memory, words in formulas.envelope("upper"))
    assert all(proved[memory] >= words for memory, words in formulas.envelope("lower"))
    solution = rb.solve(spec, small, effort="quick")
    assert solution.count.io <= best[small]
    bound = rb.bound(spec, small, effort="quick")
    assert bound.io == solution.lower_bound == proved[small]
    assert rb.bound(spec, small, effort="quick", counted=True).io == bound.io
    assert rb.check(spec, bound).io == bound.io


@pytest.mark.parametrize(
    ("level", "family"),
    [("operation", "matmul:n=4,form=multiply-add"), ("statement", "matmul:n=4")],
)
def test_a_trace_has_the_answers_of_its_family(level, family):
    traced = rb.trace(lambda left, right: left @ right, (4, 4), (4, 4), level=level)
    bound = rb.bound(traced, 12, effort="quick")
    assert bound.io == rb.bound(family, 12, effort="quick").io
    assert rb.check(traced, bound).io == bound.io
    played = rb.solve(traced, 12, effort="quick").count.io
    assert played == rb.solve(family, 12, effort="quick").count.io
    plain = rb.trace(lambda left, right: left @ right, (4, 4), (4, 4), recognise=False)
    assert plain.recognised is None
