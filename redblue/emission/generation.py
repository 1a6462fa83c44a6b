"""Loops of C for a plan of buffers: isl generates them, and they are named and simplified here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from dags.programs.affine import Affine, number, variable
from dags.programs.canonical.mapping import Cells
from dags.programs.integer_sets import isl
from dags.programs.nest import Assign, Operation, Reference
from dags.work import charge
from redblue.emission.buffers import Buffer, Piece, Plan
from redblue.emission.expressions import EmissionError, Expressions, compared, joined, shown
from redblue.emission.names import Names
from redblue.emission.nodes import For, Line, Node, When, loops_in

BEFORE, BEHIND = -1, 1 << 20  # numbers of fills and flushes among those of statements
UPDATES: Final = {"Add": "+=", "Sub": "-=", "Mult": "*=", "Div": "/="}
COPIED: Final = "rcpqvwxy"  # names of indices in copies
COMPARED: Final = ("eq", "le", "lt", "ge", "gt")


class Generation:
    """The code of one plan.

    Parameters
    ----------
    plan
        The pieces of statements, and the buffers.
    names
        C's names of arrays, scalars and sizes.
    buffer_names
        Names of the buffers, in their order.
    cells
        Where cells of arrays are that are those of others.
    """

    def __init__(
        self,
        plan: Plan,
        names: Names,
        buffer_names: Sequence[str],
        cells: Mapping[str, Cells] | None = None,
    ) -> None:
        self.cells = cells or {}
        self.plan, self.nest, self.names = plan, plan.nest, names
        held = (*plan.buffers, *plan.sums)
        self.buffer_names = dict(zip(map(id, held), buffer_names, strict=False))
        self.sums = {*map(id, plan.sums)}
        self.print = Expressions(self.nest.program)
        self.meaning: dict[str, Any] = {}  # a piece, or a buffer and whether its cells come
        self.sizes = {
            f"n{number}": names[name] for number, name in enumerate(self.nest.program.sizes)
        }
        inner = max((len(buffer.sides) for buffer in held), default=0)
        self.width = plan.order.width + 2 + inner

    def nodes(self) -> tuple[Node, ...]:
        """The code."""
        build = isl.AstBuild.from_context(self.nest.context).set_iterators(self._iterators())
        if self.plan.sums:  # no loop around sums is there twice, once for whole tiles alone
            times, width = (
                ",".join(f"t{number}" for number in range(self.width)),
                self.plan.sums[0].width,
            )
            build = build.set_options(self.nest.map(f"[{times}] -> atomic[x] : 0 <= x < {width}"))
        node = build.node_from_schedule_map(self._schedule())
        return self._walk(node, {name: variable(of) for name, of in self.sizes.items()}, set())

    def copies(self, sizes: Any) -> Iterator[tuple[Buffer, tuple[Node, ...]]]:
        """Yield the loops of each fill and flush by themselves, at some sizes, to be counted."""
        for name, relation in self._copies():
            domain = relation.intersect_params(sizes)
            if domain.is_empty():
                continue
            build = isl.AstBuild.from_context(sizes)
            build = build.set_iterators(self._iterators())
            names = {of: variable(name) for of, name in self.sizes.items()}
            node = build.node_from_schedule_map(domain.coalesce())
            nodes = self._walk(node, names, set())
            charge("code loop", loops_in(nodes))
            yield self.meaning[name][0], nodes

    def _iterators(self) -> Any:
        iterators = isl.IdList.alloc(isl.DEFAULT_CONTEXT, self.width)
        for place in range(self.width):
            iterators = iterators.add(isl.Id(f"t{place}"))
        return iterators

    def _copies(self) -> Iterator[tuple[str, Any]]:
        for place, buffer in enumerate(self.plan.buffers):
            for kind, relation in (("IN", buffer.fill), ("OUT", buffer.flush)):
                if not relation.is_empty():
                    turn = BEFORE if kind == "IN" else BEHIND
                    order = place if turn > 0 else place - len(self.plan.buffers)
                    copies_of_buffer = self._copy(
                        f"{kind}{place}", buffer, relation, f"{turn}", f"{order}"
                    )
                    yield f"{kind}{place}", copies_of_buffer

    def _schedule(self) -> Any:
        """Return when pieces of statements are run, and when cells come and leave."""
        parts = [time_map for _, time_map in self._copies()]
        for place, sums in enumerate(self.plan.sums):
            parts.append(self._copy(f"INTO{place}", sums, sums.fill, "-1"))
            parts.append(self._copy(f"FROM{place}", sums, sums.flush, "1"))
        for place, piece in enumerate(self.plan.pieces):
            self.meaning[f"P{place}"] = piece
            chunks = [f"{chunk}" for chunk in self.plan.order.chunks(piece.step.name)]
            loops = [f"c{loop}" for loop in range(piece.step.depth)]
            row = piece.step.row.name
            instance = self.nest.map(f"{row} -> P{place}[{','.join((*loops, *chunks))}]")
            instance = instance.intersect_domain(isl.UnionSet.from_set(piece.domain))
            times = self._when(piece)
            parts.append(instance.reverse().apply_range(times))
        return self.nest.union(parts).coalesce()

    def _when(self, piece: Piece) -> Any:
        """Return from instances to their times."""
        time = list(self.plan.order.coordinates[piece.step.name])
        if piece.tiles is None:
            return self.nest.map(f"{piece.step.row.name} -> [{self._padded(time)}]")
        if self._are_jammed(piece):  # along rows first; each sum has a cell of its own
            time[-4], time[-2] = time[-2], time[-4]
        time.insert(piece.width, str(piece.turn))
        times = self.nest.map(f"{piece.step.row.name} -> [{self._padded(time)}]")
        names = [f"t{number}" for number in range(self.width)]
        tiles = self.nest.map(f"[{','.join(names[: piece.width])}] -> [{','.join(names)}]")
        return times.intersect_range(piece.tiles.apply(tiles))

    def _are_jammed(self, piece: Piece) -> bool:
        """Whether a piece is whole tiles of two loops, of which the first is written out."""
        return piece.width > 0 and piece.turn == 0 and len(self._sides(piece)) == 2

    def _sides(self, piece: Piece) -> list[int]:
        """The sides of its tiles of sums in registers."""
        chunks = self.plan.order.chunks(piece.step.name)
        return [chunk.size for chunk in chunks if chunk.sums and chunk.size > 1]

    def _copy(self, name: str, buffer: Buffer, relation: Any, *turns: str) -> Any:
        self.meaning[name] = buffer, name.startswith("IN")
        body = [f"p{place}" for place in range(buffer.width)]
        cell = [f"x{place}" for place in range(len(buffer.sides))]
        held = body[2::2]
        array = self.nest.tuple_of(buffer.group.array)
        moved = self.nest.map(
            f"[[{','.join(body)}] -> {array}[{','.join(cell)}]] -> "
            f"{name}[{','.join((*held, *cell))}]"
        )
        numbers = [*map(str, buffer.node)]
        path = [numbers[0]]
        for level, inside in zip(held, numbers[1:], strict=False):
            path += [inside, level]
        path += numbers[1 + buffer.depth :]
        time = self._padded((*path, *turns, *cell))
        times = self.nest.map(f"{name}[{','.join((*held, *cell))}] -> [{time}]")
        return times.intersect_domain(relation.wrap().apply(moved))

    def _padded(self, time: Sequence[str]) -> str:
        return ",".join((*time, *["0"] * (self.width - len(time))))

    def _walk(
        self, node: Any, values: Mapping[str, Affine], names_taken: set[str]
    ) -> tuple[Node, ...]:
        """The code of a node of isl.

        Parameters
        ----------
        node
            The node.
        values
            The names of the iterators and sizes of isl.
        names_taken
            Names of the loops around.
        """
        kind, kinds = node.get_type(), isl.ast_node_type
        if kind == kinds.block:
            listed = node.block_get_children()
            children = (listed.get_at(number) for number in range(listed.n_ast_node()))
            return tuple(
                line for child in children for line in self._walk(child, values, names_taken)
            )
        if kind == kinds.for_:
            return self._loop(node, values, names_taken)
        if kind == kinds.if_:
            test = self._test(node.if_get_cond(), values)
            body = self._walk(node.if_get_then_node(), values, names_taken)
            if not node.if_has_else_node():
                return (When(test, body),)
            return (When(test, body, self._walk(node.if_get_else_node(), values, names_taken)),)
        return (self._line(node.user_get_expr(), values),)

    def _loop(
        self, node: Any, values: Mapping[str, Affine], names_taken: set[str]
    ) -> tuple[Node, ...]:
        iterator = node.for_get_iterator().get_id().get_name()
        first = self._ends(node.for_get_init(), values)
        if node.for_is_degenerate():
            inner = {
                **values,
                iterator: variable(joined("MAX", first)) if len(first) > 1 else first[0],
            }
            return self._walk(node.for_get_body(), inner, names_taken)
        size = self._written_out(iterator, node)
        if size and len(first) == 1:
            bindings = ({**values, iterator: first[0].plus(offset)} for offset in range(size))
            body = node.for_get_body()
            return tuple(
                line for binding in bindings for line in self._walk(body, binding, names_taken)
            )
        name = self._named(iterator, node, names_taken)
        cond = node.for_get_cond()
        inside = {**values, iterator: variable(name)}
        stops = self._ends(cond.get_op_arg(1), inside)
        if cond.get_op_type() == isl.ast_expr_op_type.le:
            stops = [stop.plus(1) for stop in stops]
        step = node.for_get_inc().get_val().to_python()
        body = self._walk(node.for_get_body(), inside, {*names_taken, name})
        return (For(name, joined("MAX", first), joined("MIN", stops), step, body),)

    def _written_out(self, iterator: str, node: Any) -> int:
        """How many values a loop has that is written out: the last of sums in registers."""
        first, *further = _calls(node)
        piece = self.meaning[_name(first.get_op_arg(0))]
        if further or not isinstance(piece, Piece) or not self._are_jammed(piece):
            return 0
        last = len(self.plan.order.paths[piece.step.name]) - 1
        return self._sides(piece)[0] if iterator == f"t{last}" else 0

    def _named(self, iterator: str, node: Any, names_taken: set[str]) -> str:
        """A name for an iterator: by the loop of the text that it goes through."""
        wanted = []
        for expression in _calls(node):
            meaning = self.meaning[_name(expression.get_op_arg(0))]
            plain = [
                _name(expression.get_op_arg(position))
                for position in range(1, expression.get_op_n_arg())
            ]
            if iterator not in plain:
                continue
            if isinstance(meaning, Piece):
                wanted.append(self._of_piece(meaning, plain.index(iterator), plain, iterator))
            else:
                place = plain.index(iterator) - meaning[0].depth
                if place >= 0:
                    wanted.append(COPIED[place] if place < len(COPIED) else "x")
                else:
                    wanted.append("")
        stem = next(filter(None, wanted), "t")
        return self.names.iterator(stem, names_taken)

    def _of_piece(self, piece: Piece, level: int, plain: Sequence[str], iterator: str) -> str:
        depth = piece.step.depth
        chunks = self.plan.order.chunks(piece.step.name)
        if iterator in plain[depth:]:
            chunk = chunks[plain.index(iterator, depth) - depth]
            loops = [name for name in chunk.form.names if name.startswith("c")]
            if not loops:
                return ""
            name = piece.step.loops[int(loops[-1][1:])].variable
            return name if chunk.size == 1 else f"{name}0"
        return piece.step.loops[level].variable

    def _ends(self, expression: Any, values: Mapping[str, Affine]) -> list[Affine]:
        """The forms of which a bound is the least or largest."""
        operation = isl.ast_expr_op_type
        if expression.get_type() == isl.ast_expr_type.op and expression.get_op_type() in (
            operation.min,
            operation.max,
        ):
            arguments = (
                expression.get_op_arg(position) for position in range(expression.get_op_n_arg())
            )
            return [form for argument in arguments for form in self._ends(argument, values)]
        return [self._form(expression, values)]

    def _form(self, expression: Any, values: Mapping[str, Affine]) -> Affine:
        """An expression as a form; parts that are not affine are names of their own."""
        kind, kinds = expression.get_type(), isl.ast_expr_type
        if kind == kinds.id:
            return values[expression.get_id().get_name()]
        if kind == kinds.int:
            return number(int(expression.get_val().to_python()))
        operation, o = expression.get_op_type(), isl.ast_expr_op_type
        args = [expression.get_op_arg(position) for position in range(expression.get_op_n_arg())]
        if operation in (o.min, o.max):
            name = "MIN" if operation == o.min else "MAX"
            return variable(joined(name, self._ends(expression, values)))
        if operation in (o.cond, o.select):
            test = self._test(args[0], values, bits=True)
            chosen = ", ".join(shown(self._form(argument, values)) for argument in args[1:])
            return variable(f"SELECT({test}, {chosen})")
        forms = [self._form(argument, values) for argument in args]
        if operation == o.add:
            return forms[0] + forms[1]
        if operation == o.sub:
            return forms[0] - forms[1]
        if operation == o.minus:
            return forms[0].times(-1)
        if operation == o.mul and not (forms[0].terms and forms[1].terms):
            return (
                forms[1].times(forms[0].constant)
                if not forms[0].terms
                else forms[0].times(forms[1].constant)
            )
        function = {
            o.fdiv_q: "FLOORD",
            o.pdiv_q: "FLOORD",
            o.div: "FLOORD",
            o.pdiv_r: "MOD",
            o.zdiv_r: "MOD",
        }.get(operation)
        if function is None:
            raise EmissionError("isl makes an expression that is not printed: ")
        return variable(f"{function}({shown(forms[0])}, {shown(forms[1])})")

    def _test(self, expression: Any, values: Mapping[str, Affine], *, bits: bool = False) -> str:
        """A condition as text; with & and | inside of a selection."""
        if expression.get_type() != isl.ast_expr_type.op:  # 1, where isl sees that it always holds
            return compared(self._form(expression, values), "!=", number(0))
        operation, o = expression.get_op_type(), isl.ast_expr_op_type
        args = [expression.get_op_arg(position) for position in range(expression.get_op_n_arg())]
        conjunctions, either = (o.and_, o.and_then), (o.or_, o.or_else)
        if operation in conjunctions + either:
            sign = ("&" if bits else "&&") if operation in conjunctions else ("|" if bits else "||")
            parts = []
            for argument in args:
                text = self._test(argument, values, bits=bits)
                opposite = either if operation in conjunctions else conjunctions
                mixed = (
                    argument.get_type() == isl.ast_expr_type.op
                    and argument.get_op_type() in opposite
                )
                parts.append(f"({text})" if bits or mixed else text)
            return f" {sign} ".join(parts)
        signs = {o.eq: "==", o.le: "<=", o.lt: "<", o.ge: ">=", o.gt: ">"}
        if operation not in signs:
            raise EmissionError("isl makes a condition that is not printed")
        left, right = (self._form(argument, values) for argument in args)
        return compared(left, signs[operation], right)

    def _line(self, expression: Any, values: Mapping[str, Affine]) -> Line:
        """A statement, or the copy of a cell."""
        name = _name(expression.get_op_arg(0))
        args = [
            self._form(expression.get_op_arg(position), values)
            for position in range(1, expression.get_op_n_arg())
        ]
        meaning = self.meaning[name]
        if isinstance(meaning, Piece):
            return self._statement(meaning, args)
        buffer, comes = meaning
        held, cell = args[: buffer.depth], args[buffer.depth :]
        inside, outside = (
            self._held(buffer, cell, held),
            self.names.cell(buffer.group.array, cell, self.cells),
        )
        if id(buffer) in self.sums:
            if buffer.around is not None:
                outside = self._held(buffer.around, cell, held[: buffer.around.depth])
            to, source = (inside, outside) if comes else (outside, inside)
            return Line(f"{to} = {source};", trace=f"same(&{to}, &{source});")
        if comes:
            return Line(f"{inside} = LOAD({outside});", 1, 0, f"got(&{inside}, &{outside});")
        return Line(f"STORE({outside}, {inside});", 0, 1, f"put(&{outside}, &{inside});")

    def _held(self, buffer: Buffer, cell: Sequence[Affine], held: Sequence[Affine]) -> str:
        """A cell in its buffer."""
        levels = {f"l{number}": form for number, form in enumerate(held, 1)}
        levels |= {name: variable(of) for name, of in self.sizes.items()}
        indices = [cell[axis] - buffer.corner[axis].replaced(levels) for axis in buffer.places]
        return self.buffer_names[id(buffer)] + "".join(f"[{shown(index)}]" for index in indices)

    def _statement(self, piece: Piece, args: Sequence[Affine]) -> Line:
        step, depth = piece.step, piece.step.depth
        loops = {f"c{number}": form for number, form in enumerate(args[:depth])}
        loops |= {name: variable(of) for name, of in self.sizes.items()}
        cells = {}
        for access in step.accesses:
            index = [form.replaced(loops) for form in access.indices]
            home = piece.homes.get(access)
            if home is not None:
                cells[access.reference] = self._held(home, index, args[depth:][: home.depth])
            else:
                cells[access.reference] = self.names.cell(access.array, index, self.cells)
        text = updated(
            step.assign,
            cells,
            lambda form: shown(form.replaced(step.names).replaced(loops)),
            self.print,
        )
        kept = [access for access in step.accesses if access.array not in self.nest.constants]
        shown_ = [f"(long)&{cells[access.reference]}" for access in kept]
        arguments = ", ".join([*(shown(argument) for argument in args[:depth]), *shown_])
        is_kept = step.assign.target.array not in self.nest.constants
        trace = f"{text} did({step.row.number}, {depth + len(kept)}, (long[]){{{arguments}}});"
        return Line(text, 0, 0, trace if is_kept else "")


def updated(
    assign: Assign,
    cells: Mapping[Reference, str],
    integer: Callable[[Affine], str],
    printer: Expressions,
) -> str:
    """A statement of C: an update where the target is the first operand."""
    target, expression, line = assign.target, assign.expression, assign.line
    if (
        isinstance(expression, Operation)
        and expression.name in UPDATES
        and len(expression.operands) == 2
    ):
        first, further = expression.operands
        if first == target:
            return (
                f"{cells[target]} {UPDATES[expression.name]} "
                f"{printer.text(further, cells, integer, line)};"
            )
    return f"{cells[target]} = {printer.text(expression, cells, integer, line)};"


def _calls(node: Any) -> list[Any]:
    """The calls of statements and copies in a node."""
    kind, kinds = node.get_type(), isl.ast_node_type
    if kind == kinds.block:
        listed = node.block_get_children()
        return [
            call
            for position in range(listed.n_ast_node())
            for call in _calls(listed.get_at(position))
        ]
    if kind == kinds.for_:
        return _calls(node.for_get_body())
    if kind == kinds.if_:
        calls = _calls(node.if_get_else_node()) if node.if_has_else_node() else []
        return _calls(node.if_get_then_node()) + calls
    return [node.user_get_expr()]


def _name(expression: Any) -> str:
    is_id = expression.get_type() == isl.ast_expr_type.id
    return expression.get_id().get_name() if is_id else ""
