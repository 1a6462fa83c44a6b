"""Numbers of points of sets of integer points with sizes in their bounds, as polynomials.

The sum of a polynomial f over a set is taken coordinate by coordinate, the last one first.

- Unions are made disjoint. Of each part, isl returns the least and the largest value, l and h, of
  the last coordinate for each value x of the others, as affine forms on pieces of the range of x.
- It is verified that above each piece the part is all of {(x, y): l(x) <= y <= h(x)}, and
  that the forms have integer coefficients. A part with gaps, or with roundings, is not counted.
- With S_k(n) - S_k(n - 1) = n^k as polynomials, and l <= h, the sum of y^k from l to h is
  S_k(h) - S_k(l - 1): a polynomial in x and the sizes, which is summed over the piece likewise.
- In the end there are conditions on sizes alone, and a polynomial for each. Sizes are divided by
  which conditions they fulfil; the sum must be the same polynomial in every part.

So a polynomial that is returned is the number of points for all these sizes: nothing is
interpolated, and every step is one that isl verifies for all sizes.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import comb
from typing import Any, Final

from dags.programs.integer_sets import isl
from proofs.base import NotApplicableError

Terms = dict[tuple[int, ...], Fraction]  # of powers of the sizes, then of the coordinates
Piece = tuple[Any, Terms]  # a set of sizes, and a polynomial for these
MOST_PARTS: Final = 64


class NotCountedError(NotApplicableError):
    """A set whose points are not known to be as many as one polynomial says."""


def points_of(some: Any, factor: int = 1) -> list[Piece]:
    """The number of points of a set: polynomials, each where sizes fulfil conditions.

    Parameters
    ----------
    some
        A `islpy.UnionSet`.
    factor
        By which the number is multiplied.

    Raises
    ------
    NotCountedError
        If it is not known.
    """
    pieces: list[Piece] = []
    for set_ in _sets(some):
        constant = (0,) * (set_.dim(isl.dim_type.param) + set_.dim(isl.dim_type.set))
        pieces += _sum(set_, {constant: Fraction(factor)})
    return pieces


def polynomial_of(pieces: Iterable[Piece], asked: Any) -> Terms:
    """The sum of all pieces, by powers of the sizes.

    Parameters
    ----------
    pieces
        The result of `points_of`, of one set or of several.
    asked
        The sizes for which it has to hold: a `islpy.Set` of parameters alone.

    Raises
    ------
    NotCountedError
        If it is not one polynomial for all of these.
    """
    parts: list[Piece] = [(asked, {})]
    for domain, terms in pieces:
        divided = []
        for part, total in parts:
            inside, outside = part.intersect(domain), part.subtract(domain)
            if not inside.is_empty():
                divided.append((inside, added(total, terms)))
            if not outside.is_empty():
                divided.append((outside, total))
        parts = divided
        if len(parts) > MOST_PARTS:
            raise NotCountedError(f"sizes fall into more than {MOST_PARTS} kinds")
    sums = [{powers: factor for powers, factor in total.items() if factor} for _, total in parts]
    if not sums or any(sum_ != sums[0] for sum_ in sums):
        raise NotCountedError("the number of points changes its form with the sizes")
    return sums[0]


def _sets(union: Any) -> list[Any]:
    """The sets of a union, each of one kind of tuples."""
    listed = union.get_set_list()
    return [listed.get_at(place) for place in range(listed.n_set())]


def _sum(domain: Any, terms: Terms) -> list[Piece]:
    """The sum of a polynomial over a set."""
    if not terms or domain.is_empty():
        return []
    if not domain.dim(isl.dim_type.set):
        return [(domain.params(), terms)]
    return [
        piece
        for part in _parts(domain.make_disjoint())
        for below, lowest, largest in _pieces(part)
        for piece in _sum(below, _between(terms, lowest, largest))
    ]


def _parts(domain: Any) -> list[Any]:
    listed = domain.get_basic_set_list()
    return [isl.Set.from_basic_set(listed.get_at(i)) for i in range(listed.n_basic_set())]


def _pieces(part: Any) -> Iterator[tuple[Any, Terms, Terms]]:
    """Yield the others' values with the least and the largest of the last coordinate, as forms."""
    last = part.dim(isl.dim_type.set) - 1
    into, out = isl.dim_type.in_, isl.dim_type.out
    lines = isl.Map.from_range(part).move_dims(into, 0, out, 0, last)
    try:
        lowest, largest = lines.lexmin_pw_multi_aff(), lines.lexmax_pw_multi_aff()
    except isl.Error:
        raise NotCountedError("a set has no end") from None
    for below, low in _forms(lowest):
        for domain, high in _forms(largest):
            overlap = below.intersect(domain)
            if not overlap.is_empty():
                _require_whole(lines, overlap, low, high)
                yield overlap, _affine(low), _affine(high)


