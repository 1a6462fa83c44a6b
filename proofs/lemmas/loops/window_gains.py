"""Least words that the windows of a play move, by the values that their updates touch (N2).

Cut a play into windows, each but the first beginning just before an update is computed; at a cut at
most `carry` words are red. Where a window's updates touch x_a items of each array a,

    I/O >= sum of x - carry * (windows - 1) - births + such inputs + such outputs,

for one-shot plays (`segment_gain`), with inputs that no update reads as an item, outputs that
belong to no outgoing item, and a birth for each vertex that is read as an item and computed as
none; updates may be added to items by sums, and read items by way of vertices between. The same
holds of chains in any play (`chain_gain`), and, with labels for places that values take, of any
play (`dominator_gain`). Each function verifies on the DAG the premises of its argument.

The proof is N2 in docs/theory/nests.md.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981; D. Irony, S.
Toledo and A. Tiskin, Communication lower bounds for distributed-memory matrix multiplication,
2004: windows and Loomis-Whitney. G. Kwasniewski et al., Red-blue pebbling revisited: near optimal
parallel matrix-matrix multiplication, SC 2019, theorem 1, claims 2mnk/sqrt(M) + mn words for every
product: false for k = 1, for it forgets births and the last window.
"""

from dataclasses import replace
from fractions import Fraction
from math import ceil, lcm, prod

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import MAX_TOTAL, Int64Array, number_type
from pebble import all_words
from proofs.core.records import CertificateError
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.iteration_space import (
    HEAD,
    LEAVES,
    IterationSpace,
    Vertices,
    check_determines,
    check_reads,
    check_updates,
)

FAR = 2**40  # words of a label that no vertex has; one that some have costs no more than theirs


def segment_gain(dag: CDAG, space: IterationSpace) -> int:
    """The words to add to the sum of x - carry * (windows - 1) over a one-shot play.

    Raises
    ------
    CertificateError
        If the theorem does not hold for this DAG and these updates.
    """
    besides, births = segment_terms(dag, space)
    return besides - births


