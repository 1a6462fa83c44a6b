"""Planes of an array as arrays of their own: the DAG is the same but for names."""

import numpy as np

from dags.programs.canonical.planes import planes
from dags.programs.text import from_c
from tests.test_dags.programs.canonical.test_rows import arrays_of

PARITY = """void f(double w[2][6], double x[6][3]) {
  for (int t = 0; t < 3; t++) for (int i = 1; i < 5; i++)
    w[(t + 1) % 2][i] = w[t % 2][i - 1] + w[t % 2][i + 1] + x[i][0] + x[i][2];
}"""


def test_buffers_in_one_array_are_two():
    program = from_c(PARITY)
    result = planes(program)
    assert result.parts == {"w": ("w_0", "w_1")}
    assert result.names(["w", "x"]) == ("w_0", "w_1", "x")
    assert {*result.program.live_by_default()} == {"w_1", "w_0"}
    assert arrays_of(result.program.dag()) == arrays_of(program.dag())


def test_cells_alone_stay_outputs():
    text = "void f(double c[4], double a[9]) { for (int p = 0; p < 9; p++) c[1] += a[p];"
    program = from_c(text + " for (int p = 0; p < 9; p++) c[3] += 2 * a[p]; }")
    result = planes(program)
    assert result.parts == {"c": ("c_1", "c_3")}
    assert arrays_of(result.program.dag()) == arrays_of(program.dag())


def test_an_index_that_is_a_loop_somewhere_makes_no_planes():
    text = "for (i = 0; i < 3; i++) { w[0][i] = 2 * w[1][i]; w[i][3] = 3 * a[i]; }"
    assert not planes(from_c(text)).parts


def test_drawn_nests_have_the_dags_of_their_texts():
    separate = 0
    for case in range(300):
        rng = np.random.default_rng([3, case])

        def cell(rng=rng):
            first = rng.choice(["0", "1", "2", "i"], p=[0.4, 0.3, 0.2, 0.1])
            return f"{rng.choice(list('ab'))}[{first}][{rng.choice(['i', 'j', 'i + j'])}]"

        body = " ".join(f"{cell()} = g({cell()}, {cell()});" for _ in range(3))
        text = f"for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) {{ {body} }}"
        program = from_c(text)
        result = planes(program)
        separate += bool(result.parts)
        assert arrays_of(result.program.dag()) == arrays_of(program.dag()), text
    assert separate > 100
