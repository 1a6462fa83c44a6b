"""Windows of the updates of several products together (N9).

Let each assignment be a product of three arrays, one of them private to it, where an array counts
as the one of which it is an image, item by item; in the graph with the other arrays as points and
an edge for each assignment no two edges are the same, and there is no triangle. **A window with U
updates that touches X items has U <= (X / 3)^(3/2)**, as for a single product.

The proof is N9 in docs/theory/nests.md.

**A cut in the middle of a product (N10).** The updates of a product are the points of a box with
sides d1 <= d2 <= d3; the updates that use one item of an array are a **line** of the box. **When
half of the updates are done, rounded down, at least d1 d2 lines are mixed**: some of their updates
are done, some are not. So a play moves at least the compulsory words and d1 d2 - K more, in each
copy of the product that shares no value with the others; for sums in any order. Where values are
computed again, N18 has the bound.

The proof is N10 in docs/theory/nests.md.

Source
------
L. H. Loomis and H. Whitney, 1949; T. S. Motzkin and E. G. Straus, Maxima for graphs and a new proof
of a theorem of Turan, 1965. The theorem is written out here for this project.
B. Bollobas and I. Leader, Edge-isoperimetric inequalities in the grid, 1991, for the three-
dimensional case, known to us by its abstract.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Annotated, Final

from dags.programs.box_nests import Access, Assignment, BoxNest
from proofs.core.records import LARGEST, CertificateError, Positive, Within
from proofs.core.windows import Count, Sum, Window
from proofs.lemmas.loops.hbl import root_above

PRODUCT: Final = 3  # arrays of one update
MOST_WINDOWS: Final = 4  # sizes


@dataclass(frozen=True)
class Cut:
    """A cut in the middle of the updates of an assignment, which is a product."""

    assignment: str


def cut_words(nest: BoxNest, red: int, record: Cut) -> tuple[int, tuple[str, str, str]]:
    """The loads besides those of inputs, and the arrays whose lines they are (N10).

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
    for assignment in nest.assignments:
        if assignment.name == record.assignment:
            copies, sides = sides_of(assignment)
            return copies * max(0, sides[0] * sides[1] - red), arrays_of_product(assignment)
    raise CertificateError("assignment", "is none of this nest")


def sides_of(assignment: Assignment) -> tuple[int, tuple[int, int, int]]:
    """How many copies of a product an assignment is, and the sides of one, rising.

    Raises
    ------
    CertificateError
        If it is no product.
    """
    accesses = accesses_of_product(assignment)
    if assignment.ties:
        raise CertificateError("assignment", f"{assignment.name} is run on no whole box")
    if any(sum(map(bool, row)) > 1 for access in accesses for row in access.rows):
        raise CertificateError("assignment", f"{assignment.name} has an index of several loops")
    copies, sides = 1, {(0, 1): 1, (0, 2): 1, (1, 2): 1}
    for loop, (low, high) in enumerate(assignment.box):
        keeps = [
            kept_places
            for kept_places, access in enumerate(accesses)
            if any(row[loop] for row in access.rows)
        ]
        if high - low == 1:
            continue
        if len(keeps) == len(accesses):
            copies *= high - low
        else:
            first, second = keeps
            sides[first, second] *= high - low
    short, middle, long = sorted(sides.values())
    assert copies * prod(sides.values()) == assignment.size
    return copies, (short, middle, long)


@dataclass(frozen=True)
class ProductWindow:
    """Windows of a given number of updates of several products, and how many there are."""

    size: Positive
    count: Positive


@dataclass(frozen=True)
class Joint:
    """Windows of the updates of several assignments, with the array that is private to each."""

    assignments: tuple[str, ...]
    private: tuple[str, ...]
    windows: Annotated[tuple[ProductWindow, ...], Within(entries=MOST_WINDOWS)]


