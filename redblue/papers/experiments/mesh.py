"""Meshes of processing elements: which of them are equivalent, by plays and Moreira's numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from dags import stencil
from pebble import Links, Machine, MachineCount, play_on
from proofs.laws import LOGARITHM, Law
from redblue.papers.experiments.bench import Bench
from redblue.papers.models import GridProblem, MeshElement, quality, submesh
from redblue.papers.models.mesh import (
    Mesh,
    full_memory_efficiency,
    largest_grid,
    overlap_crossover,
)
from redblue.show.model import Axis, Claim, Experiment, Figure, Series, judged
from redblue.show.rows import listed, series, table
from schedulers.parallel import Placement, staged
from schedulers.parallel.grids import block_owners

SOURCE = "J. E. Moreira"
ELEMENT = MeshElement(rate=1e10, bandwidth=1e9, memory=2**30, latency=5e-6)
PROBLEM = GridProblem(points=1024, bytes_per_point=8, flops_per_point=100)
SAME = 1e-12
SIDES = (1, 2, 4, 8, 16, 32, 64)
CASES = ((12, 6, 2), (24, 6, 2), (18, 9, 3), (24, 12, 4))  # points, elements a side, and q


def experiment(bench: Bench) -> Experiment:
    """Experiment: performance of submeshes against that of single elements of equal quality.

    Source
    ------
    J. E. Moreira, Conditions for scalability of mesh-connected massively parallel processors.
    """
    return Experiment(
        name="mesh",
        title="Meshes: which processing elements are equivalent",
        summary="A q x q x q submesh has q^3 times the memory and the arithmetic of an element and "
        "q^2 times its bandwidth, and a single element with so much performs exactly alike on "
        "every grid, as plays on tori show to the word. Phi_3 = (B / R) M^(1/3) is what they "
        "share: with its fewer bytes for each operation the larger element gets along because it "
        "has more memory. That is Kung's law for grids of three dimensions, and the figures of "
        "merit that the paper asks for in other computations are his other laws.",
        claims=(
            *equivalence_claims(bench.pick(CASES[:2], CASES)),
            _capacity_claim(),
            *efficiency_claims(12, (1, 3, 4, 6)),
            _kung_claim(),
        ),
        tables=(
            table("mesh", "A time step on 1024^3 points with P^3 elements (L = 5e-6 s, B = 1e9 "
                  "byte/s, R = 1e10 flop/s, k = 8, f = 100), and with an eighth as many elements "
                  "of q = 2.", map(_times, SIDES), "P", "T [s]", "T with overlap [s]",
                  "efficiency", "T of q = 2 elements, P / 2 [s]"),
        ),
        figures=(
            Figure("mesh", "Efficiency of P^3 elements on 1024^3 points, for three bandwidths.",
                   Axis("elements P^3", 2), Axis("efficiency"),
                   tuple(_efficiencies(replace(ELEMENT, bandwidth=1e9 / factor))
                         for factor in (1, 4, 16))),
        ),
        formula=r"\Phi_3 = \frac{B}{R} M^{1/3}",
        references=("moreira", "kung1986"),
    )  # fmt: skip


def _capacity_claim() -> Claim:
    """The claim on the largest grid that fits."""
    part = played_part(3, 8)
    return Claim(
        "The largest grid that fits is (M / k)^(1/3) P points a side", f"{SOURCE}, equation (2)",
        "4096 for P = 8, k = 8", f"{largest_grid(ELEMENT, 8, 8):.10g}",
        judged(abs(largest_grid(ELEMENT, 8, 8) - 4096) < 1e-6, "recomputed"),
        f"the paper counts a value of each point; a play holds {part.memory:,} words for "
        f"{part.computes} points, values of two steps and what came from neighbours",
        kind="formulas", tolerance="1e-6",
    )  # fmt: skip


def _kung_claim() -> Claim:
    """The claim that memory grown by Kung's laws keeps the quality of each law."""
    laws = (Law("power", 1 / 3), Law("power", 1 / 2), Law("power", 1 / 4), LOGARITHM)
    difference = 0.0
    for law, alpha in product(laws, (1.5, 2, 3)):
        element = MeshElement(rate=1e10, bandwidth=1e9, memory=2**20)
        faster = MeshElement(1e10 * alpha, 1e9, law.rebalance(alpha, element.memory))
        difference = max(difference, abs(quality(faster, law) / quality(element, law) - 1))
    return Claim(
        "Phi_LINPACK and Phi_FFT, which are asked for, are Kung's laws",
        f"{SOURCE}, section 5; Kung 1986, equation (1)",
        "Phi stays where R grows alpha times and M by the law",
        f"at most {difference:.1e} apart, relatively" if difference else "the same",
        judged(difference < 1e-9, "recomputed"),
        "(B / R) times M^(1/3), M^(1/2), M^(1/4) and log2 M; alpha = 1.5, 2 and 3. The laws are "
        "recovered from plays; that they make figures of merit is arithmetic",
        kind="formulas",
        tolerance="1e-9, relative",
    )


