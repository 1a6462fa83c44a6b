"""Loops cut at the steps in which others read: the same DAG, and plays that the referee counts."""

from itertools import product

import numpy as np
import pytest

pytest.importorskip("islpy")

from dags import Computation
from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import judge
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from schedulers.tilings.strides import at_strides

POOLED = """void f(int N, int R, int W, double x[N+R][N+R], double w[R][R], double y[N][N]) {{
  double c[N][N], d[N][N];
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {{
    c[i][j] = 0;
    for (int r = 0; r < R; r++) for (int s = 0; s < R; s++) c[i][j] += x[i+r][j+s] * w[r][s]; }}
  {between}
  for (int i = 0; i < {rows}; i++) for (int j = 0; j < {rows}; j++) {{
    y[i][j] = 0;
    for (int a = 0; a < W; a++) for (int b = 0; b < W; b++)
      y[i][j] += {read}[{step}*i+a][{step}*j+b]; }} }}"""
CLIPPED = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) d[i][j] = fmax(c[i][j], 0);"


def pooled(step, window, *, clipped):
    """The nest and the DAG of a filter and the pooling behind it, on 12 rows."""
    rows = (12 - window) // step + 1
    between, read = (CLIPPED, "d") if clipped else ("", "c")
    text = POOLED.format(between=between, read=read, rows=rows, step=step)
    program, sizes = from_c(text), {"N": 12, "R": 2, "W": window}
    return box_nest(program, sizes), instantiate(program, sizes)


@pytest.mark.parametrize(
    ("step", "window", "clipped"), [(2, 2, False), (2, 3, False), (3, 3, True), (3, 4, False)]
)
def test_plays_of_cut_loops_are_as_the_referee_counts(step, window, clipped):
    nest, dag = pooled(step, window, clipped=clipped)
    cut = at_strides(nest)
    assert cut is not None
    plays = best_tilings(cut, [12, 60], seconds=0.6)
    assert plays
    for play in plays:
        count = judge(dag, moves(dag, Counts(cut), play.tiling), play.moved.words)
        assert (count.loads, count.stores) == (play.moved.loads, play.moved.stores)


@pytest.mark.parametrize("clipped", [False, True])
def test_distances_of_cut_loops_hold_all_differences(clipped):
    nest, _ = pooled(3, 4, clipped=clipped)
    cut = at_strides(nest)
    assert cut is not None
    makers = {assignment.name: assignment for assignment in cut.assignments}
    for far in cut.distances:
        if far.reader == far.source:
            continue
        reader, maker = makers[far.reader], makers[far.source]
        accesses = [read for read in reader.reads if read.array == far.source]
        (access,) = accesses
        made = {}
        for point in product(*(range(low, high) for low, high in maker.box)):
            item = tuple(np.array(maker.item.rows) @ point + maker.item.offset)
            made[item] = max(point, made.get(item, point))  # a sum is read when it is whole
        for point in product(*(range(low, high) for low, high in access.box)):
            item = tuple(np.array(access.rows) @ point + access.offset)
            for (own_loop, loop), (least, most) in far.pairs.items():
                assert least <= point[own_loop] - made[item][loop] <= most


def test_a_convolution_and_the_pooling_behind_it_are_fused(shared):
    known = Computation(str(shared / "texts" / "conv_then_pool.onnx"))
    cut = at_strides(known.nest)
    (best,) = [play for play in best_tilings(cut, [600]) if play.moved.words <= 600][-1:]
    assert best.io == known.compulsory == 1740


def test_nothing_is_cut_where_nothing_is_read_in_steps():
    nest, _ = pooled(1, 3, clipped=True)
    assert at_strides(nest) is None
