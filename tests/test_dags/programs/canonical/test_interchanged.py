"""Loops in the order of what they write, and loops that follow others: the DAG is the same."""

import numpy as np
import pytest

pytest.importorskip("islpy")

from dags.programs.box_reader import box_nest
from dags.programs.canonical.interchanged import interchanges
from dags.programs.canonical.renamed import same_dag
from dags.programs.canonical.slants import straightened
from dags.programs.text import from_c
from tests.test_dags.programs.canonical.isomorphic import boxes_of, values_of

STAR = "b[i][j] = a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1];"
HEAD = "void f(double a[9][8], double b[9][8]) { "
ORDERS = {
    "a star": (
        f"for (int i = 1; i < 8; i++) for (int j = 1; j < 7; j++) {STAR}",
        f"for (int j = 1; j < 7; j++) for (int i = 7; i > 0; i--) {STAR}",
    ),
    "a triangle": (
        "for (int i = 0; i < 8; i++) for (int j = 0; j <= i; j++) b[i][j] = 2 * a[i][j];",
        "for (int j = 0; j < 8; j++) for (int i = j; i < 8; i++) b[i][j] = 2 * a[i][j];",
    ),
    "a triangle from the other side": (
        "for (int i = 0; i < 8; i++) for (int j = 0; j < 8 - i; j++) b[i][j] = 2 * a[i][j];",
        "for (int j = 0; j < 8; j++) for (int i = 0; i < 8 - j; i++) b[i][j] = 2 * a[i][j];",
    ),
    "a sum": (
        "for (int i = 0; i < 8; i++) for (int k = 0; k < 5; k++) b[i][0] += a[i][k];",
        "for (int k = 0; k < 5; k++) for (int i = 0; i < 8; i++) b[i][0] += a[i][k];",
    ),
    "a window": (
        "for (int i = 0; i < 6; i++) for (int r = 0; r < 3; r++) b[i][0] += a[i + r][r];",
        "for (int i = 0; i < 6; i++) for (int h = i; h < i + 3; h++) b[i][0] += a[h][h - i];",
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_orders_of_loops_are_one_nest(name):
    first, second = (from_c(HEAD + text + " }") for text in ORDERS[name])
    assert boxes_of(box_nest(first, {})) == boxes_of(box_nest(second, {}))


def test_loops_that_may_not_be_exchanged_stay():
    text = "for (t = 0; t < 3; t++) for (i = 1; i < 8; i++) a[i] = a[i - 1] + a[i + 1];"
    program = from_c(text)
    assert not any(
        same_dag(program, interchange.program, interchange.names, None, None)
        for interchange in interchanges(program)
    )


def drawn(rng):
    """Two or three loops, with ends that move with others, and a statement or two."""

    def cell():
        index = ["i", "j", "i + j", "j - i + 6", "k", "i + k", "2"]
        return f"{rng.choice(list('ab'))}[{rng.choice(index)}][{rng.choice(['i', 'j', 'k'])}]"

    bounds = {
        "i": ["0 5", "1 4"],
        "j": ["0 4", "i 5", "0 i+1", "i i+3", "0 5-i", "4-i 5", "i+1 i+2"],
        "k": ["0 3", "j 5", "i i+2", "0 i+j", "j j+3"],
    }
    names = list("ijk")[: int(rng.integers(2, 4))]
    loops = ""
    for name in names:
        low, high = str(rng.choice(bounds[name])).split()
        loops += f"for (int {name} = {low}; {name} < {high}; {name}++) "
    lines = " ".join(f"{cell()} = g({cell()}, {cell()});" for _ in range(1 + (rng.random() < 0.3)))
    k = "" if "k" in names else " int k = 1;"
    return f"void f(double a[20][20], double b[20][20]) {{{k} {loops} {{ {lines} }} }}"


def test_drawn_nests_have_the_dags_of_their_texts():
    used = left = 0
    for case in range(700):
        text = drawn(np.random.default_rng([6, case]))
        program = from_c(text)
        plain = program.dag()
        for change in (*straightened(program), *interchanges(program)):
            own_part = values_of(plain) == values_of(change.program.dag())
            equal = same_dag(program, change.program, change.names, None, None)
            assert own_part or not equal, text
            used += equal
            left += not equal
            if "moves with" in change.shown:
                assert equal, text
    assert used > 300
    assert left > 30
