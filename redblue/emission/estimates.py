"""Estimates of words and room of tiles of a phase, for many sides at once.

A phase's statements have **levels**: each goes on in chunks, and later one by one. In a body inside
of some levels an index takes as many values as those levels leave it; a buffer moves that many
words for each body. Domains that are no boxes count by the share of their box that they fill.
Floating point, and rounded up: the chosen one is counted exactly afterwards.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from redblue.emission.groups import Group, grouped
from redblue.emission.lines import lines_a_word
from redblue.emission.orders import Level, Tree
from redblue.emission.ranges import Ranges
from redblue.emission.statements import Access, Step
from redblue.emission.tiles import Tiles, tiled

Floats = npt.NDArray[np.float64]
Held = dict[Group, tuple[Int64Array, Floats]]  # depths of holds, and their words
WHOLE, CHUNK, SUMS, POINT = range(4)
PRICES = 24
NONE = 1 << 40  # a side that is none: the level is not cut into chunks


class Phase:
    """Estimates for the statements of one phase of a tree.

    Parameters
    ----------
    ranges
        Of the program at its sizes.
    tree, phase
        The order, and which part of it.
    live
        Arrays whose last values are outputs.
    line
        Words of a line of the cache: lines are what is estimated, if it has some.
    """

    def __init__(
        self, ranges: Ranges, tree: Tree, phase: int, live: Sequence[str], line: int = 1
    ) -> None:
        nest = ranges.nest
        self.ranges, self.tree, self.phase = ranges, tree, phase
        self.steps = [step for step in nest.steps if tree[step.name][0] == phase]
        other_steps = (step for step in nest.steps if tree[step.name][0] != phase)
        self.elsewhere = {access.array for step in other_steps for access in step.accesses}
        self.leaving = self.elsewhere | {*live}
        self.cells: dict[str, float] = {}  # of what is written, different cells
        self.levels = {
            step.name: [level for level in tree[step.name] if isinstance(level, Level)]
            for step in self.steps
        }
        self.twins = {name: _twins(levels) for name, levels in self.levels.items()}
        self.keys = sorted(
            {level.key for path_levels in self.levels.values() for level in path_levels}
        )
        self.column = {key: number for number, key in enumerate(self.keys)}
        self.extents = np.ones(len(self.keys), np.int64)
        self.bands: dict[int, int | None] = {}
        self.sums: Mapping[int, int] = {}
        self.line, self.room = line, 0
        self.shares: dict[tuple[Group, int], Floats] = {}  # lines that come in for each word
        for step in self.steps:
            for level in self.levels[step.name]:
                column = self.column[level.key]
                self.extents[column] = max(self.extents[column], ranges.extent(step, level)[0])
                self.bands[level.key] = level.band
        plain = tiled(tree, Tiles({}, {}))
        self.groups: list[Group] = []
        self.members: dict[Group, list[tuple[Step, list[Access]]]] = {}
        uses: dict[str, list[tuple[Step, Access]]] = {}
        for step in self.steps:
            for access in step.accesses:
                if access.array not in nest.scalars:
                    uses.setdefault(access.array, []).append((step, access))
        self.joined: dict[Group, Group] = {}  # what has the cells of another in shared levels
        self._weights: dict[tuple[str, str], npt.NDArray[np.float64] | None] = {}
        for group_uses in uses.values():
            common = set.intersection(
                *({o.key for o in self.levels[step.name]} for step, _ in group_uses)
            )
            shapes: dict[object, Group] = {}
            for group, group_members in grouped(plain, group_uses).items():
                of: dict[str, list[Access]] = {}
                for step, access in group_members:
                    of.setdefault(step.name, []).append(access)
                members = [(nest.of[name], accesses) for name, accesses in of.items()]
                first = group
                if group.indices is not None:
                    first = shapes.setdefault(self._shape(*group_members[0], common), group)
                if first is not group:
                    self.joined[group] = first
                    self.members[first] += members
                    continue
                self.groups.append(group)
                self.members[group] = members

    @cached_property
    def inner(self) -> dict[int, int]:
        """Places of levels among single values: those that go along rows come last."""
        reuse = dict.fromkeys(self.keys, 0)
        for step in self.steps:
            for access in step.accesses:
                last = len(access.indices) - 1
                for position in range(last + 1):
                    weights = self.weight(step, access, position)
                    if weights is not None:
                        for level, weight in zip(self.levels[step.name], weights, strict=True):
                            reuse[level.key] += (abs(weight) > 1e-6) * (
                                1 if position == last else -1
                            )
        return reuse

    def _shape(self, step: Step, access: Access, common: Collection[int]) -> object:
        """Indices by levels: those that are not common to all are known by extents alone."""
        shape: list[object] = []
        for position, index in enumerate(access.indices):
            weights = self.weight(step, access, position)
            if weights is None:
                return step.name, id(access)
            shape.append(index.constant)
            for level, weight in zip(self.levels[step.name], weights, strict=True):
                if abs(weight) > 1e-6:
                    own_key = "own", self.ranges.extent(step, level)[0]
                    shape.append((level.key if level.key in common else own_key, float(weight)))
        return tuple(shape)

    def rows(self, name: str, tiles: Tiles) -> list[tuple[int, int]]:
        """The levels of a statement, by key and kind: all chunks are there."""
        tiles_of_all = replace(tiles, sides=dict.fromkeys(self.keys, 2), split=False)
        path = tiled({name: self.tree[name]}, tiles_of_all).chunks(name)
        return [
            (chunk.key, SUMS if chunk.sums else (POINT, CHUNK)[chunk.size - 1]) for chunk in path
        ]

    def choices(
        self, tiles: Tiles, sides: Int64Array, memory: int, *, cached: bool = False
    ) -> list[tuple[float, int, dict[Group, int]]]:
        """The best sides that fit: their words, their row, and depths of buffers.

        Parameters
        ----------
        tiles
            The ranks of levels, and whether single values are sunk.
        sides
            (k, keys) chunks to try.
        memory
            Words for buffers.
        cached
            Whether a cache of LRU holds words that are read again.
        """
        self.sums, self.room = tiles.registers, memory
        rows = {step.name: self.rows(step.name, tiles) for step in self.steps}
        options = {group: self._options(group, rows, sides) for group in self.groups}
        top = max(
            (
                float(np.max(moved[np.isfinite(moved)], initial=1.0))
                for moved, _ in options.values()
            ),
            default=1.0,
        )
        all_rows = np.arange(len(sides))
        meeting = self._meeting(rows)
        best: dict[int, tuple[float, int, dict[Group, int]]] = {}
        for price in (0.0, *np.geomspace(1e-4, max(top, 1.0), PRICES)):
            io = np.zeros(len(sides))
            held: Held = {}
            floors: dict[str, npt.NDArray[np.int64]] = {}
            residents: dict[str, Group] = {}
            spilled: set[str] = set()
            for group in self.groups:
                moved, words = options[group]
                if group.array in residents:
                    shared = self._within(group, residents[group.array], rows)
                    held_there = floors[group.array] <= shared
                    moved, words = (
                        np.where(held_there, 0.0, words_here) for words_here in (moved, words)
                    )
                    if group.array not in spilled | self.leaving:
                        spilled.add(group.array)  # what is read elsewhere leaves, too
                        io = io + np.where(held_there, 0.0, self.cells[group.array])
                total = np.where(np.isfinite(moved) & np.isfinite(words), moved, np.inf)
                total += price * np.where(np.isfinite(words), words, 0.0)
                if group.array in floors and group.indices is not None:
                    below = np.arange(len(moved))[:, None] < floors[group.array][None]
                    total = np.where(below, np.inf, total)
                chosen = np.argmin(total, axis=0)
                if group.indices is None:
                    floors[group.array] = chosen
                    residents[group.array] = group
                io = io + moved[chosen, all_rows]
                held[group] = chosen, words[chosen, all_rows]
            if cached:
                held = self._passing(held, options, rows, sides)
            words = self._words(held, meeting, len(sides))
            if cached and len(held) > 1:  # what streams by is there once more
                words += np.sort([room for _, room in held.values()], 0)[-2]
            fits = np.where(words <= memory, io, np.inf)
            for place in np.argsort(fits)[:3].tolist():
                if np.isfinite(fits[place]):
                    depths = {group: int(depth[place]) for group, (depth, _) in held.items()}
                    if place not in best or fits[place] < best[place][0]:
                        best[place] = float(fits[place]), place, depths
        return sorted(best.values(), key=lambda choice: choice[0])[:3]

    def _passing(
        self,
        held: Held,
        options: Mapping[Group, tuple[Floats, Floats]],
        rows: Mapping[str, list[tuple[int, int]]],
        sides: Int64Array,
    ) -> Held:
        """Words kept by LRU: until something comes again, all that passes meanwhile."""
        all_rows = np.arange(len(sides))
        first = np.full(all_rows.size, NONE)
        for group, (chosen, _) in held.items():
            moved, _ = options[group]
            comes_again = moved[chosen, all_rows] < moved[-1] * (1 - 1e-9)
            first = np.where(comes_again, np.minimum(first, chosen), first)
        kept_here: Held = {}
        for group, (chosen, _) in held.items():
            levels = max((rows[step.name] for step, _ in self.members[group]), key=len)
            inside = np.full(all_rows.size, len(levels))  # the level inside of that of what stays
            for depth in range(len(levels), 0, -1):
                key, kind = levels[depth - 1]
                side = sides[:, self.column[key]]
                is_there = (side < NONE) if kind == CHUNK else (side != 1) | (kind == SUMS)
                inside = np.where(is_there & (first < depth), depth, inside)
            chosen = np.minimum(chosen, inside)
            kept_here[group] = chosen, options[group][1][chosen, all_rows]
        return kept_here

    def _meeting(self, rows: Mapping[str, list[tuple[int, int]]]) -> dict[str, dict[Group, int]]:
        """The most levels that each statement shares with one of each group."""
        return {
            step.name: {
                group: max(self._shared(step.name, peer.name, rows) for peer, _ in members)
                for group, members in self.members.items()
            }
            for step in self.steps
        }

    def _words(
        self,
        held: Held,
        meeting: Mapping[str, Mapping[Group, int]],
        count: int,
    ) -> Floats:
        """The most words that are held at a statement."""
        largest = np.zeros(count)
        for shared in {
            tuple(meeting_of_step.values()): meeting_of_step for meeting_of_step in meeting.values()
        }.values():
            total = np.zeros(count)
            for group, (chosen, words) in held.items():
                total += np.where(chosen <= shared[group], words, 0.0)
            largest = np.maximum(largest, total)
        return largest

    def _within(
        self, group: Group, resident: Group, rows: Mapping[str, list[tuple[int, int]]]
    ) -> int:
        """The depth up to which a resident buffer has a group's operands; -1 if none."""
        writers = {
            step.name
            for step, accesses in self.members[resident]
            if any(access.writes for access in accesses)
        }
        alike = {access.indices for accesses in self.members[resident] for access in accesses[1]}
        if any(
            access.indices not in alike
            for _, accesses in self.members[group]
            for access in accesses
        ):
            return -1
        return min(
            max(self._shared(step.name, name, rows) for name in writers)
            for step, _ in self.members[group]
        )

    def _shared(self, first: str, second: str, rows: Mapping[str, list[tuple[int, int]]]) -> int:
        """How many levels two statements share."""
        if first == second:
            return len(rows[first])
        path, second_path = self.tree[first], self.tree[second]
        common = 0
        for a, b in zip(path, second_path, strict=False):
            if (a.key if isinstance(a, Level) else a) != (b.key if isinstance(b, Level) else b):
                break
            common += 1
        keys = {level.key for level in path[:common] if isinstance(level, Level)}
        count = 0
        for row, other_row in zip(rows[first], rows[second], strict=False):
            if row != other_row or row[0] not in keys:
                break
            count += 1
        return count

    def _options(
        self, group: Group, rows: Mapping[str, list[tuple[int, int]]], sides: Int64Array
    ) -> tuple[Floats, Floats]:
        """(depths, k) words and room of a group, with so many levels around."""
        members = self.members[group]
        count = max(len(rows[step.name]) for step, _ in members) + 1
        for step, _ in members:  # in loops in which sums stay in registers nothing comes in
            kinds = [kind for _, kind in rows[step.name]]
            if SUMS in kinds:
                count = min(count, kinds.index(POINT) + 1)
        choices = [self._at(group, members, rows, depth, sides) for depth in range(count)]
        return np.array([moved for moved, _ in choices]), np.array([words for _, words in choices])

    def _at(
        self,
        group: Group,
        members: Sequence[tuple[Step, list[Access]]],
        rows: Mapping[str, list[tuple[int, int]]],
        depth: int,
        sides: Int64Array,
    ) -> tuple[Floats, Floats]:
        """(k,) words and room of a group at one depth."""
        visits: dict[str, Floats] = {}
        words, cells = np.zeros(len(sides)), np.zeros(len(sides))
        for step, accesses in members:
            mine, held, distinct = self._one(step, accesses, rows[step.name][:depth], sides)
            if self.line > 1:
                lines = lines_a_word(self, step, accesses[0], rows[step.name][:depth], sides, held)
                mine, distinct, self.shares[group, depth] = mine * lines, distinct * lines, lines
            words, cells = np.maximum(words, held), np.maximum(cells, distinct)
            alike = (name for name in visits if self._shared(step.name, name, rows) >= depth)
            first = next(alike, step.name)
            visits[first] = np.maximum(visits.get(first, 0.0), mine)
        moved: Floats = np.sum([*visits.values()], 0)
        if group.indices is not None:
            return moved, words
        self.cells[group.array] = float(cells.max())
        comes = group.array in self.ranges.nest.first_read or group.array in self.elsewhere
        excess = (moved - cells * (not needed) for needed in (comes, group.array in self.leaving))
        total: Floats = np.sum([np.maximum(part, 0.0) for part in excess], 0)
        if group.array in self.ranges.nest.kept:  # what has no cells there does not leave
            total = np.where(total > 0.0, np.inf, 0.0)
        return total, words

    def _one(
        self,
        step: Step,
        accesses: Sequence[Access],
        prefix: Sequence[tuple[int, int]],
        sides: Int64Array,
    ) -> tuple[Floats, Floats, Floats]:
        """Visits, words held, and different cells of some references in bodies."""
        kinds = dict.fromkeys((level.key for level in self.levels[step.name]), WHOLE) | dict(prefix)
        size: dict[int, Floats] = {}
        fixed: dict[int, npt.NDArray[np.bool_]] = {}
        many, total = {}, {}
        for level in self.levels[step.name]:
            extent, constant = self.ranges.extent(step, level)
            side = np.minimum(sides[:, self.column[level.key]], extent).astype(float)
            kind = kinds[level.key]
            is_single = sides[:, self.column[level.key]] >= NONE
            is_fixed = constant | ((kind > CHUNK) | (kind == CHUNK) & ~is_single)
            sums = float(min(self.sums.get(level.key, 1), extent))
            values = np.broadcast_to((extent, side, sums, 1.0)[kind], len(sides))
            key = self.twins[step.name][level.key]
            fixed[key] = fixed.get(key, is_fixed) | is_fixed
            size[key] = np.minimum(size.get(key, values), values)
            many[key] = np.ceil(extent / size[key])
            total[key] = float(extent)
        visits, held, distinct = (np.ones(len(sides)) for _ in range(3))
        used: set[int] = set()
        for position in range(len(accesses[0].indices)):
            weights = self.weight(step, accesses[0], position)
            constants = [access.indices[position].constant for access in accesses]
            spread = max(constants) - min(constants)
            if weights is None:
                endless = np.full(len(sides), np.inf)
                return endless, endless, np.zeros(len(sides))
            weights_here = [
                (level.key, abs(float(weight)))
                for level, weight in zip(self.levels[step.name], weights, strict=True)
                if abs(weight) > 1e-6
            ]
            span = 1.0 + spread + sum(factor * (size[key] - 1) for key, factor in weights_here)
            for key, _ in weights_here:
                span = np.where(fixed[key], span, np.inf)
            held = held * span
            distinct = distinct * (
                1.0 + spread + sum(factor * (total[key] - 1) for key, factor in weights_here)
            )
            if (
                len(weights_here) == 1
                and weights_here[0][1] == 1.0
                and weights_here[0][0] not in used
            ):
                key = weights_here[0][0]
                visits = visits * (total[key] + many[key] * spread)
                used.add(key)
            else:
                visits = visits * span
        for key, count in many.items():
            if key not in used:
                visits = visits * count
        share = self.ranges.share(step)
        kinds = {key: kind for key, kind in kinds.items() if key in many}
        full = sum(1 for key in kinds if kinds[key] != WHOLE)
        part = share ** (max(full, len(used)) / max(len(kinds), 1))
        return visits * part, held, distinct * share

    def weight(self, step: Step, access: Access, position: int) -> npt.NDArray[np.float64] | None:
        """An index as a combination of the levels of a statement."""
        key = step.name, f"{access.indices[position]}"
        if key not in self._weights:
            names = [f"c{place}" for place in range(step.depth)]
            goal = np.array(
                [dict(access.indices[position].terms).get(name, 0) for name in names], float
            )
            rows = [
                [dict(level.form.terms).get(name, 0) * (first == level.key) for name in names]
                for level in self.levels[step.name]
                for first in (self.twins[step.name][level.key],)
            ]
            matrix = np.array(rows, float).reshape(len(rows), step.depth).T
            solution = np.linalg.lstsq(matrix, goal, rcond=None)[0]
            fits = not matrix.size or bool(np.allclose(matrix @ solution, goal))
            self._weights[key] = solution if fits or not goal.any() else None
        return self._weights[key]


def _twins(levels: Sequence[Level]) -> dict[int, int]:
    """Return for each level the first one of the same form: its values are theirs, too.

    In LU a quotient of column j is at the level of j and, among the updates, at that of k = j.
    """
    first: dict[str, int] = {}
    return {level.key: first.setdefault(f"{level.form}", level.key) for level in levels}
