"""Loops over tiles that are written by hand: the DAG of the text without them is the same."""

import numpy as np
import pytest

pytest.importorskip("islpy")

from dags.programs.box_reader import box_nest
from dags.programs.canonical import canonical
from dags.programs.text import from_c
from tests.test_dags.programs.canonical.isomorphic import boxes_of, values_of

PLAIN = """void f(int N, double A[N][N], double B[N][N], double C[N][N]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
    C[i][j] += A[i][k] * B[k][j];
}"""
HEAD = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n" + PLAIN.partition("{")[0] + "{"
BODY = "C[i][j] += A[i][k] * B[k][j]; }"
TILED = {
    "all loops": "for (int ii = 0; ii < N; ii += 4) for (int jj = 0; jj < N; jj += 2)"
    " for (int kk = 0; kk < N; kk += 4) for (int i = ii; i < ii + 4; i++)"
    " for (int j = jj; j < jj + 2; j++) for (int k = kk; k < kk + 4; k++) " + BODY,
    "a rest": "for (int jj = 0; jj < N; jj += 3) for (int i = 0; i < N; i++)"
    " for (int j = jj; j < MIN(jj + 3, N); j++) for (int k = 0; k < N; k++) " + BODY,
    "tiles by number": "for (int t = 0; t < N / 4; t++) for (int i = 4 * t; i < 4 * t + 4; i++)"
    " for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) " + BODY,
    "places in a tile": "for (int ii = 0; ii < N; ii += 4) for (int j = 0; j < N; j++)"
    " for (int r = 0; r < 4; r++) for (int k = 0; k < N; k++)"
    " C[ii + r][j] += A[ii + r][k] * B[k][j]; }",
    "places in a numbered tile": "for (int t = 0; t < N / 4; t++) for (int r = 0; r < 4; r++)"
    " for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
    " C[4*t + r][j] += A[4*t + r][k] * B[k][j]; }",
    "two levels": "for (int i2 = 0; i2 < N; i2 += 4) for (int i1 = i2; i1 < i2 + 4; i1 += 2)"
    " for (int i = i1; i < i1 + 2; i++) for (int j = 0; j < N; j++)"
    " for (int k = 0; k < N; k++) " + BODY,
}


@pytest.mark.parametrize("name", TILED)
def test_a_tiled_text_is_the_plain_one(name):
    program, plain = from_c(HEAD + TILED[name], sizes={"N": 8}), from_c(PLAIN)
    canonical_form = canonical(program, {"N": 8} if program.sizes else {})
    assert len(canonical_form.steps) >= 1
    words = ("is over tiles of", "are exchanged")
    assert all(any(word in step for word in words) for step in canonical_form.steps)
    assert any(words[0] in step for step in canonical_form.steps)
    ((_, loops),) = canonical_form.program.statements
    assert len(loops) == 3
    assert values_of(canonical_form.program.dag()) == values_of(plain.dag(N=8))
    nests = [box_nest(entry, {"N": 8}) for entry in (program, plain)]
    shapes = [[sorted(zip(a.box, strict=True)) for a in nest.assignments] for nest in nests]
    assert shapes[0] == shapes[1]


def test_a_tile_that_holds_several_parts_together_goes():
    text = """void f(double a[16], double b[16], double c[16]) { double s[16];
      for (int t = 0; t < 16; t += 4) {
        for (int i = t; i < t + 4; i++) s[i] = a[i] * 2;
        for (int j = 0; j < 16; j++) for (int i = t; i < t + 4; i++) s[i] += b[j];
        for (int i = t; i < t + 4; i++) c[i] = s[i] + 1;
      }
    }"""
    program = from_c(text)
    canonical_form = canonical(program, {})
    assert canonical_form.steps == ("loop t is over tiles of i", "loops j and i are exchanged")
    assert values_of(canonical_form.program.dag()) == values_of(program.dag())


TIMES = """void f(double a[9], double b[9]) {
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < 8; i++) b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < 8; i++) a[i] = b[i];
  }
}"""


@pytest.mark.parametrize("width", [2, 5, 7])
def test_tiles_of_a_loop_over_time_that_stands_in_no_index_go(width):
    tiles = f"for (int tt = 0; tt < 5; tt += {width})"
    inner = f"for (int t = tt; t < MIN(tt + {width}, 5); t++)"
    tiled = TIMES.replace("for (int t = 0; t < 5; t++)", f"{tiles} {inner}")
    program, plain = from_c(HEAD.partition("void")[0] + tiled), from_c(TIMES)
    assert canonical(program, {}).steps[0] == "loop tt is over tiles of t"
    assert boxes_of(box_nest(program, {})) == boxes_of(box_nest(plain, {}))
    assert values_of(program.dag()) == values_of(plain.dag())


STAYS = {
    "what is read is of the tile before": "for (t = 0; t < 16; t += 4) {"
    " for (i = t; i < t + 4; i++) a[i] = b[i] * 2; for (i = t; i < t + 4; i++) b[i + 4] = a[i]; }",
    "a sum goes over tiles in another order": "for (t = 0; t < 16; t += 4)"
    " for (j = 0; j < 4; j++) for (i = t; i < t + 4; i++) s[0] += a[i] * b[j];",
    "tiles overlap": "for (t = 0; t < 12; t += 3) for (i = t; i < t + 4; i++) a[i] *= 2;",
    "tiles leave gaps": "for (t = 0; t < 12; t += 4) for (i = t; i < t + 3; i++) a[i] *= 2;",
    "something is done for each tile": "for (t = 0; t < 12; t += 4) { s[0] = s[0] * 2;"
    " for (i = t; i < t + 4; i++) a[i] *= s[0]; }",
    "a time loop": "for (t = 0; t < 3; t++) for (i = 1; i < 9; i++) a[i] = a[i - 1] + a[i + 1];",
}


@pytest.mark.parametrize("name", STAYS)
def test_a_loop_that_is_no_tile_stays(name):
    program = from_c(STAYS[name])
    assert not any("is over tiles of" in step for step in canonical(program, {}).steps)


def drawn(rng):
    """A nest with loops over tiles, some of which hold several statements together."""
    tile, count = int(rng.integers(2, 4)), int(rng.integers(1, 4))
    end = tile * count
    width = int(rng.choice([tile, tile, tile, tile + 1]))

    def inner(name):
        return f"for (int {name} = t; {name} < t + {width}; {name}++)"

    def cell(name):
        shift = int(rng.integers(0, 3)) if rng.random() < 0.3 else 1
        return str(rng.choice([f"a[{name} + {shift}]", f"b[{name} + {shift}]", "c[j]", "s[0]"]))

    parts = []
    for _ in range(rng.integers(1, 4)):
        body = f"{cell('i')} = g({cell('i')}, {cell('i')}, {cell('i')});"
        form = int(rng.integers(3))
        loops = [inner("i"), "for (int j = 0; j < 3; j++)"]
        if "j" not in body:
            loops = loops[:1]
        parts.append(" ".join([*(loops if form else reversed(loops)), body]))
    outer = "for (int r = 0; r < 2; r++) " if rng.random() < 0.3 else ""
    return (
        "void f(double a[40], double b[40], double c[3], double s[1]) {"
        f" {outer}for (int t = 0; t < {end}; t += {tile}) {{ {' '.join(parts)} }} }}"
    )


def test_drawn_nests_have_the_dags_of_their_texts():
    used = 0
    for case in range(250):
        text = drawn(np.random.default_rng([9, case]))
        program = from_c(text)
        canonical_form = canonical(program, {})
        used += bool(canonical_form.steps)
        assert values_of(canonical_form.program.dag()) == values_of(program.dag()), text
    assert used > 40
