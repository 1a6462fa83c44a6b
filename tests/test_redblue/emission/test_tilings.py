"""Code that starts from the tilings of curves: their words, what is no code, and why."""

import shutil
from dataclasses import replace

import pytest

from redblue.answers.counted.curves import counted_curve
from redblue.emission.checks import check
from redblue.emission.emission import emit, prepared
from redblue.emission.on_curves import emissions, with_code
from redblue.emission.search import OVERWRITING, EmissionSearch
from redblue.emission.tilings import SKEWED, SLIDING, starts

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler is installed"
)
GEMM = "polybench/gemm:NI=24,NJ=20,NK=22"
IN_PLACE = "polybench/doitgen:NR=6,NQ=5,NP=8"
FILTERS = """void filters(int H, int R, double x[H + R], double u[R], double v[R], double y[H]) {
  double t[H + R];
  for (int i = 0; i < H; i++) { t[i] = 0; for (int r = 0; r < R; r++) t[i] += x[i + r] * u[r]; }
  for (int i = 0; i < H - R; i++) { y[i] = 0; for (int r = 0; r < R; r++) y[i] += t[i + r] * v[r]; }
}"""


def words_of_code(form, memory):
    """The tilings of a nest, each with the words of its code, without end where it is none."""
    search = EmissionSearch(form.nest, form.sizes, form.live, by_tilings=True)
    search.memory = memory
    for start in starts(form.nest, form.sizes, form.live, memory, 0.5):
        code, _ = search.code_of(start)
        yield start, float("inf") if code is None else code.io


@pytest.mark.parametrize(("spec", "memory"), [(GEMM, 100), ("matmul:n=9", 40)])
def test_code_of_a_tiling_whose_holds_are_buffers_moves_its_words(spec, memory):
    plain = [
        pair for pair in words_of_code(prepared(spec).forms[-1], memory) if not pair[0].obstacle
    ]
    assert plain
    assert any(io <= start.io for start, io in plain)


@pytest.mark.parametrize(("spec", "memory"), [(GEMM, 40), ("polybench/atax:M=12,N=14", 30)])
def test_no_code_moves_more_than_without_tilings(spec, memory, monkeypatch):
    words = emit(spec, memory, work=0.5, effort=0).io
    monkeypatch.setattr(EmissionSearch, "_of_tilings", lambda search, seconds: None)
    assert words <= emit(spec, memory, work=0.5, effort=0).io


@needs_compiler
@pytest.mark.parametrize(
    ("spec", "memory", "words"),
    [
        (IN_PLACE, 120, 2 * 6 * 5 * 8 + 64),  # a row of A stays, and all of C4
        ("polybench/durbin:N=12", 120, 24),
        ("polybench/atax:M=12,N=14", 60, 12 * 14 + 14 + 14),  # a row of A is read once
    ],
)
def test_rows_and_arrays_stay_in_code_for_the_given_sizes(spec, memory, words):
    emission = emit(spec, memory, work=5, effort=0)
    assert emission.io == words
    assert emission.interface.form.only
    assert "Other sizes take the loops of the text." in emission.source
    assert [row for row in check(emission) if not row.holds] == []


@needs_compiler
def test_a_size_of_an_einsum_that_is_a_number_is_no_value_of_its_loop():
    """Loops of an einsum have the names of its sizes: `A[i][l]` was read as `A[9][l]`, refused."""
    emission = emit("matmul:n=9", 30, work=2, effort=0, fix={"i": 9})
    assert "A[9][l]" in emission.source
    assert [row for row in check(emission) if not row.holds] == []


@pytest.mark.parametrize(
    ("spec", "memory", "obstacle"),
    [
        ("polybench/doitgen:NR=24,NQ=24,NP=24", 300, OVERWRITING),
        ("polybench/jacobi-1d:N=60,TSTEPS=12", 30, SKEWED),
    ],
)
def test_the_best_tiling_says_why_it_is_no_code(spec, memory, obstacle):
    emission = emit(spec, memory, work=2, effort=0)
    assert emission.obstacle == obstacle


def test_values_that_slide_along_are_no_buffer(tmp_path):
    path = tmp_path / "filters.c"
    path.write_text(FILTERS)
    spec = f"{path}:H=60,R=5"
    emission = emit(spec, 24, work=2, effort=0.5)
    assert emission.obstacle in [SLIDING.format("x"), SLIDING.format("t")]
    without = emission.without_code
    assert without is not None
    assert without.words == emission.best_play < emission.io == without.code
    assert str(without) in "\n".join(emission.shown())
    assert emission.to_dict()["without_code"]["reason"] == without.reason


def test_a_curve_says_why_its_best_schedule_is_no_code():
    spec, memories = IN_PLACE, [24, 200]
    curve = counted_curve(spec, memories)
    code, seconds = emissions(spec, memories, seconds=1.0)
    both = with_code(curve, code, seconds)
    best = dict(curve.envelope("upper"))
    apart = {schedule.memory: schedule for schedule in both.without_code}
    for memory, emission in code.items():
        assert (memory in apart) == (best[memory] < emission.io)
    assert 24 in apart
    assert 200 not in apart
    assert apart[24].words == best[24] < apart[24].code == code[24].io
    assert str(apart[24]) in "\n".join(map(str, both.shown()))
    assert both.to_dict()["without_code"] == [vars(apart[24])]
    assert not replace(both, without_code=()).to_dict().get("without_code")
