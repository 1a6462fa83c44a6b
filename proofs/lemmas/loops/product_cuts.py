"""Checks bounds of products by a cut in the middle of their updates.

The updates of a product are the points of a box with sides d1 <= d2 <= d3; the updates that use
one item of an array are a **line** of the box. A line is *mixed* where some of its updates are
done and some are not.

**When half of the updates are done, rounded down, at least d1 d2 lines are mixed.** Each of them
is an item that is needed again and was touched before: it is red, or it is loaded once more (and,
if it is a sum, stored once more). At most K words are red just before an update. So a play moves
at least the compulsory words and d1 d2 - K more, in each copy of the product that shares no value
with the others. It holds for sums in any order, not where values are computed again.

Proof of the number of mixed lines, for any set S of updates with V / 4 <= |S| <= 3 V / 4. Let
mu_x be the share of the lines along x that are mixed; it is shown that the three shares add up to
1 at least, and there are at least d1 d2 lines along each axis. *Compression*: push S down along
one axis. Lines of that axis stay as mixed as they were. In a plane through the axis, with column
heights h, the lines across it that were neither empty nor full were at least max h - min h, and
are now just those. So nothing grows, and S can be a down-set; scale the axes to [0, 1], and let s
be its volume. *Corners*: let a_x, f_x be the shares of lines along x that are not empty, and
full; mu_x = a_x - f_x. That e_x is in S means that some x-line is full, that 1 - e_x is not in S
that some x-line is empty; if neither holds on an axis, mu_x = 1. *Plane*: in the unit square a
set of area t has mixed shares mu_y + mu_z >= g(t) = min(1, 2 sqrt t, 2 sqrt(1 - t)), which is
concave: a full and an empty line along one axis make all lines across mixed; with no full line
a_y a_z >= t; with no empty line the same holds of the complement. (A) No e is in S: all f are 0,
a_x a_y a_z >= s^2 (Loomis and Whitney), sum >= 3 s^(2/3) > 1. (B) Only e_z is: f_x = f_y = 0;
slices across z have areas from f = f_z to a = a_z of mean s, and a_x + a_y >= 2 integral of sqrt
t >= 2 (A B + s) / (A + B) with A = sqrt a, B = sqrt f. The sum A^2 - B^2 + 2 (A B + s) / (A + B)
is concave in B on [0, sqrt s]: at 0 it is A^2 + 2 s / A >= 3 s^(2/3), at sqrt s it is A^2 - s + 2
sqrt s >= 1. (C) e_y and e_z are, e_x is not: if (0, 1, 1) is in S no x-line is empty and none is
full; else f_x = 0, and with slices across x the sum is at least a + s g(a) / a: for a <= 3/4 that
is a + s / a >= 2 sqrt s >= 1, and for a > 3/4 it is 1 at least where 2 s >= a sqrt(1 - a), which
is at most 0.375. (E) All e are in S and no 1 - e is: mu_x >= a - f with slices between f and a;
the sum is at least (a - f) + p g(a) + (1 - p) g(f), p = (s - f) / (a - f). If a and f are in
[1/4, 3/4] it is 1 at least. With a = 1 - u > 3/4 and f < 1/4 the claim 2 sqrt u (s - f) + 2 sqrt
f (1 - u - s) >= (u + f)(1 - u - f) is linear in s; at s = 1/4, with sqrt u >= 2 u and sqrt f >= 2
f, it holds as u + 3 f - 8 u f >= u + f, and s = 3/4 is the mirror image. With a = 3/4 + y and f =
3/4 - v in [1/4, s] it is (v + y)^2 >= 4 v y >= v (1 - sqrt(1 - 4 y)) >= (s - f)(1 - g(a)). The
complement, turned round, gives what is left.

Source
------
B. Bollobas and I. Leader, Edge-isoperimetric inequalities in the grid, 1991, for the three-
dimensional case, known to us by its abstract; the proof is complete as it stands here.
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
