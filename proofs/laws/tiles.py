"""Tiles that attain the power of memory in the law of a program.

A tile has sides in all indices but one, along which it goes on. Items read at points that differ in
that index alone stay in fast memory; of all else a slice at a time is read, and perhaps written. So
U updates move U / (updates of a slice) times the words of a slice, and the sides are as large as
those items allow: with sides M^x, the exponents x solve the linear program that is dual to the one
of `proofs.laws.exponents.hbl`, for the slice. Whether dependences let such tiles be played one
after the other is another matter.

Updates at constant distances lean over: a coordinate grows with the first one until no value is
read from beyond. A slice of side L exchanges, for each coordinate, as many layers of L^(d - 2)
values as distances reach along it, and each is read and written once.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm, prod
from typing import Final

from proofs.laws.leading_terms import power_latex, power_text
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.program_space import STATEMENT
from proofs.lemmas.loops.program_updates import LETTERS

MOST_DENOMINATOR: Final = 120
EQUAL: Final = 1e-9
BASE: Final = "b"  # the letter for sides


@dataclass(frozen=True)
class Tile:
    """The shape of tiles with M words of fast memory.

    Parameters
    ----------
    along
        The index along which a tile goes on.
    sides
        The exponent of the memory in the side of each other index; 0 for a side of 1. The memory
        is divided by the number of arrays that stay.
    staying
        How many arrays stay.
    power
        How the words that are moved fall with the memory.
    coefficient
        The c of c U / M^power words that U updates move, in the leading term; None where other
        values than those of updates stay, too.
    faces
        The indices of each array of which a tile, or a slice, is in fast memory.
    leaning
        Multiples of other indices that are added to an index whose sides lean over.
    steps
        How many steps of the coordinate `along` are one of its loop, by which sides lean.
    """

    along: str
    sides: Mapping[str, Fraction]
    staying: int
    power: Fraction
    coefficient: float | None
    faces: tuple[tuple[str, ...], ...]
    leaning: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    steps: int = 1

    def at(self, memory: int) -> dict[str, int]:
        """The sides for so many words: the largest with which a slice fits."""
        for part in range(memory, 0, -1):
            sides = {name: max(1, int(part ** float(x) + EQUAL)) for name, x in self.sides.items()}
            if sum(prod(sides[name] for name in face) for face in self.faces) < memory:
                return sides
        return dict.fromkeys(self.sides, 1)

    def renamed(self, names: Mapping[str, str]) -> "Tile":
        """The tile with other names of the indices."""
        return replace(
            self,
            along=names[self.along],
            sides={names[index]: side for index, side in self.sides.items()},
            faces=tuple(tuple(names[index] for index in face) for face in self.faces),
            leaning={
                names[index]: {names[other_index]: factor for other_index, factor in lean.items()}
                for index, lean in self.leaning.items()
            },
        )

    def text(self, memory: str = "M") -> str:
        """The sides on one line, and the fitting number; `memory` is the memory's letter."""
        sides = " x ".join(power_text(x, BASE) or "1" for x in self._powers.values())
        words = " + ".join(
            _times(count, power, " ")
            for power, count in self._held(lambda x: power_text(x, BASE)).items()
        )
        names = ", ".join(map(self.leans, self.sides))
        return f"{sides} in ({names}), along {self.along}, where {words} < {memory}"

    @property
    def _powers(self) -> dict[str, Fraction]:
        """The sides as powers of b, the root of the memory of which all are whole powers."""
        positive = [x for x in self.sides.values() if x]
        unit = Fraction(
            gcd(*(x.numerator for x in positive)), lcm(*(x.denominator for x in positive))
        )
        return {index: x / unit if x else x for index, x in self.sides.items()}

    def _held(self, written: Callable[[Fraction], str]) -> Counter[str]:
        """The words in fast memory, the largest powers of b first."""
        powers = self._powers
        held = [sum((powers[index] for index in face), Fraction(0)) for face in self.faces]
        return Counter(map(written, sorted(held, reverse=True)))

    def leans(self, index: str) -> str:
        """An index with its constant, such as "i + 2 t"."""
        added = self.leaning.get(index, {}).items()
        return " + ".join(
            [index, *(name if factor == 1 else f"{factor} {name}" for name, factor in added)]
        )

    def to_latex(self, memory: str = "M") -> str:
        """The sides as LaTeX; `memory` is the letter for the memory."""
        sides = r" \times ".join(power_latex(x, BASE) or "1" for x in self._powers.values())
        names = r",\ ".join(map(self.leans, self.sides))
        words = " + ".join(
            _times(count, power, r"\,")
            for power, count in self._held(lambda x: power_latex(x, BASE)).items()
        )
        return (
            rf"{sides}\ \text{{in}}\ ({names}),\ \text{{along}}\ {self.along},"
            rf"\ {words} < {memory}"
        )


def _times(count: int, power: str, sign: str) -> str:
    """A multiple of a power, which is empty for 1."""
    return sign.join([*([str(count)] if count > 1 or not power else []), *filter(None, [power])])


