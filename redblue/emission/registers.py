"""Sums that stay in registers: in small tiles of constant size, apart from those that are cut.

A statement that adds to its target, `C[i][j] += A[i][k] * B[k][j]`, may go through a tile of `i`
and `j` for each `k`. Where a tile is whole its sums are in an array of constant size, and its loops
are of constant trip counts, so that a compiler keeps the array in registers. It is copied from the
buffer of the target, or from its cells, and back. No sum has another order than before.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import isqrt, prod
from typing import Any, Final

from dags.programs.integer_sets import isl
from redblue.emission.buffers import Buffer, NoBufferError, Piece, Plan
from redblue.emission.estimates import Phase
from redblue.emission.groups import Group
from redblue.emission.statements import Access, Step
from redblue.emission.tiles import Chunk, Tiles, tiled

WIDE, VECTOR = 32, 8  # the most values along rows in a tile, and those of a vector
LONG: Final = 32  # values of other chunks, at the most that are asked for: so long sums stay


def sums_of(phase: Phase, words: int) -> dict[int, int]:
    """Values of chunks in which sums of a phase stay in registers, by keys of levels.

    Parameters
    ----------
    phase
        The statements.
    words
        Values that registers have.
    """
    widest = min(WIDE, max(words // 4 // VECTOR * VECTOR, 2))
    widths = (widest, *(width for width in (16, VECTOR) if width < widest))
    tiles_found: dict[int, int] = {}
    for step in sorted(phase.steps, key=lambda step_: -phase.ranges.instances(step_)):
        target, free = step.accesses[-1], _free(phase, step)
        indices = _indices(phase, step, target)
        if _added(step) is None or not {*free} - {*indices}:
            continue
        last = [key for key in free if indices.get(key) == len(target.indices) - 1][:1]
        further = [key for key in free if key in indices and key not in last]
        all_ones = dict.fromkeys(indices, 1)
        tiles = [
            all_ones | {last[0]: width, key: words // width}
            for key in further
            for width in widths
            if last
        ]
        fits = [tile for tile in tiles if _fits(phase, tiles_found | tile)]
        if fits:
            tiles_found |= min(fits, key=partial(_instructions, phase, step, last[0]))
    return tiles_found


def _free(phase: Phase, step: Step) -> list[int]:
    """The levels of a statement that may be in chunks and have more than one value."""
    keys = (level.key for level in phase.levels[step.name] if level.band is not None)
    return [key for key in keys if phase.extents[phase.column[key]] > 1]


def _indices(phase: Phase, step: Step, access: Access) -> dict[int, int]:
    """Return of which index of a reference each level is a part."""
    indices: dict[int, int] = {}
    for position in range(len(access.indices)):
        weights = phase.weight(step, access, position)
        pairs = zip(phase.levels[step.name], weights if weights is not None else (), strict=False)
        indices |= {level.key: position for level, weight in pairs if abs(weight) > 1e-6}
    return indices


def _fits(phase: Phase, sides: dict[int, int]) -> bool:
    return all(side <= phase.extents[phase.column[key]] for key, side in sides.items())


def _instructions(phase: Phase, step: Step, last: int, sides: dict[int, int]) -> float:
    """Return about how many words or vectors are loaded for each vector of sums."""
    loads, share = 0.0, 1.0
    for access in step.accesses[:-1]:
        indices = _indices(phase, step, access)
        vectors = 1 if last in indices else VECTOR  # one by one are words that serve a whole row
        loads += vectors / prod(side for key, side in sides.items() if key not in indices)
    for key, side in sides.items():
        extent = int(phase.extents[phase.column[key]])
        share *= extent // side * side / extent
    return loads * share + VECTOR * (1 - share)  # tiles that are cut go word by word


def units(phase: Phase, sums: dict[int, int], memory: int) -> dict[int, int]:
    """What sides are multiples of where sums stay in registers, by keys of levels."""
    long = max(1, min(LONG, isqrt(memory) // 4))
    other_keys = (key for key in phase.keys if phase.bands[key] is not None and key not in sums)
    multiples = {key: long for key in other_keys if phase.extents[phase.column[key]] > long}
    return multiples | sums if sums else {}


def is_legal(phase: Phase, registers: dict[int, int]) -> bool:
    """Whether sums of a phase may be added up in such tiles."""
    bands = {phase.bands[key] for key in registers}
    keys = [key for key in phase.keys if phase.bands[key] in bands]
    order = tiled(phase.tree, Tiles(dict.fromkeys(keys, 2) | registers, {}, registers=registers))
    nest = phase.ranges.nest
    return bool(nest.is_legal(order.time(nest, [step.name for step in phase.steps])))


def _added(step: Step) -> Access | None:
    """The reference by which a statement reads its own target; None if it does not."""
    target = step.accesses[-1]
    accesses = (access for access in step.accesses[:-1] if access.reference == target.reference)
    return next(accesses, None)


def keep_sums(plan: Plan) -> None:
    """Have the sums of a plan in registers, in the tiles that are whole."""
    pieces = []
    for piece in plan.pieces:
        parts = _Sums(plan, piece).parts() if _depth(plan, piece) else None
        pieces += [piece] if parts is None else parts
    plan.pieces = pieces


def _depth(plan: Plan, piece: Piece) -> int:
    """How many levels there are around sums in registers; 0 for none."""
    chunks = plan.order.chunks(piece.step.name)
    return max((depth for depth, chunk in enumerate(chunks, 1) if chunk.sums), default=0)


class _Sums:
    """A piece of a statement, in tiles that are whole and others."""

    def __init__(self, plan: Plan, piece: Piece) -> None:
        self.plan, self.piece, self.step = plan, piece, piece.step
        self.name, self.depth = piece.step.name, _depth(plan, piece)
        self.chunks = plan.order.chunks(self.name)
        self.sums = [chunk for chunk in self.chunks if chunk.sums]
        self.time = plan.order.coordinates[self.name]
        self.target, self.added = piece.step.accesses[-1], _added(piece.step)

    def parts(self) -> list[Piece] | None:
        """The instances in whole tiles, with their sums in registers, and the others."""
        plan, nest = self.plan, self.plan.nest
        path = plan.order.paths[self.name]
        node = tuple(part for part in path[: 2 * self.depth + 2] if isinstance(part, int))
        empty = nest.map("")
        group = Group(plan.order.phase(self.name), self.target.array, None)
        around = self.piece.homes.get(self.target)
        home = Buffer(group, self.depth, node, empty, empty, empty, around=around)
        if self.added is None or not self._is_alone(home):
            return None
        domain = isl.UnionSet.from_set(self.piece.domain)
        times = domain.apply(nest.map(f"{self.step.row.name} -> [{','.join(self.time)}]"))
        tiles = times.apply(self._map([f"t{number}" for number in range(home.width)]))
        complete = (
            tiles.subtract(self._cut(times, home)).subtract(self._mixed(domain, home)).coalesce()
        )
        cells = plan.bodies(home, nest.access(self.step, self.target).intersect_domain(domain))
        home.fill = home.flush = cells.intersect_domain(complete).coalesce()
        inside = domain.intersect(complete.apply(plan.prefix(self.name, home).reverse()))
        home.touched = nest.access(self.step, self.target).intersect_domain(inside)
        try:
            plan.measure(home)
        except NoBufferError:
            return None
        if home.words != prod(sum_.size for sum_ in self.sums):
            return None
        plan.sums.append(home)
        piece, homes = self.piece, {self.target: home, self.added: home}
        return [
            replace(piece, homes=piece.homes | homes, turn=0, tiles=complete, width=home.width),
            replace(piece, turn=2, tiles=tiles.subtract(complete).coalesce(), width=home.width),
        ]

    def _map(self, wanted: Sequence[str], condition: str = "") -> Any:
        """A map of times of the statement to others."""
        names = ",".join(f"t{number}" for number in range(len(self.time)))
        return self.plan.nest.map(f"[{names}] -> [{','.join(wanted)}]{condition}")

    def _is_alone(self, home: Buffer) -> bool:
        """Whether nothing else is in the loops of its sums, no statement and no buffer."""
        names = [
            step.name for step in self.plan.nest.steps if home.holds(self.plan.order, step.name)
        ]
        outside = all(buffer.width < home.width for buffer in self.piece.homes.values())
        sums = {sum_.key for sum_ in self.sums}
        other_chunks = (chunk for chunk in self.chunks[self.depth :] if chunk.key not in sums)
        longer = any(name.startswith("c") for chunk in other_chunks for name in chunk.form.names)
        inside = [sum_.key for sum_ in self.sums if sum_.size > 1]
        last = [chunk.key for chunk in self.chunks[-len(inside) :]]
        return names == [self.name] and outside and longer and last == inside

    def _cut(self, times: Any, home: Buffer) -> Any:
        """The tiles of which some instances are not there, for any of the other loops."""
        wanted, tests = [f"t{number}" for number in range(len(self.time))], []
        for number, chunk in enumerate(self.chunks, 1):
            sums = [
                place
                for place, other_chunk in enumerate(self.chunks, 1)
                if _is_of(other_chunk, chunk)
            ]
            if number > self.depth and sums:
                first, wanted[2 * number] = f"t{2 * sums[0]}", f"x{number}"
                tests.append(f"{first} <= x{number} < {first} + {self.chunks[sums[0] - 1].size}")
        missing = times.apply(self._map(wanted, f" : {' and '.join(tests)}")).subtract(times)
        return missing.apply(self._map([f"t{number}" for number in range(home.width)]))

    def _mixed(self, domain: Any, home: Buffer) -> Any:
        """The tiles in which sums are read elsewhere, as values of others."""
        nest, plan = self.plan.nest, self.plan
        sums = plan.bodies(home, nest.access(self.step, self.target).intersect_domain(domain))
        readers = nest.union(
            plan.bodies(home, nest.access(self.step, access).intersect_domain(domain))
            for access in self.step.accesses[:-1]
            if access != self.added and access.array == self.target.array
        )
        return sums.intersect(readers).domain()


def _is_of(sums: Chunk, chunk: Chunk) -> bool:
    return sums.sums and sums.key == chunk.key
