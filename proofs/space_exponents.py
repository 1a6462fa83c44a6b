"""Exponents of memory, and coefficients, of spaces of updates whose ranges are all large."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from proofs.exponents import leading_coefficient
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.program_space import STATEMENT

TINY: Final = 1e-6


def exponents_of(shape: Shape) -> dict[str, Fraction] | None:
    """Return the exponents, times the roles, with the least sum that need no range but s."""
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
    found = _middle(tuple(map(tuple, covers)), tuple(roles))
    if found is None:
        return None
    return {
        measure.name: role * power
        for measure, role, power in zip(measures, roles, found, strict=True)
    }


@lru_cache(maxsize=1024)
def _middle(
    covers: tuple[tuple[int, ...], ...], roles: tuple[int, ...]
) -> tuple[Fraction, ...] | None:
    """Return the least exponents that cover each index: the middle of some, if there are many."""
    from scipy.optimize import linprog

    needs, bounds = [[-x for x in row] for row in covers], [-1.0] * len(covers)
    least = linprog(roles, A_ub=needs, b_ub=bounds)
    if not least.success:
        return None
    corners = [least.x]
    for place in range(len(roles)):
        ends = []
        for sign in (-1.0, 1.0):
            wanted = [sign if each == place else 0.0 for each in range(len(roles))]
            solved = linprog(wanted, A_ub=needs, b_ub=bounds, A_eq=[roles], b_eq=[least.fun])
            ends.append(solved.x if solved.success else least.x)
        if abs(ends[0][place] - ends[1][place]) > TINY:
            corners = [*corners[len(corners) == 1 :], *ends]
    middle = [sum(column) / len(corners) for column in zip(*corners, strict=True)]
    return tuple(Fraction(float(x)).limit_denominator(120) for x in middle)


def coefficient_of(shape: Shape, powers: Mapping[str, Fraction]) -> float:
    """Return the c of c U / M^(sigma - 1) words."""
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
