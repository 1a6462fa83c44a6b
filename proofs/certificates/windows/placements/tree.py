"""Goes through a tree of decisions, and asks at each leaf what its placements cost."""

from collections.abc import Sequence
from typing import Any

from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import shown
from proofs.certificates.windows.placements.relaxation import Case, Placements, Window

Node = list[int]  # a branch: [row, vertex]; a leaf: [gain, shift, rent]


def least_cost(placements: Placements, window: Window, tree: Sequence[Any]) -> int:
    """Return a lower bound on the cost of a window, in words, proved by a tree of cases.

    Parameters
    ----------
    placements
        The problem: placements of values in a window and their costs.
    window
        The window whose cost is bounded.
    tree
        Nodes in the order in which they are met: a branch ("row", "vertex" as in
        `Placements.branch`), then those of its first case, then those of its second; a case that
        no placement agrees with has no node. A leaf has the multipliers that bound its cost.

    Raises
    ------
    CertificateError
        If it is no such tree.
    """
    least = None
    waiting: list[Case] = []
    _add(placements, window, waiting, placements.start(window))
    for node in tree:
        if not waiting:
            raise CertificateError("tree", "goes on behind its end")
        case = waiting.pop()
        if not isinstance(node, list) or not all(type(entry) is int for entry in node):
            raise CertificateError("tree", f"has the node {shown(node)}")
        if len(node) == 2:
            for each in reversed(_branches(placements, case, *node)):
                _add(placements, window, waiting, each)
        elif len(node) == 3:
            value = placements.relaxed(case, window, (node[0], node[1], node[2])).value
            least = value if least is None else min(least, value)
        else:
            raise CertificateError("tree", f"has the node {shown(node)}")
    if waiting or least is None:
        raise CertificateError("tree", "ends too early")
    return window.rounded(least)


def _add(placements: Placements, window: Window, waiting: list[Case], case: Case) -> None:
    """Add a case to those that wait for their nodes, if it can be."""
    if placements.settle(case, window):
        waiting.append(case)


def _branches(placements: Placements, case: Case, row: int, vertex: int) -> tuple[Case, Case]:
    if row not in (0, 2) or not placements.is_computed(vertex):
        raise CertificateError("tree", f"branches on {shown(vertex)} in {shown(row)}")
    return placements.branch(case, row, vertex)
