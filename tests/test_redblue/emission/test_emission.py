"""Emitted code: what it moves, as claimed, counted and judged; its bits; what is refused."""

import json
import re
import shutil
from contextlib import suppress
from copy import copy
from dataclasses import replace

import pytest

import redblue as rb
from dags import InvalidSpecError, load
from dags.programs import ProgramError
from dags.programs.canonical import canonical
from dags.programs.text import from_c, from_python
from dags.programs.text.c_text import is_one_function
from dags.work import charge
from pebble.budget import running_clock
from redblue.answers.counted.curves import counted_curve
from redblue.emission.buffers import NoBufferError, Plan
from redblue.emission.checks import check, text_of
from redblue.emission.emission import emit, prepared
from redblue.emission.expressions import EmissionError
from redblue.emission.measures import Misses, caches_of, measure
from redblue.emission.runs import Runs, called
from redblue.emission.same_values import same_values
from redblue.emission.search import EmissionSearch, count
from redblue.emission.straight import straight_line
from redblue.racing.solving import solve
from schedulers import COUNTED_PLAYS
from tests.command_line import run_redblue

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler is installed"
)
GEMM = "polybench/gemm:NI=37,NJ=29,NK=23"
ATTENTION = """void attention(int N, int D, double q[N][D], double k[N][D],
    double v[N][D], double o[N][D]) {
  for (int i = 0; i < N; i++) {
    double e[N], sum;
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int c = 0; c < D; c++) s += q[i][c] * k[j][c];
      e[j] = exp(s);
    }
    sum = 0;
    for (int j = 0; j < N; j++) sum += e[j];
    for (int c = 0; c < D; c++) {
      double r = 0;
      for (int j = 0; j < N; j++) r += e[j] * v[j][c];
      o[i][c] = r / sum;
    }
  }
}
"""


def small(spec, memory, **options):
    return emit(spec, memory, work=3, effort=0, **options)


def test_gemm_reads_as_a_person_would_write_it():
    emission = small(GEMM, 64, tiles={"i": 8, "j": 6, "k": 1})
    assert (emission.loads, emission.stores, emission.words) == (8663, 1073, 63)
    code = emission.source[emission.source.index("void gemm") :]
    assert code.count("\n") <= 33
    assert "C_t[i - i0][j - j0] += alpha * A_s[i - i0] * B_s[j - j0];" in code
    assert "double A_s[8]; /* of A, for one value of k */" in code
    assert "if (k == 0)" in code


def test_what_is_scaled_first_is_fused_with_its_sum():
    """Apart, `C *= beta` would move all of C once more: 812 words."""
    assert emit("polybench/syrk:N=14,M=14", 64, effort=0).io <= 602


@needs_compiler
@pytest.mark.parametrize(
    ("spec", "memory"),
    [
        (GEMM, 64),
        ("polybench/2mm:NI=8,NJ=9,NK=7,NL=8", 40),
        ("polybench/durbin:N=9", 16),
        ("polybench/seidel-2d:N=8,TSTEPS=3", 64),
        ("polybench/nussinov:N=6", 32),  # an index that is no combination of isl's levels
        ("matmul:n=9", 30),
        ("bqd,bkd->bqk:b=2,q=6,k=7,d=5", 40),
    ],
)
def test_code_does_what_is_claimed_of_it(spec, memory):
    emission = small(spec, memory)
    rows = check(emission)
    assert [row for row in rows if not row.holds] == []
    assert rows[0].judged == (emission.loads, emission.stores)
    assert emission.words <= memory


PYTHON = """
def smooth(x, y, n):
    total = np.zeros(n)
    for i in range(1, n - 1):
        total[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
        y[i] = max(total[i], math.sqrt(x[i]) ** 2) if x[i] > 1 else i / 4
    last = y[1]
    for i in range(n - 2, 0, -2):
        last += y[i]
    y[0] = last
"""


@needs_compiler
def test_python_with_arrays_of_its_own_steps_and_functions():
    emission = small(from_python(PYTHON), 16, sizes={"n": 12})
    assert [row for row in check(emission) if not row.holds] == []


OWN = """#include <math.h>
#define F 2.0
void own(double s, int n, double y[n], double A[n][n + 1]) {
  for (int i = 0; i < n; i++) {
    double t[n]; /* its own */
    for (int j = 0; j < n; j++)
      t[j] = F * A[i][j];
    for (int j = 0; j < n; j++)
      y[i] += s * t[j] * sqrt(A[i][j + 1]);
  }
}
"""


