"""Checks bounds of chains of products: windows of the updates of several assignments together.

Let each assignment s be a product: an update touches an item of each of three arrays, and each of
its loops is kept by two of them at least. One array of s is **private**, touched by no other of the
assignments; draw a graph with the other arrays as points and an edge for each assignment, between
its two others. No two edges are the same, and there is no triangle.

**A window with U updates that touches X items has U <= (X / 3)^(3/2)**, as for a single product.

Proof. Let U_s be the updates of s in the window, w_s, a_s, b_s the items that they touch of the
private array and of the others. By Loomis and Whitney U_s <= sqrt(w_s a_s b_s) (`hbl`, all
exponents 1/2). With A the items of the array that the window touches at all, a_s <= A, and by
Cauchy and Schwarz sum of U_s <= sqrt(W) sqrt(sum of A_s B_s), W the sum of the w_s. In a graph
without triangles the sum over edges of the products of weights at their ends is at most Y^2 / 4,
Y the sum of the weights (Motzkin and Straus). So U <= sqrt(W) Y / 2, where W + Y = X, and that is
largest at W = X / 3.

A play is cut into windows of so many updates of these assignments together. The sum of what they
touch, less K for each window but the first and less the items that are made, is a bound on the
words loaded, as in `nests`, which counts what is moved besides.

Source
------
L. H. Loomis and H. Whitney, 1949; T. S. Motzkin and E. G. Straus, Maxima for graphs and a new proof
of a theorem of Turan, 1965. The theorem is written out here for this project.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from dags.programs.box_nests import Assignment, BoxNest
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only
from proofs.lemmas.loops.hbl import root_above
from proofs.lemmas.loops.program_updates import listed

PRODUCT = 3  # arrays of one update
MOST_WINDOWS = 4  # sizes


def joint_words(nest: BoxNest, red: int, data: Mapping[str, Any]) -> tuple[int, list[str]]:
    """Return the words that windows touch less what is red, and the arrays that are counted.

    Parameters
    ----------
    nest
        The nest.
    red
        Words that can be red just before an update.
    data
        Has the "assignments", the array that is "private" to each, and "windows" with their "size"
        and "count".

    Raises
    ------
    CertificateError
        If the assignments are no such products, or the windows not of all their updates.
    """
    only(data, ("assignments", "private", "windows"))
    names, private = listed(data, "assignments"), listed(data, "private")
    known = {each.name: each for each in nest.assignments}
    if not 2 <= len(names) == len(private) == len(set(map(str, names))):
        raise CertificateError("assignments", "are not several, with a private array each")
    if any(not isinstance(name, str) or name not in known for name in names):
        raise CertificateError("assignments", "are none of this nest")
    chosen = [known[name] for name in names]
    arrays = [arrays_of_product(each) for each in chosen]
    _check_private(arrays, private)
    windows = listed(data, "windows")
    if not 1 <= len(windows) <= MOST_WINDOWS:
        raise CertificateError("windows", f"are not from 1 to {MOST_WINDOWS} sizes with counts")
    held, updates, cuts = 0, 0, -1
    for each in windows:
        if not isinstance(each, Mapping):
            raise CertificateError("windows", "are no list of objects")
        only(each, ("size", "count"))
        size, count = integer(each, "size", least=1), integer(each, "count", least=1)
        held += count * least_touched(size)
        updates, cuts = updates + size * count, cuts + count
    if updates != sum(each.size for each in chosen):
        raise CertificateError("windows", "do not hold all updates")
    return held - red * cuts, list(dict.fromkeys(name for each in arrays for name in each))


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
    whole = all(access.box == assignment.box for access in accesses)
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


def _check_private(arrays: list[tuple[str, str, str]], private: list[Any]) -> None:
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