def joint_sum(nest: BoxNest, red: int, record: Joint) -> tuple[Sum, set[str], set[str]]:
    """Words of windows less red ones, arrays that are read, and those of items (N9).

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
    names, known = (
        record.assignments,
        {assignment.name: assignment for assignment in nest.assignments},
    )
    if not 2 <= len(names) == len(record.private) == len({*names}):
        raise CertificateError("assignments", "are not several, with a private array each")
    if any(name not in known for name in names):
        raise CertificateError("assignments", "are none of this nest")
    chosen = [known[name] for name in names]
    lines = images(nest)
    read = {
        line
        for assignment in chosen
        for a in arrays_of_product(assignment)[:-1]
        for line in lines[a]
    }
    arrays = [
        [lines[array][-1] for array in arrays_of_product(assignment)] for assignment in chosen
    ]
    _check_private(arrays, [lines.get(array, [array])[-1] for array in record.private])
    count = Count(sum(assignment.size for assignment in chosen), least_touched, reach=LARGEST)
    windows = [Window(window.size, window.count) for window in record.windows]
    return Sum([(count, windows)], red, floor=False), read, {a for array in arrays for a in array}


def images(nest: BoxNest) -> dict[str, list[str]]:
    """Return of each array the array itself, that of which it is an image, and so on.

    Of an image each item is made of one item of the other array, and no two of the same.
    """
    lines: dict[str, list[str]] = {}
    for assignment in nest.assignments:
        for access in assignment.reads:
            lines.setdefault(access.array, [access.array])
        lines[assignment.name] = [assignment.name]
        for access in assignment.reads:
            units = {row.index(1) for row in access.rows if sum(map(abs, row)) == 1 and 1 in row}
            several = {loop for loop, (low, high) in enumerate(assignment.box) if high - low > 1}
            is_made = (
                assignment.sums
                or access.array == assignment.name
                or not assignment.is_whole(access)
            )
            if not is_made and several <= units:
                lines[assignment.name] = [assignment.name, *lines[access.array]]
                break
    return lines


def least_touched(updates: int) -> int:
    """The least items that a window of so many updates touches: X with 27 U^2 <= X^3."""
    return root_above(27 * updates**2, 1, 3)


def arrays_of_product(assignment: Assignment) -> tuple[str, str, str]:
    """The three arrays of a product, its own last.

    Raises
    ------
    CertificateError
        If the assignment is none.
    """
    first, second, result = (access.array for access in accesses_of_product(assignment))
    return first, second, result


def accesses_of_product(assignment: Assignment) -> tuple[Access, Access, Access]:
    """The three accesses of all updates of a product; other reads are not counted.

    Raises
    ------
    CertificateError
        If the assignment is none.
    """
    complete = [
        access for access in (*assignment.reads, assignment.item) if assignment.is_whole(access)
    ]
    if not (
        assignment.sums and len(complete) == len({access.array for access in complete}) == PRODUCT
    ):
        raise CertificateError("assignments", f"{assignment.name} is no product of two arrays")
    for loop, (low, high) in enumerate(assignment.box):
        single = (
            any(row[loop] and sum(map(bool, row)) == 1 for row in access.rows)
            for access in complete
        )
        if high - low > 1 and sum(single) < 2:
            raise CertificateError("assignments", f"{assignment.name} has a loop of one array")
    first, second, result = complete
    return first, second, result


def _check_private(arrays: Sequence[Sequence[str]], private: Sequence[str]) -> None:
    """Check that private arrays are of one product each, and that the others make no triangle."""
    if any(len({*array}) < PRODUCT for array in arrays):
        raise CertificateError("assignments", "are products with an image of the same array")
    edges = []
    for place, (arrays_of_product, private_array) in enumerate(zip(arrays, private, strict=True)):
        other_arrays = [
            array for number, triple in enumerate(arrays) if number != place for array in triple
        ]
        if private_array not in arrays_of_product or private_array in other_arrays:
            raise CertificateError("private", "is an array that another product touches, or none")
        edges.append(frozenset(arrays_of_product) - {private_array})
    if len(set(edges)) < len(edges):
        raise CertificateError("private", "leaves two products on the same arrays")
    for three in combinations(edges, 3):
        if len(frozenset.union(*three)) == PRODUCT:
            raise CertificateError("private", "leaves three products in a triangle")
