"""Dask's ranking as an order: topological, deterministic, and left out where it cannot be had."""

import pytest
from hypothesis import given

from dags import fft, random_layered
from schedulers import accesses
from schedulers.search import dask_order as module
from schedulers.search.dask_order import LARGEST, dask_order
from tests.strategies import dags


@given(dags(max_vertices=12))
def test_it_is_an_order_of_what_is_computed(dag):
    pytest.importorskip("dask")
    order = dask_order(dag)
    assert sorted(order) == dag.computed.tolist()
    assert accesses(dag, order).dag is dag  # which refuses what is not topological
    assert order.tolist() == dask_order(dag).tolist()


def test_without_dask_and_for_large_dags_there_is_none(monkeypatch):
    assert dask_order(random_layered(LARGEST + 1)) is None
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert dask_order(fft(8)) is None
