"""No best schedule is above the text as written, its code or a family's formula; bounds agree.

Other texts are asked in `tests/test_redblue/answers/test_order_of_texts.py`, for they take longer.
"""

import pytest

import redblue as rb
from dags.programs.members import instance_named
from redblue.answers.counted.curves import counted_curve
from redblue.emission.on_curves import emissions, with_code
from schedulers import COUNTED_PLAYS
from schedulers.curves.program_order import program_words

OWN = {
    "product": (
        """void f(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double s = 0;
    for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } }""",
        "n=20",
        (200,),
    ),
    "two_products": (
        """void f(int n, double a[n][n], double b[n][n], double c[n][n], double d[n][n]) {
  double t[n][n];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { t[i][j] = 0;
    for (int k = 0; k < n; k++) t[i][j] += a[i][k] * b[k][j]; }
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { d[i][j] = 0;
    for (int k = 0; k < n; k++) d[i][j] += t[i][k] * c[k][j]; } }""",
        "n=12",
        (150,),
    ),
    "matrix_vector": (
        """void f(int n, double a[n][n], double x[n], double y[n]) {
  for (int i = 0; i < n; i++) { y[i] = 0;
    for (int j = 0; j < n; j++) y[i] += a[i][j] * x[j]; } }""",
        "n=40",
        (60,),
    ),
    "softmax_in_place": (
        """void f(int n, double v[n]) { double top = v[0], sum = 0;
  for (int i = 1; i < n; i++) top = fmax(top, v[i]);
  for (int i = 0; i < n; i++) { v[i] = exp(v[i] - top); sum += v[i]; }
  for (int i = 0; i < n; i++) v[i] = v[i] / sum; }""",
        "n=200",
        (250,),
    ),
    "stencil": (
        """void f(int T, int n, double a[T + 1][n]) {
  for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++)
    a[t + 1][i] = a[t][i - 1] + a[t][i] + a[t][i + 1]; }""",
        "T=12,n=60",
        (40,),
    ),
    "convolution": (
        """void f(int n, int r, double x[n + r], double w[r], double y[n]) {
  for (int i = 0; i < n; i++) { y[i] = 0;
    for (int k = 0; k < r; k++) y[i] += x[i + k] * w[k]; } }""",
        "n=60,r=9",
        (24,),
    ),
    "symmetric_update": (
        """void f(int n, int m, double a[n][m], double c[n][n]) {
  for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) for (int j = 0; j <= i; j++)
    c[i][j] += a[i][k] * a[j][k]; }""",
        "n=16,m=12",
        (80,),
    ),
    "elimination": (
        """void f(int n, double a[n][n]) {
  for (int k = 0; k < n; k++) { for (int i = k + 1; i < n; i++) { a[i][k] = a[i][k] / a[k][k];
    for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j]; } } }""",
        "n=16",
        (80,),
    ),
    "shortest_paths": (
        """void f(int n, double d[n][n]) {
  for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
    d[i][j] = fmin(d[i][j], d[i][k] + d[k][j]); }""",
        "n=12",
        (60,),
    ),
    "attention": (
        """void f(int n, int w, double q[n][w], double k[n][w], double v[n][w], double o[n][w]) {
  for (int i = 0; i < n; i++) { double s[n]; double z = 0;
    for (int j = 0; j < n; j++) { s[j] = 0;
      for (int c = 0; c < w; c++) s[j] += q[i][c] * k[j][c]; }
    for (int j = 0; j < n; j++) { s[j] = exp(s[j]); z += s[j]; }
    for (int c = 0; c < w; c++) { o[i][c] = 0;
      for (int j = 0; j < n; j++) o[i][c] += s[j] * v[j][c] / z; } } }""",
        "n=12,w=4",
        (150,),
    ),
}
SHARED = {"product_scalar_sum.c": ("N=16", (120,))}


FEW = ("stencil",)
FEW_FAMILIES = ("cholesky:n=12",)
FAMILIES = ("matmul:n=9", "lu:n=12", *FEW_FAMILIES)


@pytest.fixture(params=FEW)
def name(request):
    return request.param


@pytest.fixture
def text(name, request, tmp_path):
    """A text with its sizes, and sizes of memory; texts of the folder beside may be absent."""
    if name in OWN:
        source, sizes, memories = OWN[name]
        path = tmp_path / f"{name}.c"
        path.write_text(source)
    else:
        sizes, memories = SHARED[name]
        path = request.getfixturevalue("shared") / "texts" / name
    return f"{path}:{sizes}", memories


def test_no_best_is_above_the_text_as_written_nor_its_code(text):
    spec, memories = text
    instance = instance_named(spec)
    words = program_words(instance.program, instance.sizes, memories)
    code, used = emissions(spec, memories, seconds=0.5)
    for curve in (rb.curve(spec, memories), counted_curve(spec, memories)):
        best = dict(curve.envelope("upper"))
        for memory, *moved in zip(
            memories, words.lru.loads + words.lru.stores, words.furthest.loads
            + words.furthest.stores, strict=True,
        ):  # fmt: skip
            assert best[memory] <= min(moved), (curve.notes, memory)
        assert [entry.as_written for entry in curve.as_written] == (
            words.lru.loads + words.lru.stores
        ).tolist()
        with_its_code = dict(with_code(curve, code, used).envelope("upper"))
        for memory, emitted in code.items():
            assert with_its_code[memory] <= min(best[memory], emitted.io)


def test_no_bound_is_below_another_of_the_same_game(text):
    spec, memories = text
    curve, closed = (
        dict(curve.envelope("lower"))
        for curve in (rb.curve(spec, memories), counted_curve(spec, memories))
    )
    for memory in memories:
        bound = rb.bound(spec, memory, effort="1").io
        assert bound >= max(curve[memory], closed[memory])


@pytest.fixture(params=FEW_FAMILIES)
def family(request):
    return request.param


def test_no_best_is_above_the_formula_of_the_family(family):
    memories = [50]
    closed, built = (
        dict(curve.envelope("upper"))
        for curve in (counted_curve(family, memories), rb.curve(family, memories))
    )
    play = COUNTED_PLAYS[family.partition(":")[0]]
    computation = rb.load(family)
    for memory in memories:
        moved = play.count(computation.params, memory)
        assert moved is not None
        assert built[memory] <= closed[memory] <= sum(moved)
