"""Windows of the updates of several products together (N9).

Let each assignment be a product of three arrays, one of them private to it; in the graph with the
other arrays as points and an edge for each assignment no two edges are the same, and there is no
triangle. **A window with U updates that touches X items has U <= (X / 3)^(3/2)**, as for a single
product.

The proof is N9 in docs/theory/nests.md.

**A cut in the middle of a product (N10).** The updates of a product are the points of a box with
sides d1 <= d2 <= d3; the updates that use one item of an array are a **line** of the box. **When
half of the updates are done, rounded down, at least d1 d2 lines are mixed**: some of their updates
are done, some are not. So a play moves at least the compulsory words and d1 d2 - K more, in each
copy of the product that shares no value with the others; for sums in any order, not where values
are computed again.

The proof is N10 in docs/theory/nests.md.

Source
------
L. H. Loomis and H. Whitney, 1949; T. S. Motzkin and E. G. Straus, Maxima for graphs and a new proof
of a theorem of Turan, 1965. The theorem is written out here for this project.
B. Bollobas and I. Leader, Edge-isoperimetric inequalities in the grid, 1991, for the three-
dimensional case, known to us by its abstract.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Annotated, Final

from dags.programs.box_nests import Assignment, BoxNest
from proofs.core.certificate import CertificateError
from proofs.core.records import LARGEST, Positive, Within
from proofs.core.windows import Count, Sum, Window
from proofs.lemmas.loops.hbl import root_above

PRODUCT: Final = 3  # arrays of one update
MOST_WINDOWS: Final = 4  # sizes


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


@dataclass(frozen=True)
class ProductWindow:
    """Windows of so many updates of several products, and how many there are."""

    size: Positive
    count: Positive


@dataclass(frozen=True)
class Joint:
    """Windows of the updates of several assignments, with the array that is private to each."""

    assignments: tuple[str, ...]
    private: tuple[str, ...]
    windows: Annotated[tuple[ProductWindow, ...], Within(entries=MOST_WINDOWS)]


def joint_sum(nest: BoxNest, red: int, record: Joint) -> tuple[Sum, list[str]]:
    """Return what windows touch less what is red, and the arrays that are counted (N9).

    Parameters
    ----------
    nest
        The nest.
    red
        Words that can be red just before an update.
    record
        The windows.

    Raises
    ------
    CertificateError
        If the assignments are no such products.
    """
    names, known = record.assignments, {each.name: each for each in nest.assignments}
    if not 2 <= len(names) == len(record.private) == len({*names}):
        raise CertificateError("assignments", "are not several, with a private array each")
    if any(name not in known for name in names):
        raise CertificateError("assignments", "are none of this nest")
    chosen = [known[name] for name in names]
    arrays = [arrays_of_product(each) for each in chosen]
    _check_private(arrays, record.private)
    count = Count(sum(each.size for each in chosen), least_touched, reach=LARGEST)
    windows = [Window(each.size, each.count) for each in record.windows]
    counted = list(dict.fromkeys(name for each in arrays for name in each))
    return Sum([(count, windows)], red, floor=False), counted


def least_touched(updates: int) -> int:
    """Return the least items that a window of so many updates touches: X with 27 U^2 <= X^3."""
    return root_above(Fraction(27 * updates**2), 3)


def arrays_of_product(assignment: Assignment) -> tuple[str, str, str]:
    """Return the three arrays of a product.

    Raises
    ------
    CertificateError
        If the assignment is none.
    """
    accesses = (*assignment.reads, assignment.item)
    names = tuple(dict.fromkeys(access.array for access in accesses))
    whole = all(map(assignment.is_whole, accesses))
    if not (assignment.sums and whole and len(accesses) == len(names) == PRODUCT):
        raise CertificateError("assignments", f"{assignment.name} is no product of two arrays")
    for loop, (low, high) in enumerate(assignment.box):
        alone = (
            any(row[loop] and sum(map(bool, row)) == 1 for row in access.rows)
            for access in accesses
        )
        if high - low > 1 and sum(alone) < 2:
            raise CertificateError("assignments", f"{assignment.name} has a loop of one array")
    first, second, third = names
    return first, second, third


def _check_private(arrays: list[tuple[str, str, str]], private: tuple[str, ...]) -> None:
    """Check that private arrays are of one product each, and that the others make no triangle."""
    edges = []
    for place, (mine, own) in enumerate(zip(arrays, private, strict=True)):
        others = [each for at, some in enumerate(arrays) if at != place for each in some]
        if own not in mine or own in others:
            raise CertificateError("private", "is an array that another product touches, or none")
        edges.append(frozenset(mine) - {own})
    if len(set(edges)) < len(edges):
        raise CertificateError("private", "leaves two products on the same arrays")
    for three in combinations(edges, 3):
        if len(frozenset.union(*three)) == PRODUCT:
            raise CertificateError("private", "leaves three products in a triangle")