@needs_compiler
def test_the_text_is_compiled_as_it_is_where_it_is_one_function():
    emission = small(from_c(OWN), 16, sizes={"n": 12})
    rows = check(emission)
    assert all(row.holds and row.as_it_is for row in rows)
    second = replace(emission.interface.program, source=OWN.replace("+= s", "-= s"))
    face = copy(emission.interface)
    face.program = second
    assert not any(row.bits for row in check(replace(emission, interface=face)))
    face.program = replace(second, source=OWN.replace("F * A", "G * A"))
    assert all(row.holds and not row.as_it_is for row in check(replace(emission, interface=face)))


@pytest.mark.parametrize(
    "more",
    [
        "void own2(int n, double x[n]) { for (int i = 0; i < n; i++) x[i] = system(x[i]); }",
        "#ifdef __linux__\n#endif",
        '#include "own.h"',
        "#include </etc/passwd>",
        "/* */ #include <math.h>",
        "%:include <math.h>",
        "#define exp(x) system(x)",
        "// ??/",
        "// \\",
        "#pragma omp parallel",
        "double z = 1.0;",
        "// é",
    ],
)
def test_no_text_is_compiled_that_a_compiler_may_see_otherwise(more):
    assert is_one_function(OWN)
    with suppress(ProgramError):
        assert not is_one_function(f"{more}\n{OWN}")


FILTER = (
    "void f(int H, int R, int P, double x[H], double w[R], double y[P]) {"
    " for (int p = 0; p < P; p++) for (int r = 0; r < R; r++) y[p] += x[p + r] * w[r]; }"
)


@needs_compiler
def test_no_sizes_are_drawn_at_which_an_index_leaves_its_array():
    rows = check(small(from_c(FILTER), 16, sizes={"H": 9, "R": 3, "P": 7}))
    assert len(rows) == 6
    assert all(row.holds for row in rows)
    assert all(row.sizes["P"] + row.sizes["R"] - 1 <= row.sizes["H"] for row in rows)
    with pytest.raises(InvalidSpecError, match="an index of 'x' leaves it at these sizes"):
        small(from_c(FILTER), 16, sizes={"H": 8, "R": 3, "P": 7})


@needs_compiler
def test_given_scalars_are_loaded_and_outputs_that_are_scalars_are_cells():
    text = "def dot(x, y, s, n):\n a = 0.1\n for i in range(n):\n  a += s * x[i] * y[i]\n return a"
    emission = small(from_python(text), 16, sizes={"n": 9})
    assert "double a_out[1]" in emission.source
    assert (emission.loads, emission.stores) == (19, 1)
    assert [row for row in check(emission) if not row.holds] == []


@needs_compiler
def test_a_cache_of_lru_misses_what_is_expected():
    emission = small(GEMM, 64, policy="cache")
    assert "LOAD(A" not in emission.source
    rows = check(emission)
    assert all(row.holds for row in rows)
    assert rows[0].misses == emission.loads


def test_a_cache_needs_no_sizes_of_tiles_to_keep_a_row():
    """A is read once: its row is still there for the second product, as the text has it."""
    emission = small("polybench/atax:M=40,N=30", 256, policy="cache")
    assert emission.loads < 1.3 * 40 * 30


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@needs_compiler
def test_misses_of_emitted_code_are_fewer_than_those_of_the_text():
    spec, tiles = "polybench/gemm:NI=96,NJ=96,NK=96", {"i": 16, "j": 24, "k": 1}
    emission = small(spec, 1024, policy="cache", line=8, tiles=tiles)
    ours = measure(emission)
    assert ours[0].emitted < ours[0].original / 2


CONV = (
    "void conv(int F, int P, int Q, int C, int R, double o[F][P][Q], "
    "double x[C][P + R - 1][Q + R - 1], double w[F][C][R][R]) {"
    " for (int f = 0; f < F; f++) for (int p = 0; p < P; p++)"
    " for (int q = 0; q < Q; q++) for (int c = 0; c < C; c++) for (int r = 0; r < R; r++)"
    " for (int s = 0; s < R; s++) o[f][p][q] += w[f][c][r][s] * x[c][p + r][q + s]; }"
)


