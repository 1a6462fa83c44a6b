"""Einsum strings become the loops that NumPy's einsum stands for."""

import numpy as np
import pytest

from dags import load
from dags.errors import RedBlueError
from dags.programs.einsum import from_einsum, is_einsum


def values(dag, arrays):
    """What the vertices of a sum of products hold, given the operands."""
    origin = dag.origin
    array = np.empty(dag.n)
    names = [name for name, _ in origin.arrays]
    for vertex in range(dag.n):
        operands = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
        built = int(origin.made_by[vertex])
        if built < 0:
            array[vertex] = arrays[names[-1 - built]][origin.point(vertex)]
            continue
        inputs = [operand for operand in operands if origin.made_by[operand] < 0]
        before = [operand for operand in operands if origin.made_by[operand] >= 0]
        array[vertex] = np.prod(array[inputs]) + array[before].sum()
    return array


@pytest.mark.parametrize(
    "text",
    ["ij,jk->ik", "bij,bjk->bik", "ij,j->i", "i,j->ij", "ijk->j", "ij,ij->", "ijl,jr,lr->ir"],
)
def test_as_numpy(text):
    rng = np.random.default_rng(0)
    sizes = dict(zip("ijklbr", (3, 4, 2, 3, 2, 2), strict=True))
    used = {index: sizes[index] for index in text if index.isalpha()}
    dag = load(f"{text}:" + ",".join(f"{index}={size}" for index, size in used.items()))
    parts = text.partition("->")[0].split(",")
    arrays = {
        name: rng.random(tuple(sizes[index] for index in part))
        for name, part in zip("ABC", parts, strict=False)
    }
    wanted = np.einsum(text, *arrays.values())
    assert np.allclose(np.sort(values(dag, arrays)[dag.outputs]), np.sort(wanted.ravel()))


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("ij,jk->il:i=2,j=2,k=2,l=2", "index l"),
        ("ij->ii:i=2,j=2", "twice"),
        ("ij,jk->ik:i=2,j=2", "k"),
        ("ij,jk->ik:i=2,j=2,k=2,m=3", "m"),
        ("ij->ji:i=2,j=3", "nothing is computed"),
    ],
)
def test_refusals(spec, wrong):
    with pytest.raises(RedBlueError, match=wrong):
        load(spec)


def test_the_string_names_the_program():
    assert is_einsum("ij,jk->ik")
    assert not is_einsum("fft")
    assert not is_einsum("a.c")
    assert from_einsum("ij,jk->ik").dimensions == {"A": 2, "B": 2, "result": 2}
