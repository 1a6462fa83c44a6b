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
        self.sizes = {f"n{at}": names[name] for at, name in enumerate(self.nest.program.sizes)}
        inner = max((len(each.sides) for each in held), default=0)
        self.width = plan.order.width + 2 + inner

    def nodes(self) -> tuple[Node, ...]:
        """Return the code."""
        build = isl.AstBuild.from_context(self.nest.context).set_iterators(self._iterators())
        if self.plan.sums:  # no loop around sums is there twice, once for whole tiles alone
            every, width = ",".join(f"t{at}" for at in range(self.width)), self.plan.sums[0].width
            build = build.set_options(self.nest.map(f"[{every}] -> atomic[x] : 0 <= x < {width}"))
        node = build.node_from_schedule_map(self._schedule())
        return self._walk(node, {name: variable(of) for name, of in self.sizes.items()}, set())

    def copies(self, at: Any) -> Iterator[tuple[Buffer, tuple[Node, ...]]]:
        """Yield the loops of each fill and flush by themselves, at some sizes, to be counted."""
        for name, relation in self._copies():
            when = relation.intersect_params(at)
            if when.is_empty():
                continue
            build = isl.AstBuild.from_context(at)
            build = build.set_iterators(self._iterators())
            names = {of: variable(name) for of, name in self.sizes.items()}
            node = build.node_from_schedule_map(when.coalesce())
            nodes = self._walk(node, names, set())
            charge("code loop", loops_in(nodes))
            yield self.meaning[name][0], nodes

    def _iterators(self) -> Any:
        iterators = isl.IdList.alloc(isl.DEFAULT_CONTEXT, self.width)
        for at in range(self.width):
            iterators = iterators.add(isl.Id(f"t{at}"))
        return iterators

    def _copies(self) -> Iterator[tuple[str, Any]]:
        for at, buffer in enumerate(self.plan.buffers):
            for kind, relation in (("IN", buffer.fill), ("OUT", buffer.flush)):
                if not relation.is_empty():
                    turn = BEFORE if kind == "IN" else BEHIND
                    order = at if turn > 0 else at - len(self.plan.buffers)
                    mine = self._copy(f"{kind}{at}", buffer, relation, f"{turn}", f"{order}")
                    yield f"{kind}{at}", mine

    def _schedule(self) -> Any:
        """Return when pieces of statements are run, and when cells come and leave."""
        parts = [when for _, when in self._copies()]
        for at, sums in enumerate(self.plan.sums):
            parts.append(self._copy(f"INTO{at}", sums, sums.fill, "-1"))
            parts.append(self._copy(f"FROM{at}", sums, sums.flush, "1"))
        for at, piece in enumerate(self.plan.pieces):
            self.meaning[f"P{at}"] = piece
            chunks = [f"{each}" for each in self.plan.order.chunks(piece.step.name)]
            loops = [f"c{place}" for place in range(piece.step.depth)]
            row = piece.step.row.name
            instance = self.nest.map(f"{row} -> P{at}[{','.join((*loops, *chunks))}]")
            instance = instance.intersect_domain(isl.UnionSet.from_set(piece.domain))
            when = self._when(piece)
            parts.append(instance.reverse().apply_range(when))
        return self.nest.union(parts).coalesce()

    def _when(self, piece: Piece) -> Any:
        """Return from instances to their times."""
        time = list(self.plan.order.coordinates[piece.step.name])
        if piece.tiles is None:
            return self.nest.map(f"{piece.step.row.name} -> [{self._padded(time)}]")
        if self._are_jammed(piece):  # along rows first; each sum has a cell of its own
            time[-4], time[-2] = time[-2], time[-4]
        time.insert(piece.width, str(piece.turn))
        when = self.nest.map(f"{piece.step.row.name} -> [{self._padded(time)}]")
        names = [f"t{at}" for at in range(self.width)]
        tiles = self.nest.map(f"[{','.join(names[: piece.width])}] -> [{','.join(names)}]")
        return when.intersect_range(piece.tiles.apply(tiles))

    def _are_jammed(self, piece: Piece) -> bool:
        """Return whether a piece is whole tiles of two loops, of which the first is written out."""
        return piece.width > 0 and piece.turn == 0 and len(self._sides(piece)) == 2

    def _sides(self, piece: Piece) -> list[int]:
        """Return the sides of its tiles of sums in registers."""
        chunks = self.plan.order.chunks(piece.step.name)
        return [each.size for each in chunks if each.sums and each.size > 1]

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
        when = self.nest.map(f"{name}[{','.join((*held, *cell))}] -> [{time}]")
        return when.intersect_domain(relation.wrap().apply(moved))

    def _padded(self, time: Sequence[str]) -> str:
        return ",".join((*time, *["0"] * (self.width - len(time))))

    def _walk(self, node: Any, values: Mapping[str, Affine], taken: set[str]) -> tuple[Node, ...]:
        """Return the code of a node of isl.

        Parameters
        ----------
        node
            The node.
        values
            The names of the iterators and sizes of isl.
        taken
            Names of the loops around.
        """
        kind, kinds = node.get_type(), isl.ast_node_type
        if kind == kinds.block:
            listed = node.block_get_children()
            some = (listed.get_at(at) for at in range(listed.n_ast_node()))
            return tuple(each for one in some for each in self._walk(one, values, taken))
        if kind == kinds.for_:
            return self._loop(node, values, taken)
        if kind == kinds.if_:
            test = self._test(node.if_get_cond(), values)
            body = self._walk(node.if_get_then_node(), values, taken)
            if not node.if_has_else_node():
                return (When(test, body),)
            return (When(test, body, self._walk(node.if_get_else_node(), values, taken)),)
        return (self._line(node.user_get_expr(), values),)

    def _loop(self, node: Any, values: Mapping[str, Affine], taken: set[str]) -> tuple[Node, ...]:
        iterator = node.for_get_iterator().get_id().get_name()
        first = self._ends(node.for_get_init(), values)
        if node.for_is_degenerate():
            inner = {
                **values,
                iterator: variable(joined("MAX", first)) if len(first) > 1 else first[0],
            }
            return self._walk(node.for_get_body(), inner, taken)
        size = self._written_out(iterator, node)
        if size and len(first) == 1:
            each = ({**values, iterator: first[0].plus(at)} for at in range(size))
            body = node.for_get_body()
            return tuple(line for one in each for line in self._walk(body, one, taken))
        name = self._named(iterator, node, taken)
        cond = node.for_get_cond()
        inside = {**values, iterator: variable(name)}
        stops = self._ends(cond.get_op_arg(1), inside)
        if cond.get_op_type() == isl.ast_expr_op_type.le:
            stops = [each.plus(1) for each in stops]
        step = node.for_get_inc().get_val().to_python()
        body = self._walk(node.for_get_body(), inside, {*taken, name})
        return (For(name, joined("MAX", first), joined("MIN", stops), step, body),)

    def _written_out(self, iterator: str, node: Any) -> int:
        """Return how many values a loop has that is written out: the last of sums in registers."""
        first, *others = _calls(node)
        piece = self.meaning[_name(first.get_op_arg(0))]
        if others or not isinstance(piece, Piece) or not self._are_jammed(piece):
            return 0
        last = len(self.plan.order.paths[piece.step.name]) - 1
        return self._sides(piece)[0] if iterator == f"t{last}" else 0

    def _named(self, iterator: str, node: Any, taken: set[str]) -> str:
        """Return a name for an iterator: by the loop of the text that it goes through."""
        wanted = []
        for expression in _calls(node):
            meaning = self.meaning[_name(expression.get_op_arg(0))]
            plain = [_name(expression.get_op_arg(at)) for at in range(1, expression.get_op_n_arg())]
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
        return self.names.iterator(stem, taken)

    def _of_piece(self, piece: Piece, at: int, plain: Sequence[str], iterator: str) -> str:
        depth = piece.step.depth
        chunks = self.plan.order.chunks(piece.step.name)
        if iterator in plain[depth:]:
            chunk = chunks[plain.index(iterator, depth) - depth]
            loops = [name for name in chunk.form.names if name.startswith("c")]
            if not loops:
                return ""
            name = piece.step.loops[int(loops[-1][1:])].variable
            return name if chunk.size == 1 else f"{name}0"
        return piece.step.loops[at].variable

    def _ends(self, expression: Any, values: Mapping[str, Affine]) -> list[Affine]:
        """Return the forms of which a bound is the least or largest."""
        operation = isl.ast_expr_op_type
        if expression.get_type() == isl.ast_expr_type.op and expression.get_op_type() in (
            operation.min,
            operation.max,
        ):
            some = (expression.get_op_arg(at) for at in range(expression.get_op_n_arg()))
            return [form for each in some for form in self._ends(each, values)]
        return [self._form(expression, values)]

    def _form(self, expression: Any, values: Mapping[str, Affine]) -> Affine:
        """Return an expression as a form; parts that are not affine are names of their own."""
        kind, kinds = expression.get_type(), isl.ast_expr_type
        if kind == kinds.id:
            return values[expression.get_id().get_name()]
        if kind == kinds.int:
            return number(int(expression.get_val().to_python()))
        operation, o = expression.get_op_type(), isl.ast_expr_op_type
        args = [expression.get_op_arg(at) for at in range(expression.get_op_n_arg())]
        if operation in (o.min, o.max):
            name = "MIN" if operation == o.min else "MAX"
            return variable(joined(name, self._ends(expression, values)))
        if operation in (o.cond, o.select):
            test = self._test(args[0], values, bits=True)
            chosen = ", ".join(shown(self._form(each, values)) for each in args[1:])
            return variable(f"SELECT({test}, {chosen})")
        forms = [self._form(each, values) for each in args]
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
        """Return a condition as text; with & and | inside of a selection."""
        if expression.get_type() != isl.ast_expr_type.op:  # 1, where isl sees that it always holds
            return compared(self._form(expression, values), "!=", number(0))
        operation, o = expression.get_op_type(), isl.ast_expr_op_type
        args = [expression.get_op_arg(at) for at in range(expression.get_op_n_arg())]
        both, either = (o.and_, o.and_then), (o.or_, o.or_else)
        if operation in both + either:
            sign = ("&" if bits else "&&") if operation in both else ("|" if bits else "||")
            parts = []
            for each in args:
                text = self._test(each, values, bits=bits)
                other = either if operation in both else both
                mixed = each.get_type() == isl.ast_expr_type.op and each.get_op_type() in other
                parts.append(f"({text})" if bits or mixed else text)
            return f" {sign} ".join(parts)
        signs = {o.eq: "==", o.le: "<=", o.lt: "<", o.ge: ">=", o.gt: ">"}
        if operation not in signs:
            raise EmissionError("isl makes a condition that is not printed")
        left, right = (self._form(each, values) for each in args)
        return compared(left, signs[operation], right)

    def _line(self, expression: Any, values: Mapping[str, Affine]) -> Line:
        """Return a statement, or the copy of a cell."""
        name = _name(expression.get_op_arg(0))
        args = [
            self._form(expression.get_op_arg(at), values)
            for at in range(1, expression.get_op_n_arg())
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
        """Return a cell in its buffer."""
        levels = {f"l{at}": form for at, form in enumerate(held, 1)}
        levels |= {name: variable(of) for name, of in self.sizes.items()}
        indices = [cell[at] - buffer.corner[at].replaced(levels) for at in buffer.places]
        return self.buffer_names[id(buffer)] + "".join(f"[{shown(each)}]" for each in indices)

    def _statement(self, piece: Piece, args: Sequence[Affine]) -> Line:
        step, depth = piece.step, piece.step.depth
        loops = {f"c{at}": form for at, form in enumerate(args[:depth])}
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
        kept = [each for each in step.accesses if each.array not in self.nest.constants]
        shown_ = [f"(long)&{cells[each.reference]}" for each in kept]
        told = ", ".join([*(shown(each) for each in args[:depth]), *shown_])
        is_kept = step.assign.target.array not in self.nest.constants
        trace = f"{text} did({step.row.number}, {depth + len(kept)}, (long[]){{{told}}});"
        return Line(text, 0, 0, trace if is_kept else "")


def updated(
    assign: Assign,
    cells: Mapping[Reference, str],
    integer: Callable[[Affine], str],
    printer: Expressions,
) -> str:
    """Return a statement of C: an update where the target is the first operand."""
    target, some, line = assign.target, assign.expression, assign.line
    if isinstance(some, Operation) and some.name in UPDATES and len(some.operands) == 2:
        first, rest = some.operands
        if first == target:
            return (
                f"{cells[target]} {UPDATES[some.name]} {printer.text(rest, cells, integer, line)};"
            )
    return f"{cells[target]} = {printer.text(some, cells, integer, line)};"


def _calls(node: Any) -> list[Any]:
    """Return the calls of statements and copies in a node."""
    kind, kinds = node.get_type(), isl.ast_node_type
    if kind == kinds.block:
        listed = node.block_get_children()
        return [call for at in range(listed.n_ast_node()) for call in _calls(listed.get_at(at))]
    if kind == kinds.for_:
        return _calls(node.for_get_body())
    if kind == kinds.if_:
        rest = _calls(node.if_get_else_node()) if node.if_has_else_node() else []
        return _calls(node.if_get_then_node()) + rest
    return [node.user_get_expr()]


def _name(expression: Any) -> str:
    is_id = expression.get_type() == isl.ast_expr_type.id
    return expression.get_id().get_name() if is_id else ""