SUM = """
void f(int N, float A[N][N], float B[N][N], float C[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float s = 0;
      for (int k = 0; k < N; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}
"""
NAMED = SUM.replace("s += A", "{ float p = A").replace("B[k][j];", "B[k][j]; s += p; }")
FUSED = """
void conv(int K, int C, int P, int Q, float out[K][P][Q], float in[C][P + 2][Q + 2],
          float w[K][C][3][3], float bias[K]) {
  for (int k = 0; k < K; k++)
    for (int p = 0; p < P; p++)
      for (int q = 0; q < Q; q++) {
        float s = bias[k];
        for (int c = 0; c < C; c++)
          for (int r = 0; r < 3; r++)
            for (int t = 0; t < 3; t++)
              s += w[k][c][r][t] * in[c][p + r][q + t];
        out[k][p][q] = s > 0 ? s : 0;
      }
}
"""
CELLS = FUSED.replace("float s =", "out[k][p][q] =").replace("s += w", "out[k][p][q] += w")
CELLS = CELLS.replace("s > 0 ? s : 0", "fmaxf(out[k][p][q], 0.0f)")
CHANNELS = {"K": 8, "C": 4, "P": 7, "Q": 7}


@needs_compiler
@pytest.mark.parametrize(
    ("text", "sizes", "memory", "most"),
    [
        (SUM, {"N": 16}, 64, 1536),  # 8,448 with one scalar for all sums
        (NAMED, {"N": 16}, 64, 1536),
        (FUSED, CHANNELS, 128, 4000),
        (CELLS, CHANNELS, 128, 4000),
    ],
)
def test_sums_in_scalars_are_sums(text, sizes, memory, most):
    emission = small(from_c(text), memory, sizes=sizes)
    assert emission.io <= most
    rows = check(emission)
    assert [row for row in rows if not row.holds] == []
    assert rows[0].judged == (emission.loads, emission.stores)
    assert rows[0].as_it_is


FOUR = SUM.replace("k++", "k += 4").replace(
    "A[i][k] * B[k][j];",
    "A[i][k] * B[k][j] + A[i][k+1] * B[k+1][j] + A[i][k+2] * B[k+2][j] + A[i][k+3] * B[k+3][j];",
)
UNROLLED = SUM.replace("k++", "k += 2").replace(
    "s += A[i][k] * B[k][j];", "{ s += A[i][k] * B[k][j]; s += A[i][k+1] * B[k+1][j]; }"
)
TILED = """
#define BS (4)
void f(int N, float A[N][N], float B[N][N], float C[N][N]) {
  for (int ii = 0; ii < N; ii += BS)
    for (int jj = 0; jj < N; jj += BS)
      for (int kk = 0; kk < N; kk += BS)
        for (int i = ii; i < ii + BS; i++)
          for (int j = jj; j < jj + BS; j++)
            for (int k = kk; k < kk + BS; k++)
              C[i][j] += A[i][k] * B[k][j];
}
"""
FLAT = """
#define N (16)
void f(float *A, float *B, float *C) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        C[i*N + j] += A[i*N + k] * B[k*N + j];
}
"""


@needs_compiler
@pytest.mark.parametrize(
    ("text", "sizes", "most"),
    [
        (FOUR, {"N": 16}, 1792),  # 8,448 where A has no planes
        (UNROLLED, {"N": 16}, 1536),
        (TILED, {"N": 16}, 1792),
        (FLAT, {}, 1792),  # a buffer of A had whole rows
    ],
)
def test_code_is_that_of_the_canonical_nest(text, sizes, most):
    emission = small(from_c(text), 64, sizes=sizes)
    assert emission.io <= most
    rows = check(emission)
    assert [row for row in rows if not row.holds] == []
    assert rows[0].judged == (emission.loads, emission.stores)


def test_other_sizes_take_the_loops_of_the_text():
    emission = small(from_c(TILED), 64, sizes={"N": 16})
    assert "if (N == 16) {" in emission.source
    assert "Other sizes take the loops of the text." in emission.source
    assert "for (long ii = 0; ii < N; ii += 4)" in emission.source


PAIRS = """
void pairs(int n, int m, double x[n], double y[m], double h[1]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      h[0] += x[i] * y[j];
}
"""


