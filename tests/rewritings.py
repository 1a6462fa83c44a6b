"""Loop nests that are drawn, and rewritten by steps that leave their DAG as it is, but for T3.

A nest is a tree of loops and statements, printed as C. Each step takes a tree and returns another:
arrays become flat, loops are tiled, unrolled with a rest, exchanged or run down, sums get a scalar,
products a name, and everything other names.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

Form = tuple[tuple[str, int], ...]  # of variables their factors; "" for the constant


@dataclass(frozen=True)
class Cell:
    """A cell of an array, or a scalar."""

    array: str
    indices: tuple[Form, ...] = ()


@dataclass(frozen=True)
class Line:
    """``target = sum so far + a * b``, or ``target = g(a, b)``, or a copy."""

    target: Cell
    reads: tuple[Cell, ...]
    kind: str  # "sum", "call", "product" or "copy"
    declared: bool = False


@dataclass(frozen=True)
class For:
    """A loop; ends are printed as they are."""

    variable: str
    low: str
    high: str
    body: tuple["Node", ...]
    step: int = 1
    down: bool = False
    extent: int = 0  # 0 where it is part of a tile
    free: bool = False  # whether its iterations may run in any order


Node = For | Line


@dataclass(frozen=True)
class Text:
    """A nest and the way it is printed."""

    body: tuple[Node, ...]
    sides: Mapping[str, tuple[int, ...]]
    flat: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[str, ...] = ()

    @property
    def c(self) -> str:
        """The text in C."""
        arrays = ", ".join(
            f"double *{self.name(array)}"
            if array in self.flat
            else f"double {self.name(array)}" + "".join(f"[{side}]" for side in sides)
            for array, sides in self.sides.items()
        )
        body = "\n".join(line for node in self.body for line in self._lines(node, 1))
        return f"#define MIN(a, b) ((a) < (b) ? (a) : (b))\nvoid f({arrays}) {{\n{body}\n}}\n"

    def name(self, name: str) -> str:
        """The name as it is printed."""
        return self.names.get(name, name)

    def _lines(self, node: Node, depth: int) -> Iterator[str]:
        indent = "  " * depth
        if isinstance(node, Line):
            yield indent + self._statement(node)
            return
        v = self.name(node.variable)
        low, high = self._printed(node.low), self._printed(node.high)
        head = f"for (int {v} = {low}; {v} < {high}; {v} += {node.step})"
        if node.down:
            head = f"for (int {v} = {high} - 1; {v} >= {low}; {v}--)"
        yield f"{indent}{head} {{"
        for child in node.body:
            yield from self._lines(child, depth + 1)
        yield indent + "}"

    def _statement(self, line: Line) -> str:
        target = self._cell(line.target)
        reads = [self._cell(cell) for cell in line.reads]
        kind = "double " if line.declared else ""
        if line.kind == "sum":
            return f"{target} += {' * '.join(reads)};"
        if line.kind == "product":
            return f"{kind}{target} = {' * '.join(reads)};"
        if line.kind == "copy":
            return f"{kind}{target} = {reads[0]};"
        return f"{kind}{target} = g({', '.join(reads)});"

    def _cell(self, cell: Cell) -> str:
        forms = [self._form(form) for form in cell.indices]
        name = self.name(cell.array)
        if cell.array not in self.flat:
            return name + "".join(f"[{form}]" for form in forms)
        index = forms[0]
        for side, form in zip(self.sides[cell.array][1:], forms[1:], strict=True):
            index = f"({index})*{side} + {form}"
        return f"{name}[{index}]"

    def _form(self, form: Form) -> str:
        parts = []
        for name, factor in form:
            term = (
                str(factor)
                if not name
                else f"{factor}*{self.name(name)}"
                if factor != 1
                else self.name(name)
            )
            parts.append(term)
        return " + ".join(parts) or "0"

    def _printed(self, end: str) -> str:
        return " ".join(self.name(word) for word in end.split())


def drawn(rng: random.Random) -> Text:
    """A nest: sums of products, calls of neighbours, in time or one after the other."""
    kind = rng.choice(["sums", "sums", "sums", "calls", "both", "time"])
    if kind == "sums":
        return sums(rng, "C")
    if kind == "calls":
        return calls(rng, "B", "A", 1)
    if kind == "time":
        return calls(rng, "B", "A", rng.randint(2, 3))
    products, neighbours = sums(rng, "C"), calls(rng, "E", "F", 1)
    return Text((*products.body, *neighbours.body), {**products.sides, **neighbours.sides})


def sums(rng: random.Random, target: str) -> Text:
    """A sum of products: an array for each pair of loops, or a window."""
    names = "ijk" if rng.random() < 0.7 else "ijkl"
    extents = {name: rng.randint(2, 6) for name in names}
    loose = names[: rng.randint(1, 2)]  # loops of what is written
    summed = [name for name in names if name not in loose]
    first = _index(loose[0], summed[0], rng)
    reads = [
        (first, *(_form({name: 1}) for name in summed[1:])),
        tuple(_form({name: 1}) for name in (*summed, *loose[1:])),
    ]
    cells = [Cell(name, indices) for name, indices in zip("XY", reads, strict=True)]
    line = Line(Cell(target, tuple(_form({name: 1}) for name in loose)), tuple(cells), "sum")
    node: Node = line
    for name in reversed(names):
        extent = extents[name]
        node = For(name, "0", str(extent), (node,), extent=extent, free=name in loose)
    sides = {cell.array: _sides(cell, extents) for cell in (line.target, *cells)}
    return Text((node,), sides)


def calls(rng: random.Random, target: str, source: str, times: int) -> Text:
    """Calls of neighbours, by turns in two arrays over time."""
    extents = {"p": rng.randint(3, 6), "q": rng.randint(3, 6)}
    far = [(rng.randint(0, 2), rng.randint(0, 2)) for _ in range(rng.randint(1, 3))]
    sides = (extents["p"] + 2, extents["q"] + 2)

    def sweep(output: str, operand: str) -> Node:
        reads = tuple(
            Cell(operand, (_form({"p": 1, "": a}), _form({"q": 1, "": b})))
            for a, b in dict.fromkeys(far)
        )
        node: Node = Line(
            Cell(output, (_form({"p": 1, "": 1}), _form({"q": 1, "": 1}))), reads, "call"
        )
        for name in "qp":
            extent = extents[name]
            node = For(name, "0", str(extent), (node,), extent=extent, free=True)
        return node

    body: tuple[Node, ...] = (sweep(target, source),)
    if times > 1:
        body = (For("t", "0", str(times), (*body, sweep(source, target)), extent=times),)
    return Text(body, {target: sides, source: sides})


def _index(loop: str, window: str, rng: random.Random) -> Form:
    return _form({loop: 1, window: rng.choice([1, 1, 2])} if rng.random() < 0.3 else {loop: 1})


def _form(factors: Mapping[str, int]) -> Form:
    return tuple((name, factor) for name, factor in factors.items() if factor)


def _sides(cell: Cell, extents: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(
        1 + sum(factor * (extents[name] - 1) if name else factor for name, factor in form)
        for form in cell.indices
    )


def rewritten(rng: random.Random, text: Text, steps: int) -> Text:
    """A text after some steps that are possible."""
    for _ in range(steps):
        name = rng.choice([*STEPS])
        result = STEPS[name](rng, text)
        if result is not None:
            text = replace(result, steps=(*text.steps, name))
    return text


def flattened(rng: random.Random, text: Text) -> Text | None:
    """A text with a flat array."""
    arrays = [
        name for name, sides in text.sides.items() if len(sides) > 1 and name not in text.flat
    ]
    return replace(text, flat=text.flat | {rng.choice(arrays)}) if arrays else None


def renamed(rng: random.Random, text: Text) -> Text | None:
    """A text with other names."""
    names = ["i", "j", "k", "l", "p", "q", "t", *text.sides]
    new_names = [
        f"{rng.choice(['row', 'x', 'Data', 'm_'])}{number}" for number in range(len(names))
    ]
    rng.shuffle(new_names)
    return replace(text, names=dict(zip(names, new_names, strict=True)))


def _changed(
    rng: random.Random, text: Text, change: Callable[[For], tuple[Node, ...] | None]
) -> Text | None:
    """A text with nodes in the place of one loop, drawn among those that are changed."""
    places = [path for path, node in _loops(text.body, ()) if change(node) is not None]
    if not places:
        return None
    path = rng.choice(places)

    def below(body: tuple[Node, ...], remaining: tuple[int, ...]) -> tuple[Node, ...]:
        place, node = remaining[0], body[remaining[0]]
        assert isinstance(node, For)
        if len(remaining) > 1:
            return (
                *body[:place],
                replace(node, body=below(node.body, remaining[1:])),
                *body[place + 1 :],
            )
        return (*body[:place], *(change(node) or ()), *body[place + 1 :])

    return replace(text, body=below(text.body, path))


def _loops(body: tuple[Node, ...], path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], For]]:
    for place, node in enumerate(body):
        if isinstance(node, For):
            yield (*path, place), node
            yield from _loops(node.body, (*path, place))


def reversed_(rng: random.Random, text: Text) -> Text | None:
    """A text with a loop that runs down."""
    return _changed(
        rng,
        text,
        lambda loop: (
            (replace(loop, down=True),) if loop.free and loop.step == 1 and not loop.down else None
        ),
    )


def interchanged(rng: random.Random, text: Text) -> Text | None:
    """A text with two loops exchanged, of which one may run in any order."""

    def change(loop: For) -> tuple[Node, ...] | None:
        if len(loop.body) != 1 or not isinstance(loop.body[0], For):
            return None
        inner = loop.body[0]
        words = {*f"{inner.low} {inner.high}".split()}
        if not (loop.free or inner.free) or loop.variable in words:
            return None
        return (replace(inner, body=(replace(loop, body=inner.body),)),)

    return _changed(rng, text, change)


def tiled(rng: random.Random, text: Text) -> Text | None:
    """A text with a loop over tiles around a loop, with or without a rest."""
    width = rng.randint(2, 3)

    def change(loop: For) -> tuple[Node, ...] | None:
        if not loop.extent or loop.down or loop.step > 1 or loop.low != "0":
            return None
        tile = f"{loop.variable}{loop.variable}"
        end = f"{tile} + {width}"
        if loop.extent % width:
            end = f"MIN( {tile} + {width} , {loop.high} )"
        inner = replace(loop, low=tile, high=end, extent=0)
        return (For(tile, "0", loop.high, (inner,), step=width, extent=0, free=loop.free),)

    return _changed(rng, text, change)


def unrolled(rng: random.Random, text: Text) -> Text | None:
    """A text with an innermost loop unrolled, and the rest behind it."""
    times = rng.randint(2, 3)

    def change(loop: For) -> tuple[Node, ...] | None:
        lines = [line for line in loop.body if isinstance(line, Line)]
        full = loop.extent and not loop.down and loop.step == 1 and loop.low == "0"
        if not full or len(lines) < len(loop.body) or any(line.declared for line in lines):
            return None
        if loop.extent < times:
            return None
        copies = tuple(
            moved(line, loop.variable, place) for place in range(times) for line in lines
        )
        last = loop.extent - loop.extent % times
        loops: tuple[Node, ...] = (
            replace(loop, high=str(last), step=times, body=copies, extent=0),
        )
        if last < loop.extent:
            loops += (replace(loop, low=str(last), extent=0),)
        return loops

    return _changed(rng, text, change)


def moved(line: Line, name: str, factor: int) -> Line:
    """A statement some iterations on."""

    def cell(entry: Cell) -> Cell:
        return Cell(entry.array, tuple(form(index) for index in entry.indices))

    def form(index: Form) -> Form:
        factors = dict(index)
        if name in factors:
            factors[""] = factors.get("", 0) + factor * factors[name]
        return _form(factors)

    return replace(line, target=cell(line.target), reads=tuple(map(cell, line.reads)))


def named_product(rng: random.Random, text: Text) -> Text | None:
    """A text whose products have a name."""

    def change(loop: For) -> tuple[Node, ...] | None:
        if len(loop.body) != 1 or not isinstance(loop.body[0], Line):
            return None
        line = loop.body[0]
        if line.kind != "sum" or len(line.reads) < 2:
            return None
        name = Cell("product")
        lines = (
            Line(name, line.reads, "product", declared=True),
            replace(line, reads=(name,)),
        )
        return (replace(loop, body=lines),)

    return _changed(rng, text, change)


def scalar_sum(rng: random.Random, text: Text) -> Text | None:
    """A text whose innermost sum is kept in a scalar."""

    def change(loop: For) -> tuple[Node, ...] | None:
        if not all(isinstance(line, Line) for line in loop.body):
            return None
        last = loop.body[-1]
        assert isinstance(last, Line)
        names = {name for form in last.target.indices for name, _ in form}
        if last.kind != "sum" or loop.variable in names or not last.target.indices:
            return None
        if any(line.target != last.target for line in loop.body if line.kind == "sum"):  # type: ignore[union-attr]  # lines
            return None
        total = Cell("total")
        body = tuple(
            replace(line, target=total) if line.kind == "sum" else line  # type: ignore[union-attr]  # lines
            for line in loop.body
        )
        return (
            Line(total, (last.target,), "copy", declared=True),
            replace(loop, body=body),
            Line(last.target, (total,), "copy"),
        )

    return _changed(rng, text, change)


def copied_operand(rng: random.Random, text: Text) -> Text | None:
    """A text that keeps an operand of a sum in a scalar, around loops that leave it."""

    def change(loop: For) -> tuple[Node, ...] | None:
        if len(loop.body) != 1:
            return None
        inner: set[str] = set()
        node: Node = loop.body[0]
        while isinstance(node, For) and len(node.body) == 1:
            inner.add(node.variable)
            node = node.body[0]
        if not isinstance(node, Line) or node.kind != "sum" or len(node.reads) < 2:
            return None
        left = [
            cell
            for cell in node.reads
            if inner.isdisjoint(name for form in cell.indices for name, _ in form)
        ]
        if not left or not left[0].indices:
            return None
        name = Cell("operand")
        reads = tuple(name if cell == left[0] else cell for cell in node.reads)

        def with_line(chosen: Node) -> Node:
            if isinstance(chosen, Line):
                return replace(chosen, reads=reads)
            return replace(chosen, body=tuple(map(with_line, chosen.body)))

        copy = Line(name, (left[0],), "copy", declared=True)
        return (replace(loop, body=(copy, *map(with_line, loop.body))),)

    if "copy an operand" in text.steps:
        return None
    return _changed(rng, text, change)


STEPS: Final = {
    "flatten": flattened,
    "rename": renamed,
    "reverse": reversed_,
    "interchange": interchanged,
    "tile": tiled,
    "unroll": unrolled,
    "name a product": named_product,
    "scalar sum": scalar_sum,
    "copy an operand": copied_operand,
}
