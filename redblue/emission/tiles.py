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
        """The schedule, as isl has it, of some statements or all."""
        times = self.coordinates.items()
        chosen = {name: time for name, time in times if names is None or name in names}
        return nest.timed(chosen, self.width)

    def chunks(self, name: str) -> tuple[Chunk, ...]:
        """The levels around a statement, the outermost first."""
        return tuple(part for part in self.paths[name] if isinstance(part, Chunk))

    def node(self, name: str, depth: int) -> tuple[int, ...]:
        """The numbers on the way to the body of a level; statements in there have them.

        One level more than there are is the place of the statement itself.
        """
        path = self.paths[name]
        return tuple(part for part in path[: 2 * depth + 1] if isinstance(part, int))

    def phase(self, name: str) -> int:
        """The part of the program that a statement is in."""
        first = self.paths[name][0]
        assert isinstance(first, int)
        return first


def tiled(tree: Tree, tiles: Tiles) -> Order:
    """The order of a tree with its bands in tiles."""
    inner = {
        tuple(map(_key, path[:length]))
        for path in tree.values()
        for length in range(2, len(path) - 1, 2)
    }
    paths: dict[int, dict[str, list[int | Chunk]]] = {}
    for name, path in tree.items():
        chunks = _path(path, tiles, first=tuple(map(_key, path[:-1])) in inner)
        assert isinstance(path[0], int)
        paths.setdefault(path[0], {})[name] = chunks[1:] if len(chunks) > 1 else chunks
    return Order(
        {
            name: (phase, *path)
            for phase, rows in paths.items()
            for name, path in alternating(rows).items()
        }
    )


def _key(step: int | Level) -> int:
    return step.key if isinstance(step, Level) else step


def _path(path: Path, tiles: Tiles, *, first: bool) -> list[int | Chunk]:
    """The numbers and chunks of one statement.

    Parameters
    ----------
    path, tiles
        In the tree, and the tiles.
    first
        Whether other statements that share all its levels have more: its number comes before
        single values then.
    """
    chunks: list[int | Chunk] = []
    points: list[Level] = []
    *runs, (last, _) = _runs(path)
    for number, levels in runs:
        chunks.append(number)
        order = sorted(levels, key=lambda level: tiles.rank.get(level.key, level.key))
        chunks += [
            Chunk(level.key, level.form, tiles.sides[level.key])
            for level in order
            if level.key in tiles.sides
        ]
        within = sorted(levels, key=lambda level: tiles.inner.get(level.key, 0))
        points += [level for level in within if tiles.sides.get(level.key, 0) != 1]
        if not tiles.sunk:
            chunks += _points(points, tiles)
            points = []
    sums = _sums(points, tiles)
    chunks += sums
    if first or sums:
        chunks.append(last)
    chunks += _points(points, tiles)
    inner = chunks[-1] if chunks else last
    if tiles.split and isinstance(inner, Chunk) and inner.size == 1 and not sums:
        chunks.insert(-1, last)
    return [*chunks, last]


def _sums(levels: Sequence[Level], tiles: Tiles) -> list[Chunk]:
    """The chunks in which sums stay in registers."""
    kept = tiles.registers
    return [
        Chunk(level.key, level.form, kept[level.key], sums=True)
        for level in levels
        if level.key in kept
    ]


def _points(levels: Sequence[Level], tiles: Tiles) -> list[Chunk]:
    """Levels one by one: those of sums last."""
    points = (level for level in levels if tiles.registers.get(level.key) != 1)
    order = sorted(points, key=lambda level: level.key in tiles.registers)
    return [Chunk(level.key, level.form, 1) for level in order]


def _runs(path: Path) -> list[tuple[int, list[Level]]]:
    """Numbers, each with the levels of one band behind it; none are behind the last."""
    runs: list[tuple[int, list[Level]]] = []
    for number, level in zip(path[:-1:2], path[1::2], strict=True):
        assert isinstance(number, int)
        assert isinstance(level, Level)
        before = runs[-1][1] if runs else []
        if before and number == 0 and level.band is not None and level.band == before[-1].band:
            before.append(level)
        else:
            runs.append((number, [level]))
    assert isinstance(path[-1], int)
    return [*runs, (path[-1], [])]