def test_what_has_no_tiles_says_which_dependence_forbids_them():
    emission = small(from_c(PAIRS), 16, sizes={"n": 8, "m": 8})
    assert not emission.tiled
    assert emission.forbidding == (
        "no tile has loops i and j: line 5 waits for h of line 5 at an earlier i and a later j"
    )
    assert emission.forbidding in emission.shown()[0]
    assert small(from_c(SUM), 64, sizes={"N": 16}).forbidding is None


SCALED = """
void f(int n, float a[n], float b[n]) {
  for (int i = 0; i < n; i += 2) {
    b[i] = 2 * a[i];
    b[i + 1] = 3 * a[i + 1];
  }
}
"""


def test_sides_are_those_of_the_loops_that_are_named():
    """Its canonical nest has no loop ii."""
    emission = small(from_c(TILED), 64, sizes={"N": 16}, tiles={"ii": 4, "jj": 4, "kk": 4})
    assert not emission.interface.form.only


MIXED = """
void f(int n, float a[n], float b[n]) {
  for (int i = 0; i < n; i += 2) {
    float u = a[i] / 3;
    double v = a[i + 1] / 3;
    b[i] = u * u;
    b[i + 1] = v * v;
  }
}
"""


def test_scalars_of_two_types_are_not_one():
    step = "loop i is unrolled 2 times"
    assert step in canonical(from_c(MIXED), {"n": 12}).steps
    assert step not in canonical(from_c(MIXED), {"n": 12}, same=same_values).steps


@needs_compiler
def test_unrolled_statements_with_other_numbers_are_not_one():
    """Their DAG is that of a loop; their values are not."""
    emission = small(from_c(SCALED), 16, sizes={"n": 12})
    assert all(row.bits for row in check(emission))
    step = "loop i is unrolled 2 times"
    assert step in canonical(from_c(SCALED), {"n": 12}).steps
    assert step not in canonical(from_c(SCALED), {"n": 12}, same=same_values).steps


@needs_compiler
def test_a_cache_has_no_cells_of_sums_in_scalars():
    """They stand in an array of a tile's size, where the text has a scalar."""
    emission = small(from_c(SUM), 128, policy="cache", sizes={"N": 16})
    assert emission.tiled
    assert re.search(r"float s_t\[\d+\]", emission.source)
    rows = check(emission)
    assert all(row.holds for row in rows)
    assert rows[0].misses < 16**3


COLUMNS = """
void f(int N, int M, double A[M][N], double x[M], double y[N]) {
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int j = 0; j < M; j++) s += x[j] * A[j][i];
    y[i] = s;
  }
}
"""


@needs_compiler
def test_cells_of_sums_are_as_many_at_all_sizes():
    """With a cache other arrays have to fit at the sizes that are given alone."""
    emission = small(from_c(COLUMNS), 64, policy="cache", line=8, sizes={"N": 12, "M": 12})
    runs, sizes = Runs(emission.interface), {"N": 4000, "M": 50}
    with runs.binary(emission.source) as ours, runs.binary(text_of(emission.interface)) as theirs:
        assert ours(sizes).outputs == theirs(sizes).outputs


@needs_compiler
@pytest.mark.parametrize(
    ("spec", "memory", "options", "tile"),
    [
        ("polybench/gemm:NI=15,NJ=14,NK=9", 128, {}, "[4][2]"),
        ("polybench/trmm:N=14,M=15", 128, {}, "[4][2]"),  # a triangle, and its own operands
        ("polybench/symm:N=12,M=13", 128, {}, "[4][2]"),
        (SUM, 128, {"sizes": {"N": 16}}, "[4][2]"),
        ("polybench/syrk:N=14,M=11", 4096, {"policy": "cache"}, "[4][2]"),
        (CONV, 400, {"sizes": {"F": 4, "P": 6, "Q": 7, "C": 5, "R": 3}, "fix": {"R": 3}}, "[4][2]"),
    ],
)
def test_sums_stay_in_registers_in_whole_tiles(spec, memory, options, tile):
    emission = small(from_c(spec) if "(" in spec else spec, memory, registers=8, **options)
    assert emission.plan.sums
    assert [row for row in check(emission) if not row.holds] == []
    name = re.search(
        rf"(?:double|float) (\w+){re.escape(tile)}; /\* of \w+, in registers", emission.source
    )[1]
    assert all(
        f"{name}[{position}][" in emission.source for position in range(4)
    )  # a loop is written out


