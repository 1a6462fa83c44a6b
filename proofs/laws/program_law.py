"""The law of a program as it is told: its leading term, and its finite form at any sizes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pebble import ONE_SHOT, Budget
from proofs.base import Bound, NotApplicableError
from proofs.bounds.loops.window_sizes import best_windows
from proofs.bounds.windows.isoperimetry.set_sizes import best_cuts
from proofs.certificates import Certificate
from proofs.core.windows import Count
from proofs.laws import Trend
from proofs.laws.leading_terms import leading_latex, leading_text
from proofs.laws.polynomials import Polynomial
from proofs.laws.tiles import Tile
from proofs.lemmas.isoperimetry.corner_layers import between_steps
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.uniform import REACH

if TYPE_CHECKING:
    from proofs.laws.symbolic.proved import Proved

Sizes = Mapping[str, int]

UNKNOWN: Final = 2**62  # the range of an index


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
        Updates, and words to add to the items of their windows; for `at`.
    compulsory
        Inputs that are read, and outputs.
    shape
        The arrays that updates touch; None if the law is not from them.
    distances
        The distances at which updates read; None if the law is not from them.
    rules
        The rules for which it is meant.
    room
        How many words fewer wait for each word of fast memory, and `updates` are the words that
        wait or are compulsory; None if the law is not from these. Without any of these the
        compulsory words are all that is known.
    ranges
        The range of each index of `shape`, where it is a polynomial.
    tile
        The shape of tiles that attain the exponent, where one is known.
    proof
        The proof of the finite form for all sizes; None where it is known from small ones only.
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
    ranges: Mapping[str, Polynomial] = field(default_factory=dict)
    tile: Tile | None = None
    proof: "Proved | None" = None

    @property
    def degree(self) -> int | Fraction:
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
        """The leading term on one line; `memory` is another letter for the memory."""
        letter = memory or self.letter
        return leading_text(self.coefficient, self.updates.leading, self.exponent, letter)

    def to_latex(self, memory: str = "") -> str:
        """The leading term as LaTeX; `memory` is another letter for the memory."""
        letter = memory or self.letter
        return leading_latex(self.coefficient, self.updates.leading, self.exponent, letter)

    @property
    def form(self) -> str:
        """The leading term, and the terms of the bound by windows of A updates."""
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

    @property
    def tiled_ratio(self) -> float | None:
        """Ratio of the words of tiles to the leading term for large sizes, where it is known."""
        known = None if self.tile is None else self.tile.coefficient
        return None if known is None else known / self.coefficient

    @property
    def proved(self) -> int | None:
        """The least value of each size from which on the finite form is proved; None for none."""
        return None if self.proof is None else self.proof.least

    def trend(self) -> Trend:
        """The leading term, which proves nothing at any size."""
        sizes, power = self.updates.leading, float(self.exponent)

        def words(params: Mapping[str, Any], memory: int) -> float:
            scaled: float = self.coefficient * float(sizes(params)) * memory**power
            return scaled

        return Trend("lower", self.leading_term(), words, "derived")

    def at(self, sizes: Sizes, memory: int) -> int:
        """The words of the finite form at some sizes; no DAG is made.

        Parameters
        ----------
        sizes
            A value for each size, at least as large as those at which the law was found.
        memory
            Words of fast memory.
        """
        return self._finite(sizes, memory)[0]

    def bound(self, sizes: Sizes, memory: int) -> Bound:
        """The finite form at some sizes as a bound on one-shot plays; no DAG is made.

        Its certificate is one of the DAG of these sizes, which `check` accepts.

        Parameters
        ----------
        sizes
            A value for each size.
        memory
            Words of fast memory.

        Raises
        ------
        NotApplicableError
            If the form is not proved for these sizes.
        """
        if self.proof is None:
            raise NotApplicableError("the law is a trend: it is not proved for all sizes")
        if (smallest := min(sizes[name] for name in self.updates.variables)) < self.proof.least:
            raise NotApplicableError(
                f"the law is proved where each size is {self.proof.least} or more, not {smallest}"
            )
        io, windows = self._finite(sizes, memory)
        places = tuple(sizes[name] for name in self.updates.variables)
        space = self.proof.space_at(places)
        if not windows or space is None:
            return Bound("compulsory", memory, io, ONE_SHOT, Certificate("compulsory", {}))
        data = {"argument": "segments", "space": space, "windows": windows}
        return Bound("affine", memory, io, ONE_SHOT, Certificate("affine", data))

    def _finite(self, sizes: Sizes, memory: int) -> tuple[int, list[dict[str, Any]]]:
        """The words at some sizes, and the windows of the bound if they are from those."""
        floor = int(self.compulsory(sizes))
        updates = int(self.updates(sizes))
        if self.room is not None:
            return max(floor, updates - memory * int(self.room(sizes))), []
        if self.distances is not None and updates > 0:
            waived = floor - int(self.gain(sizes))
            counted_boundary = between_steps(self.distances)
            boundary = Count(updates, counted_boundary, waived, reach=REACH[len(self.distances[0])])
            return floor + best_cuts(boundary, 2 * (memory - 1), Budget())[0], []
        if self.shape is None or updates < 1:
            return floor, []
        shape = replace(self.shape, extents={i: self._range(i, sizes) for i in self.shape.extents})
        windows, exponents = best_windows(shape, updates, memory - 1)
        words = sum(count * least_words(shape, size, exponents) for size, count in windows)
        words += int(self.gain(sizes)) - (memory - 1) * (sum(count for _, count in windows) - 1)
        if words <= floor:
            return floor, []
        powers = {name: str(power) for name, power in exponents.items()}
        return words, [{"size": s, "count": c, "exponents": powers} for s, c in windows]

    def _range(self, index: str, sizes: Sizes) -> int:
        """The range of an index; so large where it is not known that none is made use of."""
        return max(1, int(self.ranges[index](sizes))) if index in self.ranges else UNKNOWN
