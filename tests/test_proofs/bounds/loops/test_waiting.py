"""Values that wait for a sum: below optima, and refused where nothing waits."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.importers import from_onnx
from dags.importers.nests import graph_nest
from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import ONE_SHOT, RULES, min_memory, play
from proofs import CertificateError, check
from proofs.bounds.loops import nests as finder
from proofs.bounds.loops.nests import nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.nests import compulsory_of
from proofs.lemmas.loops.waiting import Sweeps, waiting_words
from schedulers import scheduler_named
from schedulers.exact import exact
from tests.nest_texts import NORM, SOFTMAX
from tests.test_dags.importers.nest_layout import laid_out

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
# Sums of other rows go through values whose own loop is moved on, to begin with its reader.
MOVED = """void f(int N, int C, double x[N+2][C], double m[N+2], double r[N+2], double y[N+2][C]) {{
  for (int n = 0; n < N; n++) {{
    m[n] = 0;
    for (int c = 0; c < C; c++) m[n] += x[n][c]; }}
  for (int n = {low}; n < {high}; n++) r[n] = g(m[n + {far}]);
  for (int n = {low}; n < {high}; n++)
    for (int c = 0; c < C; c++) y[n][c] = x[n + {read}][c] * r[n]; }}"""
ROWS = {  # of what is read, from the row that a value is of
    "the sum of the row before": {"low": "1", "high": "N", "far": -1, "read": 0},
    "the sum of the next row": {"low": "0", "high": "N - 1", "far": 1, "read": 0},
    "its own, of a row before": {"low": "1", "high": "N", "far": -1, "read": -1},
    "its own, of a next row": {"low": "0", "high": "N - 1", "far": 1, "read": 1},
}


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
    extra = 0
    for memory in range(min_memory(dag), min_memory(dag) + 4):
        bound = nest_bound(nest, memory)
        check(nest, memory, bound)
        best = exact(dag, memory, max_memory=1 << 27, time_limit=20)
        assert best.status == "optimal"
        assert bound.io <= best.lower_bound, memory
        extra += bound.io - compulsory_of(nest)
    assert extra > 0 or max(sizes.values()) <= min_memory(dag)


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


@pytest.mark.parametrize("rows", ROWS)
def test_sums_of_which_row_a_value_needs_is_read_through_loops_that_are_moved(rows):
    program, sizes, memory = from_c(MOVED.format(**ROWS[rows])), {"N": 4, "C": 20}, 4
    nest, dag = box_nest(program, sizes), instantiate(program, sizes)
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    played = [scheduler_named(entry)(dag, memory) for entry in ("natural+belady", "search")]
    assert bound.io <= min(play(dag, entry, memory).io for entry in played)
    sweeps = Sweeps("A_x", ("S1", "S3"))
    if ROWS[rows]["far"] == ROWS[rows]["read"]:
        assert waiting_words(nest, memory, sweeps) == (3 * (20 - memory), 0)
        assert bound.io == compulsory_of(nest) + 3 * (20 - memory)
    else:
        with pytest.raises(CertificateError):
            waiting_words(nest, memory, sweeps)


@pytest.mark.parametrize("far", [-1, 1])
def test_sums_of_other_rows_of_a_graph(far):
    pytest.importorskip("onnx", reason="onnx is not installed")
    from tests.test_dags.importers.onnx_samples import model_of, node

    ends = {"low": far > 0, "high": 4 - (far < 0), "first": far < 0, "last": 4 - (far > 0)}
    nodes = [
        node("ReduceSum", "x axis", "m", keepdims=1),
        node("Slice", "m low high", "others"),
        node("Sigmoid", "others", "r"),
        node("Slice", "x first last", "some"),
        node("Mul", "some r", "y"),
    ]
    arguments = {name: np.array([int(value)]) for name, value in ends.items()}
    model = model_of(nodes, {"x": [4, 20]}, ["y"], {"axis": np.array([1]), **arguments}, opset=17)
    nest = graph_nest(from_onnx(model))
    bound = nest_bound(nest, 4)
    check(nest, 4, bound)
    dag = laid_out(nest)
    assert bound.io <= play(dag, scheduler_named("search")(dag, 4), 4).io


@pytest.mark.parametrize("name", OTHERS)
def test_where_nothing_waits_nothing_is_proved(name):
    nest = box_nest(from_c(OTHER.format(OTHERS[name])), {"N": 7, "C": 7})
    assert nest_bound(nest, 3).certificate.kind != "nest-waits"


def test_forged_sweeps():
    nest, memory = box_nest(from_c(VARIANCE), {"N": 2, "C": 30}), 9
    bound = nest_bound(nest, memory)
    ((array, sweeps),) = (
        (entry["array"], entry["sweeps"]) for entry in bound.certificate.data["arrays"]
    )
    first, *remaining = sweeps
    for forged in (
        [*remaining, first],
        [first, *remaining, first],
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


def test_sweeps_are_looked_for_along_the_chains_that_there_are(monkeypatch):
    """Each further block has as many questions: with all chains of all, 48 blocks took 104 s."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    from tests.test_dags.importers.onnx_samples import draw, model_of, node

    asked = []
    real = finder.block_places
    monkeypatch.setattr(finder, "block_places", lambda *item: asked.append(item) or real(*item))

    def questions(count):
        nodes, last = [], "x"
        for place in range(count):
            built = "y" if place == count - 1 else f"y{place}"
            nodes.append(node("LayerNormalization", f"{last} g b", f"n{place}", axis=-1))
            nodes.append(node("MatMul", f"n{place} w", f"p{place}"))
            nodes.append(node("Add", f"{last} p{place}", built))
            last = built
        weights = draw(g=8, b=8, w=(8, 8))
        nest = graph_nest(from_onnx(model_of(nodes, {"x": [4, 8]}, ["y"], weights)))
        asked.clear()
        results = [gain for gain in finder.gains(nest, 3, ONE_SHOT) if gain.kind == finder.WAITS]
        assert len(results) == count
        return len(asked)

    sample, extra, limit = questions(4), questions(8), questions(12)
    assert limit - extra == extra - sample > 0
