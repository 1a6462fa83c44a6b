"""One pass for all memory sizes is one run at each."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, matmul, pyramid, random_layered, stencil
from pebble import MemoryTooSmallError, min_memory
from schedulers import EVICTIONS, ORDERS, accesses, belady_curve, belady_loads, lru_curve
from schedulers.curves import memory_curve as curves
from tests.strategies import dags


def counted(result, memory=None):
    if memory is None:
        return result.loads, result.stores
    return result.loads_at(memory), result.stores_at(memory)


def check(layout):
    """Compare both curves with a run at every memory size."""
    smallest = min_memory(layout.dag)
    lru, belady, stored = lru_curve(layout), belady_loads(layout), belady_curve(layout)
    assert lru.minimum == belady.minimum == smallest
    for memory in range(smallest, layout.values + 2):
        single = EVICTIONS["lru"](layout, memory)
        assert (lru.loads_at(memory), lru.stores_at(memory)) == (single.loads, single.stores)
        assert belady.loads_at(memory) == EVICTIONS["belady"](layout, memory).loads
        assert counted(stored, memory) == counted(EVICTIONS["belady"](layout, memory))
    assert lru.memories.tolist() == list(range(smallest, smallest + lru.loads.size))
    assert lru.io.tolist() == (lru.loads + lru.stores).tolist()


@given(st.data())
def test_small_dags(data):
    dag = data.draw(dags(max_vertices=24, weighted=False))
    order = data.draw(st.sampled_from(sorted(ORDERS)))
    check(accesses(dag, ORDERS[order](dag)))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "dag", [matmul(6), fft(32), pyramid(12), stencil((6, 5), 4), stencil((4, 4), 3, "box")], ids=str
)
def test_families(dag, order):
    check(accesses(dag, ORDERS[order](dag)))


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 40), st.integers(1, 8))
def test_random_dags_with_structures_that_are_rebuilt_all_the_time(seed, layers, indegree):
    dag = random_layered(120, layers=layers, max_indegree=indegree, seed=seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "FIRST_SLOTS", 64)
        patch.setattr(curves, "FIRST_POINTS", 16)
        check(accesses(dag, dag.computed))


def test_larger_dags_at_a_few_sizes():
    for dag in (matmul(24), fft(4096), random_layered(20000, layers=40, seed=3)):
        layout = accesses(dag, dag.computed)
        lru, belady, stored = lru_curve(layout), belady_loads(layout), belady_curve(layout)
        for memory in (4, 7, 30, 200, 1000, 5000):
            single = EVICTIONS["lru"](layout, memory)
            assert (lru.loads_at(memory), lru.stores_at(memory)) == (single.loads, single.stores)
            assert belady.loads_at(memory) == EVICTIONS["belady"](layout, memory).loads
            assert counted(stored, memory) == counted(EVICTIONS["belady"](layout, memory))
        bends = belady.loads[:-2] + belady.loads[2:] - 2 * belady.loads[1:-1]
        assert bends.min(initial=0) >= 0  # the fewest loads are convex in the memory


def test_a_memory_below_all_has_no_point_and_loads_alone_have_no_io():
    dag = fft(8)
    layout = accesses(dag, dag.computed)
    with pytest.raises(MemoryTooSmallError, match="2 words"):
        lru_curve(layout).loads_at(2)
    with pytest.raises(ValueError, match="loads alone"):
        belady_loads(layout).io  # noqa: B018 - the property raises
    with pytest.raises(ValueError, match="loads alone"):
        belady_loads(layout).stores_at(3)


def test_sizes_that_differ_have_no_curve():
    dag = random_layered(30, max_words=3, seed=1)
    layout = accesses(dag, dag.computed)
    for curve in (lru_curve, belady_curve, belady_loads):
        with pytest.raises(ValueError, match="one size"):
            curve(layout)
