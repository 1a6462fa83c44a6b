"""The pairs of values that the updates of a nest touch, verified on a DAG; see `kept_pairs`."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules
from proofs.core.records import CertificateError
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.iteration_space import IterationSpace, Vertices, check_updates
from proofs.lemmas.loops.layered_sets import Layers, layers_of, least_items
from proofs.lemmas.loops.linked_items import Crossing, least_linked, links_of

BoolArray = npt.NDArray[np.bool_]
TWINS = 2  # updates with the same operands
MOST_PAID = 2**31  # parts of a word, of which T / P has two at most, and a word 2^30

Price = tuple[int, int, int, int]  # size of windows, prices of pairs: operands, base items, links


@dataclass(frozen=True)
class Nest:
    """Updates, the pairs of values that they touch, and the operands that take room.

    Parameters
    ----------
    layers
        Items that small sets of updates touch.
    updates
        How many there are.
    operands
        Sum over updates of the vertices that they read.
    most_operands, results
        Vertices that an update reads, and that it makes, at most.
    of_operands, of_base
        (values, 2) P and T of the values of operands, of base items.
    sides, of_links
        Operands in layers where some are links, and (values, 2) the P of readers alone and T with
        the link of those values.
    """

    layers: Layers
    updates: int
    operands: int
    most_operands: int
    results: int
    of_operands: Int64Array
    of_base: Int64Array
    sides: Crossing | None
    of_links: Int64Array

    def room(self, memory: int, rules: Rules) -> int:
        """R, the words that wait beside updates, summed over these."""
        beside = rules.room_before(memory)
        idle = self._idle(max(0, beside - self.most_operands))
        return beside * self.updates - self.operands - idle

    def _idle(self, price: int) -> int:
        """How many of `price` words beside each update no pair takes at both ends of a play.

        A link that waits at an update began at one of those before, and ends at one of those behind
        it.
        """
        begun, ended = self.most_operands + self.results, self.most_operands
        if not price:
            return 0
        if self.updates >= 2 * price:
            return _falling(price, begun) + _falling(price, ended)
        before = np.arange(self.updates)
        waiting = np.minimum(begun * before, ended * before[::-1])
        return int(np.maximum(0, price - waiting).sum())

    def saved(self, size: int, operand: int, entry: int, link: int = 0) -> int:
        """The worth of the pairs in all windows of up to `size` updates, at most.

        Parameters
        ----------
        size
            Updates of a whole window.
        operand, entry, link
            Prices of pairs.
        """
        if link and self.sides:
            touched = least_linked(self.sides, size, operand, entry, link)
        else:
            touched = least_items(self.layers, size, operand, entry)
        worth = (self.layers.roles * operand + entry) * np.arange(size + 1) - touched
        return (self.updates - size + 1) * int(worth[size]) + 2 * int(worth[1:size].sum())

    def excess(
        self, memory: int, rules: Rules, denominator: int, room: int, prices: list[Price]
    ) -> int:
        """The words beside the compulsory ones that prices prove, rounded up.

        Parameters
        ----------
        memory, rules
            The game.
        denominator
            All prices are in such parts of a word.
        room
            Price of a word of room for an update.
        prices
            Those of windows.
        """
        spent = room * self.room(memory, rules) + sum(self.saved(*price) for price in prices)
        floors = [_floor(room, [(price[0], price[kind]) for price in prices]) for kind in (1, 2, 3)]
        earned = 0
        for floor, values in zip(floors, (self.of_operands, self.of_base), strict=False):
            pairs, words = values[:, 0], values[:, 1] * denominator
            earned += int(np.minimum(words, pairs * floor).sum())
        if floors[2]:
            earned += self._links_earn(denominator, floors[0], floors[2])
        return -(-(earned - spent) // denominator)

    def _links_earn(self, denominator: int, floor: int, link: int) -> int:
        """The earnings of values with links beyond their pairs of readers.

        Parameters
        ----------
        denominator
            Parts of a word.
        floor, link
            The least that a kept pair of readers pays, and a kept link.
        """
        pairs, words = self.of_links[:, 0], self.of_links[:, 1] * denominator
        earned = words // (pairs + 1)
        together = pairs * np.minimum(earned, floor) + np.minimum(earned, link)
        return int((together - np.minimum(words - denominator, pairs * floor)).sum())


def _falling(first: int, step: int) -> int:
    """The sum of first, first - step, first - 2 step, ... as long as these are positive."""
    terms = -(-first // step)
    return terms * first - step * (terms * (terms - 1) // 2)


def _floor(room: int, prices: list[tuple[int, int]]) -> int:
    """The least that a kept pair of any length pays, by the sizes and prices of windows.

    No more than `MOST_PAID`, which is at least T / P of any value: more counts for nothing, and
    that many for each pair of a value are an int64.
    """
    lowest = min(
        sum(price * max(0, size - length) for size, price in prices) + room * (length - 1)
        for length in (1, *(size for size, _ in prices))
    )
    return min(lowest, MOST_PAID)


def nest_of_space(dag: CDAG, space: IterationSpace, base: str, operands: tuple[str, ...]) -> Nest:
    """The pairs of the updates of a space, verified on `dag`.

    Parameters
    ----------
    dag, space
        The DAG, its values of one word, and its updates.
    base, operands
        The arrays, as for `layers_of`.

    Raises
    ------
    CertificateError
        If the argument does not hold for them.
    """
    if dag.words is not None:
        raise CertificateError("family", "has values of several words")
    layers = layers_of(space.shape, base, operands)
    if layers is None:
        raise CertificateError("base", "and operands are no arrays of products or of pairs")
    check_updates(dag, space)
    steps, layers = _merged(dag, space, layers)
    makers = space.updates[steps]
    space, names = _at(space, steps[0]), (base, *operands)
    belonging = [belonging_to(dag, space, makers, name) for name in names]
    number = np.stack([touching for _, _, touching in belonging])
    # What belongs to several is of the array with most pairs, and of the one that it is read as.
    is_value = np.stack([_told(dag, space, name) for name in names])
    chosen = np.where(number.max(axis=0) > 1, (2 * number + is_value).argmax(axis=0), -1)
    pairs = [
        _pairs(dag, space, name, chosen == number, *belonging[number][:2])
        for number, name in enumerate(names)
    ]
    read, results = dag.indegree[space.updates], 2 if np.any(steps[0] != steps[1]) else 1
    takes = int(read.sum()), int(read.max(initial=0)), results
    values = np.concatenate(pairs[1:]), pairs[0]
    linked = links_of(dag, space, layers, makers, names, belonging, chosen)
    return Nest(layers, space.updates.size, *takes, *values, *linked)


def _merged(dag: CDAG, space: IterationSpace, layers: Layers) -> tuple[Int64Array, Layers]:
    """(2, steps) the first and last place of the updates that count as one, and the layers.

    Where some are no twins, each update counts by itself.
    """
    counted_as = np.arange(space.updates.size)
    if layers.copies != TWINS:
        return np.stack((counted_as, counted_as)), layers
    point = space.images("".join(index for index in space.shape.extents if index in layers.indices))
    order = np.argsort(point, kind="stable")
    begins = np.flatnonzero(np.diff(point[order], prepend=-1))
    places = np.stack((order[begins], order[np.append(begins[1:], order.size) - 1]))
    several = places[:, places[0] != places[1]]
    if not _are_twins(dag, space.updates[several]):
        return np.stack((counted_as, counted_as)), layers
    return places, replace(layers, copies=1)


def _are_twins(dag: CDAG, twins: Vertices) -> bool:
    """Whether the vertices (2, steps) of each column are twins."""
    sizes = dag.indegree[twins[0]]
    if np.any(sizes != dag.indegree[twins[1]]):
        return False
    first, second = (dag.pred_indices[_edges(dag, vertices)] for vertices in twins)
    owners = np.repeat(np.arange(sizes.size), sizes)[dag.outdegree[first] == TWINS]
    number = np.bincount(owners, minlength=sizes.size)
    return bool(np.array_equal(first, second) and np.all(number >= TWINS))


def _at(space: IterationSpace, places: Int64Array) -> IterationSpace:
    """The space of some of the updates."""
    touched = {
        name: tuple(values[places] for values in roles) for name, roles in space.touched.items()
    }
    coordinates = {index: values[places] for index, values in space.at.items()}
    return replace(
        space, updates=space.updates[places], at=coordinates, touched=touched, label=None
    )


def item_numbers(space: IterationSpace, name: str) -> Int64Array:
    """(roles, u) the numbers of the items of an array that updates have."""
    kept = space.shape.measure(name).projections
    return np.stack([space.images(role).astype(np.int64) for role in kept])


def _told(dag: CDAG, space: IterationSpace, name: str) -> BoolArray:
    """(n,) whether the space has a value among those that updates read of an array."""
    named_value = np.zeros(dag.n, np.bool_)
    for values in space.touched[name]:
        named_value[values[values >= 0]] = True
    return named_value


def belonging_to(
    dag: CDAG, space: IterationSpace, makers: Vertices, name: str
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """(n,) the item of an array that a value belongs to, who makes it, and touches.

    -1 is for no item, and where a value is not made by an update of its item.

    Parameters
    ----------
    dag, space
        The DAG and its updates.
    makers
        (1 or 2, u) the vertices that count as each update.
    name
        The array.
    """
    items, updates = item_numbers(space, name), np.ascontiguousarray(space.updates, np.int64)
    first, second = np.full((2, dag.n), -1, np.int64)
    _kernels.follow_readers(dag.pred_indptr, dag.pred_indices, updates, items, first, second)
    number = np.full(dag.n, -1, np.int64)
    items_of_value = np.full((items.shape[0], dag.n), -3, np.int64)
    for maker in makers:
        number[maker] = np.arange(updates.size)
        items_of_value[:, maker] = items
    of_first, of_second = ((items_of_value == row).any(axis=0) for row in (first, second))
    item = np.where((first >= 0) & (of_first | ~((second >= 0) & of_second)), first, second)
    number_of_maker = np.where((item >= 0) & (items_of_value == item).any(axis=0), number, -1)
    readers = _readers(dag, updates)
    return item, number_of_maker, np.where(item >= 0, readers + (number_of_maker >= 0), 0)


def _readers(dag: CDAG, updates: Int64Array) -> Int64Array:
    """(n,) how many updates read each vertex."""
    read = dag.pred_indices[_edges(dag, updates)]
    counts: Int64Array = np.bincount(read, minlength=dag.n).astype(np.int64)
    return counts


def _edges(dag: CDAG, readers: Vertices) -> Int64Array:
    """The places of the operands of some vertices, one after the other."""
    begin, sizes = dag.pred_indptr[readers], dag.indegree[readers]
    ends = np.cumsum(sizes)
    edges: Int64Array = np.arange(int(sizes.sum())) + np.repeat(begin - ends + sizes, sizes)
    return edges


def _pairs(
    dag: CDAG,
    space: IterationSpace,
    name: str,
    chosen: BoolArray,
    item: Int64Array,
    makers: Int64Array,
) -> Int64Array:
    """(values, 2) P and T of the values of an array, if their joins are a forest.

    Parameters
    ----------
    dag, space, name
        The DAG, its updates, and the array.
    chosen
        (n,) whether a value counts as one of this array.
    item, made
        (n,) the item of each value, and the number of the update that makes it.
    """
    items, updates = item_numbers(space, name), np.ascontiguousarray(space.updates, np.int64)
    touches, parent = np.zeros(dag.n, np.int64), np.arange(items.size)
    rows = np.where(chosen, item, -1), makers, parent, touches
    if not _kernels.join_touching(dag.pred_indptr, dag.pred_indices, updates, items, *rows):
        raise CertificateError("family", f"has values of {name} that are joined twice")
    free = ~dag.is_computed
    free[dag.outputs] = True
    pairs = touches[chosen] - 1
    return np.stack((pairs, pairs + ~free[chosen]), axis=1)