@pytest.mark.parametrize(
    ("spec", "options", "tile"),
    [
        ("polybench/syrk:N=800,M=800", {}, "[4][32]"),  # another order moves a tenth less
        (CONV, {"sizes": {"F": 64, "P": 56, "Q": 56, "C": 64, "R": 3}, "fix": {"R": 3}}, "[16][8]"),
    ],
)
def test_tiles_of_sums_are_whole_at_the_sizes_that_are_given(spec, options, tile):
    """Of 56 columns 24 would be cut from tiles of 32, and take longer than all others."""
    program = spec if ":" in spec else from_c(spec)
    emission = emit(program, 65536, registers=128, work=8, effort=0, **options)
    assert re.search(rf"double \w+{re.escape(tile)}; /\* of \w+, in registers", emission.source)
    # gcc takes buffers for changed by sums but through such pointers
    assert emission.source.count("restrict") >= 3


def test_no_sum_stays_in_registers_where_its_tile_is_read_meanwhile():
    """A value of lu is divided before it is an operand of the same tile."""
    emission = small("polybench/lu:N=14", 128, registers=8)
    assert not emission.plan.sums
    assert emission.io <= 700


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@needs_compiler
@pytest.mark.parametrize("spec", ["polybench/trisolv:N=400", "polybench/deriche:W=250,H=250"])
def test_lines_are_counted_where_a_cache_has_some(spec):
    """By words alone they would go by columns, each word in a line of its own: five times more."""
    emission = small(spec, 4096, policy="cache", line=8, ways=8)
    _, ours, _ = measure(emission)
    assert ours.emitted <= 1.05 * ours.original


@needs_compiler
def test_a_check_finds_wrong_code_and_wrong_counts():
    emission = small(GEMM, 64)
    wrong = replace(emission, source=emission.source.replace("*= beta", "*= 2 * beta"))
    assert not any(row.bits for row in check(wrong))
    wrong = replace(emission, source=emission.source.replace("(loads++, (x))", "(loads += 2, (x))"))
    assert not any(row.holds for row in check(wrong))


def test_sizes_may_be_fixed():
    emission = small("polybench/gemm:NI=9,NJ=9,NK=3", 64, fix={"NK": 3})
    assert "long NK" not in emission.source
    with pytest.raises(InvalidSpecError, match="cannot be fixed"):
        small("polybench/gemm:NI=9,NJ=9,NK=3", 64, fix={"NK": 4})


@pytest.mark.parametrize(
    ("spec", "memory", "most"),
    [
        ("polybench/syrk:N=14,M=14", 64, 602),  # as with free sizes: 840 in orders of its own
        ("polybench/doitgen:NQ=5,NR=5,NP=5", 40, 275),  # all of C4 is held
    ],
)
def test_fixed_sizes_take_no_tiles_away_and_let_buffers_be_whole(spec, memory, most):
    _, _, text = spec.partition(":")
    sizes = {name: int(value) for name, value in (pair.split("=") for pair in text.split(","))}
    assert small(spec, memory, fix=sizes).io <= most


def test_one_of_each_order_is_counted_before_more_of_those_that_look_best(monkeypatch):
    """Estimates are for all sizes: that of an order which holds all of A is far too high."""
    text = prepared("polybench/cholesky:N=14", fix={"N": 14})
    nest, sizes, live = text.nest, text.sizes, text.live

    def plan(*arguments, **extra):
        charge("model")  # a plan takes a second
        return Plan(*arguments, **extra)

    monkeypatch.setattr("redblue.emission.search.Plan", plan)
    order, depths, *_ = EmissionSearch(nest, sizes, live).best(128, 8)
    assert sum(count(Plan(nest, order, depths, live), sizes)) <= 298


@pytest.mark.parametrize(
    "statement",
    ["x[i] = system(x[i]);", "x[i] = exit(x[i]);", "x[i] = a % x[i];", "x[i] = abs(x[i]);"],
)
def test_functions_that_are_not_of_the_list_are_refused(statement):
    text = (
        f"void f(int n, double a, double x[n]) {{\n for (int i = 0; i < n; i++)\n  {statement}\n}}"
    )
    with pytest.raises(EmissionError, match="line 3"):
        small(from_c(text), 16, sizes={"n": 4})


