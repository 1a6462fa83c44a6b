"""Plays of factorizations by tiles of bands: judged by the referee, and near bounds at size."""

import random

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from benchmarks.polybench_sizes import LARGE
from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from pebble import judge
from proofs.bounds.loops.nests import nest_bound
from schedulers.tilings.bands import Bands, bands_of
from schedulers.tilings.chains import in_place
from schedulers.tilings.legality import is_legal
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings

RIGHT_LOOKING = """void f(int N, double A[N][N]) {
  for (int k = 0; k < N; k++) {
    for (int i = k + 1; i < N; i++) A[i][k] /= A[k][k];
    for (int i = k + 1; i < N; i++) for (int j = k + 1; j < N; j++)
      A[i][j] -= A[i][k] * A[k][j]; } }"""
SOLVE = """void f(int N, int M, double L[N][N], double B[N][M]) {
  for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) {
    for (int k = 0; k < i; k++) B[i][j] -= L[i][k] * B[k][j];
    B[i][j] /= L[i][i]; } }"""
PROGRAMS = {name: polybench(name) for name in ("lu", "cholesky", "symm", "gramschmidt")}
PROGRAMS |= {"right looking": from_c(RIGHT_LOOKING), "solve": from_c(SOLVE)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_tiles_of_bands_move_no_more_than_is_told(name):
    rng, program = random.Random(name), PROGRAMS[name]
    legal = 0
    for _ in range(3):
        sizes = {size: rng.randint(4, 9) for size in program.sizes}
        nest, dag = box_nest(program, sizes, as_written=True), instantiate(program, sizes)
        search = Bands(nest)
        orders = list(search.orders())
        assert orders
        for order in rng.sample(orders, min(6, len(orders))):
            sides = tuple(rng.randint(1, 4) for _ in order.tiled)
            result = search.evaluated(order, sides)
            legal += bool(result)
            for play in rng.sample(result, min(4, len(result))):
                assert is_legal(nest, play.tiling.paths)
                count = judge(dag, moves(dag, Counts(nest), play.tiling), play.moved.words)
                assert count.loads <= play.moved.loads
                assert count.stores <= play.moved.stores
    assert legal > 8


def test_the_bands_of_a_factorization_are_its_rows_columns_and_steps():
    nest = box_nest(PROGRAMS["lu"], {"N": 9})
    assert {(0, 0, 0), (1, 1, 1), (2, 1, 2)} <= {*bands_of(nest)}


def test_updates_of_an_entry_are_one_item():
    nest = box_nest(PROGRAMS["lu"], {"N": 9})
    before, after = nest.assignments[-1], in_place(nest).assignments[-1]
    assert not before.sums
    assert after.sums
    assert after.item.rows == ((1, 0, 0), (0, 1, 0))
    assert after.item.array in {read.array for read in after.reads}


@pytest.mark.parametrize("name", ["lu", "cholesky", "symm", "ludcmp"])
def test_factorizations_at_size_move_a_few_times_what_is_proved(name):
    sizes = {size: int(value) for size, value in (x.split("=") for x in LARGE[name].split(","))}
    nest = box_nest(polybench(name), sizes)
    tilings = best_tilings(nest, [4096], seconds=8)
    io = min(entry.io for entry in tilings if entry.moved.words <= 4096)
    assert nest_bound(nest, 4096).io <= io < 3.5 * nest_bound(nest, 4096).io
