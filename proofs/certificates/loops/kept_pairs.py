"""Checks what the updates of a loop nest can save by keeping values, by windows of all lengths.

Number the N updates of a one-shot play by their order. Every update has an item of each array
(`iteration_space`). A value *belongs* to an item if all updates that read it have that item; if
the update that makes it has it, too, then that one *touches* the value, as all readers do. Take
the updates that touch a value u in the order of play: each two in a row are a *pair* of u, of
*length* l, the difference of their numbers; P(u) is how many there are. A pair is *kept* if u
stays in fast memory from one to the other. Otherwise u is loaded in between, which is no first load
of an input; and if it is neither input nor output, it was stored, too. So u moves, beside words
that are compulsory, where kept(u) of its pairs are kept,

    excess(u) >= T - kept(u) T / P,    T = P, or P + 1 of what is neither input nor output.

*Pairs in a window.* Let the updates that touch the values of one item be joined value by value,
all those of a value with each other, and let no join be one too many (the joins are a forest; the
checker makes them). Then the pairs in a window of consecutive updates, of values of an item that x
of these have, are at most x - 1; of an array with a role for each of the items of an update, at
most roles times A less the items that the A updates have in all. `layered_sets` has the least
number of items, so that with prices w for the pairs of each array the pairs in a window of A
updates are worth at most Phi(A) = max over sets of sum over arrays of w (roles A - items). There
are N + A - 1 windows of up to A consecutive updates, at both ends shorter ones, and a pair of
length l < A is in A - l of them.

*Room.* While update y is computed, its operands are in fast memory, and its result (not yet,
where it slides). A kept pair of u that begins before y and ends after it has u there besides, for
y does not touch u and so does not read it; of each value there is one such pair at most. So the sum
of l - 1 over all kept pairs is at most R = sum over updates of M - operands - 1 (or M - operands).

*Together.* For prices w(A) >= 0 of several lengths A of windows, and a price g >= 0 of room, let

    floor = min over l of sum over A of w(A) max(0, A - l) + g (l - 1)

of each array; the sum bends at l = A only, and grows at last, so that l = 1 and l = A are enough.
A kept pair of u is worth at most what it uses of windows and of room, and max(0, T / P - floor).
Hence

    excess >= sum over u of min(T, P floor) - g R
              - sum over A of ((N - A + 1) Phi(A) + 2 (Phi(1) + ... + Phi(A - 1))).

*Twins.* Two updates are twins if they read the same vertices, of which two, v and w, are read by
nobody else; rotations compute such values. Where all updates at one point are twins or alone, twins
count as one update, which makes two values. For any play can be changed so that the second twin
is computed at once behind the first one: its result takes the room that v or w takes until it was
computed before. From the first moment at which neither is in fast memory, it is stored instead,
and loaded when it was computed before: that is a store and a load more, and two loads less, for
both must come back. What is output of v and w is stored at once, if it was stored later. Only
while both results are made, a word more than M may be taken; beside the operands and both results
M less the operands and one, as above. Other plays are not asked for, so all holds for these.

It is the argument of `windows.reuse` with sets of updates that are known by formulas.

Source
------
The windows are those of `window_gains`, and so are their sources. That all lengths count at once,
and that room is asked for at every update, is proved here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, min_memory
from proofs.certificates.certificate import CertificateError
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.fields import integer, only, shown, text
from proofs.certificates.loops import _kernels
from proofs.certificates.loops.affine import described_space
from proofs.certificates.loops.iteration_space import IterationSpace, Vertices, check_updates
from proofs.certificates.loops.layered_sets import REACH, Layers, layers_of, least_items
from proofs.certificates.loops.projections import family_space
from proofs.certificates.single_use import is_single_use

DEAREST = 2**30  # of all prices, in parts of a word
MOST_WINDOWS = 16
TWINS = 2  # updates with the same operands

BoolArray = npt.NDArray[np.bool_]
Price = tuple[int, int, int]  # size of windows, price of a pair of operands, and of base items


@dataclass(frozen=True)
class Nest:
    """Updates, the pairs of values that they touch, and the operands that take room.

    Parameters
    ----------
    layers
        What small sets of updates touch.
    updates
        How many there are.
    operands
        Sum over updates of the vertices that they read.
    of_operands, of_base
        (values, 2) P and T of the values of operands, of base items.
    """

    layers: Layers
    updates: int
    operands: int
    of_operands: Int64Array
    of_base: Int64Array

    def room(self, memory: int, rules: Rules) -> int:
        """Return R, the words that wait beside updates, summed over these."""
        return (memory - (0 if rules.sliding else 1)) * self.updates - self.operands

    def saved(self, size: int, operand: int, entry: int) -> int:
        """Return the worth of the pairs in all windows of up to `size` updates, at most.

        Parameters
        ----------
        size
            Updates of a whole window.
        operand, entry
            Prices of pairs.
        """
        touched = least_items(self.layers, size, operand, entry)
        worth = (self.layers.roles * operand + entry) * np.arange(size + 1) - touched
        return (self.updates - size + 1) * int(worth[size]) + 2 * int(worth[1:size].sum())

    def excess(
        self, memory: int, rules: Rules, denominator: int, room: int, prices: list[Price]
    ) -> int:
        """Return the words beside the compulsory ones that prices prove, rounded up.

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
        earned = 0
        for array, values in ((1, self.of_operands), (2, self.of_base)):
            pairs, words = values[:, 0], values[:, 1] * denominator
            floor = _floor(room, [(price[0], price[array]) for price in prices])
            earned += int(np.minimum(words, pairs * floor).sum())
        return -(-(earned - spent) // denominator)


def _floor(room: int, prices: list[tuple[int, int]]) -> int:
    """Return the least that a kept pair of any length pays, by the sizes and prices of windows."""
    return min(
        sum(price * max(0, size - length) for size, price in prices) + room * (length - 1)
        for length in (1, *(size for size, _ in prices))
    )


def holds(dag: CDAG, rules: Rules) -> bool:
    """Return whether the argument holds: in one-shot plays, or where these are the best."""
    return not rules.partial and (not rules.recompute or is_single_use(dag))


# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, Nest]] = WeakKeyDictionary()


def nest(dag: CDAG, source: Mapping[str, Any], base: str, operands: tuple[str, ...]) -> Nest:
    """Return the pairs of a nest, verified on `dag`.

    Parameters
    ----------
    dag
        The DAG, its values of one word.
    source
        Has a "family" and its "params", or the "space" of a program.
    base, operands
        The arrays, as for `layers_of`.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, repr(source), base, operands
    if question not in known:
        by_family = "family" in source
        space = (family_space if by_family else described_space)(dag, source)
        known[question] = of_space(dag, space, base, operands)
    return known[question]


def of_space(dag: CDAG, space: IterationSpace, base: str, operands: tuple[str, ...]) -> Nest:
    """Return the pairs of the updates of a space, verified on `dag`.

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
    belonging = [_belonging(dag, space, makers, name) for name in names]
    number = np.stack([touching for _, _, touching in belonging])
    # What belongs to several is of the array with most pairs, and of the one that it is read as.
    told = np.stack([_told(dag, space, name) for name in names])
    chosen = np.where(number.max(axis=0) > 1, (2 * number + told).argmax(axis=0), -1)
    found = [
        _pairs(dag, space, name, chosen == each, *belonging[each][:2])
        for each, name in enumerate(names)
    ]
    read = int(dag.indegree[space.updates].sum())
    return Nest(layers, space.updates.size, read, np.concatenate(found[1:]), found[0])


def _merged(dag: CDAG, space: IterationSpace, layers: Layers) -> tuple[Int64Array, Layers]:
    """Return (2, steps) the first and last place of the updates that count as one, and the layers.

    Where some are no twins, each update counts by itself.
    """
    alone = np.arange(space.updates.size)
    if layers.copies != TWINS:
        return np.stack((alone, alone)), layers
    point = space.images("".join(index for index in space.shape.extents if index in layers.indices))
    order = np.argsort(point, kind="stable")
    begins = np.flatnonzero(np.diff(point[order], prepend=-1))
    places = np.stack((order[begins], order[np.append(begins[1:], order.size) - 1]))
    several = places[:, places[0] != places[1]]
    if not _are_twins(dag, space.updates[several]):
        return np.stack((alone, alone)), layers
    return places, replace(layers, copies=1)


def _are_twins(dag: CDAG, twins: Vertices) -> bool:
    """Return whether the vertices (2, steps) of each column are twins."""
    sizes = dag.indegree[twins[0]]
    if np.any(sizes != dag.indegree[twins[1]]):
        return False
    one, other = (dag.pred_indices[_edges(dag, each)] for each in twins)
    own = np.repeat(np.arange(sizes.size), sizes)[dag.outdegree[one] == TWINS]
    number = np.bincount(own, minlength=sizes.size)
    return bool(np.array_equal(one, other) and np.all(number >= TWINS))


def _at(space: IterationSpace, places: Int64Array) -> IterationSpace:
    """Return the space of some of the updates."""
    touched = {
        name: tuple(values[places] for values in roles) for name, roles in space.touched.items()
    }
    at = {index: values[places] for index, values in space.at.items()}
    return replace(space, updates=space.updates[places], at=at, touched=touched, label=None)


def _numbers(space: IterationSpace, name: str) -> Int64Array:
    """Return (roles, u) the numbers of the items of an array that updates have."""
    kept = space.shape.measure(name).projections
    return np.stack([space.images(role).astype(np.int64) for role in kept])


def _told(dag: CDAG, space: IterationSpace, name: str) -> BoolArray:
    """Return (n,) whether the space has a value among those that updates read of an array."""
    told = np.zeros(dag.n, np.bool_)
    for values in space.touched[name]:
        told[values[values >= 0]] = True
    return told


def _belonging(
    dag: CDAG, space: IterationSpace, makers: Vertices, name: str
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return (n,) the item of an array that a value belongs to, who makes it, and touches.

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
    items, updates = _numbers(space, name), np.ascontiguousarray(space.updates, np.int64)
    first, second = np.full((2, dag.n), -1, np.int64)
    _kernels.follow_readers(dag.pred_indptr, dag.pred_indices, updates, items, first, second)
    number = np.full(dag.n, -1, np.int64)
    own = np.full((items.shape[0], dag.n), -3, np.int64)
    for each in makers:
        number[each] = np.arange(updates.size)
        own[:, each] = items
    of_first, of_second = ((own == each).any(axis=0) for each in (first, second))
    item = np.where((first >= 0) & (of_first | ~((second >= 0) & of_second)), first, second)
    made = np.where((item >= 0) & (own == item).any(axis=0), number, -1)
    readers = _readers(dag, updates)
    return item, made, np.where(item >= 0, readers + (made >= 0), 0)


def _readers(dag: CDAG, updates: Int64Array) -> Int64Array:
    """Return (n,) how many updates read each vertex."""
    read = dag.pred_indices[_edges(dag, updates)]
    counts: Int64Array = np.bincount(read, minlength=dag.n).astype(np.int64)
    return counts


def _edges(dag: CDAG, readers: Vertices) -> Int64Array:
    """Return the places of the operands of some vertices, one after the other."""
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
    made: Int64Array,
) -> Int64Array:
    """Return (values, 2) P and T of the values of an array, if their joins are a forest.

    Parameters
    ----------
    dag, space, name
        The DAG, its updates, and the array.
    chosen
        (n,) whether a value counts as one of this array.
    item, made
        (n,) the item of each value, and the number of the update that makes it.
    """
    items, updates = _numbers(space, name), np.ascontiguousarray(space.updates, np.int64)
    touches, parent = np.zeros(dag.n, np.int64), np.arange(items.size)
    rows = np.where(chosen, item, -1), made, parent, touches
    if not _kernels.join_touching(dag.pred_indptr, dag.pred_indices, updates, items, *rows):
        raise CertificateError("family", f"has values of {name} that are joined twice")
    free = ~dag.is_computed
    free[dag.outputs] = True
    pairs = touches[chosen] - 1
    return np.stack((pairs, pairs + ~free[chosen]), axis=1)


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "source" of the updates: a "family" and its "params" or the "space" of a program;
        the names of the "base" array and of the "operands"; a "denominator" of all prices, the
        price of "room", and "windows": a list with the "size" and the prices of pairs of
        an "operand" and of a base "entry".
    """
    only(data, ("source", "base", "operands", "denominator", "room", "windows"))
    if not holds(dag, rules):
        raise CertificateError("rules", f"are {rules.name}, under which values come back otherwise")
    if memory < min_memory(dag, rules=rules):
        raise CertificateError("memory", f"of {memory} words is too small to play at all")
    found = nest(dag, _source(data), text(data, "base"), _names(data))
    denominator, room = _price(data, "denominator", least=1), _price(data, "room")
    prices = _windows(data["windows"], found.updates)
    return compulsory_words(dag) + max(0, found.excess(memory, rules, denominator, room, prices))


def _source(data: Mapping[str, Any]) -> Mapping[str, Any]:
    source = data["source"]
    if not isinstance(source, Mapping):
        raise CertificateError("source", f"is {shown(source)}, neither a family nor a space")
    only(source, ("space",) if "space" in source else ("family", "params"))
    return source


def _names(data: Mapping[str, Any]) -> tuple[str, ...]:
    names = data["operands"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CertificateError("operands", "are no list of names")
    return tuple(names)


def _price(data: Mapping[str, Any], name: str, least: int = 0) -> int:
    value = integer(data, name, least=least)
    if value > DEAREST:
        raise CertificateError(name, f"is {value}, more than {DEAREST}")
    return value


def _windows(windows: Any, updates: int) -> list[Price]:
    """Return the size and the prices of each entry of "windows"."""
    if not isinstance(windows, list) or not 1 <= len(windows) <= MOST_WINDOWS:
        raise CertificateError("windows", f"are not from 1 to {MOST_WINDOWS} sizes with prices")
    found = []
    for entry in windows:
        if not isinstance(entry, Mapping):
            raise CertificateError("windows", "are no list of objects")
        only(entry, ("size", "operand", "entry"))
        size = integer(entry, "size", least=1)
        if size > min(REACH, updates):
            raise CertificateError("size", f"is {size}, more than {min(REACH, updates)}")
        found.append((size, _price(entry, "operand"), _price(entry, "entry")))
    return found
