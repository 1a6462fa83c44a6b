"""Layouts: they stay while cells of their order have begun, and large ones follow each other."""

import threading

from dags import fft
from redblue.sweeps import layouts as layouts_module
from redblue.sweeps.layouts import Layouts
from schedulers import ORDERS

DAG = fft(8)
FIRST, SECOND, THIRD = list(ORDERS.values())[:3]


def borrow(layouts, order):
    with layouts.borrowed(DAG, "dag", order, 1) as layout:
        return layout


def test_a_layout_stays_until_the_last_cell_that_was_announced_leaves():
    layouts = Layouts()
    layouts.announce("dag", FIRST)
    layouts.announce("dag", FIRST)
    kept = borrow(layouts, FIRST)
    layouts.leave("dag", FIRST)
    borrow(layouts, SECOND)
    assert borrow(layouts, FIRST) is kept
    layouts.leave("dag", FIRST)
    borrow(layouts, THIRD)
    assert len(layouts) == 1
    assert borrow(layouts, FIRST) is not kept
    layouts.clear()
    assert len(layouts) == 0


def test_large_layouts_wait_for_cells_that_began_before(monkeypatch):
    monkeypatch.setattr(layouts_module, "LAYOUTS_SIDE_BY_SIDE", 0)
    layouts, had = Layouts(), []
    for order in (FIRST, SECOND):
        layouts.announce("dag", order)
    later = threading.Thread(target=lambda: had.append(borrow(layouts, SECOND)))
    later.start()
    kept = borrow(layouts, FIRST)  # waits for none, whoever was announced after it
    assert borrow(layouts, FIRST) is kept
    assert not had
    layouts.leave("dag", FIRST)
    later.join(60)
    assert len(had) == len(layouts) == 1
