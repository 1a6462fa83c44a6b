"""``redblue machine dirac``: the Dirac operator on the nodes of a torus, played."""

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.machine.tables import emit_rows, short
from redblue.cli.options import Json

if TYPE_CHECKING:
    from redblue.papers.experiments.node_plays import NodePlay

AXES = 3  # of the torus


def dirac(
    k: Annotated[int, typer.Option("--k", help="Sites of a node along x1, x2 and x3.")] = 4,
    n4: Annotated[int, typer.Option("--n4", help="Sites along x4, all on the node.")] = 8,
    wrap: Annotated[bool, typer.Option(help="Whether x4 is periodic.")] = True,
    nodes: Annotated[
        str, typer.Option(help="Nodes of the torus that plays the whole lattice at once.")
    ] = "2x2x2",
    json: Json = False,
) -> None:
    """Play the Dirac operator of lattice QCD on nodes, in all regimes of theorem 1.

    Words to and from a node's own slow memory, I_lc, and its neighbours, I_nb, and the fast memory
    that it takes: where a node stores its own links, and where it stores all links of its sites.
    "pull" is the literal schedule of the theorem's memory; "all nodes" plays P = N/n of them.
    """
    from redblue.papers.experiments.node_plays import lattice_plays, node_plays

    torus = torus_of(nodes)
    plays: list[NodePlay] = []
    for copies in (False, True):
        every = lattice_plays(k, n4, torus, wrap=wrap, copies=copies)
        plays += node_plays(k, n4, wrap=wrap, copies=copies) + every
    sites = k**3 * n4
    result = {
        "k": k,
        "n4": n4,
        "wrap": wrap,
        "sites": sites,
        "nodes": torus,
        "plays": [each.facts(sites) for each in plays],
    }
    if json:
        console.emit_json(result)
    else:
        emit(result)


def torus_of(text: str) -> tuple[int, int, int]:
    """Return the nodes along each axis of a torus like 2x2x2.

    Raises
    ------
    InvalidMachineError
        If it is none, or has no nodes along an axis.
    """
    from dags.errors import shown
    from redblue.hardware import InvalidMachineError

    sides = text.split("x")
    if len(sides) != AXES or not all(re.fullmatch("[1-9][0-9]{0,5}", side) for side in sides):
        raise InvalidMachineError(f"a torus of nodes is like 2x2x2, not {shown(text)}")
    return int(sides[0]), int(sides[1]), int(sides[2])


def emit(result: dict[str, Any]) -> None:
    """Print the table."""
    console.emit_text(
        f"A node of {result['k']} x {result['k']} x {result['k']} x {result['n4']} = "
        f"{result['sites']:,} sites, one application of the operator\n"
    )
    headings = ["regime", "s", "links", "I_lc", "I_lc / n", "I_nb", "memory", "theorem's I_lc"]
    keys = ("s", "links", "local", "local_per_site", "neighbour", "peak", "promised")
    emit_rows(
        headings,
        ([each["regime"], *(cell(each[key]) for key in keys)] for each in result["plays"]),
    )


def cell(value: str | float | None) -> str:
    """Return a number, a word, or a dash."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else short(value)