def test_chunks_go_on_in_the_order_in_which_tiles_are_asked_for():
    spec = "polybench/gemm:NI=16,NJ=32,NK=9"
    emission = small(spec, 64, tiles={"j": 8, "i": 4, "k": 1}, fix={"NI": 16, "NJ": 32, "NK": 9})
    assert emission.tiling == "j by 8, i by 4, k, i, j"
    assert "MIN" not in emission.source  # all tiles are whole: loops of constant trip counts
    with pytest.raises(NoBufferError, match="in these tiles"):
        small(spec, 3, tiles={"j": 8, "i": 4, "k": 1})


def test_too_little_memory_is_said():
    with pytest.raises(NoBufferError, match="within 3 words"):
        small(GEMM, 3)


def test_no_loop_nest_is_said():
    with pytest.raises(InvalidSpecError, match="--straight"):
        small("fft:n=8", 16)


@needs_compiler
def test_straight_lines_compute_what_the_dag_says(tmp_path):
    dag = load("fft:n=8")
    solution = solve(dag, 6, time_limit=1)
    source = straight_line(dag, solution.schedule, 6)
    values = [float(v + 1) for v in range(dag.n)]
    for vertex in dag.computed.tolist():
        own_values = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
        values[vertex] = sum(values[entry] for entry in own_values)
    inputs = ", ".join(str(v + 1) if dag.indegree[v] == 0 else "0" for v in range(dag.n))
    (tmp_path / "a.c").write_text(
        f"#include <stdio.h>\n{source}int main(void) {{ double s[] = {{{inputs}}};"
        "computation(s);"
        + "".join(f'printf("%g\\n", s[{v}]);' for v in dag.outputs)
        + 'printf("%ld %ld\\n", loads, stores); return 0; }'
    )
    called(["cc", "-std=c99", "-Wall", "-DCOUNT", "-o", "a", "a.c"], tmp_path)
    *outputs, counts = called([str(tmp_path / "a")], tmp_path)[0].splitlines()
    assert [float(output) for output in outputs] == [values[v] for v in dag.outputs]
    assert counts == f"{solution.count.loads} {solution.count.stores}"


def test_a_program_with_the_name_of_a_family_is_none_of_its_members():
    curve = counted_curve("polybench/syrk:N=14,M=14", [64], plays=False)
    assert curve.envelope("lower")


SIGNED = """/* with a header of its own */
void product(int M, int N, int K,
             const float A[M][K], const float B[K][N], float C[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < K; k++) C[i][j] += A[i][k] * B[k][j];
}
"""
HEADER = """void product(int M, int N, int K,
  const float A[M][K], const float B[K][N], float C[M][N]);
"""
CALLER = """#include "product.h"
int main(void) {
  float A[2][3] = {{1, 2, 3}, {4, 5, 6}}, B[3][2] = {{1, 0}, {0, 1}, {1, 1}}, C[2][2] = {{0}};
  product(2, 2, 3, A, B, C);
  return !(C[0][0] == 4 && C[0][1] == 5 && C[1][0] == 10 && C[1][1] == 11);
}
"""


@pytest.mark.parametrize("policy", ["scratchpad", "cache"])
def test_emitted_code_links_with_the_header_of_its_author(tmp_path, policy):
    source, sizes = from_c(SIGNED), {"M": 8, "N": 9, "K": 10}
    emission = emit(source, 60, sizes=sizes, work=1, effort=0, policy=policy)
    assert all(row.holds for row in check(emission))
    (tmp_path / "product.h").write_text(HEADER)
    (tmp_path / "code.c").write_text('#include "product.h"\n' + emission.source)
    (tmp_path / "main.c").write_text(CALLER)
    called(["cc", "-Wall", "-Werror", "-o", "all", "code.c", "main.c"], tmp_path)
    called([str(tmp_path / "all")], tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int M", "size_t M"),  # differences of indices have signs
        ("const float A[M][K]", "const float A[restrict M][K]"),
        ("int N, int K", "int K, int N"),
        ("int M", "long M"),
        ("float C[M][N]", "double C[M][N]"),
    ],
)
def test_signatures_are_kept_where_they_can_be(old, new):
    program = from_c(SIGNED.replace(old, new))
    emission = emit(program, 60, sizes={"M": 8, "N": 9, "K": 10}, work=0, effort=0)
    kept = " ".join(SIGNED.replace(old, new).split()).partition("(")[2].partition(")")[0]
    theirs = not ("size_t" in new or "restrict" in new)
    assert (kept in " ".join(emission.source.split())) == theirs
    assert all(row.holds for row in check(emission))


