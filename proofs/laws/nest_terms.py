"""Terms of laws from the bounds of nests: windows of an assignment's updates, for large sizes.

The items of a window follow the inequality that `proofs.lemmas.loops.nests` proves at given sizes,
with roots of the ranges of some indices: of a convolution U <= sqrt(R S a w o). Nothing is laid
out: a nest is read at a few sizes, and its ranges, which are affine in them, are the polynomials
here. So a term is a trend; whether plays attain it is for who holds it against counted plays.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, Final

from dags.programs import Program, ProgramError
from dags.programs.box_nests import Assignment, BoxNest, volume
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from proofs.bounds.loops.nests import choices
from proofs.core.records import CertificateError
from proofs.laws.exponents import leading_coefficient, middle_exponents
from proofs.laws.polynomials import Polynomial, Powers
from proofs.laws.program_law import ProgramLaw
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.nest_updates import Premises, premises
from proofs.lemmas.loops.nests import compulsory_of, items_among

BASE: Final = 40  # of the first size at which nests are read; others are APART more, in turn
APART: Final = 7
FAR: Final = 25  # times as large: where conditions must cut off little
Ranges = dict[str, tuple[int, Polynomial]]
CUT_OFF: Final = 0.03
MOST_GROUPS: Final = 5  # of indices that the same arrays keep: roots are of all of a group


def nest_terms(reader: "NestReader", compulsory: Polynomial) -> Iterator[ProgramLaw]:
    """Yield terms of the law of a program whose assignments are run on boxes, steepest first.

    Parameters
    ----------
    reader
        The program.
    compulsory
        The compulsory words.
    """
    best_laws: dict[tuple[Fraction, tuple[Powers, ...]], tuple[int, ProgramLaw]] = {}
    for choice in choices(reader.nest):
        with suppress(CertificateError):
            for rank, law in reader.laws(*choice, compulsory):
                key = law.exponent, (*law.updates.terms,)
                best_laws[key] = min(
                    best_laws.get(key, (rank, law)), (rank, law), key=lambda ranked: ranked[0]
                )
    for _, law in sorted(best_laws.values(), key=lambda ranked: (ranked[1].exponent, ranked[0])):
        yield law


def kernel_sizes(reader: "NestReader") -> set[str]:
    """The sizes that are lengths of loops which are summed over and mixed with another.

    Those are sizes of kernels of convolutions, and of windows of pooling.

    Parameters
    ----------
    reader
        The program.
    """
    names: set[str] = set()
    for assignment in reader.nest.assignments:
        rows = [
            row for access in assignment.reads for row in access.rows if sum(map(bool, row)) > 1
        ]
        for loop in assignment.summed:
            if any(row[loop] for row in rows):
                with suppress(CertificateError):
                    names |= reader.sizes_of(assignment.name, loop)
    return names


def nest_reader(program: Program, options: Mapping[str, Any]) -> "NestReader | None":
    """A program as a nest at a few sizes; None if it is not run on boxes.

    Parameters
    ----------
    program
        A loop nest.
    options
        Arguments of `dags.programs.box_reader.box_nest` other than sizes.
    """
    with suppress(NotReadError, ProgramError):
        return NestReader(program, options)
    return None


class NestReader:
    """A program as a nest at a few sizes.

    Parameters
    ----------
    program, options
        As for `nest_reader`.
    """

    def __init__(self, program: Program, options: Mapping[str, Any]) -> None:
        self.program, self.options = program, options
        self.names = tuple(program.sizes)
        base = {name: BASE + APART * place for place, name in enumerate(self.names)}
        self.nest = self._at(base)
        self.far = self._at({name: FAR * size for name, size in base.items()})
        self.steps = [self._at({**base, name: base[name] + 2}) for name in self.names]

    def _at(self, sizes: Mapping[str, int]) -> BoxNest:
        return box_nest(self.program, sizes, **self.options)

    def laws(
        self, name: str, arrays: tuple[str, ...], order: tuple[int, ...], compulsory: Polynomial
    ) -> Iterator[tuple[int, ProgramLaw]]:
        """Yield the terms of one choice of the counted arrays, and of the indices that are kept.

        Before each comes the number of roots that are of loops which are not summed over.
        """
        premised = premises(self.nest, name, arrays, order)
        assignment, last = _called(self.nest, name), _called(self.far, name)
        if not _is_plain(premised) or compulsory_of(self.far) < items_among(self.far, arrays):
            return
        if last.size < (1 - CUT_OFF) * volume(last.box):
            return
        lengths = [self._length(name, loop) for loop in range(len(assignment.box))]
        ranges = _ranges(premised.shape, assignment, lengths)
        zero = Polynomial(self.names, {})
        for powers, roots in _exponents(premised.shape):
            words = Polynomial(self.names, {(0,) * len(self.names): Fraction(1)})
            for length in lengths:
                words = _times(words, length, Fraction(1))
            for index, power in roots.items():
                words = _times(words, ranges[index][1], -power)
            constant = _constant(ranges, roots) * leading_coefficient(powers)
            rank = sum(ranges[index][0] not in assignment.summed for index in roots)
            exponent = 1 - sum(powers, Fraction(0))
            yield rank, ProgramLaw(exponent, constant, words, zero, compulsory)

    def sizes_of(self, name: str, loop: int) -> set[str]:
        """The size that is the length of a loop of an assignment."""
        ((powers, _),) = self._length(name, loop).terms.items()
        return {size for size, power in zip(self.names, powers, strict=True) if power}

    def _length(self, name: str, loop: int) -> Polynomial:
        """The leading term of the length of a loop.

        Raises
        ------
        CertificateError
            If it is no multiple of one size, or a number.
        """
        low, high = _called(self.nest, name).box[loop]
        terms: dict[Powers, Fraction] = {}
        for place, nest in enumerate(self.steps):
            begin, end = _called(nest, name).box[loop]
            if slope := Fraction(end - begin - (high - low), 2):
                terms[
                    tuple(int(place == place_of_size) for place_of_size in range(len(self.names)))
                ] = slope
        if len(terms) > 1 or any(factor < 0 for factor in terms.values()):
            raise CertificateError("loops", "are longer by several sizes")
        return Polynomial(self.names, terms or {(0,) * len(self.names): Fraction(high - low)})


def _called(nest: BoxNest, name: str) -> Assignment:
    return next(assignment for assignment in nest.assignments if assignment.name == name)


def _is_plain(premised: Premises) -> bool:
    """Whether all arrays have items that several updates share."""
    shape = premised.shape
    return bool(shape.partial) and len(shape.partial) == len(shape.measures)


def _ranges(shape: Shape, assignment: Assignment, lengths: list[Polynomial]) -> Ranges:
    """The loop of each index, and the leading term of its range.

    Raises
    ------
    CertificateError
        If it is not seen of which loop an index is.
    """
    left, ranges = [*shape.extents.items()], Ranges()
    for loop, ((low, high), length) in enumerate(zip(assignment.box, lengths, strict=True)):
        if not left:
            break
        index, extent = left[0]
        cut = left[1][1] if len(left) > 1 else 0
        if extent == high - low:
            ranges[index] = loop, length
            left = left[1:]
        elif cut > 1 and extent == -(-(high - low) // cut):  # the quotient and the rest
            terms = {powers: factor / cut for powers, factor in length.terms.items()}
            ranges[index] = loop, Polynomial(length.variables, terms)
            constant = (0,) * len(length.variables)
            ranges[left[1][0]] = loop, Polynomial(length.variables, {constant: Fraction(cut)})
            left = left[2:]
    if left:
        raise CertificateError("loops", "are not those of the indices")
    return ranges


def _exponents(shape: Shape) -> Iterator[tuple[list[Fraction], dict[str, Fraction]]]:
    """Yield exponents of the arrays with those of the ranges of some indices, none at first."""
    kept = {
        index: tuple(measure.projections[0].count(index) for measure in shape.partial)
        for index in shape.extents
    }
    rows = [*dict.fromkeys(kept.values())]
    chosen_rows = range(min(len(rows), MOST_GROUPS))
    roles = (1,) * len(shape.partial)
    for free in chain.from_iterable(combinations(rows, count) for count in chosen_rows):
        covers = tuple(row for row in rows if row not in free)
        if not all(any(row) for row in covers):
            continue
        powers = middle_exponents(covers, roles)
        if powers is None or sum(powers) <= 1:
            continue
        covered = {
            index: sum(
                (coefficient * power for coefficient, power in zip(row, powers, strict=True)),
                Fraction(0),
            )
            for index, row in kept.items()
        }
        yield [*powers], {index: 1 - power for index, power in covered.items() if power < 1}


def _times(polynomial: Polynomial, right: Polynomial, power: Fraction) -> Polynomial:
    """The product of a term and a power of another one; of its number, if it is 1."""
    ((exponents, factor),), ((other_powers, number),) = (
        polynomial.terms.items(),
        right.terms.items(),
    )
    powers = tuple(a + power * b for a, b in zip(exponents, other_powers, strict=True))
    number_power = number if power == 1 else Fraction(1)
    return Polynomial(polynomial.variables, {tuple(map(_whole, powers)): factor * number_power})


def _whole(power: int | Fraction) -> int | Fraction:
    return int(power) if power % 1 == 0 else power


def _constant(ranges: Ranges, roots: Mapping[str, Fraction]) -> float:
    """The product of powers of the numbers of ranges."""
    product = 1.0
    for index, power in roots.items():
        (number,) = ranges[index][1].terms.values()
        product *= float(number) ** -float(power)
    return product