def _forms(function: Any) -> list[tuple[Any, Any]]:
    """Pieces of a domain with the affine form of each."""
    forms: list[tuple[Any, Any]] = []
    function.foreach_piece(lambda piece, form: forms.append((piece, form)))
    return forms


def _require_whole(lines: Any, below: Any, low: Any, high: Any) -> None:
    """Raise NotCountedError unless a set has all that lies between two forms."""
    ends = [isl.Map.from_multi_aff(form).intersect_domain(below) for form in (low, high)]
    space = ends[0].get_space().range()
    from_low = ends[0].apply_range(isl.Map.lex_le(space))
    to_high = ends[1].apply_range(isl.Map.lex_ge(space))
    if not from_low.intersect(to_high).is_subset(lines):
        raise NotCountedError("a set has gaps")


def _affine(form: Any) -> Terms:
    """An affine form of sizes and coordinates as a polynomial."""
    aff = form.get_at(0)
    size, into = isl.dim_type.param, isl.dim_type.in_
    width, depth = aff.dim(size), aff.dim(into)
    divisions = range(aff.dim(isl.dim_type.div))
    if aff.get_denominator_val().to_python() != 1 or any(
        not aff.get_coefficient_val(isl.dim_type.div, place).is_zero() for place in divisions
    ):
        raise NotCountedError("the ends of a set are rounded")
    terms = {(0,) * (width + depth): Fraction(aff.get_constant_val().to_python())}
    for kind, first, count in ((size, 0, width), (into, width, depth)):
        for place in range(count):
            powers = tuple(int(coordinate == first + place) for coordinate in range(width + depth))
            terms[powers] = Fraction(aff.get_coefficient_val(kind, place).to_python())
    return {powers: factor for powers, factor in terms.items() if factor}


def _between(terms: Terms, low: Terms, high: Terms) -> Terms:
    """The sum of a polynomial over its last variable from one form to another."""
    before = dict(low)
    constant = (0,) * len(next(iter(terms))[:-1])
    before[constant] = before.get(constant, Fraction(0)) - 1
    total: Terms = {}
    for (*powers, power), factor in terms.items():
        coefficient_terms = {tuple(powers): factor}
        above = _times(coefficient_terms, _composed(_power_sum(power), high, constant))
        under = _times(coefficient_terms, _composed(_power_sum(power), before, constant))
        total = added(added(total, above), under, -1)
    return total


def _power_sum(power: int) -> list[Fraction]:
    """The coefficients of the polynomial S with S(n) - S(n - 1) = n^power."""
    coefficients = [
        Fraction(comb(power + 1, k)) for k in range(power + 2)
    ]  # of (n + 1)^(power + 1)
    coefficients[0] -= 1
    for lower in range(power):
        for k, factor in enumerate(_power_sum(lower)):
            coefficients[k] -= comb(power + 1, lower) * factor
    return [factor / (power + 1) for factor in coefficients]


def _composed(coefficients: list[Fraction], form: Terms, constant: tuple[int, ...]) -> Terms:
    """The polynomial of one variable where this is another polynomial."""
    composed: Terms = {}
    for factor in reversed(coefficients):
        composed = _times(composed, form)
        composed[constant] = composed.get(constant, Fraction(0)) + factor
    return composed


def _times(left: Terms, right: Terms) -> Terms:
    product: Terms = {}
    for powers, factor in left.items():
        for other_powers, other_factor in right.items():
            key = tuple(a + b for a, b in zip(powers, other_powers, strict=True))
            product[key] = product.get(key, Fraction(0)) + factor * other_factor
    return product


def added(left: Terms, right: Terms, factor: int = 1) -> Terms:
    """The sum of a polynomial and a multiple of another."""
    total = dict(left)
    for powers, value in right.items():
        total[powers] = total.get(powers, Fraction(0)) + factor * value
    return total