def _times(side: int) -> tuple[float | None, ...]:
    """The line of P^3 elements in the table of time steps."""
    plain, overlapped = (Mesh(PROBLEM, ELEMENT, side).step_time(overlap=o) for o in (False, True))
    larger = Mesh(PROBLEM, submesh(ELEMENT, 2), side / 2).step_time() if side > 1 else None
    return side, plain, overlapped, Mesh(PROBLEM, ELEMENT, side).efficiency(), larger


def _efficiencies(element: MeshElement) -> Series:
    return series(
        f"Phi_3 = {quality(element):.4g}", SIDES, lambda side: side**3,
        lambda side: Mesh(PROBLEM, element, side).efficiency(),
    )  # fmt: skip


@dataclass(frozen=True)
class Step:
    """Work and traffic of elements in a time step, as played."""

    computes: int  # points of the busiest element
    face: int  # words on the busiest link; 0 for a single element

    def seconds(self, problem: GridProblem, element: MeshElement, *, overlap: bool) -> float:
        """The time: messages on all links at once, then points, or both side by side."""
        sent = problem.bytes_per_point * self.face / element.bandwidth
        parts = (
            element.latency + sent if self.face else 0.0,
            problem.flops_per_point * self.computes / element.rate,
        )
        return max(parts) if overlap else sum(parts)


