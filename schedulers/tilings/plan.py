"""Plays of nests by tiles: their words and room, by formulas.

An order of a nest's instances is a tree of loops. The **path** of an assignment leads from its root
to where it is run: in turn a number, which of several things are run one after the other, and a
**level**, a loop that goes on in chunks. Assignments share a level if their paths agree up to it.

Each array has **holds**. A hold is a place inside of a level (or outside of all): whatever is run
there and touches the array finds its items in fast memory, with all that one iteration of the level
touches. From one iteration of that level to the next, items that both touch stay; so a hold moves
all that iterations of its level touch, once for each iteration of the levels around: a **visit** of
an item. Holds of one array do not lie in each other. Outside of all levels a hold lasts for the
whole play, or while what has one first number is run (`OWN`).

A result comes back on each visit but the first, and leaves on each visit but the last, or on that
too if it is an output or read elsewhere. Results are placed: a sum is made beside its value before,
which takes one word more.

An array may be **split** instead: each access to it has holds of its own. An item that several of
them hold is told once for each, in words moved and in words held, so that a play moves no more than
is told. Plays do so where the items that accesses touch together are not counted, or are too many.
"""

from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import Chunked, NotCountedError
from dags.programs.touched import common, same_visits, touched
from dags.programs.touched import visits as visits_of
from dags.work import charge
from schedulers.tilings.chains import in_place
from schedulers.tilings.iterations import alike, hull, of_one, parts, widened, within
from schedulers.tilings.pieces import Accesses, array_of
from schedulers.tilings.room import held_apart
from schedulers.tilings.skewed.cuts import Skewed


class Level(NamedTuple):
    """A loop of an assignment, by its place, and how many of its values a chunk has."""

    loop: int
    chunk: int


Path = tuple[int | Level, ...]
_Key = tuple[str, tuple[str, ...], int, tuple[tuple[tuple[int, int, int], ...], ...]]
MOST_RUNS = 4096  # iterations of levels that are not alike
OWN = -1  # the depth of a hold outside of all levels, while what has one first number is run


class Held(NamedTuple):
    """The words that a play moves, and those that it holds."""

    loads: int
    stores: int
    words: int

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.loads + self.stores


@dataclass(frozen=True)
class Tiling:
    """An order of a nest's instances, and the holds of its arrays.

    Parameters
    ----------
    paths
        Of each assignment. Numbers and levels take turns, a number first and last.
    depths
        Of each array, or key of some of it (`schedulers.tilings.pieces`), and each assignment that
        touches it, the levels outside of its hold; or `OWN`.
    skewed
        Tiles that lean over in time, in the place of paths and holds (`schedulers.tilings.skewed`).
    parts
        Or plays of some assignments each, one after the other, between which nothing stays.
    """

    paths: Mapping[str, Path]
    depths: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    skewed: Skewed | None = None
    parts: "tuple[Tiling, ...]" = ()

    def levels(self, name: str) -> tuple[Level, ...]:
        """The levels around an assignment, the outermost first."""
        return self._levels[name]

    @cached_property
    def _levels(self) -> dict[str, tuple[Level, ...]]:
        return {
            name: tuple(step for step in path if isinstance(step, Level))
            for name, path in self.paths.items()
        }

    def node(self, name: str, depth: int) -> tuple[int, ...]:
        """The numbers that lead to a level around an assignment, for all that share it."""
        return self._numbers[name][: abs(depth)]

    @cached_property
    def _numbers(self) -> dict[str, tuple[int, ...]]:
        return {
            name: tuple(step for step in path if not isinstance(step, Level))
            for name, path in self.paths.items()
        }

    def sharing(self, name: str, depth: int) -> list[str]:
        """The assignments that share the last of some levels around one."""
        return self._sharing[depth, self.node(name, depth)]

    @cached_property
    def _sharing(self) -> dict[tuple[int, tuple[int, ...]], list[str]]:
        found: dict[tuple[int, tuple[int, ...]], list[str]] = {}
        for name, levels in self._levels.items():
            for depth in range(1, len(levels) + 1):
                found.setdefault((depth, self.node(name, depth)), []).append(name)
        return found


