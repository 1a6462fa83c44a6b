"""``redblue papers mesh``: Moreira's meshes of processing elements."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from redblue.cli.machine.arguments import finite, law_named
from redblue.show.answer import Facts, Part
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.papers.models import GridProblem, MeshElement

QUALITIES = ("M", "M^1/2", "M^1/3", "M^1/4", "log M")
EXAMPLE = {"rate": 1e10, "bandwidth": 1e9, "memory": 2.0**30}


def mesh(
    machine: str | None = None,
    rate: float | None = None,
    bandwidth: float | None = None,
    memory: float | None = None,
    latency: float = 5e-6,
    points: float = 1024,
    bytes_per_point: float = 8,
    flops_per_point: float = 100,
    depth: float = 1,
    sides: tuple[float, ...] = (1, 2, 4, 8, 16, 32, 64),
    scales: tuple[float, ...] = (0.25, 0.5, 1, 2, 4),
    law: str | None = None,
) -> Facts:
    """Print step times, speed-up and efficiency of meshes of processing elements (Moreira).

    A machine of the catalogue gives an element its first rate, its torus link (else its first
    bandwidth) and its largest memory.

    Parameters
    ----------
    machine
        Machine of the catalogue ('redblue machine list').
    rate
        R, arithmetic rate of an element in flop/s; by default 1e10 or the machine's.
    bandwidth
        B, bandwidth of a link in byte/s; by default 1e9 or the machine's.
    memory
        M, memory of an element in bytes; by default 2^30 or the machine's.
    latency
        L, latency of a message in seconds.
    points
        N, grid points along each axis.
    bytes_per_point
        k, bytes of a grid point.
    flops_per_point
        f, flop to update a grid point.
    depth
        d, distance in points of the farthest neighbour in an update.
    sides
        P, elements along each axis.
    scales
        q, sizes of equivalent elements.
    law
        How operations per word grow with memory: "M^1/2", "log M" or "constant"; by default five
        such laws.
    """
    from redblue.papers.models import GridProblem, MeshElement, quality
    from redblue.papers.models.mesh import full_memory_efficiency, overlap_crossover

    options = {"rate": rate, "bandwidth": bandwidth, "memory": memory}
    chosen = element_numbers(machine) | {k: v for k, v in options.items() if v is not None}
    element = MeshElement(latency=latency, **chosen)
    problem = GridProblem(points, bytes_per_point, flops_per_point, depth)
    crossover = overlap_crossover(problem, element)
    laws = [law_named(text) for text in (QUALITIES if law is None else (law,))]
    result: dict[str, Any] = {
        "element": vars(element),
        "problem": vars(problem),
        "bytes_per_flop": element.bandwidth / element.rate,
        "overlap_crossover": finite(crossover),
        "full_memory_efficiency": full_memory_efficiency(problem, element),
        "qualities": {law.name: quality(element, law) for law in laws},
        "meshes": [step(problem, element, side) for side in sides],
        "equivalents": [equivalent(element, q) for q in scales],
    }
    return Facts(result, tuple(parts(result, crossover)))


def parts(result: dict[str, Any], crossover: float) -> Iterator[Part]:
    """Yield tables, and sentences on the element and on communication hidden by calculation."""
    element, problem = result["element"], result["problem"]
    yield (
        f"Elements of R = {element['rate']:g} flop/s, B = {element['bandwidth']:g} byte/s, "
        f"M = {element['memory']:,.0f} bytes, L = {element['latency']:g} s\n"
        f"N = {problem['points']:g} points a side, {problem['bytes_per_point']:g} bytes and "
        f"{problem['flops_per_point']:g} flop a point, depth {problem['depth']:g}"
    )
    yield table(
        "meshes", "", result["meshes"], "P <- side", "n <- local_points",
        ("fits", lambda row: "yes" if row["fits"] else "no"), "T_comm [s] <- communication",
        "T_calc [s] <- calculation", "T [s] <- time", "T overlapped [s] <- time_overlapped",
        "S <- speedup", "E <- efficiency",
    )  # fmt: skip
    yield (
        f"Calculation can hide communication from n = {crossover:.6g} points a side in each "
        "element; with full memory and no latency "
        f"E = {result['full_memory_efficiency']:.6g}"
    )
    yield table(
        "equivalents", "Elements of equivalent meshes", result["equivalents"], "q <- q",
        "R [flop/s] <- rate", "B [byte/s] <- bandwidth", "M [bytes] <- memory",
        "B / R <- bytes_per_flop", "Phi_3 <- phi_3",
    )  # fmt: skip
    caption = "Quality Phi = (B / R) times the law at M, M in bytes"
    yield table("qualities", caption, result["qualities"].items(), "law", "Phi")


def element_numbers(machine: str | None) -> dict[str, float]:
    """Rate, bandwidth and memory of a machine, in flop/s, byte/s and bytes."""
    from redblue.answers.hardware import machine_named

    if machine is None:
        return EXAMPLE
    known = machine_named(machine)
    link = "torus-link" if "torus-link" in known.bandwidth else None
    known.number("memory")
    return {
        "rate": known.rate(),
        "bandwidth": known.number("bandwidth", link).base,
        "memory": max(number.base for number in known.memory.values()),
    }


def step(problem: "GridProblem", element: "MeshElement", side: float) -> dict[str, Any]:
    """A time step of one mesh, in seconds."""
    from redblue.papers.models.mesh import Mesh, largest_grid

    mesh = Mesh(problem, element, side)
    return {
        "side": side,
        "local_points": problem.local_points(side),
        "fits": mesh.fits(),
        "largest_grid": largest_grid(element, side, problem.bytes_per_point),
        "communication": mesh.communication_time(),
        "calculation": mesh.calculation_time(),
        "time": mesh.step_time(),
        "time_overlapped": mesh.step_time(overlap=True),
        "speedup": mesh.speedup(),
        "efficiency": mesh.efficiency(),
        "efficiency_overlapped": mesh.efficiency(overlap=True),
    }


def equivalent(element: "MeshElement", q: float) -> dict[str, Any]:
    """The element that does as much as q x q x q of `element`."""
    from redblue.papers.models import quality, submesh

    scaled = submesh(element, q)
    bytes_per_flop = scaled.bandwidth / scaled.rate
    return {"q": q, **vars(scaled), "bytes_per_flop": bytes_per_flop, "phi_3": quality(scaled)}
