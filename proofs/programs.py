"""Laws of programs without sizes: what windows of their updates touch, as polynomials in sizes.

The spaces of updates that `affine` finds at small sizes are looked for again at others; numbers of
updates and of words to add are interpolated, and compared at further sizes. So a law is a trend:
`affine` proves it for the DAG of given sizes. Where updates read at constant distances, likewise
with the lattices that `uniform` finds, and with the values that wait in iterations of outer loops,
which `slices` finds: where M is small beside the sizes, these are words of the leading term.

With B the distances and 0, which span d dimensions, |V + B|^(1/d) >= |V|^(1/d) + b, b = ((|B| - d)
/ d!)^(1/d) (R. J. Gardner and P. Gronchi, A Brunn-Minkowski inequality for the integer lattice,
Transactions of the AMS 2001; known to us by its abstract). On two sides that makes 2 (d - 1)
b^(d / (d - 1)) U / M^(1 / (d - 1)) words in the leading term, the coefficient that is told; what
`uniform` proves at finite sizes rests on `isoperimetry.sections` instead.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import factorial, inf
from typing import Any, Final

from dags.programs import Program
from proofs.base import NotApplicableError
from proofs.bounds.loops.window_sizes import best_windows
from proofs.bounds.windows.isoperimetry.set_sizes import best_cuts
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.loops.hbl import Shape, least_words
from proofs.certificates.loops.program_space import STATEMENT
from proofs.certificates.loops.uniform import REACH
from proofs.certificates.windows.isoperimetry.boundary import Boundary
from proofs.certificates.windows.isoperimetry.sections import between_sections
from proofs.leading_terms import leading_latex, leading_text
from proofs.polynomials import Polynomial
from proofs.small_sizes import LARGE, Family, Sizes
from proofs.space_exponents import coefficient_of

TRIED: Final = 12  # spaces, the ones with the largest leading terms first


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
        The distances at which updates read; None if that is not what the law is from.
    rules
        The rules for which it is meant.
    room
        How many words fewer wait for each word of fast memory, and `updates` are the words that
        wait or are compulsory; None if that is not what the law is from. Without any of these the
        compulsory words are all that is known.
    """

    exponent: Fraction
    coefficient: float
    updates: Polynomial
    gain: Polynomial
    compulsory: Polynomial
    shape: Shape | None = None
    distances: tuple[tuple[int, ...], ...] | None = None
    rules: str = "one-shot"
    room: Polynomial | None = None

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
        if self.room is not None:
            return f"{term}; I/O >= {self.updates} - {self.letter} ({self.room})"
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
        if self.room is not None:
            return max(floor, updates - memory * int(self.room(sizes)))
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
    family = Family(program, options)
    compulsory = family.polynomial(lambda sizes: compulsory_words(family.dag(sizes)))
    if compulsory is None:
        raise NotApplicableError(f"the words of {program.name} are no polynomial in its sizes")
    for found, powers in islice(family.spaces(), TRIED):
        updates, gain = family.premises(found)
        if updates is None or gain is None or updates.degree <= compulsory.degree:
            continue
        if gain.degree >= updates.degree and gain.at_equal_sizes < 0:
            continue
        coefficient = coefficient_of(found.shape, powers)
        total = sum(powers.values(), Fraction(0))
        return ProgramLaw(1 - total, coefficient, updates, gain, compulsory, found.shape)
    if (known := _at_constant_distances(family, compulsory)) is not None:
        return known
    zero = Polynomial(compulsory.variables, {})
    if (waits := family.waiting(compulsory)) is not None:
        words, room = waits
        return ProgramLaw(Fraction(0), 1.0, words, zero, compulsory, room=room)
    return ProgramLaw(Fraction(0), 1.0, compulsory, zero, compulsory)


def _at_constant_distances(family: Family, compulsory: Polynomial) -> ProgramLaw | None:
    """Return the law of updates at constant distances with the largest coefficient, or None.

    Among equals, the one with most words to add where sizes are large.
    """
    laws: list[ProgramLaw] = []
    for description, distances in family.lattices():
        if laws and laws[0].distances is not None and len(distances) < len(laws[0].distances):
            break
        updates, gain = family.lattice(description, compulsory)
        if updates is None or gain is None or not gain.degree < updates.degree:
            continue
        d = len(distances[0])
        span = ((len(distances) + 1 - d) / factorial(d)) ** (1 / (d - 1))
        coefficient, power = 2 * (d - 1) * span, Fraction(-1, d - 1)
        laws.append(ProgramLaw(power, coefficient, updates, gain, compulsory, None, distances))
    far = dict.fromkeys(compulsory.variables, LARGE)
    return max(laws, key=lambda one: one.gain(far), default=None)
