"""Buffers of a scratchpad: which cells are filled before a level's body, and flushed after it.

Each buffer belongs to one array and the body of one level. It is filled before the body with cells
that are read there before they are written there; after it, cells are flushed that were written
there and are read elsewhere later, or are outputs. Nothing is kept from body to body.

An array that is written has a **resident** buffer for all that is written; a read finds its cell
there if it is there. Other reads have **streams**, one for references that differ in constants
alone; a cell that an earlier stream has is taken from that one.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from dags.errors import RedBlueError
from dags.programs.affine import Affine, combination
from dags.programs.integer_sets import isl
from redblue.emission.groups import Group, Use, by_levels, grouped
from redblue.emission.statements import Access, Nest, Step
from redblue.emission.tiles import Order

MOST_PIECES = 12


class NoBufferError(RedBlueError, ValueError):
    """Tiles that have no buffers of constant size."""


@dataclass
class Buffer:
    """A buffer.

    Parameters
    ----------
    group, depth, node
        Its references, and the body of a level in which it is held: so many levels around, and
        the numbers on the way.
    corner
        Of each index the least value that is held: a form of levels l1, l2, ... and sizes.
    sides
        How many values of each index.
    fill, flush
        From a body to the cells that come in before it, and leave after it.
    places
        The indices as they are laid out, without those of one value.
    around
        Of sums in registers the buffer that has them otherwise; None for cells of the array.
    """

    group: Group
    depth: int
    node: tuple[int, ...]
    touched: Any = None
    read: Any = None
    written: Any = None
    corner: tuple[Affine, ...] = ()
    sides: tuple[int, ...] = ()
    fill: Any = None
    flush: Any = None
    around: "Buffer | None" = None
    places: tuple[int, ...] = ()

    @property
    def words(self) -> int:
        """Its size."""
        return prod(self.sides)

    @property
    def width(self) -> int:
        """The coordinates of its body."""
        return self.depth + len(self.node)

    def holds(self, order: Order, name: str) -> bool:
        """Whether a statement is run in its body."""
        path = order.paths[name][: self.width]
        return tuple(part for part in path if isinstance(part, int)) == self.node


@dataclass
class Piece:
    """Some instances of a statement, and the buffer of each of its references.

    Parameters
    ----------
    step, domain, homes
        The statement, its instances, and the buffers.
    tiles, turn, width
        Of a statement with sums in registers the times of its tiles, their coordinates, and its
        number behind these: 0 of tiles that are whole.
    """

    step: Step
    domain: Any
    homes: dict[Access, Buffer] = field(default_factory=dict)
    tiles: Any = None
    turn: int = 0
    width: int = 0


class Plan:
    """Buffers of an order.

    Parameters
    ----------
    nest, order
        The program, and its order.
    depths
        Of each group the levels around its buffer.
    live
        Arrays whose last values are outputs.
    phases
        Those that are meant; None for all.
    at
        Sizes at which buffers need a size, as a set; None for all sizes.
    """

    def __init__(
        self,
        nest: Nest,
        order: Order,
        depths: Mapping[Group, int],
        live: Sequence[str],
        phases: Sequence[int] | None = None,
        *,
        at: Any = None,
    ) -> None:
        self.nest, self.order, self.depths, self.live = nest, order, depths, live
        self.at = nest.context if at is None else at
        all_phases = sorted({order.phase(step.name) for step in nest.steps})
        phases = all_phases if phases is None else phases
        self.steps = [step for step in nest.steps if order.phase(step.name) in phases]
        self.pieces: list[Piece] = []
        self.buffers: list[Buffer] = []
        self.sums: list[Buffer] = []  # in registers
        for phase in phases:
            self._of_phase([step for step in self.steps if order.phase(step.name) == phase])
        for buffer in self.buffers:
            self.measure(buffer)
            self._moves(buffer)
        self.buffers = [buffer for buffer in self.buffers if not buffer.touched.is_empty()]

    def without_buffers(self) -> "Plan":
        """The same order with cells where they are: a cache holds them."""
        plan = copy(self)
        kept = self.nest.kept
        plan.buffers = [buffer for buffer in self.buffers if buffer.group.array in kept]
        pieces: dict[tuple[object, ...], Piece] = {}
        for piece in self.pieces:
            homes = {access: home for access, home in piece.homes.items() if access.array in kept}
            key = piece.step.name, *((access, id(home)) for access, home in homes.items())
            domain = piece.domain.union(pieces[key].domain) if key in pieces else piece.domain
            pieces[key] = Piece(piece.step, domain.coalesce(), homes)
        plan.pieces = [*pieces.values()]
        return plan

    @property
    def words(self) -> int:
        """The most words in buffers and scalars at once."""
        scalars = len(self.nest.scalars - self.nest.constants)
        return scalars + max(
            sum(buffer.words for buffer in self.buffers if buffer.holds(self.order, step.name))
            for step in self.steps
        )

    def measure(self, buffer: Buffer) -> None:
        """Set the corner and the sides of a buffer, and how it is laid out."""
        _Measure(self, buffer).take()
        buffer.places = self._laid_out(buffer)

    def _laid_out(self, buffer: Buffer) -> tuple[int, ...]:
        """The indices of a buffer, last that of the innermost loop of its statements."""
        inside = [step.name for step in self.steps if buffer.holds(self.order, step.name)]
        last = {self.order.chunks(name)[-1:] for name in inside}
        keys = {chunk.key for part in last for chunk in part}
        indices = buffer.group.indices or ()
        axes = {axis for axis, parts in enumerate(indices) if keys & {key for key, _ in parts}}
        places = sorted(range(len(buffer.sides)), key=lambda axis: axis in axes and len(axes) == 1)
        return tuple(axis for axis in places if buffer.sides[axis] > 1)

    def prefix(self, name: str, buffer: Buffer) -> Any:
        """Return from instances of a statement to the body around them in which a buffer is."""
        row = self.nest.of[name].row.name
        time = self.order.coordinates[name][: buffer.width]
        return self.nest.map(f"{row} -> [{','.join(time)}]")

    def bodies(self, buffer: Buffer, accesses: Any) -> Any:
        """Return from bodies to the cells of some accesses in them."""
        return self._prefixes(buffer).reverse().apply_range(accesses)

    def _prefixes(self, buffer: Buffer) -> Any:
        names = [step.name for step in self.steps if buffer.holds(self.order, step.name)]
        return self.nest.union(self.prefix(name, buffer) for name in names)

    def _of_phase(self, steps: Sequence[Step]) -> None:
        """Give each reference of a phase its buffer."""
        arrays = dict.fromkeys(
            access.array
            for step in steps
            for access in step.accesses
            if access.array not in self.nest.scalars
        )
        self.mine = {step.name: [Piece(step, self.nest.domain[step.name])] for step in steps}
        for array in arrays:
            uses = uses_of(array, steps)
            self._of_array(grouped(self.order, uses), uses)
        self.pieces += [piece for step_pieces in self.mine.values() for piece in step_pieces]
        if any(self._is_open(step, use) for array in arrays for step, use in uses_of(array, steps)):
            raise NoBufferError("a reference is outside of all buffers")
        if len(self.pieces) > MOST_PIECES * len(self.nest.steps):
            raise NoBufferError("references meet in too many ways")

    def _of_array(self, groups: Mapping[Group, Sequence[Use]], uses: Sequence[Use]) -> None:
        """Give each reference to an array its buffer: the resident one, or a stream."""
        reads = [use for use in uses if not use[1].writes]
        buffers: list[Buffer] = []
        floor = 0
        for place, group in enumerate(groups):
            group_uses = groups[group]
            if group.indices is None:
                floor, later = self.depths[group], reads
            else:
                later = [use for group_ in list(groups.values())[place + 1 :] for use in group_]
            group_uses = [use for use in group_uses if self._is_open(*use)]
            depth = max(self.depths[group], floor)
            makers = [
                step.name
                for step, access in group_uses
                if access.writes or group.indices is not None
            ]
            for home in self._holds(group, depth, makers):
                inside = [use for use in group_uses if home.holds(self.order, use[0].name)]
                for step, access in inside:
                    self._settle(step, access, home, self.nest.access(step, access))
                for step, access in later:
                    if home.holds(self.order, step.name):
                        self._share(step, access, home)
                buffers.append(home)
        residents = [buffer for buffer in buffers if buffer.group.indices is None]
        for first, second in product(buffers, residents):
            if second.node != first.node and second.node[: len(first.node)] == first.node:
                raise NoBufferError("what is held would be written elsewhere")
        self.buffers += buffers

    def _is_open(self, step: Step, access: Access) -> bool:
        """Whether a reference has no buffer yet, in some instances."""
        return any(access not in piece.homes for piece in self.mine[step.name])

    def _holds(self, group: Group, depth: int, names: Sequence[str]) -> list[Buffer]:
        """The buffers of a group, no body of one inside of that of another."""
        holders: list[Buffer] = []
        for name in sorted(names, key=lambda step_name: len(self.order.chunks(step_name))):
            levels = len(self.order.chunks(name))
            if not any(buffer.holds(self.order, name) for buffer in holders):
                empty = self.nest.map("")
                node = self.order.node(name, min(depth, levels + 1))
                holders.append(Buffer(group, min(depth, levels), node, empty, empty, empty))
        return holders

    def _share(self, step: Step, access: Access, home: Buffer) -> None:
        """Let a read that has no buffer yet take its cell from one, where the cell is in it."""
        relation = self.nest.access(step, access)
        held = self.bodies(home, home.touched)
        inside = relation.intersect(self.prefix(step.name, home).apply_range(held)).domain()
        if not inside.is_empty():
            self._settle(step, access, home, relation, inside)

    def _settle(
        self, step: Step, access: Access, home: Buffer, relation: Any, inside: Any = None
    ) -> None:
        """Give a reference its buffer in some instances."""
        pieces = []
        for piece in self.mine[step.name]:
            if access in piece.homes:
                pieces.append(piece)
                continue
            domain = isl.UnionSet.from_set(piece.domain)
            yes = domain if inside is None else domain.intersect(inside)
            no = domain.subtract(yes)
            if not yes.is_empty():
                part = relation.intersect_domain(yes)
                home.touched = home.touched.union(part)
                if access.writes:
                    home.written = home.written.union(part)
                else:
                    home.read = home.read.union(part)
                inside_domain = (
                    piece.domain if no.is_empty() else isl.Set.from_union_set(yes.coalesce())
                )
                pieces.append(Piece(step, inside_domain, {**piece.homes, access: home}))
            if not no.is_empty():
                outside_domain = (
                    piece.domain if yes.is_empty() else isl.Set.from_union_set(no.coalesce())
                )
                pieces.append(Piece(step, outside_domain, dict(piece.homes)))
        self.mine[step.name] = pieces

    def _moves(self, buffer: Buffer) -> None:
        """Find the cells that come in before a body, and leave after it."""
        prefixes = self._prefixes(buffer)
        same_prefix = prefixes.apply_range(prefixes.reverse())
        read, written = buffer.read, buffer.written
        if written.is_empty():
            if buffer.group.array in self.nest.kept:
                raise NoBufferError(f"{buffer.group.array} has no cells in slow memory")
            buffer.fill = self.bodies(buffer, read).coalesce()
            buffer.flush = self.nest.map("")
            return
        inside = [step.name for step in self.steps if buffer.holds(self.order, step.name)]
        own_time = self.order.time(self.nest, inside)
        before = own_time.lex_lt_union_map(own_time).intersect(same_prefix)
        known = before.reverse().apply_range(written)
        buffer.fill = self.bodies(buffer, read.subtract(known)).coalesce()
        leaving = self.nest.flow.intersect_domain(written.domain()).subtract(same_prefix).domain()
        if buffer.group.array in self.live:
            leaving = leaving.union(self.nest.last.intersect(written.domain()))
        buffer.flush = self.bodies(buffer, written.intersect_domain(leaving)).coalesce()
        if buffer.group.array in self.nest.kept and not buffer.fill.union(buffer.flush).is_empty():
            raise NoBufferError(f"{buffer.group.array} has no cells in slow memory")


def uses_of(array: str, steps: Sequence[Step]) -> list[Use]:
    """The references of some statements to an array."""
    return [(step, access) for step in steps for access in step.accesses if access.array == array]


class _Measure:
    """Finds the box in which a buffer holds its cells."""

    def __init__(self, plan: Plan, buffer: Buffer) -> None:
        self.plan, self.buffer = plan, buffer

    def take(self) -> None:
        """Set the corner and the sides."""
        if self.buffer.touched.is_empty():
            return
        cells = isl.Map.from_union_map(
            self.plan.bodies(self.buffer, self.buffer.touched).coalesce()
        )
        count = cells.dim(isl.dim_type.out)
        ends = [self._index(cells, axis, count) for axis in range(count)]
        self.buffer.corner = tuple(corner for corner, _ in ends)
        self.buffer.sides = tuple(side for _, side in ends)

    def _index(self, cells: Any, axis: int, count: int) -> tuple[Affine, int]:
        """The least value of an index in each body, and how many it may have from there."""
        out = isl.dim_type.out
        index_values = (
            cells.project_out(out, axis + 1, count - axis - 1).project_out(out, 0, axis).coalesce()
        )
        index_values = (
            index_values.reset_tuple_id(out) if index_values.has_tuple_id(out) else index_values
        )
        best: tuple[Affine, int] | None = None
        for form in dict.fromkeys(self._forms(axis)):
            ends = self._ends(index_values, form)
            if ends is not None and (best is None or ends[1] - ends[0] + 1 < best[1]):
                best = form.plus(ends[0]), ends[1] - ends[0] + 1
        if best is None:
            raise NoBufferError(f"{self.buffer.group.array} has no buffer of constant size")
        return best

    def _ends(self, values: Any, form: Affine) -> tuple[int, int] | None:
        """The least and largest difference between an index and a form, at all sizes."""
        head = self.plan.nest.head
        width = values.dim(isl.dim_type.in_)
        body = [f"p{axis}" for axis in range(width)]
        levels = {
            f"l{axis}": Affine(((f"p{2 * axis}", 1),)) for axis in range(1, self.buffer.depth + 1)
        }
        text = f"{head} -> {{ [[{','.join(body)}] -> [x]] -> [x - ({form.replaced(levels)})] }}"
        kept = self.buffer.group.array in self.plan.nest.kept  # code has these with a cache, too
        sizes = self.plan.nest.context if kept else self.plan.at
        differences = values.intersect_params(sizes).wrap().apply(isl.Map(text))
        differences = differences.project_out(
            isl.dim_type.param, 0, differences.dim(isl.dim_type.param)
        )
        low, high = differences.dim_min_val(0), differences.dim_max_val(0)
        if not (low.is_int() and high.is_int()):
            return None
        return low.to_python(), high.to_python()

    def _forms(self, axis: int) -> Iterator[Affine]:
        """Yield forms of the levels around that may be near the least value of an index."""
        plan, buffer = self.plan, self.buffer
        for step in plan.steps:
            if not buffer.holds(plan.order, step.name):
                continue
            chunks = plan.order.chunks(step.name)
            around = {
                chunk.key: f"l{place}" for place, chunk in enumerate(chunks[: buffer.depth], 1)
            }
            levels = {chunk.key: chunk.form for chunk in chunks}
            for access in step.accesses:
                if access.array == buffer.group.array:
                    parts = by_levels(access, levels)[axis]
                    left = access.indices[axis]
                    for key, factor in parts:
                        left -= levels.get(key, Affine()).times(factor)
                    remaining = {
                        name: factor for name, factor in left.terms if name.startswith("n")
                    }
                    held = {around[key]: factor for key, factor in parts if key in around}
                    yield combination(held | remaining, 0)
        yield Affine()
