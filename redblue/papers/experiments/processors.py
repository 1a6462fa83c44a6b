"""Several processors: the machines of the source papers, played."""

from dataclasses import dataclass
from itertools import count
from math import log2

import numpy as np
import numpy.typing as npt

from dags import CDAG, load, matmul
from pebble import Links, Machine, MachineCount, Move, play, play_on
from proofs.bounds.processors import best_busiest, check_parallel, parallel_bounds
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import KUNG
from redblue.papers.experiments.mesh import LEAST, played_part, step_seconds
from redblue.papers.experiments.played_nodes import dirac_lattice, played_lattice
from redblue.show.model import Axis, Claim, Experiment, Figure, judged
from redblue.show.rows import listed, series, table
from schedulers import structured
from schedulers.parallel import Placement, exact_parallel, played, staged
from schedulers.parallel.grids import block_owners
from schedulers.parallel.products import on_grid

TERMS = 3  # steps along k that are played: each is like the one before
ROOM = 2**40  # words: what is held is measured, not limited


@dataclass(frozen=True)
class Element:
    """One element of an array that computes a product, as it was played."""

    side: int  # rows and columns of the block of C that the array holds
    computes: int  # of the element that makes most
    words: int  # that the port loads which loads most
    memory: int  # most words that some element held at once

    @property
    def balance(self) -> float:
        """Computations for each word that comes in."""
        return self.computes / self.words


def balanced_element(shape: tuple[int, ...], balance: float) -> Element:
    """An element of the smallest array that computes so much for each word."""
    sides = count(max(shape), max(shape))
    return next(
        element for side in sides if (element := played_element(shape, side)).balance >= balance
    )


def played_element(shape: tuple[int, ...], side: int) -> Element:
    """The work of the elements of an array that computes a block of C = AB.

    Only elements on the border reach the memory outside; in a linear array, only the first. A
    block of `side` rows and columns stays, spread over the array; columns of A and rows of B come
    in at the border and are passed on from neighbour to neighbour.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 5.1, 5.2.
    """
    elements = _played(shape, side).each
    return Element(
        side,
        computes=max(element.computes for element in elements),
        words=max(element.loads for element in elements),
        memory=max(element.peak for element in elements),
    )


def _played(shape: tuple[int, ...], side: int) -> MachineCount:
    """The count of the play."""
    dag, linear = matmul(side, k=TERMS), len(shape) == 1
    grid = (1, *shape) if linear else shape
    links = Links(shape)
    entry = block_owners((side, side), grid)
    rows = np.zeros(side, np.int64) if linear else entry.reshape(side, side)[:, 0]
    columns = np.zeros(side, np.int64) if linear else entry.reshape(side, side)[0]
    owner = np.concatenate(
        (np.repeat(rows, TERMS), np.tile(columns, TERMS), np.repeat(entry, TERMS))
    )
    stage = np.concatenate(
        (np.zeros(2 * side * TERMS, np.int64), np.tile(np.arange(TERMS), side**2))
    )
    ports = (0,) if linear else links.border
    machine = Machine.parallel(links.processors, ROOM, links, ports=ports)
    sink = np.zeros(dag.n, np.int64) if linear else _nearest_border(owner, shape)
    placement = Placement(owner, stage, sink, _leaves(side))
    return play_on(dag, staged(dag, placement, machine), machine)


def _leaves(side: int) -> np.ndarray:
    """The stage in which each value leaves, as many in each as words come in before."""
    row, column = np.divmod(np.arange(side * side), side)
    after = TERMS + (row + column) % side // 2
    return np.concatenate((np.zeros(2 * side * TERMS, np.int64), np.repeat(after, TERMS)))


