"""What a program's DAG is, rule by rule, and text that is read as C and Python have it."""

import pickle

import pytest

from dags import CDAG, matmul
from dags.programs.text import from_c, from_python
from tests.test_dags.programs.nest_twin import labelled, twin_of


def dag_of(text, level="statement", **arguments):
    return from_c(text).dag(level=level, **arguments)


def operands(text, level="statement", **arguments):
    return labelled(dag_of(text, level, **arguments))[0]


def test_a_statement_with_an_operation_is_one_vertex():
    assert operands("y = a * b + c * d;", live=["y"]) == {
        **{name: set() for name in "abcd"},
        "S0": {"a", "b", "c", "d"},
    }


def test_at_operation_level_each_operator_call_and_selection_is_one_vertex():
    result = operands("y = f(a * b) < 2 ? -c : a;", "operation", live=["y"])
    assert result == {
        **{name: set() for name in "abc"},
        "S0.0": {"a", "b"},
        "S0.1": {"S0.0"},
        "S0.2": {"c"},
        "S0.3": {"S0.1", "S0.2", "a"},
    }


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("c = c + a * b;", 2),
        ("c += a * b;", 2),
        ("y = a * b + c * d;", 3),
        ("y = -sqrt(a) + 2 * 3;", 3),
        ("y = a < b ? a + 1 : b;", 2),
        ("y = sqrt(2.0) * a;", 1),
    ],
)
def test_the_work_of_a_statement_is_its_operations(text, work):
    dag = dag_of(text, live=[text[0]])
    assert dag.uniform_work == work
    assert dag.work[dag.computed].tolist() == [work]
    assert dag_of(text, "operation", live=[text[0]]).uniform_work == 1


def test_statements_have_works_of_their_own():
    dag = dag_of("for (i = 0; i < 3; i++) { y[i] = a[i] * 2 + 1; s = s + y[i]; }", live=["s"])
    assert dag.uniform_work is None
    assert dag.work[dag.inputs].tolist() == [0] * 4
    assert sorted(dag.work[dag.computed].tolist()) == [1, 1, 1, 2, 2, 2]


def test_a_product_in_c_has_the_work_of_the_family():
    loops = "".join(f"for ({i} = 0; {i} < 5; {i}++) " for i in "ijk")
    dag = dag_of(f"{loops} C[i][j] += A[i][k] * B[k][j];")
    assert dag.work.sum() == matmul(5).work.sum() == 2 * 5**3


def test_copies_make_no_vertex():
    text = "t = a; u = +t; v = (double) u; y = v * 2;"
    assert operands(text, live=["y"]) == {"a": set(), "S3": {"a"}}


def test_values_made_of_constants_are_constants():
    text = "t = 2.0 * c; u = sqrt(t) + N; y = u * a;"
    assert operands(text, live=["y"], constants=["c", "N"]) == {"a": set(), "S2": {"a"}}


def test_cells_of_arrays_made_inside_are_constants_before_they_are_written():
    program = from_python(
        "def f(a, y, n):\n z = np.zeros(n)\n for i in range(n):\n  z[i] += a[i]\n  y[i] = z[i] * 2"
    )
    assert labelled(program.dag(n=1))[0] == {
        "a[0]": set(),
        "S0[i=0]": {"a[0]"},
        "S1[i=0]": {"S0[i=0]"},
    }
    dag = dag_of("void f(double y[2]) { double z[2]; y[0] = z[1] + y[1]; }")
    assert labelled(dag)[0] == {"y[1]": set(), "S0": {"y[1]"}}


def test_arrays_are_cleared_where_they_are_made_again():
    program = from_python(
        "def f(a, y, n):\n for i in range(n):\n  z = np.zeros(2)\n"
        "  y[i] = z[0] + a[i]\n  z[0] = a[i] * 2"
    )
    assert labelled(program.dag(n=2))[0]["S0[i=1]"] == {"a[1]"}


def test_cells_read_before_they_are_written_are_inputs():
    result = operands("for (i = 0; i < 2; i++) A[i][1] = A[1-i][1] * 2;")
    assert result == {"A[1,1]": set(), "S0[i=0]": {"A[1,1]"}, "S0[i=1]": {"S0[i=0]"}}


