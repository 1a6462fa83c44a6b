"""Fourier transforms are drawn and named as textbooks do."""

import numpy as np
import pytest

from dags import fft
from redblue.show.player.layout import layout_of
from redblue.show.player.names import names_of


def operands(dag, vertex):
    return dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]].tolist()


@pytest.mark.parametrize(("n", "radix"), [(2, 2), (8, 2), (16, 2), (9, 3), (16, 4)])
def test_a_fourier_transform_is_the_butterfly_of_textbooks(n, radix):
    dag = fft(n, radix=radix)
    names, layout = names_of(dag), layout_of(dag)
    depth = dag.n // n - 1
    assert not layout.downward
    for vertex, (x, y) in enumerate(layout.places):
        level, row = divmod(vertex, n)
        assert y == layout.places[row][1]  # rows are not permuted
        assert x == layout.places[level * n][0]
    assert names[-n:] == tuple(f"y{i}" for i in range(n))
    assert {*names[:n]} == {f"x{i}" for i in range(n)}
    assert len({*names}) == dag.n
    assert not any(name.isdecimal() for name in names)
    # the values that meet first are those whose numbers differ in the leading digit
    for vertex in range(n, 2 * n) if depth else ():
        first, *remaining = (int(names[u][1:]) for u in operands(dag, vertex))
        assert [second - first for second in remaining] == [n // radix * i for i in range(1, radix)]


@pytest.mark.parametrize(("n", "radix"), [(8, 2), (9, 3)])
def test_the_names_of_a_transform_are_those_of_its_values(n, radix):
    """A transform by these butterflies of inputs in the order of their names is that of NumPy."""
    dag = fft(n, radix=radix)
    inputs = np.random.default_rng(0).standard_normal(n)
    row = np.array([inputs[int(name[1:])] for name in names_of(dag)[:n]], complex)
    for level in range(1, dag.n // n):
        stride = radix ** (level - 1)
        new = np.zeros(n, complex)
        for i in range(n):
            block = i % (radix * stride)
            for digit, vertex in enumerate(operands(dag, level * n + i)):
                twiddle = np.exp(-2j * np.pi * digit * block / (radix * stride))
                new[i] += twiddle * row[vertex - (level - 1) * n]
        row = new
    np.testing.assert_allclose(row, np.fft.fft(inputs), atol=1e-9)
