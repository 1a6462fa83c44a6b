"""``redblue machine mesh``: Moreira's meshes of processing elements."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.machine.arguments import LawName, finite, law_named, numbers
from redblue.cli.machine.tables import emit_rows, short
from redblue.cli.options import Json, MachineName

if TYPE_CHECKING:
    from proofs.laws import Law
    from redblue.papers.models import GridProblem, MeshElement

QUALITIES = ("M", "M^1/2", "M^1/3", "M^1/4", "log M")
EXAMPLE = {"rate": 1e10, "bandwidth": 1e9, "memory": 2.0**30}


def mesh(
    machine: MachineName = None,
    rate: Annotated[
        float | None, typer.Option(help="flop/s of an element, R; default: 1e10.")
    ] = None,
    bandwidth: Annotated[
        float | None, typer.Option(help="byte/s along one link, B; default: 1e9.")
    ] = None,
    memory: Annotated[
        float | None, typer.Option(help="Bytes of an element's memory, M; default: 2^30.")
    ] = None,
    latency: Annotated[float, typer.Option(help="Seconds until a message begins, L.")] = 5e-6,
    points: Annotated[float, typer.Option(help="Grid points along each axis, N.")] = 1024,
    bytes_per_point: Annotated[float, typer.Option(help="k.")] = 8,
    flops_per_point: Annotated[float, typer.Option(help="f.")] = 100,
    depth: Annotated[float, typer.Option(help="Points away that an update needs, d.")] = 1,
    sides: Annotated[str, typer.Option(help="Elements along each axis, P.")] = "1,2,4,8,16,32,64",
    scales: Annotated[
        str, typer.Option(help="q: sizes of equivalent elements.")
    ] = "0.25,0.5,1,2,4",
    law: LawName = None,
    json: Json = False,
) -> None:
    """Print step times, speed-up and efficiency of meshes, equivalent elements, and qualities.

    With --machine the element is the machine's first rate, its link of the torus (or its first
    bandwidth) and its largest memory.
    """
    from redblue.papers.models import GridProblem, MeshElement

    numbers_of = element_numbers(machine)
    element = MeshElement(
        rate=numbers_of["rate"] if rate is None else rate,
        bandwidth=numbers_of["bandwidth"] if bandwidth is None else bandwidth,
        memory=numbers_of["memory"] if memory is None else memory,
        latency=latency,
    )
    problem = GridProblem(points, bytes_per_point, flops_per_point, depth)
    laws = [law_named(text) for text in (QUALITIES if law is None else (law,))]
    result = {
        "element": vars(element),
        "problem": vars(problem),
        **whole(problem, element, laws),
        "meshes": [step(problem, element, side) for side in numbers(sides, float)],
        "equivalents": [equivalent(element, q) for q in numbers(scales, float)],
    }
    if json:
        console.emit_json(result)
    else:
        emit(result)


def element_numbers(machine: str | None) -> dict[str, float]:
    """Return rate, bandwidth and memory of a machine, in flop/s, byte/s and bytes."""
    from redblue.hardware import machine_named

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


def whole(problem: "GridProblem", element: "MeshElement", laws: list["Law"]) -> dict[str, Any]:
    """Return the facts that do not depend on the size of the mesh."""
    from redblue.papers.models import quality
    from redblue.papers.models.mesh import full_memory_efficiency, overlap_crossover

    return {
        "bytes_per_flop": element.bandwidth / element.rate,
        "overlap_crossover": finite(overlap_crossover(problem, element)),
        "full_memory_efficiency": full_memory_efficiency(problem, element),
        "qualities": {law.name: quality(element, law) for law in laws},
    }


def step(problem: "GridProblem", element: "MeshElement", side: float) -> dict[str, Any]:
    """Return a time step of one mesh, in seconds."""
    from redblue.papers.models import mesh

    return {
        "side": side,
        "local_points": problem.local_points(side),
        "fits": mesh.fits(problem, element, side),
        "largest_grid": mesh.largest_grid(element, side, problem.bytes_per_point),
        "communication": mesh.communication_time(problem, element, side),
        "calculation": mesh.calculation_time(problem, element, side),
        "time": mesh.step_time(problem, element, side),
        "time_overlapped": mesh.step_time(problem, element, side, overlap=True),
        "speedup": mesh.speedup(problem, element, side),
        "efficiency": mesh.efficiency(problem, element, side),
        "efficiency_overlapped": mesh.efficiency(problem, element, side, overlap=True),
    }


def equivalent(element: "MeshElement", q: float) -> dict[str, Any]:
    """Return the element that does as much as q x q x q of `element`."""
    from redblue.papers.models import quality, submesh

    scaled = submesh(element, q)
    bytes_per_flop = scaled.bandwidth / scaled.rate
    return {"q": q, **vars(scaled), "bytes_per_flop": bytes_per_flop, "phi_3": quality(scaled)}


def emit(result: dict[str, Any]) -> None:
    """Print three tables."""
    element, problem = result["element"], result["problem"]
    console.emit_text(
        f"Elements of R = {element['rate']:g} flop/s, B = {element['bandwidth']:g} byte/s, "
        f"M = {element['memory']:,.0f} bytes, L = {element['latency']:g} s\n"
        f"N = {problem['points']:g} points a side, {problem['bytes_per_point']:g} bytes and "
        f"{problem['flops_per_point']:g} flop a point, depth {problem['depth']:g}\n"
    )
    emit_rows(
        ["P", "n", "fits", "T_comm (s)", "T_calc (s)", "T (s)", "T overlapped", "S", "E"],
        (step_cells(row) for row in result["meshes"]),
    )
    console.emit_text(
        f"\nCalculation can hide communication from n = {result['overlap_crossover']:.6g} points "
        "a side in each element; with full memory and no latency "
        f"E = {result['full_memory_efficiency']:.6g}\n\nElements of equivalent meshes\n"
    )
    emit_rows(
        ["q", "R (flop/s)", "B (byte/s)", "M (bytes)", "B / R", "Phi_3"],
        ([f"{row[key]:.6g}" for key in EQUIVALENT] for row in result["equivalents"]),
    )
    console.emit_text("\nQuality Phi = (B / R) times the law at M, M in bytes\n")
    emit_rows(["law", "Phi"], ([k, f"{phi:.6g}"] for k, phi in result["qualities"].items()))


EQUIVALENT = ("q", "rate", "bandwidth", "memory", "bytes_per_flop", "phi_3")
TIMES = ("communication", "calculation", "time", "time_overlapped", "speedup", "efficiency")


def step_cells(row: dict[str, Any]) -> list[str]:
    """Return the line of one mesh."""
    fits = "yes" if row["fits"] else "no"
    head = [short(row["side"]), short(row["local_points"]), fits]
    return [*head, *(f"{row[key]:.6g}" for key in TIMES)]
