"""Loops that run down and arrays that are read from their ends: the DAG is the same."""

import numpy as np
import pytest

pytest.importorskip("islpy")

from dags.programs.box_reader import box_nest
from dags.programs.canonical.mirrors import mirrored
from dags.programs.text import from_c
from tests.test_dags.programs.canonical.isomorphic import boxes_of
from tests.test_dags.programs.canonical.test_rows import arrays_of

STAR = "{{ {loops} a[i][j] = (a[i][j] + a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) / 5; }}"
HEAD = "void f(double a[9][8]) "
UP = "for (int t = 0; t < 3; t++) for (int i = 1; i < 8; i++) for (int j = 1; j < 7; j++)"
DOWN = "for (int t = 0; t < 3; t++) for (int i = 7; i > 0; i--) for (int j = 6; j >= 1; j--)"


def test_a_sweep_in_place_from_the_other_end_is_the_sweep():
    up, down = (from_c(HEAD + STAR.format(loops=loops)) for loops in (UP, DOWN))
    result, steps, _ = mirrored(down)
    assert len(steps) == 3
    assert arrays_of(result.dag()) == arrays_of(down.dag())
    assert boxes_of(box_nest(down, {})) == boxes_of(box_nest(up, {}))


STAYS = {
    "upwards": "for (i = 0; i < 5; i++) b[i] = a[i] * 2;",
    "one index rises": "for (i = 0; i < 5; i++) b[5 - i] = b[i] * 2;",
    "a number": "for (i = 0; i < 5; i++) b[3] = b[4] * a[i];",
}


@pytest.mark.parametrize("name", STAYS)
def test_what_rises_stays(name):
    program = from_c(STAYS[name])
    assert mirrored(program) == (program, (), {})


def drawn(rng):
    """Loops that run up and down, with indices that rise and fall."""

    def cell():
        index = rng.choice(["i", "j", "5 - i", "6 - j", "i + j", "i - j + 4", "9 - i - j", "3"])
        return f"{rng.choice(list('ab'))}[{index}]"

    loops = {
        "i": ["i = 0; i < 5; i++", "i = 4; i >= 0; i--", "i = 4; i > 1; i--"],
        "j": ["j = 0; j < 4; j++", "j = 3; j >= 0; j--", "j = i; j >= 0; j--", "j = 3; j > i; j--"],
    }
    head = " ".join(f"for (int {rng.choice(ways)})" for ways in loops.values())
    body = " ".join(f"{cell()} = g({cell()}, {cell()});" for _ in range(rng.integers(1, 4)))
    return f"void f(double a[10], double b[10]) {{ {head} {{ {body} }} }}"


def test_drawn_nests_have_the_dags_of_their_texts():
    turned = 0
    for case in range(1500):
        text = drawn(np.random.default_rng([5, case]))
        program = from_c(text)
        result, steps, _ = mirrored(program)
        turned += bool(steps)
        assert (
            not any(loop.step == -1 for _, loops in result.statements for loop in loops)
            or not program.dag().n
        ), text
        assert arrays_of(result.dag()) == arrays_of(program.dag()), text
    assert turned > 700
