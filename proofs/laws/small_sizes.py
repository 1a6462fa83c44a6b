"""DAGs of a program at small sizes, what waits in their iterations, and polynomials of both."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, Final

import numpy as np

from dags import CDAG
from dags.programs import Program, ProgramError, instantiate
from dags.programs.nest import forms_of
from pebble import ONE_SHOT, Budget, Game, compulsory_words
from proofs.base import NotApplicableError
from proofs.bounds.loops.space_search import HeldSpace, verified_spaces
from proofs.bounds.loops.spaces import Description, descriptions
from proofs.bounds.loops.uniform import known_lattices
from proofs.bounds.pieces.slices import MOST_PIECE, Ranges, prices, ranges_of, slots_of_loops
from proofs.certificates import CertificateError
from proofs.certificates.pieces.wavefronts import WAVEFRONT
from proofs.core.windows import Count
from proofs.laws.exponents import coefficient_of, exponents_of
from proofs.laws.polynomials import Polynomial, interpolated
from proofs.lemmas.loops.affine import premises
from proofs.lemmas.loops.hbl import Shape

DEPTHS = (1, 2)  # loops whose iterations are slots
LENGTHS = (1, 2)  # slots of a range
LARGEST: Final = 11  # of the first size, where spaces are looked for
LEAST: Final = 2  # of any size, if DAGs are large
FEW_VERTICES: Final = 8_000  # of the DAG in which spaces are looked for
MOST_VERTICES: Final = 20_000  # of a DAG
MOST_LAID: Final = 600_000  # vertices of all DAGs
MOST_SEARCHED: Final = 200_000  # vertices of DAGs in which values that wait are looked for
FARTHER: Final = (3, 5, 4)  # beyond the sizes of interpolation: polynomials must be right there
HIGHEST: Final = 4  # power of one size
LARGE: Final = 10**4  # sizes at which equal leading terms are told apart
Sizes = Mapping[str, int]


def waiting(dag: CDAG, depth: int, length: int) -> tuple[int, int]:
    """The words that wait in all ranges of iterations together, and their prices' sum.

    With M words of fast memory a play that computes each value once moves at least the first less M
    times the second beyond the compulsory words. The flow that shows the wavefront of a range uses
    words of values; without its paths through a value it is less by their flow there. So words that
    several ranges use, and no value has, are subtracted.

    Parameters
    ----------
    dag
        A DAG with an origin.
    depth
        Loops whose iterations are slots.
    length
        Iterations of a range; ranges overlap.

    Raises
    ------
    CertificateError
        If ranges are too large to be searched.
    """
    assert dag.origin is not None
    search = Ranges(Game.of(dag, 0), Budget())
    used, budget = np.zeros(dag.n, np.int64), prices(dag)
    words = cost = 0
    for vertices in ranges_of(slots_of_loops(dag, dag.origin, depth), (length,)):
        if vertices.size > MOST_PIECE:
            raise CertificateError("vertices", f"of a range are more than {MOST_PIECE}")
        piece = search.cutter.cut(vertices)
        scores = search.scores(piece)
        if not scores:
            continue
        score, price, data = max(scores, key=lambda score: (score[1], score[0]))
        words, cost = words + score, cost + price
        used[vertices] += WAVEFRONT.shown(piece, 0, ONE_SHOT, data)[1]
    return words - int(np.maximum(used - budget, 0).sum()), cost


@dataclass(frozen=True)
class Premises:
    """Numbers of a space of updates, as polynomials that hold at all sizes that were tried.

    Parameters
    ----------
    updates, gain
        Updates, and words to add to the items of windows.
    ranges
        The range of each index, where it is a polynomial: with several statements it is the
        largest of theirs.
    """

    updates: Polynomial
    gain: Polynomial
    ranges: Mapping[str, Polynomial]


class Family:
    """The DAGs of a program at small sizes."""

    def __init__(self, program: Program, options: Mapping[str, Any]) -> None:
        self.program = program
        self.options = options
        self.variables = tuple(program.sizes)
        self.known: dict[tuple[int, ...], CDAG] = {}
        self.spent: Counter[str] = Counter()
        # By sizes, for equal DAGs can have points of their own.
        self._described: dict[tuple[int, ...], list[Description]] = {}
        self._waits: dict[tuple[int, ...], tuple[int, int]] = {}
        base = self._base()
        self.tried = {name: base + place for place, name in enumerate(self.variables)}
        self.least = {name: max(LEAST, size - 3) for name, size in self.tried.items()}

    def _base(self) -> int:
        """The largest of some sizes at which the DAG is small."""
        for base in range(LARGEST, LEAST, -1):
            sizes = {name: base + place for place, name in enumerate(self.variables)}
            with suppress(NotApplicableError):
                if self.dag(sizes).n <= FEW_VERTICES:
                    return base
        return LEAST

    def _key(self, sizes: Sizes) -> tuple[int, ...]:
        """The sizes in the order of the program."""
        return tuple(sizes[name] for name in self.variables)

    def dag(self, sizes: Sizes) -> CDAG:
        """The DAG at some sizes."""
        key = self._key(sizes)
        if key not in self.known:
            try:
                self.known[key] = instantiate(
                    self.program, dict(sizes), **self.options, max_vertices=MOST_VERTICES
                )
            except ProgramError as error:
                raise NotApplicableError(str(error)) from None
            self._spend("laid", self.known[key].n, MOST_LAID)
        return self.known[key]

    def _spend(self, on: str, vertices: int, limit: int) -> None:
        """Count vertices of DAGs that are laid out, or searched; raise beyond some."""
        self.spent[on] += vertices
        if self.spent[on] > limit:
            raise NotApplicableError("DAGs of small sizes have too many vertices")

    def compulsory(self, sizes: Sizes) -> int:
        """The compulsory words at some sizes."""
        return compulsory_words(self.dag(sizes))

    @property
    def tells_of_large(self) -> bool:
        """True where numbers in the text are small beside the sizes, as they are beside large ones.

        With a loop of 64, numbers that grow with the smaller of 64 and N are no polynomials, and
        look it.
        """
        forms = [form for form, _ in forms_of(self.program.body, frozenset())]
        return all(2 * abs(form.constant) <= min(self.tried.values()) for form in forms)

    def polynomial(self, value: Any) -> Polynomial | None:
        """The polynomial of a number of the DAGs, None if there is none."""
        if not self.tells_of_large:
            return None
        try:
            degrees = [self._degree(value, name) for name in self.variables]
            if None in degrees:
                return None
            powers = [degree for degree in degrees if degree is not None]
            polynomial = interpolated(value, self.variables, powers, self.least)
            return polynomial if self._right(polynomial, value) else None
        except (CertificateError, NotApplicableError):
            return None

    def _degree(self, value: Any, name: str) -> int | None:
        """The degree in one size, None if it is too large."""
        row = [value({**self.least, name: self.least[name] + step}) for step in range(HIGHEST + 2)]
        for degree in range(HIGHEST + 1):
            row = [after - before for before, after in pairwise(row)]
            if not any(row):
                return degree
        return None

    def _right(self, polynomial: Polynomial, value: Any) -> bool:
        """Whether a polynomial is right at further sizes."""
        for step in range(len(FARTHER)):
            sizes = {
                name: self.least[name] + FARTHER[(step + place) % len(FARTHER)]
                for place, name in enumerate(self.variables)
            }
            if polynomial(sizes) != value(sizes):
                return False
        return True

    def spaces(self) -> Iterator[tuple[HeldSpace, dict[str, Fraction]]]:
        """Yield spaces with their exponents, those with the largest leading terms first."""
        ranked = []
        for space in verified_spaces(self.dag(self.tried), ONE_SHOT, Budget()):
            powers = exponents_of(space.shape)
            if powers is not None and sum(powers.values()) > 1:
                factor = coefficient_of(space.shape, powers) * space.updates
                words = factor * LARGE ** float(1 - sum(powers.values()))
                ranked.append((words, space, powers))
        for _, space, powers in sorted(ranked, key=lambda entry: -entry[0]):
            yield space, powers

    def premises(self, found: HeldSpace) -> Premises | None:
        """The updates, the gain and the ranges of a space, None if they are no polynomials.

        Parameters
        ----------
        found
            The space at the sizes `tried`.
        """
        seen: dict[tuple[int, ...], tuple[Shape, int, int]] = {}

        def premises_at(sizes: Sizes) -> tuple[Shape, int, int]:
            key = self._key(sizes)
            if key not in seen:
                space = self._alike(sizes, found.space)
                seen[key] = premises(self.dag(sizes), found.argument, space)
            return seen[key]

        updates = self.polynomial(lambda sizes: premises_at(sizes)[1])
        gain = None if updates is None else self.polynomial(lambda sizes: premises_at(sizes)[2])
        if updates is None or gain is None:
            return None
        ranges = {
            index: self.polynomial(lambda sizes, index=index: premises_at(sizes)[0].extents[index])
            for index in found.shape.extents
        }
        bounded = {index: range_ for index, range_ in ranges.items() if range_ is not None}
        return Premises(updates, gain, bounded)

    def lattices(self) -> Iterator[tuple[Description, tuple[tuple[int, ...], ...]]]:
        """Yield lattices of updates with their distances, those with the most distances first."""
        dag = self.dag(self.tried)
        descriptions = [description for description, _ in known_lattices(dag)]
        for description in sorted(
            descriptions, key=lambda description_: -len(description_["distances"])
        ):
            distances = tuple(map(tuple, description["distances"]))
            if np.linalg.matrix_rank(np.array(distances)) == len(distances[0]):
                yield description, distances

    def lattice(
        self, description: Description, compulsory: Polynomial
    ) -> tuple[Polynomial | None, Polynomial | None]:
        """The updates and the words to add of a lattice, for all sizes."""

        def boundary(sizes: Sizes) -> Count:
            for described, boundary in known_lattices(self.dag(sizes)):
                alike = [operators["operator"] for operators in described["statements"]]
                if described["distances"] == description["distances"] and alike == [
                    statement["operator"] for statement in description["statements"]
                ]:
                    return boundary
            raise CertificateError("distances", "are not there at these sizes")

        updates = self.polynomial(lambda sizes: boundary(sizes).vertices)
        if updates is None:
            return None, None
        gain = self.polynomial(lambda sizes: int(compulsory(sizes)) - boundary(sizes).waived)
        return updates, gain

    def waiting(self, compulsory: Polynomial) -> tuple[Polynomial, Polynomial] | None:
        """The words that wait or are compulsory, and their price, where that is most.

        Parameters
        ----------
        compulsory
            The compulsory words.
        """
        counted = []
        for depth, length in product(DEPTHS, LENGTHS):
            words = self.polynomial(self._waiting(depth, length, 0, compulsory))
            if words is not None and _size(words) > _size(compulsory):
                room = self.polynomial(self._waiting(depth, length, 1))
                if room is not None and room.degree < words.degree:
                    counted.append((words, room))
        far = dict.fromkeys(self.variables, LARGE)
        return max(
            counted, key=lambda candidate: (*_size(candidate[0]), -candidate[1](far)), default=None
        )

    def _waiting(
        self, depth: int, length: int, place: int, besides: Polynomial | None = None
    ) -> Callable[[Sizes], int]:
        """Return one of the numbers of `waiting` as a function of sizes.

        Parameters
        ----------
        depth, length
            As for `waiting`.
        place
            Which of its numbers.
        besides
            The constant.
        """

        def number(sizes: Sizes) -> int:
            addition = 0 if besides is None else int(besides(sizes))
            key = *self._key(sizes), depth, length
            if key not in self._waits:
                dag = self.dag(sizes)
                self._spend("searched", dag.n, MOST_SEARCHED)
                self._waits[key] = waiting(dag, depth, length)
            return self._waits[key][place] + addition

        return number

    def _alike(self, sizes: Sizes, space: Description) -> Description:
        """The space at other sizes with the same statements and arrays."""
        key, dag = self._key(sizes), self.dag(sizes)
        assert dag.origin is not None
        if key not in self._described:
            self._described[key] = list(descriptions(dag, dag.origin))
        for described in self._described[key]:
            if _signature(described) == _signature(space):
                flags = {name: space[name] for name in ("order", "complete", "single", "shared")}
                pairs = zip(described["arrays"], space["arrays"], strict=True)
                arrays = [{**array, "cost": priced["cost"]} for array, priced in pairs]
                return {**described, **flags, "arrays": arrays}
        raise CertificateError("space", "is not there at these sizes")


def _size(polynomial: Polynomial) -> tuple[int | Fraction, Fraction]:
    """Degree and coefficient where all sizes are equal."""
    return polynomial.degree, polynomial.at_equal_sizes


def _signature(space: Description) -> tuple[Any, ...]:
    """The part that does not depend on sizes."""
    operators = [(statement["operator"], statement["loops"]) for statement in space["statements"]]
    arrays = [(array["slots"], array["kept"], array["by_value"]) for array in space["arrays"]]
    return operators, arrays, space["joint"], space["symmetric"]
