"""Orders of code that are those of tilings: what a curve finds, code starts from.

A curve looks for tilings of a nest of boxes (`schedulers.tilings`). The assignments of that nest
are statements of the code, by the same numbers, and its loops are forms of theirs. So a level of a
tiling is a chunk of code, and a hold is a buffer, but for three things:

- a hold keeps items from one iteration of its last level to the next, and a buffer does not. The
  buffer is farther out by all levels that do not move the array;
- constants, copies, and first links of sums are no assignments. Their statements are run right
  before their values are first read, or behind what they read last;
- arrays of a nest are values, and those of code are cells. References that share a buffer have it
  where the outermost of their holds is.

What comes out is a starting point and claims nothing: isl decides whether the order is legal, and
words are counted of the code itself.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np

from dags.programs import ProgramError
from dags.programs.affine import Affine, combination
from dags.programs.box_nests import Assignment, BoxNest
from dags.programs.box_reader import box_nest
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import isl, maps
from dags.programs.nest import Reference
from redblue.emission.buffers import uses_of
from redblue.emission.candidates import Depths
from redblue.emission.groups import Group, Use, grouped
from redblue.emission.orders import alternating, text_tree
from redblue.emission.statements import Nest
from redblue.emission.tiles import Chunk, Order
from schedulers.tilings.budgets import seconds_for
from schedulers.tilings.links import linked
from schedulers.tilings.pieces import array_of
from schedulers.tilings.plan import Counts, Level, Tiling
from schedulers.tilings.search import best_tilings

PLAYS: Final = 4  # of each nest, by words, that are made orders of
SKEWED: Final = (
    "its tiles are skewed and each value of a tile leaves by itself, and a buffer is a box of cells"
)
PART: Final = "a part of {} stays for longer than the other cells, and an array has one buffer"
SLIDING: Final = (
    "values of {} stay from one iteration of a loop to the next, and a buffer is filled anew"
)
TURNS: Final = 4  # numbers behind the last level: of a statement, and of those run beside it


@dataclass(frozen=True)
class Start:
    """An order with its buffers, as a tiling has them.

    Parameters
    ----------
    order, depths
        The order, and the levels around the buffer of each group; None where a tiling has none.
    io, least
        Words that the tiling moves, and those that every schedule does.
    obstacle
        What the tiling does that buffers cannot, as the end of a sentence; "" for nothing.
    """

    order: Order | None
    depths: Mapping[Group, int]
    io: int
    least: int
    obstacle: str = ""


class Place(NamedTuple):
    """A statement that is run beside another one.

    Attributes
    ----------
    neighbour
        The statement that reads its values first, or whose value it reads last.
    loops
        The loops of that one there, as forms of its own.
    is_behind
        Whether it comes behind that one.
    """

    neighbour: str
    loops: tuple[Affine, ...]
    is_behind: bool


def starts(
    nest: Nest, sizes: Mapping[str, int], live: Sequence[str], memory: int, seconds: float
) -> Iterator[Start]:
    """Yield orders of a program that are those of tilings, fewest words first for each nest.

    Parameters
    ----------
    nest, sizes, live
        The program, values of its sizes, and arrays whose last values are outputs.
    memory
        Words of fast memory that the tilings may take.
    seconds
        Of work for them, at most.
    """
    try:
        boxes = box_nest(nest.program, dict(sizes), live=live, as_written=True)
    except (NotReadError, ProgramError):
        return
    for form in (boxes, linked(boxes)):
        orders = None if form is None else TilingOrders.of(nest, sizes, form)
        if orders is None:
            continue
        plays = best_tilings(orders.boxes, [memory], seconds=min(seconds / 2, seconds_for(boxes)))
        able = [play for play in plays if play.moved.words <= memory]
        for play in able[: -PLAYS - 1 : -1]:
            if play.tiling.skewed is None and not play.tiling.parts:
                yield orders.start(play.tiling, play.io)
            else:
                yield Start(None, {}, play.io, orders.counts.compulsory, SKEWED)


def as_written(nest: Nest) -> Start:
    """The order of the text, with all arrays in buffers throughout.

    Parameters
    ----------
    nest
        The program.
    """
    paths: dict[str, list[int | Chunk]] = {
        name: [part if isinstance(part, int) else Chunk(part.key, part.form, 1) for part in path]
        for name, path in text_tree(nest).items()
    }
    order = Order({name: (0, *path) for name, path in alternating(paths).items()})
    arrays = dict.fromkeys(access.array for step in nest.steps for access in step.accesses)
    groups = (
        group
        for array in arrays
        if array not in nest.scalars
        for group in grouped(order, uses_of(array, nest.steps))
    )
    return Start(order, Depths.fromkeys(groups, 0), 0, 0)


class TilingOrders:
    """Orders of a program by tilings of one nest of its boxes.

    Parameters
    ----------
    nest, boxes
        The program, and the nest.
    forms
        Of each assignment its loops, as forms of those of its statement.
    beside
        The places of other statements; a neighbour comes first.
    """

    def __init__(
        self,
        nest: Nest,
        boxes: BoxNest,
        forms: Mapping[str, tuple[Affine, ...]],
        beside: Mapping[str, Place],
    ) -> None:
        self.nest, self.boxes, self.forms, self.beside = nest, boxes, forms, beside
        self.counts = Counts(boxes)
        self.assignments = {assignment.name: assignment for assignment in boxes.assignments}
        self.leaders = {name: name for name in forms}  # assignments that statements are run with
        for name, place in beside.items():
            self.leaders[name] = self.leaders[place.neighbour]

    @classmethod
    def of(cls, nest: Nest, sizes: Mapping[str, int], boxes: BoxNest) -> "TilingOrders | None":
        """The orders by tilings of a nest; None where a statement has no place in them.

        Parameters
        ----------
        nest, sizes, boxes
            The program, values of its sizes, and the nest of its boxes.
        """
        forms: dict[str, tuple[Affine, ...]] = {}
        for assignment in boxes.assignments:
            loops = loops_of(assignment)
            if loops is None or assignment.name not in nest.of:
                return None
            forms[assignment.name] = loops
        beside: dict[str, Place] = {}
        waiting = [step.name for step in nest.steps if step.name not in forms]
        while waiting:
            places = {name: place_of(nest, sizes, name, {*forms, *beside}) for name in waiting}
            placed = {name: place for name, place in places.items() if place is not None}
            if not placed:
                return None
            beside |= placed
            waiting = [name for name in waiting if name not in placed]
        return cls(nest, boxes, forms, beside)

    def start(self, tiling: Tiling, io: int) -> Start:
        """The order and the buffers of a tiling.

        Parameters
        ----------
        tiling, io
            The tiling, and its words.
        """
        keys = _keys(tiling)
        paths: dict[str, list[int | Chunk]] = {}
        outer: dict[str, list[int]] = {}  # how many chunks there are by so many levels
        for name in self.forms:
            paths[name], outer[name] = self._path(tiling, name, keys)
        for number, (name, place) in enumerate(self.beside.items()):
            turn = 1 + number if place.is_behind else number - len(self.beside)
            paths[name] = _run_beside(paths[place.neighbour], place, turn)
        phases = _phases(tiling)
        rows: dict[int, dict[str, list[int | Chunk]]] = {}
        for name, path in paths.items():
            rows.setdefault(phases[tiling.node(self.leaders[name], 1)[0]], {})[name] = path
        order = Order(
            {
                name: (phase, *path)
                for phase, row in rows.items()
                for name, path in alternating(row).items()
            }
        )
        depths = self._depths(tiling, order, outer)
        return Start(order, depths, io, self.counts.compulsory, self._obstacle(tiling))

    def _obstacle(self, tiling: Tiling) -> str:
        """What the holds of a tiling do that buffers cannot; "" for nothing."""
        for key in tiling.depths:
            array = self._target(array_of(key))
            if " [" in key:
                return PART.format(array)
            for hold in self.counts.holds(tiling, key):
                depth = min(self._outside(tiling, name, key, hold.depth) for name in hold.members)
                if depth and self.counts.slides(tiling, replace(hold, depth=depth)):
                    return SLIDING.format(array)
        return ""

    def _outside(self, tiling: Tiling, name: str, key: str, depth: int) -> int:
        """The levels around a hold without those next to it that do not move its array."""
        levels = tiling.levels(name)
        rows = [row for access in self.counts.accesses[key][name] for row in access.rows]
        depth = max(0, depth)
        while depth and not any(row[levels[depth - 1].loop] for row in rows):
            depth -= 1
        return depth

    def _path(
        self, tiling: Tiling, name: str, keys: Mapping[tuple[str, int], int]
    ) -> tuple[list[int | Chunk], list[int]]:
        """The numbers and chunks of an assignment, and how many chunks so many levels are."""
        path: list[int | Chunk] = []
        outer = [0]
        depth = 0
        for part in tiling.paths[name]:
            if not isinstance(part, Level):
                path.append(part)
                continue
            depth += 1
            low = self.counts.first(tiling, name, depth)
            peers = tiling.sharing(name, depth)
            high = max(
                self.assignments[peer].box[tiling.levels(peer)[depth - 1].loop][1] for peer in peers
            )
            is_loop = part.chunk == 1 or part.chunk < high - low
            if is_loop:
                form = self.forms[name][part.loop].plus(-low if part.chunk > 1 else 0)
                path.append(Chunk(keys[name, part.loop], form, part.chunk))
            outer.append(outer[-1] + is_loop)
        return [*path, *[0] * TURNS], outer

    def _depths(
        self, tiling: Tiling, order: Order, outer: Mapping[str, Sequence[int]]
    ) -> dict[Group, int]:
        """The levels around the buffer of each group of references."""
        depths = Depths()
        for phase in dict.fromkeys(order.phase(step.name) for step in self.nest.steps):
            steps = [step for step in self.nest.steps if order.phase(step.name) == phase]
            arrays = {access.array: None for step in steps for access in step.accesses}
            for array in arrays:
                if array in self.nest.scalars:
                    continue
                for group, uses in grouped(order, uses_of(array, steps)).items():
                    holds = [depth for use in uses for depth in self._held(tiling, use, outer)]
                    if holds:
                        depths[group] = min(holds)
        return depths

    def _held(self, tiling: Tiling, use: Use, outer: Mapping[str, Sequence[int]]) -> Iterator[int]:
        """Yield the levels around the holds of the array of a reference."""
        step, access = use
        name = self.leaders[step.name]
        holds = {
            key: depths[name]
            for key, depths in tiling.depths.items()
            if name in depths and self._target(array_of(key)) == access.array
        }
        complete = {key: depth for key, depth in holds.items() if " [" not in key}
        if not complete:  # parts of an array stay for long, and all else is held farther inside
            complete = {key: depth for key, depth in holds.items() if depth == max(holds.values())}
        for key, depth in complete.items():
            yield outer[name][self._outside(tiling, name, key, depth)]

    def _target(self, array: str) -> str:
        """The array of the text that values belong to."""
        maker = self.assignments.get(array)
        return array.removeprefix("A_") if maker is None else maker.target


def loops_of(assignment: Assignment) -> tuple[Affine, ...] | None:
    """The loops of an assignment as forms of the loops of its statement; None if they are none.

    Parameters
    ----------
    assignment
        The assignment.
    """
    width = len(assignment.loops)
    if len(assignment.text_loops) != width:
        return None
    if not width:
        return ()
    rows = np.array([row for row, _ in assignment.text_loops], float)
    if abs(abs(np.linalg.det(rows)) - 1.0) > 1e-9:
        return None
    constants = [constant for _, constant in assignment.text_loops]
    inverse = np.rint(np.linalg.inv(rows)).astype(np.int64).tolist()
    return tuple(
        combination(
            {f"c{place}": factor for place, factor in enumerate(row)},
            -sum(factor * constant for factor, constant in zip(row, constants, strict=True)),
        )
        for row in inverse
    )


def place_of(
    nest: Nest, sizes: Mapping[str, int], name: str, placed: Collection[str]
) -> Place | None:
    """The place of a statement beside one that reads it first, or whose value it reads last.

    A copy comes behind what it copies, if that has a place.

    Parameters
    ----------
    nest, sizes
        The program, and values of its sizes.
    name, placed
        The statement, and those that have places.

    Returns
    -------
    Place or None
        None where the loops there are no forms of its own.
    """
    flow = nest.flow.intersect_params(nest.at(sizes))
    is_copy = isinstance(nest.of[name].assign.expression, Reference)
    for is_behind in (is_copy, not is_copy):
        for relation in maps(flow.reverse() if is_behind else flow):
            ends = isl.dim_type.in_, isl.dim_type.out
            statement, neighbour = map(relation.get_tuple_name, ends)
            if statement == name and neighbour != name and neighbour in placed:
                nearest = relation.lexmax() if is_behind else relation.lexmin()
                loops = _forms(nearest.coalesce())
                if loops is not None:
                    return Place(neighbour, loops, is_behind)
    return None


def _forms(function: Any) -> tuple[Affine, ...] | None:
    """A function of isl as forms of loops and sizes; None if it is no single one."""
    pieces: list[Any] = []
    function.as_pw_multi_aff().foreach_piece(lambda _, piece: pieces.append(piece))
    if len(pieces) != 1:
        return None
    rows = [pieces[0].get_at(place) for place in range(pieces[0].dim(isl.dim_type.out))]
    forms = [_form(row) for row in rows]
    return tuple(form for form in forms if form is not None) if None not in forms else None


def _form(function: Any) -> Affine | None:
    """A function of isl as a form of loops and sizes; None if it is rounded."""
    if function.get_denominator_val().to_python() != 1 or function.dim(isl.dim_type.div):
        return None
    terms = {
        f"{letter}{place}": int(function.get_coefficient_val(kind, place).to_python())
        for kind, letter in ((isl.dim_type.in_, "c"), (isl.dim_type.param, "n"))
        for place in range(function.dim(kind))
    }
    return combination(terms, int(function.get_constant_val().to_python()))


def _keys(tiling: Tiling) -> dict[tuple[str, int], int]:
    """Numbers of loops of assignments: those that some assignments share have one."""
    numbers: dict[tuple[str, int], int] = {}
    unused = count()
    for name in tiling.paths:
        for depth, level in enumerate(tiling.levels(name), start=1):
            peers = [
                (peer, tiling.levels(peer)[depth - 1].loop) for peer in tiling.sharing(name, depth)
            ]
            joined = {numbers[peer] for peer in peers if peer in numbers}
            number = min(joined, default=next(unused))
            numbers = {key: number if value in joined else value for key, value in numbers.items()}
            numbers |= dict.fromkeys([*peers, (name, level.loop)], number)
    return numbers


def _run_beside(path: Sequence[int | Chunk], place: Place, turn: int) -> list[int | Chunk]:
    """The path of a statement that is run right beside another one.

    Parameters
    ----------
    path, place
        Of the other one, and the place beside it.
    turn
        Its number beside that one, whose own is 0.
    """
    names = {f"c{loop}": form for loop, form in enumerate(place.loops)}
    moved: list[int | Chunk] = [
        Chunk(part.key, part.form.replaced(names), part.size) if isinstance(part, Chunk) else part
        for part in path
    ]
    unused = (number for number in range(len(path) - TURNS, len(path)) if not path[number])
    moved[next(unused, -1)] = turn
    return moved


def _phases(tiling: Tiling) -> dict[int, int]:
    """The part of the program that each first number belongs to: no hold goes beyond its part."""
    numbers = {name: tiling.node(name, 1)[0] for name in tiling.paths}
    firsts = sorted({*numbers.values()})
    phases = dict(zip(firsts, range(len(firsts)), strict=True))
    for depths in tiling.depths.values():
        held = [numbers[name] for name, depth in depths.items() if depth == 0]
        if held:
            shared = [phase for first, phase in phases.items() if min(held) <= first <= max(held)]
            phases = {
                first: min(shared) if phase in shared else phase for first, phase in phases.items()
            }
    return phases