def test_outputs_are_the_last_values_of_live_arrays_and_never_inputs():
    dag = dag_of("A[0] = x * 2; A[0] = x * 3; A[1] = x; A[2] = 1; B[0] = x * 4;", live=["A"])
    assert labelled(dag) == ({"x": set(), "S1": {"x"}}, {"S1"})


def test_outputs_are_all_arrays_that_are_written_and_not_made_inside():
    program = from_python("def f(A, B, s):\n t = A[0] * 2\n B[0] = t * 2\n C[0] = t * 3")
    assert program.live_by_default() == ("B", "C")
    assert from_python("def f(A):\n t = A[0] * 2\n return t").live_by_default() == ("t",)
    assert from_c("t = A[0] * 2; B[0] = t; C[0] = t * 3;").live_by_default() == ("B", "C")
    text = "double f(double A[1], double B[1]) { double z[1]; z[0] = A[0] * 2; B[0] = z[0]; }"
    assert from_c(text).live_by_default() == ("B",)


def test_an_array_outside_of_the_function_is_an_output():
    text = """double g[10];
    void f(double x[10]) {
      for (int i = 0; i < 10; i++) { g[i] = 2.0 * x[i]; x[i] = x[i] + 1.0; }
    }"""
    dag = from_c(text).dag()
    assert dag.n == 30
    assert len(dag.outputs) == 20
    rotated = from_c(
        "void f(void) { double p, q; for (int i = 0; i < n; i++)"
        " { p = v[0][i]; q = v[1][i]; v[0][i] = -q; v[1][i] = p + q; } }"
    ).dag(n=10)
    assert rotated.n == 40
    assert len(rotated.outputs) == 20


def test_what_no_output_needs_is_left_out():
    result = operands("t = a * 2; u = b * 2; t = c * 2; y = t * d;", live=["y"])
    assert result == {"c": set(), "d": set(), "S2": {"c"}, "S3": {"S2", "d"}}


@pytest.mark.parametrize("level", ["statement", "operation"])
def test_a_selection_reads_its_condition_and_both_branches(level):
    c = dag_of("y = a < b ? c : d;", level, live=["y"])
    python = from_python("def f(a, b, c, d):\n y = c if a < b else d\n return y").dag(level=level)
    name = "S0" if level == "statement" else "S0.0"
    assert labelled(c)[0][name] == {"a", "b", "c", "d"}
    assert labelled(c) == labelled(python)


def test_an_operand_used_twice_is_one():
    assert operands("y = a * a + a;", live=["y"])["S0"] == {"a"}
    result = operands("for (i = 0; i < 1; i++) y[i] = x[i] * x[0] + x[2*i];")
    assert result["S0[i=0]"] == {"x[0]"}


def test_statements_run_in_the_order_of_the_text():
    result = operands("for (i = 0; i < 2; i++) { x[0] = x[0] * a; y[i] = x[0] * 2; }")
    assert result["S1[i=0]"] == {"S0[i=0]"}
    assert result["S1[i=1]"] == {"S0[i=1]"}


def test_points_and_labels():
    text = """
    for (i = 0; i < 4; i++)
      for (j = 3; j > i; j--) {
        A[3][i+j] = B[i][j] * s;
        if (i == 3 - j) C[i][j] = A[3][i+j] + 1;
      }
    """
    dag = dag_of(text, live=["C"])
    origin = dag.origin
    names = list(dag.labels)
    v = names.index("S1[i=0,j=3]")
    assert origin.point(v) == (0, 3)
    assert origin.statement[v] == 1
    assert origin.point(names.index("B[0,3]")) == (0, 3)
    assert origin.statement[names.index("B[0,3]")] == -1
    assert origin.point(names.index("s")) == ()
    assert dag.name(v) == f"{v} ('S1[i=0,j=3]')"
    with pytest.raises(ValueError, match="read-only"):
        origin.statement[0] = 3


def test_origin_is_kept_by_pickle_and_does_not_count():
    dag = dag_of("for (i = 0; i < 3; i++) y[i] = x[i] * 2;")
    record = pickle.loads(pickle.dumps(dag))
    assert record == dag
    assert record.labels == dag.labels
    assert record.origin.point(1) == dag.origin.point(1)
    assert not record.origin.points.flags.writeable
    bare = CDAG(dag.pred_indptr, dag.pred_indices, work=1)
    assert bare == dag
    assert hash(bare) == hash(dag)
    assert bare.labels is None


