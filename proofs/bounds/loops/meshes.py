"""Finds stencils and grids that may be parts of a nest (N21)."""

from collections.abc import Iterator

from dags.programs.box_nests import BoxNest
from proofs.core.records import Certificate
from proofs.lemmas.loops.meshes import MOST_MEMBERS
from proofs.lemmas.loops.nests import MESH


def meshes_in(nest: BoxNest) -> Iterator[Certificate]:
    """Yield stencils and grids that may be parts: assignments that take turns, or one."""
    turns: dict[object, list[str]] = {}
    for assignment in nest.assignments:
        if not assignment.sums and assignment.numbers is not None and len(assignment.box) > 1:
            turns.setdefault((assignment.numbers[0], len(assignment.box)), []).append(
                assignment.name
            )
            yield Certificate(MESH, {"family": "grid", "members": [assignment.name]})
    for members in turns.values():
        for family in ("box", "star"):
            if len(members) <= MOST_MEMBERS:
                yield Certificate(MESH, {"family": family, "members": members})
