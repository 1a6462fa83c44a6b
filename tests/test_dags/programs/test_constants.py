"""Literals, comparisons, conversions and macros: what code needs and a DAG does not."""

import pytest

from dags.programs.affine import variable
from dags.programs.fixed import with_sizes
from dags.programs.nest import Clear, Constant, Operation
from dags.programs.text import from_c, from_python


def first(program):
    return program.statements[0][0].expression


def test_a_literal_keeps_its_value():
    added = first(from_c("x[0] = y[0] + 0.2;"))
    assert added.operands[1] == Constant(0.2)


def test_a_literal_of_single_precision_is_one():
    added = first(from_c("x[0] = y[0] + 0.5f;"))
    assert added.operands[1] == Constant(Operation("float", (Constant(0.5),)))


def test_constants_keep_how_they_are_computed():
    value = first(from_c("for (i = 0; i < n; i++) x[i] = 1.0 / (double)i;")).value
    assert value.name == "Div"
    assert value.operands[1] == Constant(Operation("double", (Constant(variable("i")),)))


def test_sizes_in_constants_get_values():
    program = with_sizes(from_c("for (i = 0; i < n; i++) x[i] = y[i] * n;"), {"n": 7})
    assert "7" in str(first(program).operands[1].value)


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons_keep_their_sign(sign):
    for text in (f"x[0] = a[0] {sign} b[0];", f"x[0] = a[0] {sign} b[0] ? 1 : c[0];"):
        assert first(from_c(text)).signs == (sign,)


def test_macros_keep_what_they_stand_for():
    result = first(from_c("#define top(a, b) ((a) > (b) ? (a) : (b))\nx[0] = top(y[0], z[0]);"))
    assert result.name == "top"
    assert result.meaning.signs == (">",)


def test_types_and_conversions_are_noted():
    program = from_c("void f(int n, float *x, double y[n]) {\n x[0] = (int)y[0];\n}")
    assert program.types == {"n": "int", "x": "float", "y": "double"}
    assert program.conversions == ((2, "int"),)


def test_arrays_made_in_python_keep_what_they_are_filled_with():
    text = "def f(n):\n a = np.ones(n)\n b = np.full(n, 2.5)\n a[0] += b[0]\n return a"
    built = [entry.value for entry in from_python(text).body if isinstance(entry, Clear)]
    assert built == [Constant(1), Constant(2.5)]