# Text that a reader could easily take for something else: what it must mean.
SAME = {
    "continued comment": ("// x = a * 3; \\\n x = a * 4;\n x = a * b;", "x = a * b;"),
    "DOS lines": ("#define S(u) \\\r\n a * u\r\nx = S(b);\r\n", "x = a * b;"),
    "comment in a text": ('#define T "/*"\nx = a * b; /* x = a; */', "x = a * b;"),
    "#if 0": ("#if 0\nx = a * 3;\n#else\nx = a * b;\n#endif", "x = a * b;"),
    "#ifdef": ("#ifdef M\nx = a;\n#elif 1\nx = a * b;\n#else\nx = b;\n#endif", "x = a * b;"),
    "nested #if": ("#if 0\n#if WHAT\nx = a;\n#endif\n#endif\nx = a * b;", "x = a * b;"),
    "guard": ("#ifndef H\n#define H\nx = a * b;\n#endif", "x = a * b;"),
    "bare macro": ("#define SUM(u, v) u + v\nx = a * SUM(b, c);", "x = a * b + c;"),
    "bare index": ("#define I(u) u + 1\nx = y[2*I(1)] * b;", "x = y[3] * b;"),
    "closed index": ("#define I(u) ((u) + 1)\nx = y[2*I(1)] * b;", "x = y[4] * b;"),
    "cell macro": ("#define Y(u) y[u]\n#define Z(u) Y(u)\nx = Z(2) * b;", "x = y[2] * b;"),
    "unused parameter": ("#define F(u, v) ((u) * 2)\nx = F(a, b);", "x = a * 2;"),
    "macro in itself": ("#define H(u) u * 0.5\nx = H(H(a)) + b;", "x = a * 0.5 * 0.5 + b;"),
    "number macro": ("#define E 1.5\n#define K 3\nx = E * a * K + b;", "x = 1.5 * a * 3 + b;"),
    "octal": ("x = y[010] * a;", "x = y[8] * a;"),
    "hexadecimal": ("x = y[0xFu] * a;", "x = y[15] * a;"),
    "macro size": (
        "#define N 0x2\nfor (i = 0; i < N; i++) x = x * y[i];",
        "x = x*y[0]; x = x*y[1];",
    ),
    "chain": ("x = t = a * b;", "t = a * b; x = t;"),
    "empty loop body": ("for (i = 0; i < 3; i++); x = a * b;", "x = a * b;"),
    "else": ("if (2 < 1) x = a; else if (1 < 2) x = a * b; else x = b;", "x = a * b;"),
    "dangling else": ("x = a * b; if (1 < 0) if (1 < 0) x = a; else x = b;", "x = a * b;"),
    "not": ("if (!(1 < 0 || 2 < 1) && !(1 == 2)) x = a * b;", "x = a * b;"),
    "shared name": ("{ int m = 1; x = y[m] * a; }", "x = y[1] * a;"),
    "own bound": ("n = 2; for (i = 0; i < n; i++) x = x * y[i];", "x = x*y[0]; x = x*y[1];"),
    "two stops": (
        "for (i = 0; i < 9 && 1 >= i; i++) x = x * y[i];",
        "x = x*y[0]; x = x*y[1];",
    ),
    "stop included": ("for (i = 3; i >= 0; i -= 3) x = x * y[i];", "x = x*y[3]; x = x*y[0];"),
    "added negative": ("for (i = 3; i > -1; i += -3) x = x * y[i];", "x = x*y[3]; x = x*y[0];"),
    "i = i + 2": ("for (i = 0; 3 > i; i = i + 2) x = x * y[i];", "x = x*y[0]; x = x*y[2];"),
    "integer before its loop": (
        "int i = 7; for (i = 0; i < 1; i++) x = x * y[i];",
        "x = x * y[0];",
    ),
    "casts": ("x = (double) a * (const float) b;", "x = a * b;"),
    "precedence": ("x = a - b * -c / d - 2;", "t = b * (-c); t = t / d; x = (a - t) - 2;"),
}


