"""More ways to cut small factorizations: all of them are orders, and some are better."""

import numpy as np
import pytest

from dags import cholesky, lu, matmul, qr_givens
from pebble import ONE_SHOT, play
from schedulers import structured
from schedulers.families.factorizations import cholesky_orders, lu_orders, qr_givens_orders
from schedulers.families.matmul import block_shapes, panel_shapes, predicted_io
from schedulers.families.plays import plays_in_orders
from schedulers.families.tiles import tile_shapes, tilings


@pytest.mark.parametrize(
    ("dag", "orders"),
    [(lu(9), lu_orders), (cholesky(9), cholesky_orders), (qr_givens(7), qr_givens_orders)],
    ids=["lu", "cholesky", "qr"],
)
@pytest.mark.parametrize("memory", [4, 7, 12, 30])
def test_every_order_computes_operands_first(dag, orders, memory):
    readers = np.repeat(np.arange(dag.n), dag.indegree)
    for order in orders(dag, memory):
        place = np.full(dag.n, -1)
        place[order] = np.arange(order.size)
        assert np.array_equal(np.sort(order), dag.computed)
        assert np.all(place[dag.pred_indices] < place[readers])


def test_more_tiles_move_less():
    """Of 16 rows tiles of 3 leave one over: cut at first it is the row that is U already."""
    dag = lu(16)
    orders = list(lu_orders(dag, 6))
    plain = len(tile_shapes(6, 16, 16))
    sample, all_of_them = (
        min(play.io for play in plays_in_orders(dag, chosen, 6, ONE_SHOT))
        for chosen in (orders[:plain], orders)
    )
    assert all_of_them < sample


def test_fewer_are_tried_where_each_costs_more():
    assert list(tilings(8, 16, 16, 0)) == []
    ways = list(tilings(64, 16, 16, 40))
    assert len(ways) == len(set(ways)) == 40
    assert all(a * b + min(a, b) + 2 <= 64 or 1 in (a, b) for a, b, *_ in ways)
    tried = [len(list(lu_orders(lu(n), 16))) for n in (8, 16, 40)]
    assert tried[-1] < tried[1]


def test_rows_that_stay_move_less_where_memory_holds_many():
    """With 64 words 5 rows of a 10 x 10 matrix stay, and blocks of C need not fill the rest."""
    a, b = block_shapes(10, 10, 10, 62)[0]
    assert all(rows * 10 + rows * 1 + 1 <= 62 for rows, _ in panel_shapes(10, 10, 10, 62))
    assert play(matmul(10), structured(matmul(10), 64), 64).io < predicted_io(10, 10, 10, a, b)
    assert panel_shapes(10, 10, 10, 10) == []
