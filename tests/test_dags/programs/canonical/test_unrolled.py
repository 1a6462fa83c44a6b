"""Loops that are unrolled by hand: rolled up again, the DAG is that of the text."""

import numpy as np
import pytest

pytest.importorskip("islpy")

from dags.programs import ProgramError
from dags.programs.box_reader import box_nest
from dags.programs.canonical import canonical
from dags.programs.nest import references
from dags.programs.text import from_c
from dags.programs.text.library import KERNELS, polybench
from tests.test_dags.programs.canonical.isomorphic import boxes_of, shape_of, values_of
from tests.test_dags.programs.canonical.test_rows import arrays_of

PRODUCT = "void f(double A[8][8], double B[8][8], double C[8][8]) { "
UNROLLED = {
    "the sums of a scalar, and a rest": "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) {"
    " double s = C[i][j]; int k = 0; for (; k < 8 - 2; k += 3) { s += A[i][k] * B[k][j];"
    " s += A[i][k + 1] * B[k + 1][j]; s += A[i][k + 2] * B[k + 2][j]; }"
    " for (; k < 8; k++) s += A[i][k] * B[k][j]; C[i][j] = s; }",
    "a rest of one": "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) {"
    " for (int k = 0; k < 7; k++) C[i][j] += A[i][k] * B[k][j]; C[i][j] += A[i][7] * B[7][j]; }",
    "two rows at once": "for (int i = 0; i < 8; i += 2) for (int j = 7; j >= 0; j--) {"
    " double up = C[i][j], down = C[i + 1][j]; for (int k = 0; k < 8; k++) {"
    " up += A[i][k] * B[k][j]; down += A[i + 1][k] * B[k][j]; }"
    " C[i][j] = up; C[i + 1][j] = down; }",
    "blocks of two by two": "for (int i = 0; i < 8; i += 2) for (int j = 0; j < 8; j += 2)"
    " for (int k = 0; k < 8; k++) { C[i][j] += A[i][k] * B[k][j];"
    " C[i][j + 1] += A[i][k] * B[k][j + 1]; C[i + 1][j] += A[i + 1][k] * B[k][j];"
    " C[i + 1][j + 1] += A[i + 1][k] * B[k][j + 1]; }",
    "tiled and unrolled": "for (int t = 0; t < 8; t += 4) for (int i = 0; i < 8; i++)"
    " for (int j = t; j < t + 4; j += 2) for (int k = 0; k < 8; k++) {"
    " C[i][j] += A[i][k] * B[k][j]; C[i][j + 1] += A[i][k] * B[k][j + 1]; }",
}


@pytest.mark.parametrize("name", UNROLLED)
def test_an_unrolled_text_is_the_plain_one(name):
    program = from_c(PRODUCT + UNROLLED[name] + " }")
    canonical_form = canonical(program, {})
    assert canonical_form.steps
    sums = [loops for assign, loops in canonical_form.program.statements if "A[i,k]" in str(assign)]
    deep = [loops for _, loops in canonical_form.program.statements if len(loops) == 3]
    assert len(deep) == 1
    assert [
        len(range(loop.start[0].constant, loop.stop[0].constant, loop.step)) for loop in deep[0]
    ] == [8, 8, 8]
    assert not sums
    assert values_of(canonical_form.program.dag()) == values_of(program.dag())


TERMS = """void f(double A[8][8], double B[8][8], double C[8][8]) {
  for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) for (int k = 0; k < 8; k += 2)
    C[i][j] += A[i][k] * B[k][j] + A[i][k + 1] * B[k + 1][j];
}"""


def test_loops_run_up_where_they_may():
    text = "void f(double a[9], double b[9]) {{ for (int i = 7; i > 0; i--) {} }}"
    program = from_c(text.format("b[i] = a[i] + a[i - 1];"))
    assert canonical(program, {}).steps == ("loop i may run upwards",)
    assert values_of(canonical(program, {}).program.dag()) == values_of(program.dag())
    for body in ("a[i] = a[i] + a[i - 1];", "a[i] = a[i + 1] * b[i];", "b[0] += a[i];"):
        assert not any("may run" in step for step in canonical(from_c(text.format(body)), {}).steps)


def test_what_is_read_in_steps_lies_in_planes():
    program = from_c(TERMS)
    canonical_form = canonical(program, {})
    assert [step.partition(":")[0] for step in canonical_form.steps] == [
        "A is read in steps",
        "B is read in steps",
    ]
    ((assign, loops),) = canonical_form.program.statements
    assert [str(reference) for reference in references(assign.expression)] == [
        *("C[i,j]", "A_0[i,k]", "B_0[k,j]", "A_1[i,k]", "B_1[k,j]"),
    ]
    assert [loop.step for loop in loops] == [1, 1, 1]
    assert arrays_of(canonical_form.program.dag()) == arrays_of(program.dag())


STAYS = {
    "classes that are not alike": "for (i = 0; i < 8; i += 2) {"
    " b[i] = 2 * a[i]; b[i + 1] = a[i + 1] * a[i]; }",
    "a class that reads the one before": "for (i = 0; i < 8; i += 2) {"
    " b[i] = a[i] * s[0]; s[0] = b[i] * 2; b[i + 1] = a[i + 1] * s[0]; }",
    "another order of the sum": "for (i = 0; i < 8; i += 2) { s[0] += a[i + 1]; s[0] += a[i]; }",
    "a gap": "for (i = 0; i < 4; i++) s[0] += a[i]; for (i = 5; i < 8; i++) s[0] += a[i];",
}