def test_misses_are_told_plainly_in_caches_of_ones_own():
    worse = Misses("32 KiB, 8 ways", 507_704, 645_117).sentence
    assert worse.endswith("(1.27 times as often): the code is WORSE here, keep the text")
    assert "the code misses 645,117 times, the text 507,704" in worse
    assert "the code is better here" in Misses("c", 10, 5).sentence
    assert "as often as" in Misses("c", 5, 5).sentence
    assert "not at all" in Misses("c", 5, 0).sentence
    result = caches_of("48KiB:12,2MiB:16")
    assert [cache.name for cache in result] == ["48 KiB, 12 ways", "2 MiB, 16 ways"]
    assert [tuple(cache) for cache in result] == [(49152, 12), (2 << 20, 16)]
    for wrong in ("48KiB", "48KiB:", "48KiB:0", "48KiB:11", "x:8", "", "48KiB:-1", "100B:1"):
        with pytest.raises(InvalidSpecError):
            caches_of(wrong)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_the_command_measures_in_caches_of_ones_own():
    asked = "emit", "polybench/gemm:NI=12,NJ=12,NK=12", "--memory", 200, "--tiles", "i=6,j=6"
    extra = "--effort", 0, "--measure", "valgrind", "--cache", "3KiB:12"
    out = run_redblue(*asked, *extra).out
    assert "3 KiB, 12 ways: " in out
    assert "32 KiB" not in out
    assert "caches are for --measure" in run_redblue(*asked, "--cache", "3KiB:12").sentence


@pytest.mark.slow
@pytest.mark.parametrize("family", ["lu", "cholesky"])
def test_code_of_factorizations_is_by_the_tiles_of_their_family(family):
    emission = emit(f"polybench/{family}:N=200", 600, work=5, effort=0)
    counted = COUNTED_PLAYS[family].count({"n": 200}, 600)
    assert emission.io <= 1.05 * sum(counted)  # a row and a column pass, not a row and a word


@pytest.mark.slow
def test_code_of_attention_goes_on_with_sums_while_it_has_scores(tmp_path):
    text = tmp_path / "attention.c"
    text.write_text(ATTENTION)
    spec = f"{text}:N=256,D=8"
    emission = emit(spec, 600, work=5, effort=0)
    assert emission.io <= 1.02 * dict(rb.curve(spec, [600]).envelope("upper"))[600]
    assert all(row.holds for row in check(emission))


@pytest.mark.parametrize(("limit", "seconds"), [(None, 20), (30, 15)])
def test_a_time_limit_is_that_of_all_of_it_through_both_doors(limit, seconds, monkeypatch):
    """Half of it is work for tiles, and a clock that can only cut runs beside it."""
    spec, searched = "polybench/gemm:NI=6,NJ=6,NK=6", []

    def noted(search, memory, left, best=EmissionSearch.best):
        clock = running_clock()
        searched.append((left, None if clock is None else 0 < clock.left <= limit))
        return best(search, memory, left)

    monkeypatch.setattr(EmissionSearch, "best", noted)
    made = emit(spec, 40, effort=0, time_limit=limit)
    by_api, limits = searched.copy(), () if limit is None else ("--time-limit", limit)
    ending = run_redblue("emit", spec, "--memory", 40, "--effort", 0, *limits, "--json")
    assert by_api[0] == (seconds, None if limit is None else True)
    assert searched == by_api * 2
    assert json.loads(ending.out)["io"] == made.io


@pytest.mark.parametrize(("kind", "printed"), [("int32_t", "int"), ("int64_t", "long")])
def test_whole_numbers_of_a_width_are_those_of_c(kind, printed):
    text = f"void f(int n, const {kind} *a, {kind} *b) {{"
    text += f" for ({kind} i = 0; i < n; i++) b[i] = 2 * a[i]; }}"
    source = emit(from_c(text), 8, sizes={"n": 24}, effort=0).source
    assert f"void f(long n, {printed} a[n], {printed} b[n])" in source
