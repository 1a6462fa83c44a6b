"""Trends are what bounds and plays of large problems come near."""

import pytest

from dags import EXAMPLES, load
from pebble import play
from proofs import BOUNDS, Bound, NotApplicableError
from proofs.laws import TRENDS
from schedulers import structured

LARGE = {
    "attention:tokens=160,width=1": 64,
    "cholesky:n=96": 24,
    "lu:n=64": 24,
    "matmul:n=48": 24,
    "matvec:n=128": 24,
    "syrk:n=64,k=64": 24,
    "triangular_solve:n=48,k=48": 24,
    "triangular_solve:n=128": 24,
}


def test_every_trend_is_of_a_generator():
    for family, trends in TRENDS.items():
        dag = load(EXAMPLES[family])
        for trend in trends:
            assert not isinstance(trend, Bound)
            assert 0 < trend.of(dag, 64) <= trend.of(dag, 16)


@pytest.mark.parametrize(("spec", "memory"), LARGE.items(), ids=LARGE)
def test_bounds_and_plays_come_near(spec, memory):
    dag = load(spec)
    lowest = max(trend.of(dag, memory) for trend in TRENDS[dag.family] if trend.kind == "lower")
    proved = 0
    for name in ("affine", "attention", "projections"):
        try:
            proved = max(proved, BOUNDS[name](dag, memory).io)
        except NotApplicableError:
            continue
    assert 0.9 * lowest < proved < 1.3 * lowest
    assert play(dag, structured(dag, memory), memory).io > 0.97 * lowest


@pytest.mark.parametrize(
    ("spec", "body"),
    [
        ("stencil:shape=10,steps=10", 6),
        ("stencil:shape=10x10,steps=10", 28 / 3),
        ("stencil:shape=10x10x10,steps=10,neighbourhood=box", 60),
        ("grid:shape=10x10", 3),
        ("grid:shape=10x10x10", 10 / 3),
    ],
)
def test_difference_bodies(spec, body):
    """(m - 1) (V / (2 M))^(1 / (m - 1)) words a point, with V computed by other means."""
    dag = load(spec)
    space = len(dag.params["shape"]) - (dag.family == "grid")
    points = dag.n - (10**space if dag.family == "stencil" else 0)
    expected = points * space * (body / 32) ** (1 / space)
    (trend,) = [trend for trend in TRENDS[dag.family] if trend.kind == "lower"]
    assert trend.of(dag, 16) == pytest.approx(expected)
