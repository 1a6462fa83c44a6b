"""Tilings as records of loops (`schedulers.tilings.shown`)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import Row
from dags.work import uncharged
from schedulers.tilings.parts import part_of
from schedulers.tilings.pieces import named
from schedulers.tilings.plan import OWN, Counts, Level, Tiling
from schedulers.tilings.shown import LoopRecord
from schedulers.tilings.skewed.cuts import Lean, Skewed


def loops_of(nest: BoxNest, tiling: Tiling) -> list[LoopRecord]:
    """The loops of a tiling, outermost first, as records.

    Parameters
    ----------
    nest, tiling
        The nest, and its tiling.
    """
    if tiling.parts:
        parts = ((part_of(nest, [*part.paths]), part) for part in tiling.parts)
        return [record for part in parts for record in loops_of(*part)]
    if tiling.skewed is not None:
        return _skewed(nest, tiling.skewed)
    with uncharged():  # of no search
        return _Tree(Counts(nest), tiling).records()


@dataclass
class _Tile:
    """The innermost loop so far over a loop of an assignment: its index, chunk and ends."""

    index: str
    chunk: int
    first: int
    end: int


@dataclass
class _Scope:
    """The loops around an assignment, by the places of its own loops."""

    tiles: dict[int, _Tile] = field(default_factory=dict)

    def index(self, assignment: Assignment, place: int) -> str:
        """The expression of a loop of the assignment."""
        tile = self.tiles.get(place)
        return str(assignment.box[place][0]) if tile is None else tile.index


class _Tree:
    """The loops of a tree of levels."""

    def __init__(self, counts: Counts, tiling: Tiling) -> None:
        self.counts, self.tiling, self.nest = counts, tiling, counts.nest
        self.targets = {each.name: each.target for each in self.nest.assignments}
        loops = (name for each in self.nest.assignments for name in each.loops)
        self.names = {*map(identifier, loops)}
        self.kept: dict[tuple[int, tuple[int, ...]], list[dict[str, Any]]] = {}
        for key in tiling.depths:
            for hold in counts.holds(tiling, key):
                held = counts.moved(tiling, hold)
                items = {"items": named(key, self.targets), "words": held.words, "moved": held.io}
                self.kept.setdefault((hold.depth, hold.node), []).append(items)

    def records(self) -> list[LoopRecord]:
        """The records of the whole tree."""
        scopes = {each.name: _Scope() for each in self.nest.assignments}
        body = [*self._body([*self.nest.assignments], 0, scopes)]
        kept = self._kept(0, ())
        return [{"kept": kept, "body": body}] if kept else body

    def _kept(self, depth: int, node: tuple[int, ...]) -> list[dict[str, Any]]:
        """The items of the holds at a place; those of one array are one."""
        words: Counter[str] = Counter()
        moved: Counter[str] = Counter()
        for items in self.kept.get((depth, node), []):
            words[items["items"]] += items["words"]
            moved[items["items"]] += items["moved"]
        return [{"items": name, "words": words[name], "moved": moved[name]} for name in words]

    def _body(
        self, inside: Sequence[Assignment], depth: int, scopes: dict[str, _Scope]
    ) -> Iterator[LoopRecord]:
        """Yield what is run in turn inside of some levels."""
        numbers = {each.name: self.tiling.paths[each.name][2 * depth] for each in inside}
        for number in sorted({*numbers.values()}):
            members = [each for each in inside if numbers[each.name] == number]
            if len(self.tiling.levels(members[0].name)) > depth:
                records = [self._loop(members, depth, scopes)]
            else:
                records = [_statement(each, scopes[each.name], self.targets) for each in members]
            kept = self._kept(OWN, (number,)) if depth == 0 else []  # type: ignore[arg-type]
            yield from [{"kept": kept, "body": records}] if kept else records

    def _loop(
        self, members: Sequence[Assignment], depth: int, scopes: dict[str, _Scope]
    ) -> LoopRecord:
        """The loop of a level, and what is run inside of it."""
        first_member = members[0]
        level = self.tiling.levels(first_member.name)[depth]
        index = self._index(first_member, level, depth, scopes)
        first = self.counts.first(self.tiling, first_member.name, depth + 1)
        places = {each.name: self.tiling.levels(each.name)[depth].loop for each in members}
        end = max(each.box[places[each.name]][1] for each in members)
        around = scopes[first_member.name].tiles.get(level.loop)
        ends: tuple[int | str, int | str] = (first, end)
        if around is not None:
            last = f"{around.index} + {around.chunk}"
            is_whole = (end - around.first) % around.chunk == 0
            start = around.index if around.first >= first else f"max({around.index}, {first})"
            ends = start, last if is_whole else f"min({last}, {end})"
        inner = dict(scopes)
        for name, place in places.items():
            tile = _Tile(index, level.chunk, first, end)
            inner[name] = _Scope({**scopes[name].tiles, place: tile})
        name = first_member.loops[level.loop]
        return {
            "loop": index,
            **({} if name.isidentifier() else {"stands for": name}),
            "first": ends[0],
            "end": ends[1],
            "step": level.chunk,
            "kept": self._kept(depth + 1, self.tiling.node(first_member.name, depth + 1)),
            "body": [*self._body(members, depth + 1, inner)],
        }

    def _index(
        self, assignment: Assignment, level: Level, depth: int, scopes: dict[str, _Scope]
    ) -> str:
        """The name of the index of a level: "i", and "ii" of tiles of "i"."""
        name = identifier(assignment.loops[level.loop])
        deeper = self.tiling.levels(assignment.name)[depth + 1 :]
        times = sum(other.loop == level.loop for other in deeper)
        taken = {tile.index for tile in scopes[assignment.name].tiles.values()}
        if times:
            taken |= self.names
            tiles = f"{name}_tile{times if times > 1 else ''}"
            name = name * (times + 1) if len(name) == 1 else tiles
        while name in taken:
            name += "_"
        return name


def identifier(name: str) -> str:
    """An index of pseudo-C for a loop that may be called "h + r" or "d in steps of -1".

    Parameters
    ----------
    name
        The loop.
    """
    return re.sub(r"\W+", "_", name.partition(" in steps")[0]).strip("_")


def _skewed(nest: BoxNest, tiles: Skewed) -> list[LoopRecord]:
    """The loops of tiles that are skewed in time: bands of steps, tiles, steps, points."""
    before = nest.assignments[0]
    time = before.loops[0]
    first, end = before.box[0]
    kept = [{"items": "all values, from first to last use in a tile"}]
    body: list[LoopRecord] = []
    for turn, assignment in enumerate(nest.assignments):
        body += _of_step(nest, assignment, turn, tiles)
    body = [_plain(time, first, end, body)]
    if tiles.height < end - first:
        band = time * 2 if len(time) == 1 else f"{time}_tile"
        body[0] |= {"first": band, "end": f"min({band} + {tiles.height}, {end})"}
    leans = [None if lean is None else coordinate(before, lean, 0) for lean in tiles.leans]
    if tiles.along is not None:
        body = [{"loop": leans[tiles.along], "step": 1, "kept": [], "body": body}]
    for lean, side in reversed([*zip(leans, tiles.sides, strict=True)]):
        if side:
            body = [{"loop": lean, "step": side, "kept": kept, "body": body}]
            kept = []
    if tiles.height < end - first:
        body = [{**_plain(band, first, end, body), "step": tiles.height}]
    return [{"kept": kept, "body": body}] if kept else body


def _of_step(nest: BoxNest, assignment: Assignment, turn: int, tiles: Skewed) -> list[LoopRecord]:
    """The loops of an assignment within one step of a tile."""
    targets = {each.name: each.target for each in nest.assignments}
    names = enumerate(assignment.loops)
    scope = _Scope({at: _Tile(name, 1, *assignment.box[at]) for at, name in names})
    records = [_statement(assignment, scope, targets)]
    for axis in reversed(range(len(assignment.loops) - 1)):
        lean = tiles.leans[axis]
        within = None if lean is None else coordinate(assignment, lean, turn)
        name, (first, end) = assignment.loops[axis + 1], assignment.box[axis + 1]
        records = [_plain(name, first, end, records)]
        if within is not None:
            shown = "has that value" if axis == tiles.along else "is in the tile"
            records[0]["within"] = f"{within} {shown}"
    return records


def _plain(index: str, first: int, end: int, body: list[LoopRecord]) -> LoopRecord:
    """The record of a loop that keeps nothing, value after value."""
    return {"loop": index, "first": first, "end": end, "step": 1, "kept": [], "body": body}


def coordinate(assignment: Assignment, lean: Lean, turn: int) -> str:
    """A coordinate of skewed tiles, by loops that begin as in the text.

    Parameters
    ----------
    assignment, turn
        The assignment, and its place among those of the nest.
    lean
        The coordinate.
    """
    time, *axes = assignment.loops
    pairs = [*zip(axes, lean.axes, strict=True), (time, lean.slope)]
    shift = lean.shifts[turn]
    for (_, first), by in zip(assignment.text_loops, (lean.slope, *lean.axes), strict=False):
        shift -= by * first
    return combination([(by, name) for name, by in pairs], shift)


def _statement(assignment: Assignment, scope: _Scope, targets: dict[str, str]) -> LoopRecord:
    """The record of a statement."""
    loops = range(len(assignment.loops))
    indices = [scope.index(assignment, place) for place in loops]

    def item(access: Access) -> str:
        name = targets.get(access.array, access.array.removeprefix("A_"))
        pairs = zip(access.rows, access.offset, strict=True)
        return name + "".join(f"[{_combined(row, indices, offset)}]" for row, offset in pairs)

    made = item(assignment.item)
    operands = dict.fromkeys([made] * assignment.sums + [item(read) for read in assignment.reads])
    record: LoopRecord = {"statement": f"{made} = f({', '.join(operands)})"}
    if conditions := [*_conditions(assignment, scope, indices)]:
        record["when"] = " && ".join(conditions)
    return record


def _conditions(assignment: Assignment, scope: _Scope, indices: Sequence[str]) -> Iterator[str]:
    """Yield what cuts the iterations of an assignment out of the loops around it."""
    for place, (low, high) in enumerate(assignment.box):
        tile = scope.tiles.get(place)
        if tile is not None and tile.first < low:
            yield f"{tile.index} >= {low}"
        if tile is not None and high < tile.end:
            yield f"{tile.index} < {high}"
    for row, constant in assignment.ties:
        more = [(by, name) for by, name in zip(row, indices, strict=True) if by > 0]
        less = [(-by, name) for by, name in zip(row, indices, strict=True) if by < 0]
        yield f"{combination(more, max(constant, 0))} >= {combination(less, max(-constant, 0))}"


def _combined(row: Row, indices: Sequence[str], constant: int) -> str:
    """A combination of indices, some of which may be numbers."""
    pairs = [(by, index) for by, index in zip(row, indices, strict=True) if by]
    constant += sum(by * int(index) for by, index in pairs if _is_number(index))
    return combination([(by, index) for by, index in pairs if not _is_number(index)], constant)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def combination(pairs: Iterable[tuple[int, str]], constant: int = 0) -> str:
    """Return "i + 2*t - 1", positive terms before negative ones.

    Parameters
    ----------
    pairs
        How often each index is in it.
    constant
        The constant.
    """
    text = ""
    for by, name in sorted(((by, name) for by, name in pairs if by), key=lambda pair: pair[0] < 0):
        sign = ("-" if by < 0 else "") if not text else (" - " if by < 0 else " + ")
        text += f"{sign}{f'{abs(by)}*' * (abs(by) > 1)}{name}"
    if not text:
        return str(constant)
    return text + (f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else "")
