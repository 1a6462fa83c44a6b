"""Tilings in words: the order of loops, the sides of tiles, and the values that stay meanwhile."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from dags.cdag.origin import Origin
from dags.programs.box_nests import Assignment, BoxNest
from schedulers.tilings.loops import combination, coordinate, loops_of
from schedulers.tilings.parts import part_of
from schedulers.tilings.pieces import named
from schedulers.tilings.plan import Counts, Level, Tiling
from schedulers.tilings.points import (
    PHASE,
    TIME,
    Coordinates,
    PointTiling,
    Skew,
    coordinates,
    diagonals,
)
from schedulers.tilings.shown import LoopRecord, ShownTiling
from schedulers.tilings.skewed.cuts import Skewed
from schedulers.tilings.skewed.layers import layers_in
from schedulers.tilings.skewed.words import skewed_words

Parts = Mapping[str, int]  # how often each loop variable is in a coordinate
MEANINGS = {
    "time": "what is inside of {}, one after the other",
    "phase": "the outermost loops, one after the other",
}
AS_WRITTEN = "none; loops: as in the text"


def shown_tiling(nest: BoxNest, tiling: Tiling) -> ShownTiling:
    """The loops of a tiling, to be read.

    Parameters
    ----------
    nest, tiling
        The nest, and its tiling.
    """
    return ShownTiling(tiling_text(nest, tiling), partial(loops_of, nest, tiling))


def tiling_text(nest: BoxNest, tiling: Tiling) -> str:
    """The loops of each assignment, outermost first, and the arrays that stay with each.

    A loop "by 8" goes on in tiles of 8 values; without a number, one by one.

    Parameters
    ----------
    nest, tiling
        The nest, and its play.
    """
    told = _told(nest, tiling, {each.name: each.target for each in nest.assignments})
    if len(told) == 1:
        return told[0][1]
    return "; ".join(f"{target}: {text}" for target, text in told)


def _told(nest: BoxNest, tiling: Tiling, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """The array that each assignment makes, its loops, and what stays with them."""
    some = [(part_of(nest, [*each.paths]), each) for each in tiling.parts]
    if some:
        return [told for part, each in some for told in _told(part, each, names)]
    if tiling.skewed is None:
        return [(each.target, _of_one(each, tiling, names)) for each in nest.assignments]
    stays = "stays: all from first to last use in a tile"
    told = [_skewed(each, turn, tiling.skewed) for turn, each in enumerate(nest.assignments)]
    told[-1] = f"{told[-1]}; {stays}"
    return [(each.target, text) for each, text in zip(nest.assignments, told, strict=True)]


def _skewed(each: Assignment, turn: int, tiles: Skewed) -> str:
    """The loops of an assignment in tiles that lean over, outermost first."""
    time, *axes = each.loops
    coordinates = [None if lean is None else coordinate(each, lean, turn) for lean in tiles.leans]
    low, high = each.box[0]
    loops = [f"{time} by {tiles.height}"] * (tiles.height < high - low)
    pairs = zip(coordinates, tiles.sides, strict=True)
    loops += [f"{lean} by {side}" for lean, side in pairs if side]
    if tiles.along is not None:
        loops.append(str(coordinates[tiles.along]))
    loops += [time, *(name for axis, name in enumerate(axes) if axis != tiles.along)]
    return f"loops: {', '.join(loops)}"


class Group(NamedTuple):
    """Assignments that share tiles, or an assignment alone.

    Attributes
    ----------
    makes
        The arrays that they make, in order.
    io
        Words that they move, apart from arrays that stay from one group to another.
    tiling
        Their loops, and the arrays that stay meanwhile.
    """

    makes: tuple[str, ...]
    io: int
    tiling: str


def groups_of(counts: Counts, tiling: Tiling) -> tuple[list[Group], dict[str, int]]:
    """The groups of a play, and the arrays that stay between groups with their words.

    Parameters
    ----------
    counts, tiling
        The nest, and its play.
    """
    nest, tiles = counts.nest, tiling.skewed
    if tiling.parts:
        some = (groups_of(Counts(part_of(nest, [*each.paths])), each) for each in tiling.parts)
        return [group for groups, _ in some for group in groups], {}
    if tiles is not None:
        io = sum(skewed_words(layers_in(nest, tiles), tiles))
        return [
            Group(tuple(each.target for each in nest.assignments), io, tiling_text(nest, tiling))
        ], {}
    numbers = {name: path[0] for name, path in tiling.paths.items()}
    moved: Counter[object] = Counter()
    stays: dict[str, int] = {}
    called = {each.name: each.target for each in nest.assignments}
    for key in tiling.depths:
        for hold in counts.holds(tiling, key):
            groups = {numbers[name] for name in hold.members}
            io = counts.moved(tiling, hold).io
            if len(groups) > 1:
                stays[named(key, called)] = io
            else:
                moved[groups.pop()] += io
    found = []
    for number in dict.fromkeys(numbers.values()):
        mine = [each for each in nest.assignments if numbers[each.name] == number]
        told = "; ".join(f"{each.target}: {_of_one(each, tiling, called)}" for each in mine)
        found.append(Group(tuple(each.target for each in mine), moved[number], told))
    return found, stays


def _of_one(assignment: Assignment, tiling: Tiling, names: Mapping[str, str]) -> str:
    levels = tiling.levels(assignment.name)
    loops = ", ".join(_named(assignment, level) for level in levels) or "none"
    stays = []
    for key, by in tiling.depths.items():
        if assignment.name in by:
            depth = by[assignment.name]
            told = (
                f"while {_named(assignment, levels[depth - 1])} goes on" if depth > 0 else "always"
            )
            stays.append(f"{named(key, names)} {told}")
    return f"loops: {loops}; stays: {', '.join(dict.fromkeys(stays))}"


def _named(assignment: Assignment, level: Level) -> str:
    name = assignment.loops[level.loop]
    return name if level.chunk == 1 else f"{name} by {level.chunk}"


def tiles_text(tiling: PointTiling, origin: Origin) -> str:
    """The sides of tiles and the order of loops, outermost first.

    Outer loops go from tile to tile, inner ones from point to point of a tile.

    Parameters
    ----------
    tiling
        The tiles.
    origin
        The points of the program's vertices.

    Examples
    --------
    >>> from dags import load
    >>> origin = load("polybench/gemm:NI=8,NJ=8,NK=8").origin
    >>> tiles_text(PointTiling((("i", 3), ("j", 4), ("k", 1))), origin)
    'tiles: i 3, j 4, k 1; loops: i, j, k outside, i, j inside'
    """
    where = _named_coordinates(origin)
    text = _tiles(tiling, where)
    meanings = [
        f"{name}: {meaning}" for name, meaning in _meanings(where).items() if f"{name} " in text
    ]
    return "; ".join((text, *meanings))


def tiles_records(tiling: PointTiling, origin: Origin) -> list[LoopRecord]:
    """The loops of tiles of points, as records of `schedulers.tilings.shown`; none as written.

    Parameters
    ----------
    tiling
        The tiles.
    origin
        The points of the program's vertices.

    Examples
    --------
    >>> from dags import load
    >>> from schedulers.tilings.shown import pseudo_c
    >>> origin = load("polybench/gemm:NI=8,NJ=8,NK=8").origin
    >>> for line in pseudo_c(tiles_records(PointTiling((("i", 3), ("k", 1))), origin)):
    ...     print(line)
    for (tiles of i, 3 wide)
      for (values of k)
        for (values of i in the tile)
          for (values of j in the tile)
            run the statements of this point;
    """
    where = _named_coordinates(origin)
    levels = _levels(tiling, where)
    if not levels:
        return []
    meanings = _meanings(where)
    headers: list[LoopRecord] = []
    for parts, side in levels:
        stands_for = [f"{name}: {meanings[name]}" for name in parts if name in meanings]
        meaning = {"meaning": "; ".join(stands_for)} if stands_for else {}
        headers.append({"loop": _sum(parts), **meaning, "step": side, "kept": []})
    inside = _inside([parts for parts, side in levels if side == 1], where)
    headers += [{"loop": f"{name} in the tile", "step": 1, "kept": []} for name in inside]
    body: list[LoopRecord] = [{"statement": "run the statements of this point"}]
    for header in reversed(headers):
        body = [{**header, "body": body}]
    return body


def _named_coordinates(origin: Origin) -> Coordinates:
    """The coordinates of the points, with the loops of the deepest assignments first."""
    deepest = sorted(origin.operators, key=lambda operator: -len(operator.variables))
    names = dict.fromkeys(name for operator in deepest for name in operator.variables)
    return replace(coordinates(origin), variables=tuple(names))


def _meanings(where: Coordinates) -> dict[str, str]:
    """The meanings of coordinates that are no loops of the text."""
    outermost = ", ".join(sorted(where.outermost))
    return {name: meaning.format(outermost) for name, meaning in MEANINGS.items()}


def _levels(tiling: PointTiling, where: Coordinates) -> list[tuple[Parts, int]]:
    """The loops from tile to tile, outermost first, each with the side of a tile."""
    shortest = tiling.shortest(where.extent)
    all_parts = [(_parts(name, shortest.skews, where), side) for name, side in shortest.levels]
    return [(parts, side) for parts, side in all_parts if parts]


def _tiles(tiling: PointTiling, where: Coordinates) -> str:
    """The sides and the loops, without the meanings of names in them."""
    levels = _levels(tiling, where)
    if not levels:
        return f"tiles: {AS_WRITTEN}"
    sides = ", ".join(f"{_sum(parts)} {side}" for parts, side in levels)
    outside = ", ".join(_sum(parts) for parts, _ in levels)
    inside = ", ".join(_inside([parts for parts, side in levels if side == 1], where))
    return f"tiles: {sides}; loops: {outside} outside" + f", {inside} inside" * bool(inside)


def _parts(name: str, skews: tuple[Skew, ...], where: Coordinates) -> Parts:
    """How often each loop variable is in a coordinate, and variables that lean into it."""
    plain = _plain(where)
    parts = Counter(plain[name])
    for one, other, factor in skews:
        if one == name:
            parts.update({each: factor * times for each, times in plain[other].items()})
    return {each: times for each, times in parts.items() if times}


def _plain(where: Coordinates) -> Mapping[str, Parts]:
    """How often each loop variable is in each coordinate."""
    same = (v for v in where.outermost if np.array_equal(where.of[v], where.of[TIME]))
    time = next(same, "time")
    plain = {each: {each: 1} for each in where.variables} | {PHASE: {"phase": 1}, TIME: {time: 1}}
    for inner in where.variables:
        if inner not in where.outermost:
            for edge, sign in zip(diagonals(inner), (1, -1), strict=True):
                plain[edge] = {time: 1, inner: sign}
    return plain


def _sum(parts: Parts) -> str:
    return combination((times, name) for name, times in parts.items())


def _inside(fixed: Sequence[Parts], where: Coordinates) -> Sequence[str]:
    """The loop variables that go on where some coordinates are fixed, in the text's order.

    A variable does unless it is a sum of multiples of fixed variables.
    """
    names = [*where.variables, "time", "phase"]
    rows = [[parts.get(name, 0) for name in names] for parts in fixed]
    if any("time" in parts for parts in fixed):
        rows += [[each == name for each in names] for name in where.outermost]
    rank = np.linalg.matrix_rank(np.array([*rows, [0] * len(names)]))

    def is_free(name: str) -> bool:
        unit = [each == name for each in names]
        return bool(np.linalg.matrix_rank(np.array([*rows, unit], float)) > rank)

    return [name for name in where.variables if where.extent[name] > 1 and is_free(name)]
