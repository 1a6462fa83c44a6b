"""Least words that a set of updates touches: Hoelder-Brascamp-Lieb for coordinates (N1).

The items of one array that a set V of updates touches are its image under a projection that keeps
some of the indices. With exponents s >= 0, one for each projection p, and t >= 0 for each index i,
of range N_i,

    |V| <= prod over p of |p(V)|^s_p * prod over i of N_i^t_i,
    if for each index i the sum of s_p over the projections that keep i, plus t_i, is at least 1.

With S the exponents of arrays, sigma their sum and `cost` words an item, the words touched are at
least sigma * prod (cost * x / S)^(S / sigma), a number that the product of the powers x^S
determines.

The proof is N1 in docs/theory/nests.md.

Source
------
L. H. Loomis and H. Whitney, An inequality related to the isoperimetric inequality, 1949; M.
Christ, J. Demmel, N. Knight, T. Scanlon and K. Yelick, Communication lower bounds and optimal
algorithms for programs that reference arrays, 2013, theorem 6.6: projections onto coordinates;
index ranges: J. Demmel and G. Dinh, Communication-optimal tilings for projective nested loops
with arbitrary bounds, 2020.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

FAR: Final = 600.0  # logarithms of numbers that floating point has with room to spare
NEAR: Final = 1e-12  # relative: how close to a root its logarithm leads


@dataclass(frozen=True)
class Measure:
    """An array, and the items of it that a set of updates touches.

    Parameters
    ----------
    name
        Its name: a key of the exponents.
    projections
        The indices that each role of the array keeps. An array with several roles is touched by
        all of them, and all of their images lie in the same set of items.
    cost
        Words of an item.
    factor
        Points in an image, at most, for an item of the array (see `Shape.symmetric`).
    """

    name: str
    projections: tuple[str, ...]
    cost: Fraction = Fraction(1)
    factor: int = 1


@dataclass(frozen=True)
class Shape:
    """The projections of a family of updates.

    Parameters
    ----------
    extents
        The range of each index, by its name of one letter.
    measures
        The arrays.
    symmetric
        Indices that fall from each to the next in every update. The inequality is applied to
        the set that all of their permutations make of the updates.
    """

    extents: Mapping[str, int]
    measures: tuple[Measure, ...]
    symmetric: str = ""

    @property
    def copies(self) -> int:
        """Points that each update stands for."""
        return math.factorial(len(self.symmetric))

    def measure(self, name: str) -> Measure:
        """The array called `name`."""
        return next(measure for measure in self.measures if measure.name == name)

    def is_whole(self, measure: Measure) -> bool:
        """Whether each update has an item of its own there: no index varies beside it."""
        kept = set(measure.projections[0])
        single = len(measure.projections) == measure.factor == self.copies == 1
        return single and all(i in kept for i, extent in self.extents.items() if extent > 1)

    @property
    def partial(self) -> tuple[Measure, ...]:
        """The arrays of which several updates share an item; these have exponents."""
        return tuple(measure for measure in self.measures if not self.is_whole(measure))

    @property
    def whole_cost(self) -> Fraction:
        """Cost of each update, in words, in arrays of which it has an item of its own."""
        costs = (measure.cost for measure in self.measures if self.is_whole(measure))
        return sum(costs, Fraction(0))

    def slack(self, exponents: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """The least t of each index, given the exponent of each role of each array."""
        covered = dict.fromkeys(self.extents, Fraction(0))
        for measure in self.partial:
            for index in "".join(measure.projections):
                covered[index] += exponents[measure.name]
        return {index: max(Fraction(0), 1 - power) for index, power in covered.items()}


def least_words(shape: Shape, size: int, exponents: Mapping[str, Fraction]) -> int:
    """The words, rounded up, that `size` updates touch at least, by these exponents.

    Exact: the smallest integer y with (y / sigma)^sigma >= the product that the module describes
    is found by comparing integers, both sides raised to the common denominator.

    Parameters
    ----------
    shape
        The arrays that updates touch.
    size
        Updates in a window.
    exponents
        Of each array of which several updates share an item.
    """
    powers = {
        measure: len(measure.projections) * exponents[measure.name] for measure in shape.partial
    }
    powers = {measure: power for measure, power in powers.items() if power}
    words = math.floor(shape.whole_cost * size)
    if not powers:
        return words
    slack = shape.slack(exponents)
    common = denominator(powers.values(), slack.values())
    sigma = sum(powers.values())
    degree = int(sigma * common)
    top, bottom = (shape.copies * size) ** common * sigma.numerator**degree, 1
    bottom *= sigma.denominator**degree
    for index, power in slack.items():
        bottom *= shape.extents[index] ** int(power * common)
    for measure, power in powers.items():
        share, times = measure.cost / (power * measure.factor), int(power * common)
        top, bottom = top * share.numerator**times, bottom * share.denominator**times
    return words + root_above(top, bottom, degree)


def degree_of(shape: Shape, exponents: Mapping[str, Fraction]) -> int:
    """The power to which `least_words` raises integers: what it costs grows with it."""
    powers = [len(measure.projections) * exponents[measure.name] for measure in shape.partial]
    common = denominator(powers, shape.slack(exponents).values())
    return max(common, int(sum(powers) * common))


def denominator(*values: Iterable[Fraction]) -> int:
    """The common denominator of fractions."""
    return math.lcm(*(value.denominator for row in values for value in row))


def root_above(top: int, bottom: int, degree: int) -> int:
    """The smallest integer whose power `degree` is at least top / bottom.

    Logarithms say where to look; integers are compared.

    Parameters
    ----------
    top, bottom
        At least 0, and positive.
    degree
        Positive.
    """
    if not top:
        return 0
    logarithm = (math.log(top) - math.log(bottom)) / degree
    guess = int(math.exp(logarithm)) if logarithm < FAR else 1 << int(logarithm / math.log(2))
    reach = 1 + int(guess * NEAR)
    below, root = max(0, guess - reach), guess + reach
    while below and below**degree * bottom >= top:
        below, reach = max(0, below - reach), 2 * reach
    while root**degree * bottom < top:
        root, reach = root + reach, 2 * reach
    while root - below > 1:
        middle = (below + root) // 2
        if middle**degree * bottom >= top:
            root = middle
        else:
            below = middle
    return root
