"""Graphs as nests: what every element depends on, and what plays of them are counted to move."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

import redblue as rb
from dags import Computation, InvalidSpecError, RedBlueError
from dags.importers import TensorGraph, TensorView, from_onnx
from dags.importers.index_maps import NotAffineError, array_of, atoms_of, view_of
from dags.importers.nests import graph_nest
from dags.importers.views import viewed
from dags.programs.members import sizes_of
from pebble import ONE_SHOT, judge, min_memory
from proofs import Certificate, CertificateError, check
from proofs.bounds.loops.nests import nest_bound
from proofs.lemmas.loops.nest_updates import inside
from proofs.lemmas.loops.nests import WINDOWS, compulsory_of, proven
from redblue.answers.counted.plans import counted_plan
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.test_dags.importers.nest_layout import item_of, laid_out, text_point

onnx = pytest.importorskip("onnx", reason="onnx is not installed")

from onnx.reference import ReferenceEvaluator  # noqa: E402

from tests.test_dags.importers.onnx_samples import (  # noqa: E402
    convolutional,
    draw,
    model_of,
    node,
    transformer_block,
)


def small_block():
    return transformer_block(batch=1)


def small_cnn():
    return convolutional(batch=1)


def pooled():
    """Windows that begin beyond an edge, and a window of all."""
    nodes = [
        node("Conv", "x w", "wide", pads=[1, 1, 1, 1]),
        node("MaxPool", "wide", "pooled", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 0, 0]),
        node("ReduceMax", "pooled", "y", axes=[2], keepdims=0),
    ]
    return model_of(nodes, {"x": [1, 1, 6, 6]}, ["y"], draw(w=(2, 1, 3, 3)), "pooled", opset=17)


def mixed():
    """Slices, joins, padding, a bias along rows, an einsum, and sums of all kinds."""
    nodes = [
        node("Slice", "x low high axes", "part"),
        node("Concat", "part x", "joined", axis=1),
        node("Einsum", "joined a", "summed", equation="bij,jk->bik"),
        node("Sigmoid", "summed", "active"),
        node("ReduceMean", "active", "mean", axes=[2], keepdims=1),
        node("Sub", "active mean", "centred"),
        node("Pad", "centred ends", "wide"),
        node("Concat", "two active", "wide2", axis=1),
        node("Mul", "wide wide2", "y"),
    ]
    weights = draw(a=(3, 2), two=(1, 2, 2))
    weights |= {"low": np.array([1]), "high": np.array([3]), "axes": np.array([1])}
    weights |= {"ends": np.array([0, 1, 0, 0, 1, 0])}
    return model_of(nodes, {"x": [1, 3, 3]}, ["y"], weights, "mixed", opset=17)


MODELS = {"block": small_block, "cnn": small_cnn, "mixed": mixed, "pooled": pooled}
SPREADS = ["block", "mixed"]  # what is no number, as the reference knows it


def arrays_of(model):
    """The inputs of a model by name, its weights among them."""
    graph = model.graph
    results = {entry.name: onnx.numpy_helper.to_array(entry) for entry in graph.initializer}
    rng = np.random.default_rng(1)
    for entry in graph.input:
        shape = [dim.dim_value for dim in entry.type.tensor_type.shape.dim]
        results[entry.name] = rng.normal(size=shape).astype(np.float32)
    return results


def without_values(model):
    """The model with its weights as arguments."""
    copied = onnx.ModelProto()
    copied.CopyFrom(model)
    for entry in model.graph.initializer:
        value = onnx.helper.make_tensor_value_info(entry.name, entry.data_type, entry.dims)
        copied.graph.input.append(value)
    del copied.graph.initializer[:]
    return copied


@pytest.mark.parametrize("name", SPREADS)
def test_an_element_depends_on_what_spoils_it(name):
    """A value that is no number makes all and only what depends on it no number."""
    model = MODELS[name]()
    nest = graph_nest(from_onnx(model))
    dag = laid_out(nest)
    assert dag.inputs.size
    reads = [
        a for assignment in nest.assignments for a in assignment.reads if a.array.startswith("A_")
    ]
    arrays = arrays_of(model)
    run = ReferenceEvaluator(without_values(model)).run
    known = {read.array.removeprefix("A_") for read in reads}
    rng = random.Random(name)
    for vertex in rng.sample(dag.inputs.tolist(), min(25, dag.inputs.size)):
        array, _, item = dag.labels[vertex].partition("[")
        shape = arrays[array].shape
        index = [int(entry) for entry in item.rstrip("]").split(",") if entry]
        real = iter(index)
        place = tuple(next(real) if length > 1 else 0 for length in shape)
        spoiled = dict(arrays)
        spoiled[array] = arrays[array].copy()
        spoiled[array][place] = np.nan
        with np.errstate(all="ignore"):
            (result,) = run(None, spoiled)
        assert array in known
        spoils = np.isnan(result).reshape(-1)
        assert reached(dag, vertex)[dag.outputs].tolist() == spoils[kept(dag, nest)].tolist()


def reached(dag, vertex):
    array = np.zeros(dag.n, bool)
    array[vertex] = True
    for entry in range(vertex + 1, dag.n):
        row = dag.pred_indices[dag.pred_indptr[entry] : dag.pred_indptr[entry + 1]]
        array[entry] = array[row].any()
    return array


def kept(dag, nest):
    """The place of each output of the DAG in the result: outputs are made in its order."""
    (last,) = [assignment for assignment in nest.assignments if assignment.outputs is not None]
    ends = [high for _, high in last.outputs.box]
    items = {
        text_point(last, point): item_of(last.item, point)
        for point in itertools.product(*(range(*ends) for ends in last.box))
    }
    order = [
        np.ravel_multi_index(items[tuple(dag.origin.point(v))], ends) if ends else 0
        for v in dag.outputs.tolist()
    ]
    assert sorted(order) == [*range(len(order))]
    return order


@pytest.mark.parametrize("name", MODELS)
def test_plays_are_counted_as_the_referee_counts_and_no_bound_is_above(name):
    nest = graph_nest(from_onnx(MODELS[name]()))
    dag, sizes = laid_out(nest), sizes_of(nest)
    result = (dag.n, dag.m, dag.inputs.size, dag.outputs.size)
    assert result == (sizes.vertices, sizes.edges, sizes.inputs, sizes.outputs)
    assert min_memory(dag) == sizes.operands + 1
    counts, memories = Counts(nest), [8, 12, 24, 48, 100, 250, 1000]
    plays = best_tilings(nest, memories, seconds=5)
    assert plays[-1].io == sizes.inputs + sizes.outputs
    for play in plays:
        count = judge(dag, moves(dag, counts, play.tiling), play.moved.words)
        assert (count.loads, count.stores) == (play.moved.loads, play.moved.stores)
        assert nest_bound(nest, play.moved.words).io <= play.io


def padded(channels=3, filters=4, length=6, taps=3, pads=(1, 1), stride=1):
    """A convolution as a nest: its windows begin and end beyond an edge."""
    convolution = node("Conv", "x w", "y", pads=[*pads], strides=[stride])
    weights = draw(w=(filters, channels, taps))
    return graph_nest(
        from_onnx(model_of([convolution], {"x": [1, channels, length]}, ["y"], weights))
    )


@pytest.mark.parametrize("memory", [4, 6, 10])
def test_windows_beyond_an_edge_are_bounded_by_the_updates_inside(memory):
    nest = padded(length=20, filters=8, channels=8)
    result = nest_bound(nest, memory)
    assert "box" in result.certificate.data
    check(nest, memory, result)
    assert compulsory_of(nest) < result.io == proven(nest, memory, ONE_SHOT, result.certificate)
    assert all(
        result.io <= best_tiling.io
        for best_tiling in best_tilings(nest, [memory])
        if best_tiling.moved.words <= memory
    )
    (entry,) = nest.assignments
    (summed, *_), full = entry.summed, [[*ends] for ends in entry.box]
    for box in (
        full,  # not every update reads a pixel
        full[1:],
        [*full[:-1], [0, 99]],
        [[0, 1] if position == summed else ends for position, ends in enumerate(full)],
        [[*ends, 1] for ends in full],
        [[1, 1], *full[1:]],
    ):
        forged = Certificate(WINDOWS, {**result.certificate.data, "box": box})
        with pytest.raises(CertificateError):
            proven(nest, memory, ONE_SHOT, forged)


def test_what_is_read_inside_of_a_box_is_read_by_each_update():
    rng = random.Random(3)
    merged = 0
    for _ in range(150):
        nest = padded(
            taps=rng.randint(2, 3),
            pads=(rng.randint(0, 1), rng.randint(0, 2)),
            stride=rng.randint(1, 2),
            length=rng.randint(3, 6),
        )
        (entry,) = nest.assignments
        box = tuple(
            ends
            if position in entry.summed
            else (low := rng.randrange(*ends), rng.randint(low + 1, ends[1]))
            for position, ends in enumerate(entry.box)
        )
        part = inside(entry, box)
        for access in part.reads:
            if not part.is_whole(access):
                continue
            pieces = [read for read in entry.reads if replace(read, box=box) == access]
            merged += len(pieces) > 1
            for point in itertools.product(*(range(*ends) for ends in box)):
                assert sum(covers(piece.box, point) for piece in pieces) == 1
    assert merged > 20


def covers(box, point):
    return all(low <= position < high for (low, high), position in zip(box, point, strict=True))


def drawn_view(rng, shape):
    """A view that takes affine places of a tensor, or may not: its name, and its arguments."""
    rank = len(shape)
    kind = rng.choice(["transpose", "broadcast", "spread", "cut", "pad", "flip", "reshape", "same"])
    if kind == "transpose":
        return kind, {"axes": rng.sample(range(rank), rank)}
    if kind == "broadcast":
        return kind, {"shape": (rng.randint(1, 2), *shape)}
    if kind == "spread":
        place = rng.randint(0, rank)
        wide = (*shape[:place], rng.randint(1, 3), *shape[place:])
        return kind, {
            "shape": wide,
            "axes": [position for position in range(rank + 1) if position != place],
        }
    if kind == "cut":
        axis = rng.randrange(rank)
        low = [None] * rank
        low[axis] = rng.randrange(shape[axis])
        return kind, {"starts": low, "stops": [None] * rank, "steps": [1] * rank}
    if kind == "pad":
        ends = [[rng.choice([0, 0, 1]) for _ in shape] for _ in range(2)]
        return kind, {"before": ends[0], "after": ends[1], "between": [0] * rank}
    if kind == "flip":
        return kind, {"axes": [rng.randrange(rank)]}
    if kind == "same":
        return kind, {}
    total, sides = int(np.prod(shape)), []
    while total > 1:
        sides.append(rng.choice([n for n in range(2, total + 1) if total % n == 0]))
        total //= sides[-1]
    return kind, {"shape": tuple(sides) or (1,)}


def shown_values(shown, shape):
    """The item of each element, -1 for a constant."""
    array = np.full(shape, -1)
    sides = [1 if not axis else int(np.prod(axis)) for axis in shown.axes]
    assert tuple(sides) == tuple(shape)
    flat = array.reshape([length for axis in shown.axes for length in axis])
    for piece in shown.pieces:
        for place in np.ndindex(*[high - low for low, high in piece.box]):
            point = tuple(
                position + low for position, (low, _) in zip(place, piece.box, strict=True)
            )
            item = item_of(piece, point)
            flat[point] = np.ravel_multi_index(item, ITEMS) if item else 0
    return array


ITEMS = (4, 6, 2)


def test_chains_of_views_show_what_numpy_shows():
    rng = random.Random(0)
    affine = 0
    for _ in range(400):
        cells = np.arange(48, dtype=np.int32).reshape(ITEMS)
        shown, shape = array_of("A_x", [atoms_of(length) for length in ITEMS]), ITEMS
        try:
            for _ in range(rng.randint(1, 5)):
                function, arguments = drawn_view(rng, shape)
                cells = viewed(function, [cells], arguments)
                shown = view_of(function, [shown], [shape], cells.shape, arguments)
                shape = cells.shape
                if rng.random() < 0.2:
                    axis = rng.randrange(len(shape))
                    cells = np.concatenate([cells, cells], axis)
                    pair, arguments = ([shown] * 2, [shape] * 2), {"axis": axis}
                    shown, shape = view_of("join", *pair, cells.shape, arguments), cells.shape
        except NotAffineError:
            continue
        affine += 1
        np.testing.assert_array_equal(shown_values(shown, shape), cells)
    assert affine > 150


def test_what_computes_nothing_is_refused_in_one_sentence():
    view = TensorView(("x",), "z", "same")
    shapes = {"x": (4, 4), "z": (4, 4)}
    with pytest.raises(NotAffineError, match="nothing is computed"):
        graph_nest(TensorGraph("g", shapes, ("x",), (view,), ("z",)))


@pytest.mark.slow
def test_a_model_is_a_member_that_is_not_laid_out(tmp_path):
    path = tmp_path / "block.onnx"
    onnx.save(transformer_block(), path)
    known = Computation(f"{path}:batch=1000000")
    assert known.sizes.vertices > 10**9
    assert known.compulsory == known.sizes.inputs + known.sizes.outputs
    plan = counted_plan(Computation(f"{path}:batch=1"), memory=60)
    assert sum(group.io for group in plan.groups) + sum(plan.stays.values()) == plan.play.io
    assert [name for group in plan.groups for name in group.makes][-1] == "y"
    assert plan.bound.io <= plan.play.io
    assert plan.whole.io is None
    assert plan.whole.least > 60
    enough = counted_plan(Computation(f"{path}:batch=1"), memory=plan.whole.least)
    assert enough.play.io <= enough.whole.io
    assert enough.to_dict()["whole_tensors"]["io"] == enough.whole.io
    cut = Computation(f"{path}:batch=2,tile=4")  # whose values are tensors
    assert cut.member is None
    assert "tile, word and in-place are of values that are tensors" in str(cut.unread)
    with pytest.raises(InvalidSpecError, match="of values that are tensors"):
        rb.curve(cut, [10**6], counted=True)
    with pytest.raises(RedBlueError, match="batch has no value"):
        Computation(str(path))


def summed_rows(first, last, step):
    """A model that sums up five rows and keeps some of the sums."""
    nodes = [
        onnx.helper.make_node("ReduceSum", ["x", "axes"], ["s"], keepdims=0, name="sums"),
        onnx.helper.make_node("Slice", ["s", "first", "last", "axis", "step"], ["t"]),
        onnx.helper.make_node("Relu", ["t"], ["y"]),
    ]
    numbers = {"axes": 1, "first": first, "last": last, "axis": 0, "step": step}
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [5, 4])
    kept = len(range(first, last, step))
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [kept])
    constants = [
        onnx.helper.make_tensor(name, onnx.TensorProto.INT64, [1], [number])
        for name, number in numbers.items()
    ]
    graph = onnx.helper.make_graph(nodes, "sums", [x], [y], constants)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)])


def test_values_that_no_output_needs_are_not_made(tmp_path):
    """Their inputs need not be loaded: five words more were proved."""
    path = tmp_path / "sums.onnx"
    onnx.save(summed_rows(1, 4, 1), path)
    known = Computation(str(path))
    assert (known.sizes.inputs, known.sizes.outputs) == (12, 3)
    assert nest_bound(known.nest, 10).io == known.compulsory == 15
    onnx.save(summed_rows(0, 5, 2), path)
    strided = Computation(str(path))
    (sentence,) = strided.apart
    assert sentence.startswith("ReduceSum sums: s: items between those that outputs need are made")
    onnx.save(summed_rows(0, 5, 1), path)
    assert Computation(str(path)).compulsory == 25