def arrays_of(nest: BoxNest) -> dict[str, dict[str, list[Access]]]:
    """The accesses to each array by assignment, those to its result last."""
    found: dict[str, dict[str, list[Access]]] = {}
    for each in nest.assignments:
        for access in (*each.reads, each.item):
            found.setdefault(access.array, {}).setdefault(each.name, []).append(access)
    return found


@dataclass(frozen=True)
class Hold:
    """A place at which items of an array are in fast memory.

    Parameters
    ----------
    array
        The array.
    members
        The assignments in there that touch it.
    depth
        The levels around it; or `OWN`.
    node
        The numbers on the way there.
    """

    array: str
    members: tuple[str, ...]
    depth: int
    node: tuple[int, ...]


class Counts:
    """Counts plays of one nest.

    Parameters
    ----------
    nest
        The nest at its sizes.
    most_runs
        Iterations of levels, those alike as one, in which accesses are counted together.
    """

    def __init__(self, nest: BoxNest, most_runs: int = MOST_RUNS) -> None:
        self.nest = nest = in_place(nest)
        self.most_runs = most_runs
        self.arrays = arrays_of(nest)
        self._known: dict[tuple[str, tuple[str, ...]], int] = {}
        self._moved: dict[_Key, Held] = {}
        self.split = {
            array: {
                f"{array} {name} {place}": {name: [access]}
                for name, some in by.items()
                for place, access in enumerate(some)
            }
            for array, by in self.arrays.items()
        }
        self.accesses = Accesses(self.arrays | ChainMap(*self.split.values()))
        self.assignments = {each.name: each for each in nest.assignments}

    @cached_property
    def compulsory(self) -> int:
        """Inputs that are read, and outputs, in words."""
        read = (by for array, by in self.arrays.items() if array not in self.assignments)
        inputs = sum(touched([each for some in by.values() for each in some]) for by in read)
        made = [each.outputs for each in self.nest.assignments if each.outputs is not None]
        return inputs + sum(touched([each]) for each in made)

    def holds(self, tiling: Tiling, array: str) -> list[Hold]:
        """The holds of an array, or of one access to it."""
        found: dict[tuple[int, tuple[int, ...]], list[str]] = {}
        for name, depth in tiling.depths[array].items():
            found.setdefault((depth, tiling.node(name, depth)), []).append(name)
        return [Hold(array, tuple(names), *place) for place, names in found.items()]

    def cost(self, tiling: Tiling) -> Held:
        """The words of a play, and the fast memory that it needs."""
        holds = (one for array in tiling.depths for one in self.holds(tiling, array))
        return self.held(tiling, {one: self.moved(tiling, one) for one in holds})

    def held(self, tiling: Tiling, moved: Mapping[Hold, Held]) -> Held:
        """The words that some holds move together, and the fast memory that they need.

        Parameters
        ----------
        tiling
            The play.
        moved
            Its holds, or some of them, with the words that each moves and holds.
        """
        needs = (
            sum(words.words for key, words in moved.items() if _is_around(tiling, key, name))
            + beside
            for name, beside in self.beside.items()
        )
        loads = sum(each.loads for each in moved.values())
        return Held(loads, sum(each.stores for each in moved.values()), max(needs))

    @cached_property
    def beside(self) -> dict[str, int]:
        """The words that each assignment needs beside its holds: one where it makes sums."""
        return {name: int(bool(assignment.summed)) for name, assignment in self.assignments.items()}

    def moved(self, tiling: Tiling, hold: Hold) -> Held:
        """The words that a hold moves, and those that it holds.

        Parameters
        ----------
        tiling, hold
            The play, and one of its holds.
        """
        charge("hold")
        key = self._key(tiling, hold)
        if key not in self._moved:
            self._moved[key] = self._counted(tiling, hold)
        return self._moved[key]

    def _key(self, tiling: Tiling, hold: Hold) -> "_Key":
        """All of a play that the words of a hold depend on."""
        depth = max(0, hold.depth)
        around = tuple(
            tuple(
                (*level, self.first(tiling, name, place))
                for place, level in enumerate(tiling.levels(name)[:depth], start=1)
            )
            for name in hold.members
        )
        return hold.array, hold.members, depth, around

    def _counted(self, tiling: Tiling, hold: Hold) -> Held:
        visits = self._visits(tiling, hold, max(0, hold.depth - 1))
        words = self._held_at_once(tiling, hold)
        maker = self.assignments.get(array_of(hold.array))
        if maker is None or not self._makes(hold):
            return Held(visits, 0, words)
        made = touched([maker.item])
        whole = hold.members if hold.array == maker.name else ()
        if maker.sums:
            writes = visits_of(maker.item, self._chunks(tiling, maker.name, max(0, hold.depth - 1)))
            stores = visits + self._wanted(maker, whole), writes + self._wanted(maker, ())
            return Held(visits - made, min(stores) - made, words)
        inside = whole if visits == made else ()
        return Held(visits - made, self._wanted(maker, inside), words)

    def slides(self, tiling: Tiling, hold: Hold) -> bool:
        """Whether items stay in a hold from one iteration of its last level to the next.

        Parameters
        ----------
        tiling, hold
            The play, and one of its holds, inside of some level.
        """
        try:
            anew = self._visits(tiling, hold, hold.depth)
            return anew > self._visits(tiling, hold, hold.depth - 1)
        except NotCountedError:
            return True

    def _makes(self, hold: Hold) -> bool:
        """Whether items are made in a hold."""
        maker = self.assignments.get(array_of(hold.array))
        mine = (one for name in hold.members for one in self.accesses[hold.array][name])
        return maker is not None and any(one is maker.item for one in mine)

    def _wanted(self, maker: Assignment, inside: tuple[str, ...]) -> int:
        """Return how many items are outputs, or read by other assignments than those inside.

        All that are made, where those that are read are not counted.
        """
        key = maker.name, inside
        if key not in self._known:
            made, some = touched([maker.item]), self._read(maker, inside)
            self._known[key] = made
            if not any(touched([each]) == made for each in some):
                with suppress(NotCountedError):
                    self._known[key] = touched(some)
        return self._known[key]

    def _read(self, maker: Assignment, inside: tuple[str, ...]) -> list[Access]:
        """The accesses to outputs, and those of other assignments than those inside."""
        some = [
            access
            for name, accesses in self.arrays[maker.name].items()
            if name not in inside
            for access in accesses
            if access is not maker.item
        ]
        if maker.outputs is not None:
            some.append(maker.outputs)
        return some

    def spills_all(self, tiling: Tiling, array: str) -> bool:
        """Whether a play stores all of an array that is read, for some visits end too early.

        It is no question of sums, nor of values read elsewhere alone.
        """
        maker = self.assignments[array]
        for one in self.holds(tiling, array):
            if self._makes(one) and not maker.sums:
                return self._visits(tiling, one, max(0, one.depth - 1)) != maker.size
        return False

    def _visits(self, tiling: Tiling, hold: Hold, depth: int) -> int:
        """The sum over all iterations of some levels of the items that each touches."""
        mine = [access for name in hold.members for access in self.accesses[hold.array][name]]
        chunks = [self._chunks(tiling, name, depth) for name in hold.members]
        if len(mine) == 1 or (len(mine) == len(chunks) and same_visits(mine, chunks)):
            return visits_of(mine[0], chunks[0])
        if not depth and self._makes(hold):  # what is read is made
            return touched([self.assignments[hold.array].item])
        return sum(count * touched(accesses) for accesses, count in self._runs(tiling, hold, depth))

    def _chunks(self, tiling: Tiling, name: str, depth: int) -> list[Chunked]:
        """How the loops of an assignment go on in some levels, smallest chunks."""
        levels = tiling.levels(name)[:depth]
        found = {
            each.loop: Chunked(*each, self.first(tiling, name, place + 1))
            for place, each in enumerate(levels)
        }
        return list(found.values())

    def _runs(
        self, tiling: Tiling, hold: Hold, depth: int, *, tied: bool = True, wide: bool = False
    ) -> Iterator[tuple[list[Access], int]]:
        """Yield accesses in iterations of some levels, and how many iterations are alike.

        If `wide`, accesses are used in all iterations of the last level.
        """
        levels = [tiling.levels(name)[:depth] for name in hold.members]
        smallest: dict[tuple[int, ...], tuple[int, int]] = {}
        for place, several in enumerate(zip(*levels, strict=True)):
            low = self.first(tiling, hold.members[0], place + 1)
            smallest[tuple(each.loop for each in several)] = several[0].chunk, low
        members = [self.assignments[name] for name in hold.members]
        mine = [self.accesses[hold.array][name] for name in hold.members]
        if not tied:
            mine = [[replace(each, ties=()) for each in some] for some in mine]
        if wide and depth:
            members, mine = widened(members, mine, [each[-1].loop for each in levels])
        each_parts = [
            list(parts(members, mine, loops, *place, [each for each in smallest if each != loops]))
            for loops, place in smallest.items()
        ]
        if prod(map(len, each_parts)) > self.most_runs:
            raise NotCountedError("an array is touched several times in too many tiles")
        for chosen in product(*each_parts):
            runs = [list(each.box) for each in members]
            for loops, part in zip(smallest, chosen, strict=True):
                for run, loop in zip(runs, loops, strict=True):
                    run[loop] = within(run[loop], part)
            yield (
                [
                    replace(each, box=common(each.box, tuple(run)))
                    for run, accesses in zip(runs, mine, strict=True)
                    for each in accesses
                ],
                prod(part.alike for part in chosen),
            )

    def first(self, tiling: Tiling, name: str, depth: int) -> int:
        """The first value of the last of some levels, of all assignments that share it."""
        return min(
            self.assignments[other].box[tiling.levels(other)[depth - 1].loop][0]
            for other in tiling.sharing(name, depth)
        )

    def _in_one(self, tiling: Tiling, name: str, access: Access, depth: int) -> Access:
        """An access as one iteration of some levels has it, at most."""
        box = list(access.box)
        for loop, size, _ in self._chunks(tiling, name, depth):
            low, high = box[loop]
            box[loop] = low, min(high, low + size)
        return replace(access, box=tuple(box), ties=())

    def _held_at_once(self, tiling: Tiling, hold: Hold) -> int:
        """The most items that are held in an iteration of the levels around a hold.

        Items that iterations of the last level touch before and after are held in between: values
        of an index from the least to the largest. Several accesses that move alike are on both
        sides of such an item, be they in use just then or not: all are taken for used. One that
        the last level does not move has the same items throughout. If accesses move in different
        ways, all that there is counts; but where an index says the iterations of the last level.
        """
        some = self.accesses[hold.array]
        mine = [(name, access) for name in hold.members for access in some[name]]
        depth = max(0, hold.depth)
        inside = [self._in_one(tiling, *each, depth) for each in mine]
        lasts = [tiling.levels(name)[depth - 1] for name, _ in mine if depth]
        if len(mine) == 1:
            return of_one(inside[0], lasts[0].loop if depth else None)
        moves = [
            tuple(tuple(row[at] for at, _ in tiling.levels(name)[:depth]) for row in access.rows)
            for name, access in mine
        ]
        if len({each for each in moves if depth and any(row[-1] for row in each)}) > 1:
            every = max(hull(part) for part, _ in self._runs(tiling, hold, 0, tied=False))
            apart = held_apart(inside, moves, [each.loop for each in lasts], lasts[0].chunk)
            return every if apart is None else min(every, apart)
        runs = self._runs(tiling, hold, depth, tied=False, wide=True)
        return max(sum(map(hull, alike(part, moves))) for part, _ in runs)


def _is_around(tiling: Tiling, hold: Hold, name: str) -> bool:
    """Whether an assignment is run inside of a hold."""
    return tiling.node(name, hold.depth) == hold.node
