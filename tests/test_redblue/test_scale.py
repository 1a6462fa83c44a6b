"""What a large DAG may take: bytes for each vertex, and that its paths do what the others do."""

import tracemalloc

import numpy as np
import pytest

import dags.arrays
import dags.cdag.value
import dags.families.common.row_writer
from dags import CDAG, fft, load, matmul, random_layered, stencil
from dags.interpreted import compiled_at_once
from redblue.answers.curves.curve import io_curve
from redblue.sweeps import layouts
from schedulers import ORDERS, accesses
from schedulers.eviction import streaming as stream
from schedulers.families import plays, scheduler
from schedulers.orders import traversals

# Bytes for each vertex that a generator and a default curve take, and half as much again. What
# counts is what NumPy says that it allocates, which is the same on every machine.
MOST = {
    "matmul": ("matmul:n=6", "matmul:n=64", 34, 138),
    "fft": ("fft:n=16", "fft:n=16384", 35, 112),
    "stencil": ("stencil:shape=6x6,steps=3", "stencil:shape=64x64,steps=64", 47, 185),
}


@pytest.fixture
def large(monkeypatch):
    """Treats every DAG as a large one."""
    monkeypatch.setattr(layouts, "LAYOUTS_SIDE_BY_SIDE", 0)
    monkeypatch.setattr(traversals, "LARGE", 0)
    monkeypatch.setattr(plays, "STREAMED", 0)
    monkeypatch.setattr(scheduler, "SMALL", 0)
    monkeypatch.setattr(stream, "STEPS", 1 << 14)
    monkeypatch.setattr(stream, "FORESIGHT", 0)


@pytest.mark.parametrize("family", MOST)
@pytest.mark.usefixtures("large")
def test_bytes_for_each_vertex(family):
    small, spec, built, played = MOST[family]
    with compiled_at_once():
        io_curve(load(small), [60], bounds=["compulsory"])
    tracemalloc.start()
    try:
        dag = load(spec)
        assert 16 * dag.n < tracemalloc.get_traced_memory()[1] < built * dag.n
        tracemalloc.reset_peak()
        io_curve(dag, [500], bounds=["compulsory"])
        assert tracemalloc.get_traced_memory()[1] < played * dag.n
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dag", [matmul(9), fft(128), stencil((9, 8), 6)], ids=str)
@pytest.mark.parametrize("name", ORDERS)
def test_orders_of_large_dags_are_the_same(dag, name, large):
    del large
    order = ORDERS[name](CDAG(dag.pred_indptr, dag.pred_indices)).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traversals, "LARGE", 1 << 24)
        assert ORDERS[name](dag).tolist() == order


@pytest.mark.parametrize("dag", [matmul(4, 3, 5), fft(16), fft(32), random_layered(200)], ids=str)
def test_landmarks_tell_the_steps_of_places(dag):
    layout = accesses(dag, dag.computed)
    steps = layout.step_of[::16].tolist()
    assert layout.landmarks[: len(steps)].tolist() == steps


@pytest.mark.parametrize("dag", [matmul(4, 3, 5), fft(16), stencil((5, 4), 3)], ids=str)
@pytest.mark.parametrize("block", [1, 3, 7])
def test_what_is_done_by_blocks_does_not_depend_on_them(dag, block, monkeypatch):
    monkeypatch.setattr(dags.arrays, "BLOCK", block)
    monkeypatch.setattr(dags.cdag.value, "BLOCK", block)
    equal = CDAG(dag.pred_indptr, dag.pred_indices, work=dag.uniform_work)
    assert equal.digest == dag.digest
    assert equal.digest == CDAG(dag.pred_indptr, dag.pred_indices, work=dag.work).digest
    assert equal.inputs.tolist() == np.flatnonzero(dag.indegree == 0).tolist()
    assert equal.computed.tolist() == np.flatnonzero(dag.indegree > 0).tolist()
    assert equal.outputs.tolist() == np.flatnonzero(dag.outdegree == 0).tolist()
    assert equal.widest == int(dag.indegree.argmax())


@pytest.mark.parametrize("block", [1, 10, 25])
def test_chains_are_written_by_blocks(block, monkeypatch):
    dag = matmul(5, 4, 3)
    monkeypatch.setattr(dags.families.common.row_writer, "BLOCK", block)
    assert matmul(5, 4, 3) == dag
