"""A cut in the middle of the updates of a product (N10).

The updates of a product are the points of a box with sides d1 <= d2 <= d3; the updates that use one
item of an array are a **line** of the box. **When half of the updates are done, rounded down, at
least d1 d2 lines are mixed**: some of their updates are done, some are not. So a play moves at
least the compulsory words and d1 d2 - K more, in each copy of the product that shares no value with
the others; for sums in any order, not where values are computed again.

The proof is N10 in docs/theory/nests.md.

Source
------
B. Bollobas and I. Leader, Edge-isoperimetric inequalities in the grid, 1991, for the three-
dimensional case, known to us by its abstract.
"""

from dataclasses import dataclass
from math import prod

from dags.programs.box_nests import Assignment, BoxNest
from proofs.core.certificate import CertificateError
from proofs.lemmas.loops.joint_windows import arrays_of_product


@dataclass(frozen=True)
class Cut:
    """A cut in the middle of the updates of an assignment, which is a product."""

    assignment: str


def cut_words(nest: BoxNest, red: int, record: Cut) -> int:
    """Return the words that are moved besides compulsory ones (N10).

    Parameters
    ----------
    nest
        The nest.
    red
        Words that can be red just before an update.
    record
        The cut.

    Raises
    ------
    CertificateError
        If the assignment is none of this nest, or no product.
    """
    for each in nest.assignments:
        if each.name == record.assignment:
            copies, sides = sides_of(each)
            return copies * max(0, sides[0] * sides[1] - red)
    raise CertificateError("assignment", "is none of this nest")


def sides_of(assignment: Assignment) -> tuple[int, tuple[int, int, int]]:
    """Return how many copies of a product an assignment is, and the sides of one, rising.

    Raises
    ------
    CertificateError
        If it is no product.
    """
    arrays_of_product(assignment)
    if assignment.ties:
        raise CertificateError("assignment", f"{assignment.name} is run on no whole box")
    accesses = (*assignment.reads, assignment.item)
    if any(sum(map(bool, row)) > 1 for access in accesses for row in access.rows):
        raise CertificateError("assignment", f"{assignment.name} has an index of several loops")
    copies, sides = 1, {(0, 1): 1, (0, 2): 1, (1, 2): 1}
    for loop, (low, high) in enumerate(assignment.box):
        keeps = [at for at, each in enumerate(accesses) if any(row[loop] for row in each.rows)]
        if high - low == 1:
            continue
        if len(keeps) == len(accesses):
            copies *= high - low
        else:
            first, second = keeps
            sides[first, second] *= high - low
    least, middle, most = sorted(sides.values())
    assert copies * prod(sides.values()) == assignment.size
    return copies, (least, middle, most)
