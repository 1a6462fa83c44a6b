"""Sums in any order, in all forms in which people write them, move fewer words than in order."""

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c, from_python
from proofs import check
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.search import best_tilings

MEMORY, SIDE = 24, 48
HEAD = "void f(int n, double x[n], double y[n], double z[n], double h[1]) { "
LOOPS = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
IN_C = {
    "a cell": LOOPS + "h[0] += x[i] * y[j];",
    "the sum behind": LOOPS + "h[0] = x[i] * y[j] + h[0];",
    "differences": LOOPS + "h[0] -= x[i] * y[j];",
    "a product": LOOPS + "h[0] *= x[i] + y[j];",
    "a scalar": "double s = 0; " + LOOPS + "s += x[i] * y[j]; h[0] = s;",
    "a scalar from a cell": "double s = h[0]; " + LOOPS + "s += x[i] * y[j]; h[0] = s;",
    "several terms": LOOPS + "h[0] += x[i] * y[j] + x[j] * y[i];",
    "a maximum by call": LOOPS + "h[0] = fmax(h[0], x[i] * y[j]);",
    "a maximum by if": LOOPS + "if (x[i] * y[j] > h[0]) h[0] = x[i] * y[j];",
    "a minimum by ?:": LOOPS + "h[0] = x[i] * y[j] < h[0] ? x[i] * y[j] : h[0];",
    "two loops": LOOPS + "h[0] += x[i] * y[j]; " + LOOPS + "h[0] += z[i] * y[j];",
    "a temporary": LOOPS + "{ double t = x[i] - y[j]; h[0] += t * t; }",
    "two sums": LOOPS + "{ h[0] += x[i] * y[j]; z[0] += x[i] + y[j]; }",
    "a triangle": "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) h[0] += x[i] * y[j];",
    "unrolled": "for (int i = 0; i < n; i++) for (int j = 0; j < n; j += 2)"
    " { h[0] += x[i] * y[j]; h[0] += x[i] * y[j + 1]; }",
}
IN_PYTHON = {
    "a scalar in Python": "s += x[i] * y[j]",
    "a maximum in Python": "s = max(s, x[i] * y[j])",
}


def fewest(nest):
    """The words of the best tiling."""
    plays = best_tilings(nest, [MEMORY], seconds=0.2)
    return min(play.io for play in plays if play.moved.words <= MEMORY)


@pytest.mark.parametrize("name", [*IN_C, *IN_PYTHON])
def test_any_order_has_an_effect_on_every_form_of_a_sum(name):
    if name in IN_C:
        program = from_c(f"{HEAD}{IN_C[name]} }}")
    else:
        body = f"for i in range(n):\n  for j in range(n):\n   {IN_PYTHON[name]}"
        program = from_python(f"def f(x, y, n):\n s = x[0] * y[0]\n {body}\n return s", "f")
    in_order, free = (box_nest(program, {"n": SIDE}, any_order=free) for free in (False, True))
    words = fewest(free)
    assert words <= 0.6 * fewest(in_order)
    bound = nest_bound(free, MEMORY)
    check(free, MEMORY, bound)
    assert bound.io <= words
