"""Searches for tilings end by what they evaluate: the same question has the same answer."""

import time

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import text_of
from dags.programs.tied_loops import Tie, count_of
from dags.work import worked
from schedulers.tilings import estimates, fusion, plan, search

ATTENTION = """void f(int T, int D, double q[T][D], double k[T][D], double v[T][D],
           double y[T][D]) {
  double s[T][T], m[T], l[T];
  for (int i = 0; i < T; i++) for (int j = 0; j < T; j++) {
    s[i][j] = 0; for (int d = 0; d < D; d++) s[i][j] += q[i][d] * k[j][d]; }
  for (int i = 0; i < T; i++) { l[i] = 0; for (int j = 0; j < T; j++) l[i] += exp(s[i][j]); }
  for (int i = 0; i < T; i++) for (int d = 0; d < D; d++) {
    y[i][d] = 0; for (int j = 0; j < T; j++) y[i][d] += s[i][j] / l[i] * v[j][d]; } }"""
GATED = """void f(int T, int D, int H, double x[T][D], double u[D][H], double g[D][H],
           double w[H][D], double y[T][D]) {
  double a[T][H], b[T][H], c[T][H];
  for (int i = 0; i < T; i++) for (int h = 0; h < H; h++) {
    a[i][h] = 0; for (int d = 0; d < D; d++) a[i][h] += x[i][d] * u[d][h]; }
  for (int i = 0; i < T; i++) for (int h = 0; h < H; h++) {
    b[i][h] = 0; for (int d = 0; d < D; d++) b[i][h] += x[i][d] * g[d][h]; }
  for (int i = 0; i < T; i++) for (int h = 0; h < H; h++) c[i][h] = a[i][h] * b[i][h];
  for (int i = 0; i < T; i++) for (int d = 0; d < D; d++) {
    y[i][d] = 0; for (int h = 0; h < H; h++) y[i][d] += c[i][h] * w[h][d]; } }"""
NESTS = {
    "gemm": (text_of("gemm"), {"NI": 500, "NJ": 600, "NK": 700}),
    "lu": (text_of("lu"), {"N": 300}),
    "attention": (ATTENTION, {"T": 512, "D": 64}),
    "gated": (GATED, {"T": 256, "D": 128, "H": 512}),
}


def answer(name, burden, monkeypatch):
    """What is found for a text, and how much was evaluated; each evaluation takes longer."""
    text, sizes = NESTS[name]
    evaluated = []
    with monkeypatch.context() as slower:
        for module in (search, fusion):
            slower.setattr(module, "cheapest", late(estimates.cheapest, burden, evaluated))
        slower.setattr(plan.Counts, "moved", late(plan.Counts.moved, burden, evaluated))
        tilings = search.best_tilings(box_nest(from_c(text), sizes), [1000, 20_000], seconds=0.4)
    return [(entry.io, entry.moved, entry.tiling) for entry in tilings], len(evaluated)


def late(function, seconds, evaluated):
    def slow(*arguments):
        evaluated.append(function.__name__)
        until = time.thread_time() + seconds
        while time.thread_time() < until:
            pass
        return function(*arguments)

    return slow


@pytest.mark.parametrize("name", NESTS)
def test_answers_do_not_depend_on_how_fast_a_machine_is(name, monkeypatch):
    first = answer(name, 0.0, monkeypatch)
    assert first[0]
    assert answer(name, 0.0, monkeypatch) == first  # whatever was counted before
    assert answer(name, 0.003, monkeypatch) == first


def test_counts_that_were_known_are_work_again():
    box, ties = ((0, 40), (0, 40), (0, 40)), (Tie((1, -1, 0), 0), Tie((0, 1, -1), 0))
    used = []
    for _ in range(2):
        before = worked()
        count_of(box, ties, ((1, 0, 0), (0, 0, 1)))
        used.append(worked() - before)
    assert used[0] == used[1] > 0
