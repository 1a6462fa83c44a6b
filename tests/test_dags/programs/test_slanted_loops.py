"""Slanted loops: their plays are counted as the referee counts, and fall with M."""

import random

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import judge, min_memory
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.moves import moves
from schedulers.tilings.pieces import array_of
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings

TEXTS = {
    "chain of matrices": (
        """for (int l = 2; l <= N; l++)
          for (int i = 0; i < N-l+1; i++)
            for (int k = i; k < i+l-1; k++)
              m[i][i+l-1] = min(m[i][i+l-1], m[i][k] + m[k+1][i+l-1] + p[i]*p[k+1]*p[i+l]);""",
        ("l+i", "i in steps of -1", "k"),
    ),
    "palindromes": (
        """for (int l = 1; l < N; l++)
          for (int i = 0; i < N-l; i++)
            L[i][i+l] = max(L[i+1][i+l-1] + 2, max(L[i+1][i+l], L[i][i+l-1]));""",
        ("l+i", "i in steps of -1"),
    ),
    "search trees": (
        """for (int l = 1; l < N; l++)
          for (int i = 1; i < N-l; i++)
            for (int r = i; r <= i+l; r++)
              c[i][i+l] = min(c[i][i+l], c[i][r-1] + c[r+1][i+l]) + w[i][i+l];""",
        ("l+i", "i in steps of -1", "r"),
    ),
    "product by diagonals": (
        """for (int i = 0; i < N; i++)
          for (int d = 0; d < N-i; d++)
            for (int k = 0; k <= d; k++)
              C[i][i+d] += A[i][i+k]*B[i+k][i+d];""",
        ("i", "i+d", "i+k"),
    ),
    "rectangle": (
        """for (int i = 0; i < N; i++)
          for (int j = 0; j < N; j++)
            y[i] += x[i+j];""",
        ("i", "j"),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_plays_are_counted_as_the_referee_counts(name):
    text, loops = TEXTS[name]
    program = from_c(text)
    for size in (4, 7, 10):
        nest, dag = box_nest(program, {"N": size}), instantiate(program, {"N": size})
        assert nest.assignments[0].loops == loops
        smallest = min_memory(dag)
        tilings = best_tilings(nest, [smallest + 3, 2 * smallest + 5, 40])
        assert tilings
        for entry in random.Random(name).sample(tilings, min(len(tilings), 8)):
            count = judge(dag, moves(dag, Counts(nest), entry.tiling), entry.moved.words)
            printed = entry.moved.loads, entry.moved.stores
            if all(key == array_of(key) for key in entry.tiling.depths):
                assert (count.loads, count.stores) == printed
            else:  # an item that two accesses hold is told twice
                assert (count.loads <= printed[0], count.stores <= printed[1]) == (True, True)
            assert nest_bound(nest, entry.moved.words).io <= count.io


def test_a_product_by_diagonals_is_tiled():
    nest = box_nest(from_c(TEXTS["product by diagonals"][0]), {"N": 1000})
    tilings = best_tilings(nest, [16_000])
    played = min(entry.io for entry in tilings if entry.moved.words <= 16_000)
    assert played < 2.5 * nest_bound(nest, 16_000).io
