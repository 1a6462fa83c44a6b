"""The library of integer sets, where the extra `affine` is installed; `isl` is None elsewhere.

Whatever uses isl does so behind one border, `bounded_isl`: errors of the library become
NotReadError there, and its work is counted in its own operations and has an end.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from dags.programs.instances import NotReadError

try:
    import islpy
except ImportError:
    islpy = None

isl: Any = islpy
A_SECOND: Final = 4_000_000  # operations of isl, about
MOST_OPERATIONS: Final = 25 * A_SECOND  # for one question


@contextmanager
def bounded_isl(operations: int = MOST_OPERATIONS) -> Iterator[None]:
    """Limit isl's work in a block, and make its errors NotReadError; a decorator, too.

    A block within another is part of its work.

    Parameters
    ----------
    operations
        Of isl, the most that the block takes. They are a function of the question, unlike seconds.

    Raises
    ------
    NotReadError
        If isl gives up.
    """
    if isl is None:
        raise NotReadError("islpy is not installed, which programs for all sizes take")
    context = isl.DEFAULT_CONTEXT
    outermost = not context.get_max_operations()
    if outermost:
        context.reset_operations()
        context.set_max_operations(operations)
    try:
        yield
    except isl.Error as error:
        raise NotReadError(_sentence(str(error))) from None
    finally:
        if outermost:
            context.set_max_operations(0)


def lift_limit() -> None:
    """End the limit of a block that a thread is in which nobody waits for any more."""
    if isl is not None:
        isl.DEFAULT_CONTEXT.set_max_operations(0)


def _sentence(message: str) -> str:
    """Why isl gives up: it may do no more, or its own words without its place in C."""
    why = message.partition(" failed: ")[2].partition(" in /")[0] or message
    try:
        isl.Set("{ : }")
    except isl.Error:  # whatever it was at says nothing of use
        why = "this takes more operations than it may do"
    return f"isl, the library of integer sets, gives up ({why})"


def parameters(count: int) -> str:
    """The list of sizes n0, n1, ... with which relations begin."""
    return f"[{','.join(f'n{place}' for place in range(count))}]"


def sizes_from(minima: Sequence[int]) -> Any:
    """The set of all sizes that are at least so large each."""
    limits = " and ".join(f"n{place} >= {value}" for place, value in enumerate(minima)) or "0 = 0"
    return isl.Set(f"{parameters(len(minima))} -> {{ : {limits} }}")


def listed(union: Any) -> list[Any]:
    """The sets of a union, each of one kind of tuples."""
    listed = union.get_set_list()
    return [listed.get_at(place) for place in range(listed.n_set())]


def maps(some: Any) -> list[Any]:
    """The relations of a union, each between two kinds of tuples."""
    listed = some.get_map_list()
    return [listed.get_at(place) for place in range(listed.n_map())]


def basic_maps(map_: Any) -> list[Any]:
    """The relations without a choice that a relation is made of."""
    return [isl.Map.from_basic_map(basic) for basic in map_.get_basic_maps()]


def by_first_difference(back: Any) -> Any:
    """A relation of the same loops, cut by the outermost loop that differs.

    Several differences in one part would hide that a term of a sum comes after the one before.
    """
    parts = isl.Map.empty(back.get_space())
    for position in range(back.dim(isl.dim_type.in_)):
        ends = isl.dim_type.in_, position, isl.dim_type.out, position
        parts = parts.union_disjoint(back.order_gt(*ends)).union_disjoint(back.order_lt(*ends))
        back = back.equate(*ends)
    return parts


def loops_changed(name: str, frame: Any, rows: Sequence[Sequence[int]]) -> Any:
    """The relation from loops of a frame to others, given by their coefficients."""
    old_loops = ",".join(f"k{position}" for position in range(len(rows)))
    sums = ",".join(
        " + ".join(f"{coefficient}*k{position}" for position, coefficient in enumerate(row))
        for row in rows
    )
    head = parameters(frame.dim(isl.dim_type.param))
    return isl.Map(f"{head} -> {{ {name}[{old_loops}] -> {name}[{sums}] }}")


def comes_first(back: Any) -> bool:
    """Whether loops have smaller values wherever a relation leads, the outer ones first."""
    return bool(back.is_subset(isl.Map.lex_gt(back.range().get_space())))