def segment_terms(dag: CDAG, space: IterationSpace, *, reads: bool = True) -> tuple[int, int]:
    """The words that are moved besides those of items, and those of all births.

    Parameters
    ----------
    dag, space
        The DAG and its updates.
    reads
        Whether updates have to read the values that are touched; False where that is known.

    Raises
    ------
    CertificateError
        If the theorem does not hold for this DAG and these updates.
    """
    check_updates(dag, space)
    read = np.zeros(dag.n, np.bool_)
    unit = lcm(*(space.shape.measure(name).cost.denominator for name in space.touched))
    # An item costs no more than a value has that is read as one.
    if 2 * unit * len(space.touched) * all_words(dag) > MAX_TOTAL:
        raise CertificateError("family", "has values of more words than can be added up")
    spent, born = np.zeros((2, dag.n), np.int64)  # in units: costs of all items, and of births
    heads = 0
    for name in space.touched:
        measure = space.shape.measure(name)
        kept = measure.projections
        _check_sizes(dag, space, name, measure.cost)
        owned = _owned(dag, space, name, kept, reads=reads)
        read |= owned
        spent[owned] += int(measure.cost * unit)
        lacking, computed = _births(dag, space, name, kept)
        born[computed] += int(measure.cost * unit)
        heads += lacking * ceil(measure.cost)
    if np.any(spent[read] > unit * dag.sizes[read]):
        raise CertificateError("family", "a value stands for two items")
    _check_one_goes_out(space)
    _check_sums(dag, space, read)
    goes_out = _check_paths_out(dag, space)
    if np.any(read & goes_out):
        raise CertificateError("family", "a value comes in and goes out at once")
    inputs = dag.words_of(dag.used_inputs[~read[dag.used_inputs]])
    outputs = dag.words_of(dag.outputs[~goes_out[dag.outputs]])
    return inputs + outputs, heads + int((-(-born // unit)).sum())


def chain_gain(dag: CDAG, space: IterationSpace) -> int:
    """The words to add to the sum of x - carry * (windows - 1), where updates form chains.

    Raises
    ------
    CertificateError
        If the theorem does not hold for this DAG and these updates.
    """
    if space.sums or space.between:
        raise CertificateError("family", "sums, and what is between, are no links of a chain")
    check_updates(dag, space)
    links, is_update = np.zeros(dag.n, np.int64), np.zeros(dag.n, np.bool_)
    is_update[space.updates] = True
    sources = _sources(dag, space, is_update)
    touched = {}
    for name, roles in space.touched.items():
        if any(np.any(values == LEAVES) for values in roles):
            raise CertificateError("family", "an item of a chain goes out")
        for values in roles:
            check_reads(dag, space.updates, values)
            links += np.bincount(values[values >= 0], minlength=dag.n)
        touched[name] = tuple(np.where(values < 0, values, sources[values]) for values in roles)
    if np.any(sources[links > 0] < 0) or np.any(links[is_update] > 1):
        raise CertificateError("family", "an update is no link of a chain")
    if space.label is not None:
        read = np.zeros(dag.n, np.bool_)
        read[sources[links > 0]] = True
        label = space.label[is_update & (links > 0)]
        if np.any(read[label[label >= 0]]):
            raise CertificateError("family", "a link of a chain has the label of an item")
    besides, births = segment_terms(dag, replace(space, touched=touched, label=None), reads=False)
    return besides - births


def _sources(
    dag: CDAG, space: IterationSpace, is_update: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """(n,) an update or input itself, of others the input where the label begins, or -1."""
    inputs = np.diff(dag.pred_indptr) == 0
    sources = np.where(inputs | is_update, np.arange(dag.n), -1)
    if space.label is None:
        return sources
    if dag.words is not None or space.label.shape != (dag.n,):
        raise CertificateError("family", "has labels of values of several words, or not of all")
    _check_paths_in(dag, space.label)
    begins = inputs & (space.label == np.arange(dag.n))
    if np.any(inputs & (space.label >= 0) & ~begins):  # it may be an item of its own besides
        raise CertificateError("family", "an input has the label of another")
    labels_of: npt.NDArray[np.int64] = np.where(
        (sources < 0) & (space.label >= 0) & begins[space.label], space.label, sources
    )
    return labels_of


def dominator_gain(dag: CDAG, space: IterationSpace) -> int:
    """The words to add to the sum of x - carry * (windows - 1) over any play.

    Raises
    ------
    CertificateError
        If the theorem does not hold for this DAG and these updates.
    """
    check_updates(dag, space)
    if space.sums or space.between:
        raise CertificateError("family", "sums, and what is between, hold only in one-shot plays")
    if space.label is None or space.label.shape != (dag.n,):
        raise CertificateError("family", "has no labels")
    _check_paths_in(dag, space.label)
    labels = max(int(space.label.max(initial=-1)), 0) + 1  # where no vertex has one, no cost
    unit = lcm(*(measure.cost.denominator for measure in space.shape.measures))
    cost = np.zeros(labels, np.int64)
    for name, roles in space.touched.items():
        measure = space.shape.measure(name)
        values = np.concatenate(roles)
        for role in roles:
            check_reads(dag, space.updates, role)
        if np.any(values < 0) or np.any(space.label[values] < 0):
            raise CertificateError("family", "an update reads a value without a label")
        images = np.concatenate([space.images(kept) for kept in measure.projections])
        check_determines(space.label[values], images)
        used = np.zeros(labels, np.bool_)
        used[space.label[values]] = True
        cost[used] += int(measure.cost * unit)
    if np.any(cost > unit * _least_of_labels(dag, space.label, labels)):
        raise CertificateError("family", "a label stands for more words than its values have")
    label = space.label[dag.used_inputs]
    besides = dag.used_inputs[(label < 0) | (cost[label] == 0)]
    return dag.words_of(besides) + dag.words_of(dag.outputs)


def _least_of_labels(dag: CDAG, label: Vertices, count: int) -> Int64Array:
    """(count,) the least words of a vertex with each label."""
    fewest = np.full(count, FAR, np.int64)
    labelled = np.flatnonzero(label >= 0)
    np.minimum.at(fewest, label[labelled], dag.sizes[labelled])
    return fewest


def _check_sizes(dag: CDAG, space: IterationSpace, name: str, cost: Fraction) -> None:
    """Check that no value that is read as an item has fewer words than the item costs."""
    for values in space.touched[name]:
        going = dag.words is not None and bool(np.any(values == LEAVES))
        if going or np.any(dag.sizes[values[values >= 0]] < ceil(cost)):
            raise CertificateError("family", "a value has fewer words than its item costs")


def _owned(
    dag: CDAG, space: IterationSpace, name: str, projections: tuple[str, ...], *, reads: bool
) -> npt.NDArray[np.bool_]:
    """(n,) whether a vertex is read as an item of an array; it must be one item."""
    extents = space.shape.extents
    images = max(prod(extents[index] for index in kept) for kept in projections)
    owner = np.full(dag.n, -1, number_type(images))
    for role, (kept, values) in enumerate(zip(projections, space.touched[name], strict=True)):
        items = _items(space, name, kept, values)
        readers = space.sums.get(name, space.updates)
        if name in space.between:
            way = np.ascontiguousarray(space.between[name][role])
            check_reads(dag, readers, way)
            if not _kernels.determines(way, items, owner):
                raise CertificateError("family", "a value between stands for two items")
            readers = np.where(way == HEAD, readers, way)
        if reads:
            check_reads(dag, readers, values)
        if not _kernels.determines(np.ascontiguousarray(values), items, owner):
            raise CertificateError("family", "a value stands for two items")
        _check_outgoing(space, values, items)
    return owner >= 0


def _items(space: IterationSpace, name: str, kept: str, values: Vertices) -> Vertices:
    """(u,) the number of the item that each update touches."""
    if name not in space.by_value:
        return space.images(kept)
    if np.any(values == LEAVES):
        raise CertificateError("family", "an item is a value, but goes out")
    slices = space.images("".join(i for i in space.cut if i not in kept)).astype(np.int64)
    check_determines(
        values.astype(np.int64) * (int(slices.max(initial=0)) + 1) + slices, space.images(kept)
    )
    return np.ascontiguousarray(values)


def _births(
    dag: CDAG, space: IterationSpace, name: str, projections: tuple[str, ...]
) -> tuple[int, npt.NDArray[np.bool_]]:
    """Updates that have no operand, and (n,) the vertices that may be born as an item."""
    roles, readers = space.touched[name], space.sums.get(name, space.updates)
    heads = sum(int(np.unique(readers[values == HEAD]).size) for values in roles)
    items = space.images(projections[0])
    of_update = np.full(dag.n, -1, items.dtype)
    if len(roles) == 1 and name not in space.by_value:
        of_update[readers] = items
    born = np.zeros(dag.n, np.bool_)
    for values in roles:
        _kernels.mark_births(np.ascontiguousarray(values), items, of_update, born)
    born[dag.inputs] = False
    return heads, born


def _check_outgoing(space: IterationSpace, values: Vertices, items: Vertices) -> None:
    """Check that the updates whose item goes out have its label, and each label one item."""
    leaves = values == LEAVES
    if not leaves.any():
        return
    if space.label is None or np.any(space.label[space.updates[leaves]] < 0):
        raise CertificateError("family", "an item goes out without a label")
    check_determines(space.label[space.updates[leaves]], items[leaves])


def _check_one_goes_out(space: IterationSpace) -> None:
    """Check that the labels are those of one array."""
    going = [
        name
        for name, roles in space.touched.items()
        if any(np.any(values == LEAVES) for values in roles)
    ]
    if len(going) + len(space.sums) > 1:
        names = " and ".join((*going, *space.sums))
        raise CertificateError("family", f"{names} go out under the same labels")


def _check_sums(dag: CDAG, space: IterationSpace, read: npt.NDArray[np.bool_]) -> None:
    """Check that each sum reads the updates that it adds, and is of one item.

    Parameters
    ----------
    dag, space
        The DAG and its updates.
    read
        (n,) whether a vertex is read as an item.
    """
    for name, sums in space.sums.items():
        (values,), measure = space.touched[name], space.shape.measure(name)
        if sums.shape != space.updates.shape or np.any(sums < 0):
            raise CertificateError("family", "an update is added to nothing")
        check_reads(dag, sums, space.updates)
        check_determines(sums, space.images(measure.projections[0]))
        check_determines(sums, values - HEAD)
        if np.any(read[space.updates]) or np.isin(space.updates, dag.outputs).any():
            raise CertificateError("family", "a value comes in and goes out at once")
        if np.any(dag.sizes[space.updates] < ceil(measure.cost)):
            raise CertificateError("family", "a value has fewer words than its item costs")


def _check_paths_out(dag: CDAG, space: IterationSpace) -> npt.NDArray[np.bool_]:
    """(n,) whether a vertex has a label; it then has a path to an output with its label."""
    if space.label is None:
        return np.zeros(dag.n, np.bool_)
    label = space.label
    if label.shape != (dag.n,):
        raise CertificateError("params", "do not fit this DAG")
    ends = np.zeros(dag.n, np.bool_)
    ends[dag.outputs] = True
    if not _kernels.goes_on(dag.pred_indptr, dag.pred_indices, label, ends):
        raise CertificateError("family", "a path out of a window ends before an output")
    return label >= 0


def _check_paths_in(dag: CDAG, label: Vertices) -> None:
    """Check that each labelled vertex is an input or computed from one with its label."""
    if not _kernels.comes_in(dag.pred_indptr, dag.pred_indices, label):
        raise CertificateError("family", "a label does not begin at an input")
