"""Hoelder-Brascamp-Lieb exponents of array references: how few items many iterations touch."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Final

import numpy as np

from dags import RedBlueError
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.program_space import STATEMENT

TINY: Final = 1e-6
MOST_SUBSPACES: Final = 400
MOST_DENOMINATOR: Final = 5040
Vector = tuple[Fraction, ...]
Subspace = tuple[Vector, ...]  # a basis in reduced row echelon form
LinearMap = Sequence[Sequence[int]]


def exponents_of(shape: Shape) -> dict[str, Fraction] | None:
    """The exponents, times the roles, with the least sum that need no range but s."""
    measures = [measure for measure in shape.partial if "columns" not in measure.name]
    indices = [index for index in shape.extents if index != STATEMENT]
    covers = [
        ["".join(measure.projections).count(index) for measure in measures] for index in indices
    ]
    if any(not any(row) for row in covers) or len(measures) != len(
        [m for m in shape.measures if "columns" not in m.name]
    ):
        return None
    roles = [len(measure.projections) for measure in measures]
    exponents = middle_exponents(tuple(map(tuple, covers)), tuple(roles))
    if exponents is None:
        return None
    return {
        measure.name: role * power
        for measure, role, power in zip(measures, roles, exponents, strict=True)
    }


@lru_cache(maxsize=1024)
def middle_exponents(
    covers: tuple[tuple[int, ...], ...], roles: tuple[int, ...]
) -> tuple[Fraction, ...] | None:
    """The least exponents that cover each index: the middle of some, if there are many."""
    from scipy.optimize import linprog

    needs, bounds = [[-x for x in row] for row in covers], [-1.0] * len(covers)
    solution = linprog(roles, A_ub=needs, b_ub=bounds)
    if not solution.success:
        return None
    corners = [solution.x]
    for place in range(len(roles)):
        ends = []
        for sign in (-1.0, 1.0):
            wanted = [sign if number == place else 0.0 for number in range(len(roles))]
            solved = linprog(wanted, A_ub=needs, b_ub=bounds, A_eq=[roles], b_eq=[solution.fun])
            ends.append(solved.x if solved.success else solution.x)
        if abs(ends[0][place] - ends[1][place]) > TINY:
            corners = [*corners[len(corners) == 1 :], *ends]
    middle = [sum(column) / len(corners) for column in zip(*corners, strict=True)]
    return tuple(Fraction(float(x)).limit_denominator(120) for x in middle)


def coefficient_of(shape: Shape, powers: Mapping[str, Fraction]) -> float:
    """The c of c U / M^(sigma - 1) words."""
    prices = [float(shape.measure(name).cost) / shape.measure(name).factor for name in powers]
    slack = max(
        Fraction(0),
        1
        - sum(
            (
                powers[name] / len(shape.measure(name).projections)
                for name in powers
                for kept in shape.measure(name).projections
                if STATEMENT in kept
            ),
            Fraction(0),
        ),
    )
    copies = shape.copies / shape.extents.get(STATEMENT, 1) ** float(slack)
    return leading_coefficient(powers.values(), prices) * float(copies)


class InvalidReferencesError(RedBlueError, ValueError):
    """References of a loop nest from which no exponents follow; the message says why."""


@dataclass(frozen=True)
class Exponents:
    """The exponents s of some references: |V| <= product of |references(V)|^s.

    Parameters
    ----------
    values
        Of each reference; their sum is the least that holds.
    subspaces
        Bases of the subspaces H for which rank(H) <= sum of s rank(reference(H)) was asked.
    tile
        Where all references keep some of the indices: the exponent x of each index, so that tiles
        with sides M^x touch about M items of each array, and attain the sum.
    """

    values: tuple[Fraction, ...]
    subspaces: tuple[Subspace, ...]
    tile: Mapping[str, Fraction] | None

    @property
    def total(self) -> Fraction:
        """Sum of the exponents: iterations / M^(total - 1) words must be moved."""
        return sum(self.values, Fraction(0))

    @property
    def coefficient(self) -> float:
        """The c of c iterations / M^(total - 1) words, as they come from large windows."""
        return leading_coefficient(self.values)


def leading_coefficient(powers: Iterable[Fraction], prices: Iterable[float] | None = None) -> float:
    """The c of c A / M^(sigma - 1) words for A updates, sigma the sum of all powers.

    A window of A updates touches C A^(1 / sigma) words, C = sigma prod (price / s)^(s / sigma);
    of these M are there when it begins. The best A makes C A^(1 / sigma) = M sigma / (sigma - 1).

    Parameters
    ----------
    powers
        Of each array.
    prices
        Words of an item of each, 1 unless given.
    """
    exponents = [float(power) for power in powers]
    weights = [1.0] * len(exponents) if prices is None else list(prices)
    sigma = sum(exponents)
    product = float(
        prod((price / s) ** s for s, price in zip(exponents, weights, strict=True) if s)
    )
    return product * (sigma if sigma <= 1 else float((sigma - 1) ** (sigma - 1)))


def hbl(references: Sequence[str] | Sequence[LinearMap], indices: str | None = None) -> Exponents:
    """The exponents of least sum for given references.

    A reference is a string of the indices that it keeps, or an integer matrix. The condition is
    asked for all subspaces that arise from the kernels of the references by sums and
    intersections, which is enough.

    Parameters
    ----------
    references
        Such as ``["ik", "kj", "ij"]``, or matrices with one column for each index.
    indices
        The indices, in the order of columns; by default those of the strings, as they come.

    Raises
    ------
    InvalidReferencesError
        If some index is kept by no reference, or there are more than 400 subspaces.

    Source
    ------
    M. Christ, J. Demmel, N. Knight, T. Scanlon and K. Yelick, Communication lower bounds and
    optimal algorithms for programs that reference arrays, 2013, theorem 3.2; S. Valdimarsson, The
    Brascamp-Lieb polyhedron, 2010: the lattice of the kernels is enough.

    Examples
    --------
    >>> print(*hbl(["ik", "kj", "ij"]).values)
    1/2 1/2 1/2
    >>> hbl(["ijk", "jl", "kl", "il"]).total
    Fraction(5, 3)
    """
    if not references:
        raise InvalidReferencesError("there are no references")
    if all(isinstance(reference, str) for reference in references):
        return _of_projections([str(reference) for reference in references], indices)
    maps = [[[Fraction(x) for x in row] for row in reference] for reference in references]
    width = len(maps[0][0]) if maps[0] else 0
    if not width or any(len(row) != width for map_ in maps for row in map_):
        raise InvalidReferencesError("references are no matrices with one column for each index")
    subspaces = _lattice([_kernel(map_, width) for map_ in maps], width)
    rows = [([_rank_of_image(map_, space) for map_ in maps], len(space)) for space in subspaces]
    values, _ = _least(rows, len(maps))
    return Exponents(values, tuple(subspaces), None)


def _of_projections(references: list[str], indices: str | None) -> Exponents:
    """The exponents where all references keep indices: then lines are enough."""
    indices = indices or "".join(dict.fromkeys("".join(references)))
    for kept in references:
        if not {*kept} <= {*indices} or len({*kept}) != len(kept):
            raise InvalidReferencesError(
                f"{kept!r} is not some of the indices {indices!r}, each at most once"
            )
    lines = tuple(
        (tuple(Fraction(kept_index == index) for kept_index in indices),) for index in indices
    )
    rows = [([int(index in kept) for kept in references], 1) for index in indices]
    values, prices = _least(rows, len(references))
    return Exponents(values, lines, dict(zip(indices, prices, strict=True)))


def _reduced(rows: Iterable[Sequence[Fraction]]) -> Subspace:
    """The basis in reduced row echelon form."""
    basis: list[list[Fraction]] = []
    for row in rows:
        left = list(row)
        for pivot in basis:
            place = next(i for i, x in enumerate(pivot) if x)
            left = [x - left[place] * y for x, y in zip(left, pivot, strict=True)]
        if any(left):
            lead = next(x for x in left if x)
            left = [x / lead for x in left]
            place = next(i for i, x in enumerate(left) if x)
            basis = [
                [x - pivot[place] * y for x, y in zip(pivot, left, strict=True)] for pivot in basis
            ]
            basis.append(left)
    basis.sort(key=lambda row: next(i for i, x in enumerate(row) if x))
    return tuple(map(tuple, basis))


def _kernel(matrix: Sequence[Sequence[Fraction]], width: int) -> Subspace:
    """The subspace that a matrix takes to 0."""
    basis = _reduced(matrix)
    pivots = [next(i for i, x in enumerate(row) if x) for row in basis]
    vectors = []
    for free in (i for i in range(width) if i not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for pivot, row in zip(pivots, basis, strict=True):
            vector[pivot] = -row[free]
        vectors.append(vector)
    return _reduced(vectors)


def _meet(left: Subspace, right: Subspace, width: int) -> Subspace:
    """The intersection of two subspaces: all orthogonal to the complements of both."""
    return _kernel([*_kernel(left, width), *_kernel(right, width)], width)


def _lattice(kernels: list[Subspace], width: int) -> list[Subspace]:
    """The subspaces that sums and intersections make of some, and of all of the space."""
    unit = [[Fraction(row == column) for column in range(width)] for row in range(width)]
    space = _reduced(unit)
    subspaces = list(dict.fromkeys([space, *kernels]))
    for position, left in enumerate(subspaces):
        for right in subspaces[:position]:
            for new in (_reduced([*left, *right]), _meet(left, right, width)):
                if new not in subspaces:
                    subspaces.append(new)
        if len(subspaces) > MOST_SUBSPACES:
            raise InvalidReferencesError(f"there are more than {MOST_SUBSPACES} subspaces")
    return [space for space in subspaces if space]


def _rank_of_image(matrix: Sequence[Sequence[Fraction]], space: Subspace) -> int:
    """The rank of the image of a subspace under a matrix."""
    images = [
        [sum((a * x for a, x in zip(row, vector, strict=True)), Fraction(0)) for row in matrix]
        for vector in space
    ]
    return len(_reduced(images))


def _least(
    rows: list[tuple[list[int], int]], count: int
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The least exponents, and the prices of the conditions; both exact and equal in sum."""
    from scipy.optimize import linprog

    if any(not any(images) for images, _ in rows):
        raise InvalidReferencesError("many iterations touch the same items of all arrays")
    ranks = np.array([images for images, _ in rows], np.float64)
    needs = np.array([rank for _, rank in rows], np.float64)
    primal = linprog(np.ones(count), A_ub=-ranks, b_ub=-needs, method="highs")
    dual = linprog(-needs, A_ub=ranks.T, b_ub=np.ones(count), method="highs")
    if not (primal.success and dual.success):
        raise InvalidReferencesError("the linear program has no solution")
    values, prices = (
        tuple(Fraction(float(x)).limit_denominator(MOST_DENOMINATOR) for x in solution.x)
        for solution in (primal, dual)
    )
    holds = all(
        sum((s * image for s, image in zip(values, images, strict=True)), Fraction(0)) >= rank
        for images, rank in rows
    )
    priced = sum((price * rank for price, (_, rank) in zip(prices, rows, strict=True)), Fraction(0))
    if not holds or min(values) < 0 or sum(values, Fraction(0)) != priced:
        raise InvalidReferencesError("the linear program has no solution of small fractions")
    return values, prices