def _nearest_border(owner: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The first element of the row of the array that each owner is in."""
    first: np.ndarray = owner // shape[1] * shape[1]
    return first


BALANCE = 1.0  # computations of an element while a word comes in
MANY_CORES = "Many-core model, Euro-Par 2008"
MOREIRA = "J. E. Moreira"
GRIDS = ((2, 2, 1), (4, 4, 1), (8, 8, 1), (4, 4, 4))
CORES = (1, 2, 4, 8, 16, 32, 64)
ELEMENTS = (2, 4, 8, 16, 32, 64)
PRODUCT = ("matmul:n=48",)
SLOPE = 0.05  # by which an exponent may be off
NEAR = 0.1  # relative distance that counts as agreement
Words = npt.NDArray[np.int64]
Product = tuple[tuple[int, int, int], int, int, int, float]


@dataclass(frozen=True)
class Timeline:
    """A play cut into w windows, in each of which half the memory is filled with words."""

    words: Words  # (w,) moved in each
    computes: Words  # (w,) computations of each

    def time(self, cores: int, bandwidth: float) -> float:
        """The cycles if each window's words are moved while the one before is computed.

        Each core makes a computation a cycle; `bandwidth` words are moved in one.
        """
        moving = np.append(self.words / bandwidth, 0)
        computing = np.append(0, np.ceil(self.computes / cores))
        return float(np.maximum(moving, computing).sum())

    def gain(self, cores: int) -> float:
        """The speed-up of cores that share a word a cycle."""
        return self.time(1, 1) / self.time(cores, 1)

    def most_cores(self, bandwidth: float) -> float:
        """The cores beyond which words, not computations, take the time."""
        return float(self.computes.sum() / self.words.sum() * bandwidth)


def experiment(bench: Bench) -> Experiment:
    """Experiment: machines of several processors, by plays that a referee accepts.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986; J. E. Moreira;
    G. Bilardi et al., HiPC 2005; the many-core model of Euro-Par 2008; T. Boehnlein, P. A. Papp and
    A. N. Yzelman, SIROCCO 2025.
    """
    lines = {p: balanced_element((p,), BALANCE) for p in bench.pick((2, 4, 8, 16), ELEMENTS)}
    meshes = {p: balanced_element((p, p), BALANCE) for p in bench.pick((2, 4), (2, 4, 8))}
    cores = {name: timeline(load(name), 200) for name in bench.pick(PRODUCT, (*PRODUCT, "lu:n=64"))}
    products = [_product(bench.pick(16, 48), grid) for grid in GRIDS]
    return Experiment(
        name="processors",
        title="Several processors: arrays, meshes and many cores, played",
        summary="Machines that the source papers describe by formulas play the game here, each "
        "processor with a fast memory of its own, and a referee accepts their plays. A linear "
        "array needs p times the memory in each element to stay balanced, a square one no more; "
        "parts of a grid exchange their faces, nodes of a lattice 288 n/k words, and cores that "
        "share a bandwidth speed up until it is used.",
        claims=(
            _linear_claim(lines),
            _square_claim(meshes),
            _grid_claim(bench.pick((3, 4), (3, 8))),
            _submesh_claim(),
            *_node_claims(),
            *(_core_claim(name, timeline) for name, timeline in cores.items()),
            _product_claim(products),
            _search_claim(),
        ),
        tables=(
            table("processors-products",
                  "Words of the busiest processor in a product on a x b x c processors.",
                  (("x".join(map(str, grid)), memory, words, bound, round(textbook))
                   for grid, memory, words, bound, textbook in products),
                  "grid", "M [words]", "played [words]", "at least [words]", "textbook [words]"),
        ),
        figures=(
            Figure("processors-memory",
                   "Memory that keeps an element of an array balanced for products.",
                   Axis("elements along a side", 2), Axis("words of an element", 2), tuple(
                       series(label, elements.items(), lambda item: item[0],
                       lambda item: item[1].memory)
                       for label, elements in (("linear array", lines), ("square array", meshes)))),
            Figure("processors-cores", "Speed-up of cores that share a word a cycle.",
                   Axis("cores", 2), Axis("speed-up", 2),
                   tuple(series(name, CORES, float, timeline.gain) for name,
                   timeline in cores.items())),
        ),
        references=("kung1986", "moreira", "bilardi2005", "manycore2008", "irony2004",
                    "boehnlein2025"),
    )  # fmt: skip


def _linear_claim(lines: dict[int, Element]) -> Claim:
    """The claim on a linear array, of which only one end reaches memory."""
    first, last = min(lines), max(lines)
    slope = log2(lines[last].memory / lines[first].memory) / log2(last / first)
    return Claim(
        "A linear array of p elements is balanced when each has p times the memory",
        f"{KUNG}, section 5.1",
        "memory of an element ~ p^1",
        f"p^{slope:.3f}: {listed(f'{element.memory} for {p}' for p, element in lines.items())} "
        f"words",
        judged(abs(slope - 1) < SLOPE),
        "the smallest array of p elements that makes a computation in each while a word comes in; "
        "products, values enter and leave at one end and are passed on",
        tolerance=f"{SLOPE} of the exponent",
    )


def _square_claim(meshes: dict[int, Element]) -> Claim:
    """The claim on a square array, whose border reaches memory."""
    memories = {element.memory for element in meshes.values()}
    return Claim(
        "A square array is balanced for products without more memory in each element",
        f"{KUNG}, section 5.2",
        "memory of an element ~ p^0",
        listed(f"{element.memory} words for {p} x {p}" for p, element in meshes.items()),
        judged(max(memories) - min(memories) <= 1),
        "rows of A enter on the left, columns of B at the top, C leaves on the left",
    )


def _grid_claim(sides: tuple[int, int]) -> Claim:
    """The claim that parts of a grid exchange their faces and nothing else."""
    parts = {d: [played_part(d, side) for side in sides] for d in (1, 2, 3)}
    exact = all(
        (part.received, part.computes) == (2 * d * part.side ** (d - 1), part.side**d)
        for d, parts in parts.items()
        for part in parts
    )
    return Claim(
        "An element that holds n^d points of a grid exchanges its faces: 2 d n^(d-1) words for n^d "
        "points", f"{KUNG}, section 3.3; {MOREIRA}, equations (3) and (4)",
        "2 d n^(d-1) and n^d for d = 1, 2, 3", "exactly these" if exact else "others",
        judged(exact),
        f"tori of {LEAST}^d elements, n = {sides[0]} and {sides[1]}; n^(d-1) words on a link",
    )  # fmt: skip


def _submesh_claim(factor: int = 2) -> Claim:
    """The claim that a mesh of larger elements takes the same time."""
    small, large = played_part(3, LEAST), played_part(3, factor * LEAST)
    latency, word, point = 5.0, 8.0, 1.0
    small_seconds = step_seconds(small, latency, word, point)
    large_seconds = step_seconds(large, latency, word / factor**2, point / factor**3)
    return Claim(
        "Elements with q^3 times the memory and the arithmetic and q^2 times the bandwidth take "
        "the same time for a part of q^3 times the points", f"{MOREIRA}, equations (14) to (20)",
        "the same", f"{small_seconds:g} and {large_seconds:g}",
        judged(small_seconds == large_seconds),
        f"q = {factor}, parts of {small.side}^3 and {large.side}^3 points",
    )  # fmt: skip


def _node_claims() -> list[Claim]:
    """The claims on words of nodes for the Dirac operator, on their own and to others."""
    sent, loaded = [], []
    for k, n4, nodes in ((2, 3, (2, 2, 2)), (2, 4, (3, 2, 2))):
        for copies in (False, True):
            lattice = dirac_lattice(k, n4, nodes, copies=copies)
            count = played_lattice(lattice, nodes)
            n = lattice.sites
            for processor in count.each:
                sent.append(processor.received + processor.sent == 288 * n // k)
                loaded.append(processor.io == 120 * n + (54 * n // k if copies else 0))
    description = "tori of 2x2x2 and 3x2x2 nodes, all of the lattice at once"
    source = "Bilardi et al., HiPC 2005, section 3.2"
    return [
        Claim(
            "A node of n = k^3 n4 sites sends and receives 288 n/k words for a Dirac operator",
            source, "288 n/k on each of P = N/n nodes", "exactly" if all(sent) else "others",
            judged(all(sent)), description,
        ),
        Claim(
            "It loads and stores 120 n words of its own, if it owns the links that leave forward",
            source, "120 n; 54 n/k more if nodes keep all links of their sites",
            "exactly" if all(loaded) else "others", judged(all(loaded)), description,
        ),
    ]  # fmt: skip


def _core_claim(name: str, timeline: Timeline) -> Claim:
    """The claim on the speed-up of cores that share a bandwidth."""
    cores_most = timeline.most_cores(1)
    gains = {cores: timeline.gain(cores) for cores in CORES}
    below = [gain / cores for cores, gain in gains.items() if 2 * cores <= cores_most]
    beyond = [gain / cores_most for cores, gain in gains.items() if cores >= 2 * cores_most]
    agrees = min(below) > 1 - NEAR and all(abs(gain - 1) < NEAR for gain in beyond)
    return Claim(
        f"Cores that share a bandwidth speed up to P_max, and not beyond: {name}",
        f"{MANY_CORES}, equations (10) and (11)",
        f"P up to P_max = {cores_most:.2f}, then {cores_most:.2f}",
        listed(f"{gain:.2f} on {cores}" for cores, gain in gains.items()), judged(agrees),
        "played in half of 200 words on the chip while the other half is filled, a word a cycle; "
        "P_max is the play's computations for each word",
        tolerance=f"{NEAR:.0%} at P_max / 2 and less, and at 2 P_max and more",
    )  # fmt: skip


def _product(n: int, grid: tuple[int, int, int]) -> Product:
    """A grid, its memory, the words of its busiest processor, their bound and textbooks'."""
    dag, (side, _, layers) = load(f"matmul:n={n}"), grid
    processors = side * side * layers
    machine = Machine.parallel(processors, n * n // side**2 + n // side + 2)
    count = play_on(dag, played(dag, on_grid(dag, grid, machine.memory), machine), machine)
    bound = best_busiest(parallel_bounds(dag, machine))
    check_parallel(dag, bound)
    sums = n * n / side**2 * (1 if layers == 1 else 2)  # partial ones come from a layer, and go on
    return grid, machine.memory, count.busiest, bound.busiest, 2 * n * n / (side * layers) + sums


def _product_claim(products: list[Product]) -> Claim:
    """The claim on the words of each processor in a product."""
    ratios = [played_words / textbook for _, _, played_words, _, textbook in products]
    above = all(words >= bound for _, _, words, bound, _ in products)
    return Claim(
        "Products on grids of processors move 2 n^2 / sqrt(c p) words and the sums",
        "Irony, Toledo and Tiskin 2004; Solomonik and Demmel 2011",
        "within 10 % of the textbooks', above the bound",
        f"{listed(ratios, '.3f')} times the textbooks'",
        judged(above and all(abs(ratio - 1) < NEAR for ratio in ratios)),
        "words of the busiest processor; the bounds are checked",
        tolerance=f"{NEAR:.0%}",
    )


def _search_claim() -> Claim:
    """The claim on the cheapest plays of a small transform."""
    dag = load("fft:n=4")
    costs = [exact_parallel(dag, Machine.parallel(p, 3)).cost for p in (1, 2)]
    return Claim(
        "Two processors play a transform of 4 points in less than half of one processor's cost",
        "after Boehnlein, Papp and Yzelman, SIROCCO 2025: superlinear speed-up", "22 and 10",
        f"{costs[0]} and {costs[1]}", judged(costs == [22, 10]),
        "three words each, g = 1; complete searches", kind="proof",
    )  # fmt: skip


def timeline(dag: CDAG, memory: int) -> Timeline:
    """The windows of a structured play in half the memory: the other half is filled."""
    half = memory // 2
    schedule = structured(dag, half)
    play(dag, schedule, half)
    moved = (schedule.op == Move.LOAD) | (schedule.op == Move.STORE)
    words = np.where(moved, dag.sizes[schedule.vertex], 0)
    window = np.maximum(np.cumsum(words) - 1, 0) // half
    count = int(window[-1]) + 1
    by_words = np.bincount(window, weights=words, minlength=count)
    by_computes = np.bincount(window[schedule.op == Move.COMPUTE], minlength=count)
    return Timeline(by_words.astype(np.int64), by_computes.astype(np.int64))
