"""Laws of programs without sizes: what windows of their updates touch, as polynomials in sizes.

The spaces of updates that `affine` finds at small sizes are looked for again at others; numbers of
updates and of words to add are interpolated, and compared at further sizes. So a law is a trend:
`affine` proves it for the DAG of given sizes. Where updates read at constant distances, likewise
with the lattices that `uniform` finds.

With B the distances and 0, which span d dimensions, |V + B|^(1/d) >= |V|^(1/d) + b, b = ((|B| - d)
/ d!)^(1/d) (R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality for the integer lattice,
Transactions of the AMS 2001; known to us by its abstract). On two sides that makes 2 (d - 1)
b^(d / (d - 1)) U / M^(1 / (d - 1)) words in the leading term, the coefficient that is told; what
`uniform` proves at finite sizes rests on `isoperimetry.sections` instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, pairwise
from math import factorial, inf
from typing import Any, Final

import numpy as np

from dags import CDAG
from dags.programs import Program, ProgramError, instantiate
from pebble import ONE_SHOT
from proofs.base import NotApplicableError
from proofs.bounds.loops.space_search import Found, verified_spaces
from proofs.bounds.loops.spaces import Description, descriptions
from proofs.bounds.loops.uniform import known_lattices
from proofs.bounds.loops.window_sizes import best_windows
from proofs.bounds.windows.isoperimetry.set_sizes import best_cuts
from proofs.certificates import CertificateError
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.loops.affine import premises
from proofs.certificates.loops.hbl import Shape, least_words
from proofs.certificates.loops.program_space import STATEMENT
from proofs.certificates.loops.uniform import REACH
from proofs.certificates.windows.isoperimetry.boundary import Boundary
from proofs.certificates.windows.isoperimetry.sections import between_sections
from proofs.exponents import leading_coefficient
from proofs.leading_terms import leading_latex, leading_text
from proofs.polynomials import Polynomial, interpolated

SMALL: Final = 8  # the least size at which polynomials are taken
FARTHER: Final = (3, 5, 4)  # beyond the sizes of interpolation: polynomials must be right there
HIGHEST: Final = 4  # power of one size
TINY: Final = 1e-6
TRIED: Final = 12  # spaces, the ones with the largest leading terms first

Sizes = Mapping[str, int]


@dataclass(frozen=True)
class ProgramLaw:
    """The words that a program moves with M words of fast memory: a trend, for large sizes.

    Parameters
    ----------
    exponent
        Of M in the leading term.
    coefficient
        Of the leading term of `updates` and of that power of M.
    updates, gain
        Updates, and words to add to what their windows touch; for `at`.
    compulsory
        Inputs that are read, and outputs.
    shape
        What updates touch; None if that is not what the law is from.
    distances
        The distances at which updates read; None if that is not what the law is from. Without
        either the compulsory words are all that is known.
    rules
        The rules for which it is meant.
    """

    exponent: Fraction
    coefficient: float
    updates: Polynomial
    gain: Polynomial
    compulsory: Polynomial
    shape: Shape | None = None
    distances: tuple[tuple[int, ...], ...] | None = None
    rules: str = "one-shot"

    @property
    def degree(self) -> int:
        """The degree of the leading term in the sizes."""
        return self.updates.degree

    @property
    def leading(self) -> float:
        """The factor of n^degree M^exponent where all sizes are n."""
        return self.coefficient * float(self.updates.at_equal_sizes)

    @property
    def letter(self) -> str:
        """The letter for words of fast memory in formulas: M, or S where a size is called M."""
        return "S" if "M" in self.updates.variables else "M"

    def leading_term(self, memory: str = "") -> str:
        """Return the leading term on one line; `memory` is another letter for the memory."""
        letter = memory or self.letter
        return leading_text(self.coefficient, self.updates.leading, self.exponent, letter)

    def to_latex(self, memory: str = "") -> str:
        """Return the leading term as LaTeX; `memory` is another letter for the memory."""
        letter = memory or self.letter
        return leading_latex(self.coefficient, self.updates.leading, self.exponent, letter)

    @property
    def form(self) -> str:
        """The leading term, and what the bound of windows of A updates adds up."""
        term = self.leading_term()
        if self.shape is None and self.distances is None:
            return f"{term}; compulsory: {self.compulsory}"
        if self.shape is None:
            return (
                f"{term}; updates U = {self.updates}; "
                f"I/O >= sum of least(A) - 2 ({self.letter} - 1)(windows - 1) + {self.gain}"
            )
        return (
            f"{term}; updates U = {self.updates}; "
            f"I/O >= sum of x(A) - ({self.letter} - 1)(windows - 1) + {self.gain}"
        )

    def at(self, sizes: Sizes, memory: int) -> int:
        """Return the words of the finite form at some sizes; no DAG is made.

        Parameters
        ----------
        sizes
            A value for each size, at least as large as those at which the law was found.
        memory
            Words of fast memory.
        """
        floor = int(self.compulsory(sizes))
        updates = int(self.updates(sizes))
        if self.distances is not None and updates > 0:
            waived = floor - int(self.gain(sizes))
            least = between_sections(self.distances)
            boundary = Boundary(updates, least, waived, reach=REACH[len(self.distances[0])])
            return floor + best_cuts(boundary, 2 * (memory - 1), inf)[0]
        if self.shape is None or updates < 1:
            return floor
        extents = {
            index: extent if index == STATEMENT else updates + 1
            for index, extent in self.shape.extents.items()
        }
        shape = replace(self.shape, extents=extents)
        windows, exponents = best_windows(shape, updates, memory - 1)
        words = sum(count * least_words(shape, size, exponents) for size, count in windows)
        cuts = sum(count for _, count in windows) - 1
        return max(floor, words - (memory - 1) * cuts + int(self.gain(sizes)))


def law(program: Program, **options: Any) -> ProgramLaw:
    """Return the law of a program, for all sizes.

    Parameters
    ----------
    program
        A loop nest.
    options
        Arguments of `dags.programs.instantiate` other than sizes: live, constants, level.

    Raises
    ------
    NotApplicableError
        If there is no polynomial for the words of all sizes.

    Examples
    --------
    >>> from dags.programs.library import polybench
    >>> found = law(polybench("cholesky"))
    >>> print(found.exponent, found.degree, round(found.leading, 4), found.updates)
    -1/2 3 0.2357 N^3/6 - N^2/2 + N/3
    """
    family = _Family(program, options)
    compulsory = family.polynomial(lambda sizes: compulsory_words(family.dag(sizes)))
    if compulsory is None:
        raise NotApplicableError(f"the words of {program.name} are no polynomial in its sizes")
    for found, powers in islice(family.spaces(), TRIED):
        updates, gain = family.premises(found)
        if updates is None or gain is None or updates.degree <= compulsory.degree:
            continue
        if gain.degree >= updates.degree and gain.at_equal_sizes < 0:
            continue
        coefficient = _coefficient(found.shape, powers)
        total = sum(powers.values(), Fraction(0))
        return ProgramLaw(1 - total, coefficient, updates, gain, compulsory, found.shape)
    for description, distances in family.lattices():
        updates, gain = family.lattice(description, compulsory)
        if updates is None or gain is None or not gain.degree < updates.degree:
            continue
        d = len(distances[0])
        span = ((len(distances) + 1 - d) / factorial(d)) ** (1 / (d - 1))
        coefficient, power = 2 * (d - 1) * span, Fraction(-1, d - 1)
        return ProgramLaw(power, coefficient, updates, gain, compulsory, None, distances)
    zero = Polynomial(compulsory.variables, {})
    return ProgramLaw(Fraction(0), 1.0, compulsory, zero, compulsory)


class _Family:
    """The DAGs of a program at small sizes."""

    def __init__(self, program: Program, options: Mapping[str, Any]) -> None:
        self.program = program
        self.options = options
        self.variables = tuple(program.sizes)
        self.least = {name: SMALL + place for place, name in enumerate(self.variables)}
        self.known: dict[tuple[int, ...], CDAG] = {}

    def dag(self, sizes: Sizes) -> CDAG:
        """Return the DAG at some sizes."""
        key = tuple(sizes[name] for name in self.variables)
        if key not in self.known:
            try:
                self.known[key] = instantiate(self.program, dict(sizes), **self.options)
            except ProgramError as error:
                raise NotApplicableError(str(error)) from None
        return self.known[key]

    def polynomial(self, value: Any) -> Polynomial | None:
        """Return the polynomial of a number of the DAGs, None if there is none."""
        try:
            degrees = [self._degree(value, name) for name in self.variables]
            if None in degrees:
                return None
            powers = [degree for degree in degrees if degree is not None]
            found = interpolated(value, self.variables, powers, self.least)
            return found if self._right(found, value) else None
        except CertificateError:
            return None

    def _degree(self, value: Any, name: str) -> int | None:
        """Return the degree in one size, None if it is too large."""
        row = [value({**self.least, name: self.least[name] + step}) for step in range(HIGHEST + 2)]
        for degree in range(HIGHEST + 1):
            row = [after - before for before, after in pairwise(row)]
            if not any(row):
                return degree
        return None

    def _right(self, found: Polynomial, value: Any) -> bool:
        """Return whether a polynomial is right at further sizes."""
        for step in range(len(FARTHER)):
            at = {
                name: self.least[name] + FARTHER[(step + place) % len(FARTHER)]
                for place, name in enumerate(self.variables)
            }
            if found(at) != value(at):
                return False
        return True

    def spaces(self) -> Iterator[tuple[Found, dict[str, Fraction]]]:
        """Yield spaces with their exponents, those with the largest leading terms first."""
        sizes = {name: least + 3 for name, least in self.least.items()}
        ranked = []
        for found in verified_spaces(self.dag(sizes), ONE_SHOT, inf):
            powers = _exponents(found.shape)
            if powers is not None and sum(powers.values()) > 1:
                ranked.append((_coefficient(found.shape, powers) * found.updates, found, powers))
        for _, found, powers in sorted(ranked, key=lambda entry: -entry[0]):
            yield found, powers

    def premises(self, found: Found) -> tuple[Polynomial | None, Polynomial | None]:
        """Return the updates and the gain of a space, for all sizes."""

        def number(sizes: Sizes, place: int) -> int:
            dag = self.dag(sizes)
            proved = premises(dag, found.argument, _alike(dag, found.space))
            return int((proved[1], proved[2])[place])

        updates = self.polynomial(lambda sizes: number(sizes, 0))
        return updates, None if updates is None else self.polynomial(lambda sizes: number(sizes, 1))

    def lattices(self) -> Iterator[tuple[Description, tuple[tuple[int, ...], ...]]]:
        """Yield lattices of updates with their distances, those with the most distances first."""
        dag = self.dag({name: least + 3 for name, least in self.least.items()})
        found = [description for description, _ in known_lattices(dag)]
        for description in sorted(found, key=lambda each: -len(each["distances"])):
            distances = tuple(map(tuple, description["distances"]))
            if np.linalg.matrix_rank(np.array(distances)) == len(distances[0]):
                yield description, distances

    def lattice(
        self, description: Description, compulsory: Polynomial
    ) -> tuple[Polynomial | None, Polynomial | None]:
        """Return the updates and the words to add of a lattice, for all sizes."""

        def boundary(sizes: Sizes) -> Boundary:
            for other, found in known_lattices(self.dag(sizes)):
                alike = [each["operator"] for each in other["statements"]]
                if other["distances"] == description["distances"] and alike == [
                    each["operator"] for each in description["statements"]
                ]:
                    return found
            raise CertificateError("distances", "are not there at these sizes")

        updates = self.polynomial(lambda sizes: boundary(sizes).vertices)
        if updates is None:
            return None, None
        gain = self.polynomial(lambda sizes: int(compulsory(sizes)) - boundary(sizes).waived)
        return updates, gain


def _alike(dag: CDAG, space: Description) -> Description:
    """Return the space of another DAG of the program that has the same statements and arrays."""
    assert dag.origin is not None
    for other in descriptions(dag, dag.origin):
        if _signature(other) == _signature(space):
            flags = {name: space[name] for name in ("order", "complete", "single", "shared")}
            pairs = zip(other["arrays"], space["arrays"], strict=True)
            arrays = [{**array, "cost": priced["cost"]} for array, priced in pairs]
            return {**other, **flags, "arrays": arrays}
    raise CertificateError("space", "is not there at these sizes")


def _signature(space: Description) -> tuple[Any, ...]:
    """Return what does not depend on sizes."""
    operators = [(each["operator"], each["loops"]) for each in space["statements"]]
    arrays = [(array["slots"], array["kept"], array["by_value"]) for array in space["arrays"]]
    return operators, arrays, space["joint"], space["symmetric"]


def _exponents(shape: Shape) -> dict[str, Fraction] | None:
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
    found = _middle(covers, roles)
    if found is None:
        return None
    return {
        measure.name: role * power
        for measure, role, power in zip(measures, roles, found, strict=True)
    }


def _middle(covers: list[list[int]], roles: list[int]) -> list[Fraction] | None:
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
    return [Fraction(float(x)).limit_denominator(120) for x in middle]


def _coefficient(shape: Shape, powers: Mapping[str, Fraction]) -> float:
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
