"""Values that wait for a sum: below optima, and refused where nothing waits."""

from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import RULES, min_memory
from proofs import CertificateError, check
from proofs.bounds.loops.nests import nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.nests import compulsory_of
from proofs.lemmas.loops.waiting import Sweeps, waiting_words
from schedulers.exact import exact
from tests.nest_texts import NORM, SOFTMAX

VARIANCE = """void f(int N, int C, double x[N][C], double y[N][C]) {
  for (int n = 0; n < N; n++) {
    double s = 0;
    for (int c = 0; c < C; c++) s += x[n][c];
    double m = mean(s);
    double v = 0;
    for (int c = 0; c < C; c++) v += square(x[n][c], m);
    for (int c = 0; c < C; c++) y[n][c] = scaled(x[n][c], m, v); } }"""
WHOLE = """void f(int N, int C, double x[N][C], double y[N][C]) {
  double s = 0;
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) s += x[n][c];
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) y[n][c] = x[n][c] / s; }"""
MADE = """void f(int N, int C, double x[N][C], double y[N][C]) {
  double t[N][C], s[N];
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) t[n][c] = exp(x[n][c]);
  for (int n = 0; n < N; n++) {
    s[n] = 0;
    for (int c = 0; c < C; c++) s[n] += t[n][c]; }
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) y[n][c] = t[n][c] / s[n]; }"""
# The maximum begins with an item that its instances do not read.
LARGEST_FIRST = """void f(int N, int C, double x[N][C], double y[N][C]) {
  for (int n = 0; n < N; n++) {
    double m = x[n][0];
    for (int c = 1; c < C; c++) m = fmax(m, x[n][c]);
    for (int c = 0; c < C; c++) y[n][c] = x[n][c] - m; } }"""
# Nothing waits for the sum of its own row: there is one sum for all, or another row's.
OTHERS = {
    "the first": "y[n][c] = x[n][c] / s[0];",
    "the next": "y[n][c] = x[n][c] / s[n + 1];",
    "none": "y[n][c] = x[n][c] * x[n][c];",
    "of columns": "y[n][c] = x[n][c] / s[c];",
}
OTHER = """void f(int N, int C, double x[N+1][C], double y[N][C], double s[N+1]) {{
  for (int n = 0; n < N + 1; n++) {{
    s[n] = 0;
    for (int c = 0; c < C; c++) s[n] += x[n][c]; }}
  for (int n = 0; n < N + 1; n++) for (int c = 0; c < C; c++) if (n < N) {0} }}"""


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (NORM, {"N": 1, "C": 4}),
        (NORM, {"N": 2, "C": 3}),
        (WHOLE, {"N": 2, "C": 2}),
        (SOFTMAX, {"N": 1, "D": 2}),
        (SOFTMAX, {"N": 1, "D": 3}),
        (LARGEST_FIRST, {"N": 1, "C": 5}),
        (LARGEST_FIRST, {"N": 2, "C": 3}),
        (VARIANCE, {"N": 1, "C": 5}),
        (MADE, {"N": 1, "C": 4}),
    ],
)
def test_no_bound_is_above_an_optimum(text, sizes):
    program = from_c(text)
    nest, dag = box_nest(program, sizes), instantiate(program, sizes)
    more = 0
    for memory in range(min_memory(dag), min_memory(dag) + 4):
        bound = nest_bound(nest, memory)
        check(nest, memory, bound)
        best = exact(dag, memory, max_memory=1 << 27, time_limit=20)
        assert best.status == "optimal"
        assert bound.io <= best.lower_bound, memory
        more += bound.io - compulsory_of(nest)
    assert more > 0 or max(sizes.values()) <= min_memory(dag)


@pytest.mark.parametrize(
    ("text", "moves", "made"),
    [(NORM, 1, 0), (VARIANCE, 2, 0), (WHOLE, 1, 0), (MADE, 0, 2), (LARGEST_FIRST, 1, 0)],
)
def test_each_sweep_but_the_first_loads_what_does_not_stay(text, moves, made):
    nest, memory = box_nest(from_c(text), {"N": 20, "C": 300}), 100
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    blocks, size = (1, 6000) if text is WHOLE else (20, 300 - (text is LARGEST_FIRST))
    assert bound.certificate.kind == "nest-waits"
    assert bound.io == compulsory_of(nest) + (moves + made) * blocks * (size - memory)
    for rules in RULES.values():
        if rules.recompute:
            assert nest_bound(nest, memory, rules=rules).io == compulsory_of(nest)


@pytest.mark.parametrize("name", OTHERS)
def test_where_nothing_waits_nothing_is_proved(name):
    nest = box_nest(from_c(OTHER.format(OTHERS[name])), {"N": 7, "C": 7})
    assert nest_bound(nest, 3).certificate.kind != "nest-waits"


def test_forged_sweeps():
    nest, memory = box_nest(from_c(VARIANCE), {"N": 2, "C": 30}), 9
    bound = nest_bound(nest, memory)
    ((array, sweeps),) = (
        (each["array"], each["sweeps"]) for each in bound.certificate.data["arrays"]
    )
    first, *others = sweeps
    for forged in (
        [*others, first],
        [first, *others, first],
        [first],
        [first, "S99"],
        [first, first],
    ):
        with pytest.raises(CertificateError):
            waiting_words(nest, memory, Sweeps(array, tuple(forged)))
    for arrays in (
        [{"array": array, "sweeps": sweeps}] * 2,
        [{"array": "A_y", "sweeps": sweeps}],
        [],
    ):
        data = Certificate("nest-waits", {"arrays": arrays})
        with pytest.raises(CertificateError):
            check(nest, memory, replace(bound, certificate=data))
    with pytest.raises(CertificateError):
        check(nest, memory, replace(bound, io=bound.io + 1))
