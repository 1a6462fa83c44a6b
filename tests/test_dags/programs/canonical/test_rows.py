"""Rows of flat arrays: the DAG of the text, and the nest of the text with rows."""

import numpy as np
import pytest

from dags.programs.box_reader import box_nest
from dags.programs.canonical import canonical
from dags.programs.canonical.rows import rows
from dags.programs.text import from_c

FLAT = """
void f(double *a, double *b) {
  for (int i = 1; i < 7; i++)
    for (int j = 1; j < 9; j++)
      b[10*i + j] = a[10*i + j] + a[10*(i - 1) + j] + a[10*i + j + 1];
}
"""
PLAIN = """
void f(double a[8][10], double b[8][10]) {
  for (int i = 1; i < 7; i++)
    for (int j = 1; j < 9; j++)
      b[i][j] = a[i][j] + a[i - 1][j] + a[i][j + 1];
}
"""


def arrays_of(dag):
    return dag.pred_indptr.tolist(), dag.pred_indices.tolist(), dag.outputs.tolist()


def test_a_flat_array_has_rows_again():
    plain, result = rows(from_c(FLAT))
    assert [(entry.array, entry.sides) for entry in result] == [("a", (10,)), ("b", (10,))]
    assert str(plain.statements[0][0].target) == "b[i,j]"
    assert box_nest(from_c(FLAT), {}).assignments == box_nest(from_c(PLAIN), {}).assignments


DIAGONALS = {
    "a diagonal": ("a[21*i]", "a[i][i]", "a[20*i + j]", "a[i][j]"),
    "the other diagonal": ("a[19*i + 19]", "a[i][19 - i]", "a[20*i + j]", "a[i][j]"),
}


@pytest.mark.parametrize("name", DIAGONALS)
def test_a_diagonal_of_a_flat_array_is_one(name):
    first, plain, cell, second = DIAGONALS[name]
    text = "void f(double *b, double {}) {{ for (int i = 0; i < 20; i++) {{ b[i] += {};"
    text += " for (int j = 0; j < 20; j++) b[i] += {}; }} }}"
    flat = from_c(text.format("*a", first, cell))
    rows_ = from_c(text.format("a[20][20]", plain, second))
    assert box_nest(flat, {}).assignments == box_nest(rows_, {}).assignments


STAYS = [
    "for (i = 0; i < 6; i++) for (j = 0; j < 11; j++) b[10*i + j] = 2 * a[10*i + j];",
    "for (i = 0; i < 6; i++) for (j = 0; j < 3; j++) b[2*i + j] = 2 * a[2*i + j];",
    "for (i = 0; i < 6; i++) for (j = 0; j < 6; j++) b[i + j] = 2 * a[i - j + 5];",
    "for (i = 0; i < 6; i++) for (j = 0; j < 5; j++) b[10*i + 7*j] = 2 * a[10*i + 7*j];",
]


@pytest.mark.parametrize("text", STAYS)
def test_rows_that_run_into_each_other_are_none(text):
    program = from_c(text)
    assert canonical(program, {}).program is program


def test_a_row_of_one_loop_may_be_another_row_of_the_next():
    text = """
    for (i = 0; i < 3; i++) for (j = 0; j < 10; j++) b[i] += a[10*i + j];
    for (i = 0; i < 3; i++) for (j = 10; j < 20; j++) c[i] += a[10*i + j];
    """
    plain, result = rows(from_c(text))
    assert [(entry.array, entry.sides) for entry in result] == [("a", (10,))]
    assert [str(entry.expression.operands[1]) for entry, _ in plain.statements] == [
        "a[i,j]",
        "a[i+1,j-10]",
    ]
    assert arrays_of(plain.dag()) == arrays_of(from_c(text).dag())


def drawn(rng):
    """A nest of flat arrays: rows that are long enough, or now and then too short."""
    names = "ijkl"[: rng.integers(1, 4)]
    low = {name: int(rng.integers(-1, 3)) for name in names}
    count = {name: int(rng.integers(1, 5)) for name in names}
    lines, indent = [], ""
    for name in names:
        start = f"{low[name]}"
        stop = f"{low[name] + count[name]}"
        if name != names[0] and rng.random() < 0.2:
            start, stop = names[0], f"{names[0]} + {count[name]}"
        step = int(rng.integers(1, 3))
        lines.append(f"{indent}for (int {name} = {start}; {name} < {stop}; {name} += {step})")
        indent += " "
    sides = [int(rng.integers(3, 12)) for _ in range(2)]
    factors = {
        name: int(rng.choice([0, 1, 1, sides[0], sides[0], sides[0] * sides[1], -1]))
        for name in names
    }

    def cell(array):
        chosen = [f"{factor}*{name}" for name, factor in factors.items() if rng.random() < 0.8]
        shift = int(rng.integers(-2, 3)) + sides[0] * int(rng.integers(-1, 2))
        return f"{array}[{' + '.join([*chosen, str(shift + 400)])}]"

    body = " ".join(
        f"{cell(rng.choice(list('abc')))} = g({cell('a')}, {cell('b')}, {cell('c')});"
        for _ in range(rng.integers(1, 3))
    )
    return "\n".join([*lines, f"{indent}{{ {body} }}"])


def test_drawn_nests_have_the_dags_of_their_texts():
    split = 0
    for case in range(500):
        text = drawn(np.random.default_rng([5, case]))
        program = from_c(text)
        plain, result = rows(program)
        split += bool(result)
        assert arrays_of(plain.dag()) == arrays_of(program.dag()), text
    assert split > 100
