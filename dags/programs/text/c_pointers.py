"""Changes of names in a function of C: which pointers move, and which change places in a loop."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pycparser import c_ast

STEPS = ("++", "--", "p++", "p--")


@dataclass
class Changes:
    """The names that a function assigns to as a whole.

    Parameters
    ----------
    assigned
        How often each name is assigned to by ``=``.
    stepped
        Names that are changed by another operator, or counted.
    exchanged
        Names that change places with others in some loop.
    counted
        Names that loops count which do not begin them.
    """

    assigned: dict[str, int] = field(default_factory=dict)
    stepped: set[str] = field(default_factory=set)
    exchanged: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)

    def moves(self, name: str, *, is_set: bool) -> bool:
        """Whether a pointer moves, one that points somewhere already or does not."""
        return name in self.stepped or self.assigned.get(name, 0) > (0 if is_set else 1)

    def has(self, name: str) -> bool:
        """Whether a name of the text, perhaps with a number behind it, is changed."""
        plain = name.rpartition("_")[0] if name.rpartition("_")[2].isdigit() else name
        return any(
            candidate in self.assigned or candidate in self.stepped for candidate in (name, plain)
        )


def changes_of(body: c_ast.Node) -> Changes:
    """The changes of names in a function's body."""
    changes = Changes()
    tested: set[str] = set()
    for node in nodes_of(body):
        if isinstance(node, c_ast.While | c_ast.DoWhile | c_ast.For) and node.cond is not None:
            is_begun = isinstance(node, c_ast.For) and node.init is not None
            parts = [] if is_begun else nodes_of(node.cond)
            tested |= {part.name for part in parts if isinstance(part, c_ast.ID)}
        if isinstance(node, c_ast.For | c_ast.While) and not is_block(node):
            changes.exchanged |= exchanged(node.stmt)
        if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
            name = node.lvalue.name
            if node.op == "=":
                changes.assigned[name] = changes.assigned.get(name, 0) + 1
            else:
                changes.stepped.add(name)
        elif isinstance(node, c_ast.UnaryOp) and node.op in STEPS:
            if isinstance(node.expr, c_ast.ID):
                changes.stepped.add(node.expr.name)
        elif isinstance(node, c_ast.FuncCall) and is_swap(node):
            for expr in node.args.exprs:
                changes.assigned[expr.name] = changes.assigned.get(expr.name, 0) + 1
    changes.counted = tested & (changes.stepped | changes.assigned.keys())
    return changes


def nodes_of(root: c_ast.Node) -> Iterator[c_ast.Node]:
    """Yield a node and all below it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for _, child in node.children()]


def is_swap(node: c_ast.FuncCall) -> bool:
    """Whether a call is ``std::swap(a, b)`` of two names."""
    return (
        isinstance(node.name, c_ast.ID)
        and node.name.name == "swap"
        and node.args is not None
        and len(node.args.exprs) == 2
        and all(isinstance(expr, c_ast.ID) for expr in node.args.exprs)
    )


def exchanged(body: c_ast.Node | None) -> set[str]:
    """The names that a loop's body assigns other names of its own, as ``a`` and ``b``.

    ``t = a; a = b; b = t;`` exchanges two pointers, if that is what they are.
    """
    assigned: set[str] = set()
    read: set[str] = set()
    for node in _statements(body):
        if isinstance(node, c_ast.FuncCall) and is_swap(node):
            names = {expr.name for expr in node.args.exprs}
            assigned, read = assigned | names, read | names
        is_set = isinstance(node, c_ast.Assignment) and node.op == "="
        value = node.rvalue if is_set else getattr(node, "init", None)
        while isinstance(value, c_ast.Cast):
            value = value.expr
        if isinstance(value, c_ast.ID) and not isinstance(node, c_ast.For):
            read.add(value.name)
            assigned |= (
                {node.lvalue.name} if is_set and isinstance(node.lvalue, c_ast.ID) else set()
            )
    return assigned & read


def _statements(node: c_ast.Node | None) -> Iterator[c_ast.Node]:
    """Yield the statements of a block, and of blocks in it."""
    if isinstance(node, c_ast.Compound):
        for statement in node.block_items or []:
            yield from _statements(statement)
    elif is_block(node):
        yield from _statements(node.stmt)  # type: ignore[union-attr]  # a loop
    elif node is not None:
        yield node


def is_block(node: c_ast.Node | None) -> bool:
    """Whether a statement is ``do { ... } while (0)``, which runs once."""
    return (
        isinstance(node, c_ast.DoWhile)
        and isinstance(node.cond, c_ast.Constant)
        and node.cond.value == "0"
    )
