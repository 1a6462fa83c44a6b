"""Orders in tiles: the levels of a tree in chunks, and single values inside of these."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dags.programs.affine import Affine
from redblue.emission.orders import Level, Path, Tree, alternating
from redblue.emission.statements import Nest


@dataclass(frozen=True)
class Chunk:
    """A loop in chunks of some values, or one by one.

    Parameters
    ----------
    key, form
        As those of the `Level` that it goes through.
    size
        How many values a chunk has.
    sums
        Whether sums stay in registers in it.
    """

    key: int
    form: Affine
    size: int
    sums: bool = False

    def __str__(self) -> str:
        return f"{self.form}" if self.size == 1 else f"{self.size}*floor(({self.form})/{self.size})"


@dataclass(frozen=True)
class Tiles:
    """Sides of tiles, and the order in which a band goes through them.

    Parameters
    ----------
    sides
        Values of a chunk by the key of a level; a level without an entry has no chunks.
    rank
        Places of levels in their band, by their keys.
    sunk
        Whether single values come after the chunks of all bands, not of each.
    inner
        Places of levels among the single values of their band, by their keys.
    split
        Whether statements at one place each have a loop of their own over the last values.
    registers
        Values of chunks in which sums stay in registers, by the key of a level, if `sunk`.
    """

    sides: Mapping[int, int]
    rank: Mapping[int, int]
    sunk: bool = True
    split: bool = False
    inner: Mapping[int, int] = field(default_factory=dict)
    registers: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Order:
    """An order of all statements.

    Parameters
    ----------
    paths
        Of each statement the phase of the program, and numbers and chunks in turn, a number first
        and last.
    """

    paths: Mapping[str, tuple[int | Chunk, ...]]

    @cached_property
    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Coordinates of time of each statement."""
        return {name: tuple(map(str, path)) for name, path in self.paths.items()}

    @cached_property
    def width(self) -> int:
        """The most coordinates."""
        return max(map(len, self.coordinates.values()))

    def time(self, nest: Nest, names: Collection[str] | None = None) -> Any:
        """Return the schedule, as isl has it, of some statements or all."""
        some = self.coordinates.items()
        mine = {name: time for name, time in some if names is None or name in names}
        return nest.timed(mine, self.width)

    def chunks(self, name: str) -> tuple[Chunk, ...]:
        """Return the levels around a statement, the outermost first."""
        return tuple(each for each in self.paths[name] if isinstance(each, Chunk))

    def node(self, name: str, depth: int) -> tuple[int, ...]:
        """Return the numbers on the way to the body of a level; statements in there have them.

        One level more than there are is the place of the statement itself.
        """
        path = self.paths[name]
        return tuple(each for each in path[: 2 * depth + 1] if isinstance(each, int))

    def phase(self, name: str) -> int:
        """Return the part of the program that a statement is in."""
        first = self.paths[name][0]
        assert isinstance(first, int)
        return first


def tiled(tree: Tree, tiles: Tiles) -> Order:
    """Return the order of a tree with its bands in tiles."""
    inner = {
        tuple(map(_key, path[:at])) for path in tree.values() for at in range(2, len(path) - 1, 2)
    }
    paths: dict[int, dict[str, list[int | Chunk]]] = {}
    for name, path in tree.items():
        whole = _path(path, tiles, first=tuple(map(_key, path[:-1])) in inner)
        assert isinstance(path[0], int)
        paths.setdefault(path[0], {})[name] = whole[1:] if len(whole) > 1 else whole
    return Order(
        {
            name: (phase, *path)
            for phase, some in paths.items()
            for name, path in alternating(some).items()
        }
    )


def _key(step: int | Level) -> int:
    return step.key if isinstance(step, Level) else step


def _path(path: Path, tiles: Tiles, *, first: bool) -> list[int | Chunk]:
    """Return the numbers and chunks of one statement.

    Parameters
    ----------
    path, tiles
        In the tree, and the tiles.
    first
        Whether other statements that share all its levels have more: its number comes before
        single values then.
    """
    found: list[int | Chunk] = []
    points: list[Level] = []
    *runs, (last, _) = _runs(path)
    for number, levels in runs:
        found.append(number)
        order = sorted(levels, key=lambda each: tiles.rank.get(each.key, each.key))
        found += [
            Chunk(each.key, each.form, tiles.sides[each.key])
            for each in order
            if each.key in tiles.sides
        ]
        within = sorted(levels, key=lambda each: tiles.inner.get(each.key, 0))
        points += [each for each in within if tiles.sides.get(each.key, 0) != 1]
        if not tiles.sunk:
            found += _points(points, tiles)
            points = []
    sums = _sums(points, tiles)
    found += sums
    if first or sums:
        found.append(last)
    found += _points(points, tiles)
    inner = found[-1] if found else last
    if tiles.split and isinstance(inner, Chunk) and inner.size == 1 and not sums:
        found.insert(-1, last)
    return [*found, last]


def _sums(levels: Sequence[Level], tiles: Tiles) -> list[Chunk]:
    """Return the chunks in which sums stay in registers."""
    kept = tiles.registers
    return [
        Chunk(each.key, each.form, kept[each.key], sums=True) for each in levels if each.key in kept
    ]


def _points(levels: Sequence[Level], tiles: Tiles) -> list[Chunk]:
    """Return levels one by one: those of sums last."""
    some = (each for each in levels if tiles.registers.get(each.key) != 1)
    order = sorted(some, key=lambda each: each.key in tiles.registers)
    return [Chunk(each.key, each.form, 1) for each in order]


def _runs(path: Path) -> list[tuple[int, list[Level]]]:
    """Return numbers, each with the levels of one band behind it; none are behind the last."""
    found: list[tuple[int, list[Level]]] = []
    for number, level in zip(path[:-1:2], path[1::2], strict=True):
        assert isinstance(number, int)
        assert isinstance(level, Level)
        before = found[-1][1] if found else []
        if before and number == 0 and level.band is not None and level.band == before[-1].band:
            before.append(level)
        else:
            found.append((number, [level]))
    assert isinstance(path[-1], int)
    return [*found, (path[-1], [])]