def nameless(dag):
    operands_, outputs = labelled(dag)
    values = {}

    def value(label):
        if label not in values:
            inner = sorted(map(value, operands_[label]))
            values[label] = label if not operands_[label] else f"({' '.join(inner)})"
        return values[label]

    return sorted(map(value, operands_)), sorted(map(value, outputs))


@pytest.mark.parametrize("name", SAME)
def test_c_text_is_read_as_c_has_it(name):
    first, second = (dag_of(text, "operation", live=["x"]) for text in SAME[name])
    assert nameless(first) == nameless(second)


SAME_IN_PYTHON = {
    "default arguments": (
        "def f(x, y, n=2):\n for i in range(n):\n  x[0] *= y[i]",
        "x[0] *= y[0]; x[0] *= y[1];",
    ),
    "chained comparison": (
        "def f(x, y):\n for i in range(9):\n  if 1 <= i < 3 != i + 1:\n   x[0] *= y[i]",
        "x[0] *= y[1];",
    ),
    "bounds of a slice": (
        "def f(x, y):\n for i in range(max(1, -2), min(9, 3, 5)):\n  x[0] *= y[i]",
        "x[0] *= y[1]; x[0] *= y[2];",
    ),
    "negative step": (
        "def f(x, y):\n for i in range(3, 0, -2):\n  x[0] *= y[i]",
        "x[0] *= y[3]; x[0] *= y[1];",
    ),
    "a bound that changes": (
        "def f(x, y):\n m = 2\n for i in range(m):\n  x[0] *= y[i]",
        "x[0] *= y[0]; x[0] *= y[1];",
    ),
    "one value for two": ("def f(x, y):\n x[0] = x[1] = y[0] * 2", "x[0] = y[0] * 2; x[1] = x[0];"),
    "constants of modules": ("def f(x, y):\n x[0] = math.pi * y[0] + np.e", "x[0] = 3 * y[0] + 2;"),
    "update": ("def f(x, y):\n x[0] -= y[0] + 1", "x[0] = x[0] - (y[0] + 1);"),
    "a parameter that is named anew": (
        "def f(x, y, n=3):\n n = n - 1\n for i in range(n):\n  x[0] *= y[i]",
        "x[0] *= y[0]; x[0] *= y[1];",
    ),
}


@pytest.mark.parametrize("name", SAME_IN_PYTHON)
def test_python_text_is_read_as_python_has_it(name):
    text, plain = SAME_IN_PYTHON[name]
    first = from_python(text).dag(level="operation", live=["x"])
    assert nameless(first) == nameless(dag_of(plain, "operation", live=["x"]))


def test_sizes_that_the_text_defines_may_be_given():
    program = from_c("#define N 3\nfor (i = 0; i < N; i++) x[i] *= 2;")
    assert program.dag().outputs.size == 3
    assert program.dag(N=5).outputs.size == 5


def test_only_the_first_scop_counts():
    text = "int main() { x = a * 2;\n#pragma scop\nx[0] = b * 2;\n#pragma endscop\n x[0] = c * 2; }"
    assert labelled(from_c(text).dag())[0] == {"b": set(), "S0": {"b"}}


def test_extents_of_one_function_are_not_those_of_another():
    text = (
        "void f(double A[2]) { A[1] *= 2; }\n"
        "void g(double A[9]);\nvoid g(double A[9]) { A[8] *= 2; }"
    )
    assert labelled(from_c(text, "g").dag())[1] == {"S0"}
    assert labelled(from_c(text, "f").dag())[1] == {"S0"}


def test_the_twin_agrees_on_conditions_and_steps():
    text = """
    for (i = 6; i >= -2; i -= 2)
      for (j = 0; j < 7 && j <= i + 3; j += 3) {
        if (i == j || i != 4 && j > 1) y[i+2] = y[i+2] + x[j] * s;
        else s = x[j] * x[i+2];
      }
    """
    program = from_c(text)
    for level in ("statement", "operation"):
        assert labelled(program.dag(level=level)) == twin_of(program, {}, level)


def test_a_parameter_that_becomes_another_value_is_no_output_unless_it_is_returned():
    text = "def f(x, a, n):\n a = a * a\n for i in range(n):\n  x[i] = x[i] * a\n"
    assert from_python(text).live_by_default() == ("x",)
    assert from_python(text + " return a\n").live_by_default() == ("a", "x")