def test_a_rest_behind_a_sum_in_a_scalar_joins_it():
    text = """void f(double C[4], double X[4][5]) { for (int i = 0; i < 4; i++) {
      double total = C[i];
      for (int l = 0; l < 4; l += 2) { total += X[i][l]; total += X[i][l + 1]; }
      C[i] = total;
      for (int l = 4; l < 5; l++) C[i] += X[i][l]; } }"""
    plain = "for (int i = 0; i < 4; i++) for (int l = 0; l < 5; l++) C[i] += X[i][l]; }"
    program = from_c(text)
    joined = from_c(text.partition("{")[0] + "{" + plain)
    assert boxes_of(box_nest(program, {})) == boxes_of(box_nest(joined, {}))
    assert shape_of(program.dag()) == shape_of(joined.dag())


@pytest.mark.parametrize("name", STAYS)
def test_what_is_no_unrolled_loop_stays(name):
    steps = canonical(from_c(STAYS[name]), {}).steps
    assert not any("unrolled" in step or "joined" in step for step in steps)


TAPS = """void f(double x[8][10], double w[3], double y[8][8]) {
  for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) { double s = 0;
    s += w[0] * x[i][j]; s += w[1] * x[i][j + 1]; s += w[2] * x[i][j + 2]; y[i][j] = s; }
}"""


def test_statements_without_a_loop_are_one():
    program = from_c(TAPS)
    canonical_form = canonical(program, {})
    assert "3 statements in line 3 are a loop" in canonical_form.steps
    assert values_of(canonical_form.program.dag()) == values_of(program.dag())
    assert sorted(len(loops) for _, loops in canonical_form.program.statements) == [2, 3]


@pytest.mark.parametrize(
    "change", [("w[1]", "w[0]"), ("j + 2", "j + 3"), ("s += w[2]", "s -= w[2]")]
)
def test_statements_that_are_not_alike_stay(change):
    steps = canonical(from_c(TAPS.replace(*change).replace("[10]", "[11]")), {}).steps
    assert not any("are a loop" in step for step in steps)


def test_programs_of_the_library_are_not_rolled_up():
    for name in KERNELS:
        program = polybench(name)
        sizes = dict.fromkeys(program.sizes, 13)
        steps = canonical(program, sizes).steps
        assert not any("unrolled" in step or "tiles" in step for step in steps), name


def drawn(rng):
    """A nest whose loop is unrolled, now and then with a class that is another one."""
    classes, count = int(rng.integers(2, 4)), int(rng.integers(1, 4))
    arrays = list("abc")

    def cell():
        shift = int(rng.integers(-1, 2))
        return str(
            rng.choice(
                [f"{rng.choice(arrays)}[I + {shift + 2}]", f"{rng.choice(arrays)}[j]", "t", "s[0]"],
                p=[0.6, 0.1, 0.15, 0.15],
            )
        )

    inner = "for (int j = 0; j < 2; j++) { " if rng.random() < 0.4 else "{ int j = 1; "
    body = [f"{cell()} = g({cell()}, {cell()});" for _ in range(rng.integers(1, 4))]
    parts = []
    for place in range(classes):
        own_values = [
            line.replace("I", f"i + {place}").replace("t =", f"t{place} =") for line in body
        ]
        own_values = [
            line.replace("(t", f"(t{place}").replace(", t", f", t{place}") for line in own_values
        ]
        if rng.random() < 0.1:
            own_values = [line.replace("a[", "b[") for line in own_values]
        parts.append(own_values)
    if rng.random() < 0.5:
        lines = [line for lines_of_turn in zip(*parts, strict=True) for line in lines_of_turn]
    else:
        lines = [line for part in parts for line in part]
    end = classes * count
    remaining = " ".join(line.replace("I", str(end)).replace("t", "t0") for line in body)
    remaining = remaining if rng.random() < 0.3 else ""
    return (
        "void f(double a[40], double b[40], double c[40], double s[1]) { double t0, t1, t2;"
        f" for (int i = 0; i < {end}; i += {classes}) {inner}{' '.join(lines)} }}"
        f" {{ int j = 1; {remaining} }} }}"
    )


def test_drawn_nests_have_the_dags_of_their_texts():
    used = 0
    for case in range(250):
        text = drawn(np.random.default_rng([21, case]))
        program = from_c(text)
        try:
            expected = program.dag()
        except ProgramError as error:  # no output is computed
            if "nothing is computed" not in str(error):
                raise
            continue
        canonical_form = canonical(program, {})
        used += any("unrolled" in step for step in canonical_form.steps)
        assert shape_of(canonical_form.program.dag()) == shape_of(expected), text
        if not any(
            "in steps" in step for step in canonical_form.steps
        ):  # else inputs have other names
            assert values_of(canonical_form.program.dag()) == values_of(expected), text
    assert used > 60


def test_loops_that_run_nothing_stay_as_they_are():
    assert not box_nest(polybench("seidel-2d"), {"N": 2, "TSTEPS": 1}).assignments
