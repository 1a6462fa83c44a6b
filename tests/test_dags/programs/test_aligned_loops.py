"""Loops that are moved on: the same items, readers at or after what they read, fused plays."""

import pytest

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.touched import points, touched
from pebble import judge, min_memory
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings

FILTERS = """
void filters(int H, int N, int R, double x[H+2*R][N], double w[R], double v[R], double y[H][N]) {
  double t[H+R][N];
  for (int i = 0; i < H + R - 1; i++)
    for (int j = 0; j < N; j++) {
      t[i][j] = 0;
      for (int r = 0; r < R; r++) t[i][j] += x[i + r][j] * w[r];
    }
  for (int i = 0; i < H; i++)
    for (int j = 0; j < N; j++) {
      y[i][j] = 0;
      for (int r = 0; r < R; r++) y[i][j] += t[i + r][j] * v[r];
    }
}
"""
TOGETHER = """
void together(int N, double x[N+4], double y[N], double z[N]) {
  double t[N+2], u[N+1];
  for (int i = 0; i < N + 2; i++) t[i] = x[i] + x[i + 1];
  for (int i = 0; i < N; i++) {
    y[i] = t[i] * t[i + 1] * x[i];
    z[i] = y[i] + t[i + 2];
  }
}
"""


def read(text, **sizes):
    program = from_c(text)
    return box_nest(program, sizes), instantiate(program, sizes)


@pytest.mark.parametrize("taps", [1, 2, 3, 4])
def test_a_reader_is_at_or_after_what_it_reads(taps):
    nest, _ = read(FILTERS, H=12, N=3, R=taps)
    built, filtered = nest.assignments
    assert built.box == ((0, 11 + taps), (0, 3), (0, taps))
    assert filtered.box == ((taps - 1, 11 + taps), (0, 3), (0, taps))
    (far,) = [distance for distance in nest.distances if distance.reader != distance.source]
    assert far.pairs[0, 0] == (0, taps - 1)
    assert far.pairs[1, 1] == (0, 0)
    for assignment in nest.assignments:
        assert touched([assignment.item]) == assignment.size // taps
        assert points(assignment.box, assignment.ties) == assignment.size
    (access,) = [entry for entry in filtered.reads if entry.array == built.name]
    assert touched([access]) == touched([built.item])
    assert touched([access, built.item]) == touched([built.item])


def test_assignments_in_one_loop_of_the_text_are_moved_on_together():
    nest, _ = read(TOGETHER, N=9)
    first, *remaining = [assignment.box for assignment in nest.assignments]
    assert (first, *remaining) == (((0, 11),), ((2, 11),), ((2, 11),))


@pytest.mark.parametrize("sizes", [{"H": 16, "N": 3, "R": 3}, {"H": 12, "N": 2, "R": 4}])
def test_plays_keep_the_last_rows_of_what_is_filtered_again(sizes):
    nest, dag = read(FILTERS, **sizes)
    counts = Counts(nest)
    rows = (2 * sizes["R"] + 1) * sizes["N"] + 3 * sizes["R"] + 3
    memories = [min_memory(dag), 12, rows]
    plays = best_tilings(nest, memories, seconds=5)
    for play in plays:
        count = judge(dag, moves(dag, counts, play.tiling), play.moved.words)
        assert (count.loads, count.stores) == (play.moved.loads, play.moved.stores)
    compulsory = dag.inputs.size + dag.outputs.size
    assert min(play.io for play in plays if play.moved.words <= rows) == compulsory