def tiles_of_shape(shape: Shape, written: Collection[str] = ()) -> list[Tile]:
    """Tiles along each index, with long sides in some of the others; the best first.

    Parameters
    ----------
    shape
        The arrays that updates touch.
    written
        Names of the arrays whose items updates make: they are read and written where they move.
    """
    indices = [index for index in shape.extents if index != STATEMENT]
    tiles = [
        tile
        for axis in indices
        for count in range(len(indices) - 1, 0, -1)
        for long in combinations([index for index in indices if index != axis], count)
        if (tile := _tile(shape, written, axis, long)) is not None
    ]
    different = {(tile.along, *tile.sides.items()): tile for tile in tiles}
    return sorted(different.values(), key=lambda tile: (-tile.power, tile.coefficient or 0))


def _tile(shape: Shape, written: Collection[str], axis: str, long: Collection[str]) -> Tile | None:
    """The best tile along an index with sides of one in all but some indices, or None."""
    indices = [index for index in shape.extents if index != STATEMENT]
    roles = [
        ("".join(index for index in kept if index != STATEMENT), 1 + (measure.name in written))
        for measure in shape.measures
        if "columns" not in measure.name
        for kept in measure.projections
    ]
    stay = [kept for kept, _ in roles if axis not in kept]
    move = [(kept.replace(axis, ""), words) for kept, words in roles if axis in kept]
    sides = _exponents(list(long), stay, [kept for kept, _ in move]) if stay and move else None
    if sides is None:
        return None
    sides = {index: sides.get(index, Fraction(0)) for index in indices if index != axis}
    grown = [sum((sides[index] for index in kept), Fraction(0)) for kept, _ in move]
    power = sum(sides.values(), Fraction(0)) - max(grown)
    words = sum(
        words for (_, words), growth in zip(move, grown, strict=True) if growth == max(grown)
    )
    coefficient = words * float(len(stay)) ** float(power)
    faces = tuple(tuple(kept) for kept in (*stay, *(kept for kept, _ in move)))
    return Tile(axis, sides, len(stay), power, coefficient, faces)


def _exponents(
    indices: Sequence[str], stay: Sequence[str], move: Sequence[str]
) -> dict[str, Fraction] | None:
    """The exponents of sides with the most updates for the words of a slice.

    Parameters
    ----------
    indices
        Those with a side.
    stay, move
        The indices of each array that stays, and of a slice of each that does not.
    """
    from scipy.optimize import linprog

    row = [[float(kept.count(index)) for index in indices] for kept in (*stay, *move)]
    fits = [[*fit, 0.0] for fit in row]
    slices = [[*move, -1.0] for move in row[len(stay) :]]
    ends = [1.0] * len(fits) + [0.0] * len(slices)
    # Among equals the one whose longest side is shortest: all sides of a product are alike.
    count = len(indices)
    spread = [[float(i == place) for i in range(count)] + [0.0, -1.0] for place in range(count)]
    rows = [[*entry, 0.0] for entry in (*fits, *slices)] + spread
    solved = linprog(
        [-1.0] * count + [1.0, 1e-4],
        A_ub=rows,
        b_ub=[*ends, *[0.0] * count],
        bounds=(0, 1),
    )
    if not solved.success:
        return None
    values = [Fraction(float(x)).limit_denominator(MOST_DENOMINATOR) for x in solved.x[:count]]
    return dict(zip(indices, values, strict=True))


def tile_of_distances(
    distances: Sequence[Sequence[int]], *, steps: int = 1, has_paths: bool = False
) -> Tile:
    """Tiles of equal sides that lean over, along the first coordinate.

    Parameters
    ----------
    distances
        At which updates read, of coordinates a, b, ...; they lead back in lexicographic order.
    steps
        How many steps of the first coordinate are one of its loop.
    has_paths
        Whether values other than those of updates stay, too.
    """
    names = [*LETTERS[: len(distances[0])]]
    leaning: dict[str, dict[str, int]] = {}
    reach = 0
    for axis in range(1, len(names)):
        lean = _lean(distances, axis)
        reach += max(
            -distance[axis] - sum(factor * distance[c] for c, factor in lean.items())
            for distance in distances
        )
        leaning[names[axis]] = {
            names[c]: factor if c else steps * factor for c, factor in lean.items() if factor
        }
    side = Fraction(1, len(names) - 1)
    return Tile(
        names[0],
        dict.fromkeys(names[1:], side),
        1,
        side,
        None if has_paths else 2.0 * reach,
        (tuple(names[1:]),),
        {name: factor for name, factor in leaning.items() if factor},
        steps,
    )


def _lean(distances: Sequence[Sequence[int]], axis: int) -> dict[int, int]:
    """How much of earlier coordinates is added to one, so that it grows along no distance.

    By the first coordinate that is not 0 a distance leads back, so enough of that one does it.
    """
    lean: dict[int, int] = {}
    for earlier in range(axis - 1, -1, -1):
        ahead = [
            (
                distance[axis] + sum(factor * distance[c] for c, factor in lean.items()),
                -distance[earlier],
            )
            for distance in distances
            if distance[earlier] < 0 and not any(distance[:earlier])
        ]
        lean[earlier] = max([0, *(-(-words // back) for words, back in ahead)])
    return dict(sorted(lean.items()))