def played_step(points: int, side: int) -> Step:
    """A time step on N^3 points by P^3 elements of a torus.

    There is one element, or at least 3 a side: so that the two neighbours of one are different.

    Source
    ------
    J. E. Moreira, section 3.
    """
    count = played_torus(3, points // side, side)
    return Step(
        computes=max(processor.computes for processor in count.each) // STEPS,
        face=max(count.links.values(), default=0) // STEPS,
    )


def equivalence_claims(cases: Iterable[tuple[int, int, int]]) -> list[Claim]:
    """The claims that an element with the numbers of a submesh performs as it does."""
    cases, difference = list(cases), 0.0  # points a side, elements a side, and q
    for points, side, q in cases:
        small, large = played_step(points, side), played_step(points, side // q)
        for overlap in (False, True):
            seconds = small.seconds(PROBLEM, ELEMENT, overlap=overlap)
            large_seconds = large.seconds(PROBLEM, submesh(ELEMENT, q), overlap=overlap)
            difference = max(difference, abs(large_seconds / seconds - 1))
    return [
        Claim(
            "A mesh of q^3 times larger elements takes the same time for every grid",
            f"{SOURCE}, equations (14) to (20)",
            "the same",
            f"at most {difference:.1e} apart, relatively" if difference else "the same",
            judged(difference < SAME),
            f"N, P, q = {listed(map(listed, cases), joint='; ')}: plays of both, with and without "
            "overlap; q^3 M, q^2 B, q^3 R, same latency",
            tolerance="1e-12, relative",
        ),
        *_submesh_claims(),
    ]


def _submesh_claims() -> list[Claim]:
    """The claims on the words that leave a submesh, and on the quality that it has."""
    part, bundle = played_part(3, 2), bundled(2, 6, 2)
    small_quality, large_quality = (quality(part) for part in (ELEMENT, submesh(ELEMENT, 2)))
    wider, work_ratio = bundle.face / part.face, bundle.computes / part.computes
    held = quality(replace(ELEMENT, bandwidth=ELEMENT.bandwidth * wider,
    rate=ELEMENT.rate * work_ratio,
                           memory=ELEMENT.memory * work_ratio))  # fmt: skip
    return [
        Claim(
            "Quality Phi_3 = (B / R) M^(1/3) is that of the submesh",
            f"{SOURCE}, equations (10) to (13), (22) and (23)",
            "8 times the memory and arithmetic and 4 times the bandwidth for q = 2; 102.4 for both",
            f"{work_ratio:g} times the points, {wider:g} times the words on a face; "
            f"{small_quality:.10g} and "
            f"{held:.10g}",
            judged(
                (work_ratio, wider) == (8, 4)
                and abs(small_quality - 102.4) < 1e-9
                and max(abs(held / small_quality - 1), abs(large_quality / small_quality - 1))
                < SAME
            ),
            "words on links that leave 2 x 2 x 2 elements of 6 x 6 x 6 in a play; "
            "B = 1e9 byte/s, R = 1e10 flop/s, M = 2^30 byte",
            tolerance="1e-9 of Phi_3",
        ),
        Claim(
            "The larger element needs fewer bytes for each operation",
            f"{SOURCE}, equation (21)",
            "half of them for q = 2",
            f"{wider / work_ratio:g}",
            judged(wider / work_ratio == 0.5),
            "words that leave it for each point, in the same play",
        ),
    ]


def bundled(side: int, elements: int, q: int) -> Step:
    """Points of q^3 elements of a torus together, and their words to one neighbour."""
    count = played_torus(3, side, elements)
    links = Links((elements,) * 3, wrapped=True)
    place = np.stack(np.unravel_index(np.arange(links.processors), links.shape)) // q
    group = np.ravel_multi_index(tuple(place), (elements // q,) * 3)
    computes = np.zeros(group.max() + 1, np.int64)
    np.add.at(computes, group, [processor.computes for processor in count.each])
    words: dict[tuple[int, int], int] = {}
    for (sender, receiver), moved in count.links.items():
        ends = int(group[sender]), int(group[receiver])
        if ends[0] != ends[1]:
            words[ends] = words.get(ends, 0) + moved
    return Step(int(computes.max()) // STEPS, max(words.values()) // STEPS)


def efficiency_claims(points: int, sides: tuple[int, ...]) -> list[Claim]:
    """The claims on speedup and efficiency; the first of `sides` is one element."""
    problem = GridProblem(points, PROBLEM.bytes_per_point, PROBLEM.flops_per_point)
    times = {
        side: played_step(points, side).seconds(problem, ELEMENT, overlap=False) for side in sides
    }
    played = {side: times[1] / (side**3 * time) for side, time in times.items()}
    formula = {side: Mesh(problem, ELEMENT, side).efficiency() for side in sides[1:]}
    difference = max(abs(played[side] / printed - 1) for side, printed in formula.items())
    printed = Mesh(PROBLEM, ELEMENT, 1).efficiency()
    return [
        Claim(
            "Efficiency of one element, E(1)",
            f"{SOURCE}, equations (5), (7) and (9)",
            "1",
            f"{played[1]:g}: a single element receives nothing. By (9), {printed:.6f}",
            judged(played[1] == 1 and abs(printed - 0.999219) < 5e-7, "corrected"),
            f"(5) counts messages for P = 1 too, which T(1) in (7) has not; {points}^3 points are "
            "played, (9) is evaluated for 1024^3",
            tolerance="5e-7",
        ),
        Claim(
            "Strong scaling: the efficiency of P^3 elements falls as (9) says",
            f"{SOURCE}, equations (3) to (5) and (7) to (9)",
            listed(f"{formula[side]:.4g} for P = {side}" for side in sides[1:]),
            listed((played[side] for side in sides[1:]), ".4g"),
            judged(difference < SAME),
            f"plays of {points}^3 points, with the words and points of the busiest element",
            tolerance="1e-12, relative",
        ),
        _weak_claim(),
        *_part_claims(),
    ]


def _weak_claim() -> Claim:
    """The claim that a mesh of any size takes the same time for parts of the same size."""
    steps = {side: played_step(4 * side, side) for side in (3, 4, 5)}
    times = {
        step.seconds(PROBLEM, ELEMENT, overlap=overlap)
        for step in steps.values()
        for overlap in (False, True)
    }
    return Claim(
        "Weak scaling: the time for n^3 points an element is the same for a mesh of any size",
        f"{SOURCE}, section 4, after (5) and (6)",
        "the same for every P",
        listed(
            f"P = {side}: {step.computes} points, {step.face} words on a link"
            for side, step in steps.items()
        ),
        judged(len(set(steps.values())) == 1 and len(times) <= 2),
        "plays of 4^3 points an element, with and without overlap",
    )


def _part_claims() -> list[Claim]:
    """The claims on elements with full memory, and on calculation that hides messages."""
    parts = {side: played_part(3, side) for side in (8, 9)}
    steps = {side: Step(part.computes, part.face) for side, part in parts.items()}
    full = MeshElement(ELEMENT.rate, ELEMENT.bandwidth, memory=8 * parts[8].computes)
    talking = steps[8].seconds(PROBLEM, full, overlap=False)
    calculation = Step(steps[8].computes, 0).seconds(PROBLEM, full, overlap=False)
    by_quality = full_memory_efficiency(PROBLEM, full)
    hidden = {
        side: step.seconds(PROBLEM, ELEMENT, overlap=True)
        == Step(step.computes, 0).seconds(PROBLEM, ELEMENT, overlap=True)
        for side, step in steps.items()
    }
    texts = (f"n = {side}: {'not ' * (not silent)}hidden" for side, silent in hidden.items())
    crossover = overlap_crossover(PROBLEM, ELEMENT)
    return [
        Claim(
            "With its memory full an element's efficiency depends on Phi_3 alone",
            "this project, from (3), (4) and (22)",
            f"1 / (1 + d k^(4/3) / (f Phi_3)) = {by_quality:.9f}",
            f"{calculation / talking:.9f}",
            judged(abs(calculation / talking / by_quality - 1) < 1e-9),
            f"a played part of 8^3 points in {8 * parts[8].computes:,} bytes, without latency",
            tolerance="1e-9, relative",
        ),
        Claim(
            "From n* points a side on, calculation hides communication",
            f"{SOURCE}, equation (6)",
            "n* = 8.21283 for L = 5e-6 s",
            f"{listed(texts, joint='; ')}; n* = {crossover:.5f}",
            judged(hidden == {8: False, 9: True} and abs(crossover - 8.21283) < 1e-5),
            "played parts of 8^3 and 9^3 points; n* is the root of L + d k n^2 / B = f n^3 / R",
            tolerance="1e-5 of n*",
        ),
    ]


STEPS = 2
ROOM = 2**40  # words: what is held is measured, not limited
LEAST = 3  # elements along a wrapped side, so that those before and behind are different ones


@dataclass(frozen=True)
class GridPart:
    """The work and traffic of an element that holds a part of a grid, in each step."""

    side: int  # points of the part along each dimension
    computes: int  # points
    face: int  # words on each of its links
    received: int  # words
    memory: int  # most words that it holds at once


def played_part(dimensions: int, side: int, elements: int = LEAST) -> GridPart:
    """The work of each element of a torus; all of them do the same, or it raises.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3; J. E.
    Moreira, Conditions for scalability of mesh-connected massively parallel processors.
    """
    count = played_torus(dimensions, side, elements)
    links = set(count.links.values())
    (alike,) = {
        (processor.computes, processor.received, processor.loads) for processor in count.each
    }
    (face,) = links
    return GridPart(
        side=side,
        computes=alike[0] // STEPS,
        face=face // STEPS,
        received=alike[1] // STEPS,
        memory=max(processor.peak for processor in count.each),
    )


def played_torus(dimensions: int, side: int, elements: int) -> MachineCount:
    """The count of a play of a periodic stencil, a part of the grid on each element."""
    shape, links = (side * elements,) * dimensions, Links((elements,) * dimensions, wrapped=True)
    dag = stencil(shape, STEPS, periodic=True)
    owner = np.tile(block_owners(shape, links.shape), STEPS + 1)
    machine = Machine.parallel(links.processors, ROOM, links, "own")
    placement = Placement(owner, dag.level.astype(np.int64))
    return play_on(dag, staged(dag, placement, machine), machine)


def step_seconds(part: GridPart, latency: float, word: float, point: float) -> float:
    """The seconds of a time step: all links at once, and then all points of a part.

    `latency`, `word` and `point` are seconds of a message, of a word on a link, and of a point.
    """
    return latency + word * part.face + point * part.computes
