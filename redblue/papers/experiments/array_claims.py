"""Kung's claims on arrays of processing elements, by plays of arrays that hold a block.

A block of a grid, or a transform of some points, is spread over an array of elements. Words between
the block and the rest of the computation pass the ports of the array, which are at its border, and
are handed on between neighbours.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from math import isclose, log2, prod

import numpy as np
import numpy.typing as npt

from dags import CDAG, fft
from pebble import Links, Machine, MachineCount, play_on
from proofs.laws import LOGARITHM, Law
from redblue.answers.hardware import MACHINES, ProcessingElement, ProcessorArray
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import KUNG
from redblue.show.model import Claim, Table, judged
from redblue.show.rows import listed, table
from schedulers.parallel import Placement, staged
from schedulers.parallel.grids import block_owners

ROOM = 2**40  # words: what is held is measured, not limited
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Share:
    """Work, traffic and memory of an array that holds a block."""

    points: int  # of the block
    computes: int  # of the busiest element, in a step of a grid or in all of a transform
    loads: int  # words that enter the array meanwhile
    stores: int  # words that leave it
    links: int  # between its border and the memory outside
    memory: int  # most words that some element held at once

    @property
    def balance(self) -> float:
        """Computations of an element for each word on a link that leaves the array."""
        return self.computes * self.links / (self.loads + self.stores)


def balanced_share(played: Callable[[int], Share], balance: float) -> Share:
    """The first play, of sizes 1, 2, 3, ..., that computes so much for each word."""
    return next(share for share in map(played, count(1)) if share.balance >= balance)


def grid_share(dimensions: int, array: tuple[int, ...], side: int) -> Share:
    """The share of an array in a step of a grid of which it holds a block.

    The block of `side` points a dimension stays on the array. In each step the points around its
    faces come in, and those on its faces go out, for the neighbours of the block.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 3.3 and 5.
    """
    # what a step adds: loading the block and ending the play are no part of it
    before, after = (_grid_play(dimensions, array, side, steps) for steps in (1, 2))
    pairs = list(zip(before.each, after.each, strict=True))
    return Share(
        points=side**dimensions,
        computes=max(two.computes - single.computes for single, two in pairs),
        loads=after.loads - before.loads,
        stores=after.stores - before.stores,
        links=_leaving(array),
        memory=max(processor.peak for processor in after.each),
    )


def transform_share(elements: int, levels: int) -> Share:
    """The share of a linear array in a Fourier transform of 2^levels points that it holds.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 3.4 and 5.
    """
    points, dag = 2**levels, fft(2**levels)
    point = np.arange(dag.n) % points
    owner = block_owners((points,), (elements,))[point]
    links = Links((elements,))
    port = _ports(links)[owner]
    home = np.where(dag.is_computed, owner, port)
    machine = Machine.parallel(elements, ROOM, links, ports=links.border)
    placement = Placement(home, np.arange(dag.n) // points, port)
    count = play_on(dag, staged(dag, placement, machine), machine)
    busiest = max(processor.computes for processor in count.each)
    memory = max(processor.peak for processor in count.each)
    return Share(points, busiest, count.loads, count.stores, _leaving(links.shape), memory)


def _grid_play(dimensions: int, array: tuple[int, ...], side: int, steps: int) -> MachineCount:
    """The count of a play of some steps of a block of a grid."""
    links = Links(array)
    shape = (side,) * dimensions
    owner = block_owners(shape, (*array, *(1,) * (dimensions - len(array))))
    values = _Values()
    outputs = _grow_block(values, shape, steps, owner)
    dag, user = values.dag(outputs), np.concatenate(values.users)
    port = _ports(links)[user]
    machine = Machine.parallel(links.processors, ROOM, links, ports=links.border)
    home = np.where(dag.is_computed, user, port)
    placement = Placement(home, np.concatenate(values.stages), port)
    return play_on(dag, staged(dag, placement, machine), machine)


@dataclass(eq=False)
class _Values:
    """Values in the order in which they are made: operands, who makes or reads them, stages."""

    rows: list[Numbers] = field(default_factory=list)
    users: list[Numbers] = field(default_factory=list)
    stages: list[Numbers] = field(default_factory=list)
    made: int = 0

    def add(self, reads: Numbers, user: Numbers, stage: int) -> Numbers:
        """Add (k,) values of (k, r) operands, and return their numbers."""
        numbers = self.made + np.arange(len(reads))
        self.rows.append(np.sort(reads, axis=1))
        self.users.append(user)
        self.stages.append(np.full(numbers.size, stage))
        self.made += numbers.size
        return numbers

    def dag(self, outputs: Numbers) -> CDAG:
        """The DAG of all values."""
        degrees = np.concatenate([np.full(len(row), row.shape[1]) for row in self.rows])
        indptr = np.concatenate(([0], np.cumsum(degrees)))
        indices = np.concatenate([row.ravel() for row in self.rows])
        return CDAG(indptr, indices.astype(np.int32), outputs=outputs)


def _grow_block(values: _Values, shape: tuple[int, ...], steps: int, owner: Numbers) -> Numbers:
    """Add the values of a block of a grid in some steps, and return which of them go out.

    The block begins with values made of one word that comes in, and ends with a value of each
    element made of all of its points, so that loading and storing the block do not count.
    """
    faces = np.ones(shape, bool)
    faces[(slice(1, -1),) * len(shape)] = False
    values.add(np.zeros((1, 0), np.int64), np.zeros(1, np.int64), 0)
    block = values.add(np.zeros((owner.size, 1), np.int64), owner, 0)
    outputs = []
    for step in range(1, steps + 1):
        block = values.add(_operands(values, shape, block, owner, step), owner, step)
        outputs.append(block[faces.ravel()])
    for element in np.unique(owner):
        points = block[owner == element].reshape(1, -1)
        outputs.append(values.add(points, np.array([element]), steps))
    return np.concatenate(outputs)


def _operands(
    values: _Values, shape: tuple[int, ...], block: Numbers, owner: Numbers, step: int
) -> Numbers:
    """The operands of each point: itself, and neighbours in the block or from outside."""
    axes, held = range(len(shape)), owner.reshape(shape)
    around = np.full([side + 2 for side in shape], -1)
    around[(slice(1, -1),) * len(shape)] = block.reshape(shape)
    for axis, end in product(axes, (0, -1)):
        reader = held.take(end, axis)
        outside = values.add(np.zeros((reader.size, 0), np.int64), reader.ravel(), step)
        face = tuple(end if a == axis else slice(1, -1) for a in axes)
        around[face] = outside.reshape(reader.shape)
    inner = (slice(1, -1),) * len(shape)
    beside = [
        np.roll(around, offset, axis)[inner].ravel() for axis, offset in product(axes, (1, -1))
    ]
    return np.stack([block, *beside], axis=1)


def _ports(links: Links) -> Numbers:
    """The port of each element: itself, or the nearer end of its line inside an array."""
    places = np.stack(np.unravel_index(np.arange(links.processors), links.shape))
    ends = np.array(links.shape)[:, None] - 1
    inner = ((places > 0) & (places < ends)).all(axis=0)
    nearer = np.where(2 * places[0] <= ends[0], 0, ends[0])
    places[0] = np.where(inner, nearer, places[0])
    port: Numbers = np.ravel_multi_index(tuple(places), links.shape).astype(np.int64)
    return port


def _leaving(array: tuple[int, ...]) -> int:
    """The links that leave an array: two for each line of elements along a dimension."""
    return sum(2 * prod(array) // side for side in array)


SIDE = 10
MEMORY = 1024
ONE = ProcessingElement(compute=32.0, bandwidth=1.0, memory=MEMORY)
LAWS = {d: Law("power", 1 / d) for d in (1, 2, 3, 4)}
BALANCE = {1: 1.0, 2: 1.0, 3: 1.0, 4: 0.5}  # computations for a word; in 4-D blocks grow large
NEAR, WIDE = 0.02, 0.2  # of exponents: of the block in each element, and of all that it holds
SELDOM = "a block of the grid stays, and the points around its faces come in at the border"
Shares = Mapping[tuple[int, int], Mapping[int, Share]]  # by dimensions of grid and array, by p


def array_claims(bench: Bench) -> tuple[Claim, ...]:
    """The claims of section 5, and of the Warp machine."""
    shares = array_shares(bench.pick((2, 4), (2, 4, 8)), bench.pick((1, 2, 3), (1, 2, 3, 4)))
    return (
        linear_claim(shares),
        square_claim(shares),
        automatic_claim(shares),
        boundary_claim(shares),
        transform_claim(bench.pick((1, 2, 4), (1, 2, 4, 8))),
        warp_claim(),
    )


def array_shares(sides: tuple[int, ...], dimensions: tuple[int, ...]) -> Shares:
    """The smallest balanced blocks of grids on arrays of p elements a side.

    Arrays have as many dimensions as the grids, or fewer.
    """
    return {
        (d, j): {p: _share(d, j, p) for p in sides if d < 4 or p < 8}
        for d in dimensions
        for j in range(1, d + 1)
    }


def _share(dimensions: int, array: int, side: int) -> Share:
    """The smallest block, of whole points a side in each element, that is balanced."""
    return balanced_share(
        lambda size: grid_share(dimensions, (side,) * array, size * side), BALANCE[dimensions]
    )


def exponents(shares: Mapping[int, Share], array: int) -> tuple[float, float]:
    """The powers of p with which the block in each element and all it holds grow."""
    first, last = min(shares), max(shares)
    steps = log2(last / first)
    blocks = [shares[p].points / p**array for p in (first, last)]
    held = [shares[p].memory for p in (first, last)]
    return log2(blocks[1] / blocks[0]) / steps, log2(held[1] / held[0]) / steps


def _sides(shares: Shares) -> str:
    """The sizes of the arrays as text."""
    return f"p = {listed(next(iter(shares.values())))}"


def linear_claim(shares: Shares) -> Claim:
    """The claim that the elements of a linear array need p times the memory each."""
    return _growth_claim(
        "A linear array of p elements: each needs p^(d-1) times the memory, for the law M^(1/d)",
        shares, 1, f": {SELDOM}", ". The paper says linear growth for d = 2",
    )  # fmt: skip


def square_claim(shares: Shares) -> Claim:
    """The claim that a square array balances itself for d = 2 and for no more."""
    return _growth_claim(
        "A square array is balanced without more memory per element for d = 2, never for d > 2",
        shares, 2, "", "",
    )  # fmt: skip


def _growth_claim(statement: str, shares: Shares, j: int, reason: str, addition: str) -> Claim:
    """The claim that elements of an array of j dimensions need p^(d-j) times the memory."""
    pairs = [pair for pair in shares if pair[1] == j]
    powers = {d: exponents(shares[d, j], j) for d, _ in pairs}
    agrees = all(
        abs(block - (d - j)) < NEAR and abs(held - (d - j)) < WIDE
        for d, (block, held) in powers.items()
    )
    sizes = (f"d = {d}: {listed((share.memory for share in shares[d, j].values()), ',')}"
             for d in powers)  # fmt: skip
    return Claim(
        statement,
        f"{KUNG}, section 5.{j}",
        listed(f"p^{d - j} for d = {d}" for d in powers),
        listed(
            f"p^{block + 0.0:.3f} (p^{held + 0.0:.2f} held) for d = {d}"
            for d, (block, held) in powers.items()
        ),
        judged(agrees),
        f"grids of d dimensions, {_sides(shares)}{reason}. Words held at most, "
        f"{listed(sizes, joint='; ')}{addition}",
        tolerance=f"{NEAR} of the exponent of the block, {WIDE} of all that is held",
    )


def automatic_claim(shares: Shares) -> Claim:
    """The claim that an array of d dimensions balances itself for the law M^(1/d)."""
    balanced = [
        (d, j)
        for (d, j), shares_of_p in shares.items()
        if len({(share.points // p**j, share.memory) for p, share in shares_of_p.items()}) == 1
    ]
    return Claim(
        "An array of j dimensions is balanced automatically for the law M^(1/d) if j = d",
        f"{KUNG}, section 5.3",
        "j = d",
        f"the same memory at every p for (d, j) = {listed(map(str, balanced))}",
        judged(balanced == [pair for pair in shares if pair[0] == pair[1]]),
        f"grids of d dimensions on arrays of j <= d, {_sides(shares)}: to the word",
    )


def boundary_claim(shares: Shares) -> Claim:
    """The claim on the bandwidth of a square array, which grows with its links."""
    shares_of_side = {p: grid_share(2, (p, p), 2 * p) for p in (1, *shares[2, 2])}
    times = [share.loads / shares_of_side[1].loads for share in shares_of_side.values()]
    array = ProcessorArray(ONE, SIDE, 2)
    return Claim(
        "The 4p - 4 boundary elements of a square array make its I/O bandwidth p times larger",
        f"{KUNG}, section 5.2",
        f"4p - 4 = {4 * SIDE - 4} elements for p = {SIDE}, bandwidth times p",
        f"{listed(times, 'g')} times the words of one element come in in a step, for p = "
        f"{listed(shares_of_side)}",
        judged(
            times == list(shares_of_side)
            and all(share.links == 4 * p for p, share in shares_of_side.items())
            and array.boundary_elements == 4 * SIDE - 4,
            "corrected",
        ),
        "4p - 4 elements are no multiple of p: it is the links, 4p against 4, that count; blocks "
        "of a grid of two dimensions, 4 points in each element",
    )


def transform_claim(sides: tuple[int, ...]) -> Claim:
    """The claim that arrays need the p-th power of the memory for a Fourier transform."""
    shares_of_side = {p: _transform(p) for p in sides}
    points = shares_of_side[1].points
    powers = {p: log2(share.points) / log2(points) for p, share in shares_of_side.items()}
    return Claim(
        "A linear array of p elements holds M^p points of a Fourier transform, where one holds M",
        f"{KUNG}, sections 3.4 and 5.1",
        listed(f"M^{p}" for p in shares_of_side),
        listed(f"{share.points:,} points = M^{powers[p]:g}" for p, share in shares_of_side.items()),
        judged(all(isclose(powers[p], p) for p in shares_of_side)),
        f"the smallest transforms with which arrays of p = {listed(shares_of_side)} are "
        "balanced; points enter and leave at both ends. The paper has both laws, not the example",
    )


def _transform(side: int) -> Share:
    """The smallest transform of a point or more in each element that is balanced."""
    smallest = side.bit_length() - 1
    return balanced_share(lambda size: transform_share(side, max(size, smallest)), 2.0)


def warp_claim() -> Claim:
    """The claim on the Warp machine, a linear array of cells."""
    cell = MACHINES["Warp"].element()
    warp = ProcessorArray(cell, 10, 1)
    single, ten = (_share(2, 1, cells) for cells in (1, 10))
    factor = ten.points / 10 / single.points
    return Claim(
        "Warp: a linear array of cells of 10 Mflop/s, 20 Mword/s and 64 K words",
        f"{KUNG}, section 6",
        "C / IO = 0.5 for a cell; 5 for ten, which matrix computations balance with 10 times the "
        "memory each",
        f"C / IO = {cell.balance:g} and {warp.balance:g}; {factor:g} times the block in each of "
        f"ten elements, {ten.points // 10} points against {single.points}",
        judged(all(map(isclose, (cell.balance, warp.balance, factor), (0.5, 5.0, 10.0)))),
        "the figures are published, the factor is played, for the same law on a grid of two "
        "dimensions. Ten cells are the machine as built; the paper does not say how many",
    )


def array_table() -> Table:
    """The memory that each element of an array needs, law by law."""
    laws = {**{law.name: law for law in LAWS.values()}, LOGARITHM.name: LOGARITHM}
    arrays = [ProcessorArray(ONE, SIDE, j) for j in (1, 2, 3)]
    return table(
        "arrays-memory",
        f"Words that each of p^j elements needs in place of one with {MEMORY:,}, p = {SIDE}.",
        ((name, *(_words(array.memory_per_element(law)) for array in arrays))
         for name, law in laws.items()),
        "law", *(f"j = {array.dimensions} [words]" for array in arrays),
    )  # fmt: skip


def _words(memory: float) -> float:
    """Words rounded to whole ones, or to nine digits where there are many."""
    return round(memory) if memory < 1e9 else float(f"{memory:.9g}")
