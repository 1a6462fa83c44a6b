"""``redblue papers dirac``: the Dirac operator on the nodes of a torus, played."""

import re
from typing import TYPE_CHECKING

from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.papers.experiments.played_nodes import NodePlay

AXES = 3  # of the torus


def dirac(k: int = 4, n4: int = 8, wrap: bool = True, nodes: str = "2x2x2") -> Facts:
    """Run schedules of the Dirac operator of lattice QCD on nodes, in all regimes of theorem 1.

    The table has the words between a node and its own slow memory (I_lc), those between a node and
    its neighbours (I_nb), and the fast memory needed. A node stores its own links, or all links of
    its sites. "pull" is the schedule of the theorem; "all nodes" runs P = N/n nodes together.

    Parameters
    ----------
    k
        Sites of a node along each of x1, x2 and x3.
    n4
        Sites of a node along x4.
    wrap
        Whether x4 is periodic: yes or no.
    nodes
        Nodes along x1, x2 and x3 of the torus that has the whole lattice.
    """
    from redblue.papers.experiments.played_nodes import lattice_plays, node_plays

    torus = torus_of(nodes)
    plays: list[NodePlay] = []
    for copies in (False, True):
        all_plays = lattice_plays(k, n4, torus, wrap=wrap, copies=copies)
        plays += node_plays(k, n4, wrap=wrap, copies=copies) + all_plays
    sites = k**3 * n4
    facts = [play.facts(sites) for play in plays]
    result = {"k": k, "n4": n4, "wrap": wrap, "sites": sites, "nodes": torus, "plays": facts}
    caption = f"A node of {k} x {k} x {k} x {n4} = {sites:,} sites, one application of the operator"
    view = table(
        "plays", caption, facts, "regime <- regime", "s <- s", "links <- links", "I_lc <- local",
        "I_lc / n <- local_per_site", "I_nb <- neighbour", "memory <- peak",
        "theorem's I_lc <- promised",
    )  # fmt: skip
    return Facts(result, (view,))


def torus_of(text: str) -> tuple[int, int, int]:
    """The nodes along each axis of a torus like 2x2x2.

    Raises
    ------
    InvalidMachineError
        If it is none, or has no nodes along an axis.
    """
    from dags.errors import shown
    from redblue.answers.hardware import InvalidMachineError

    sides = text.split("x")
    if len(sides) != AXES or not all(re.fullmatch("[1-9][0-9]{0,5}", side) for side in sides):
        raise InvalidMachineError(f"a torus of nodes is like 2x2x2, not {shown(text)}")
    return int(sides[0]), int(sides[1]), int(sides[2])
