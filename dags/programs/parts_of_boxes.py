"""Sets of isl as boxes, and parts of boxes that conditions cut off."""

from typing import Any

from dags.programs.instances import NotReadError
from dags.programs.integer_sets import isl
from dags.programs.tied_loops import Box, Tie


def part_of_box(some: Any) -> tuple[Box, tuple[Tie, ...]]:
    """Return a set as a box, and the conditions that cut it off."""
    parts = parts_of_boxes(some)
    if len(parts) != 1:
        raise NotReadError(f"{some.get_tuple_name()} is run where conditions hold one or another")
    return parts[0]


def parts_of_boxes(some: Any) -> list[tuple[Box, tuple[Tie, ...]]]:
    """Return the disjoint parts of boxes that a set is made of."""
    some = _without_sizes(some).coalesce().remove_redundancies()
    parts = some.get_basic_sets()
    if len(parts) > 1:
        hull = isl.Set.from_basic_set(some.simple_hull())
        parts = (
            hull.get_basic_sets() if hull.is_equal(some) else some.make_disjoint().get_basic_sets()
        )
    return [_bounded(each) for each in parts]


def _bounded(basic: Any) -> tuple[Box, tuple[Tie, ...]]:
    """Return the least box of a convex set, and the conditions on several loops."""
    some = isl.Set.from_basic_set(basic)
    width = some.dim(isl.dim_type.set)
    box = tuple((low, high + 1) for low, high in (ends_of(some, at) for at in range(width)))
    ties = set()
    for each in basic.get_constraints():
        if each.dim(isl.dim_type.div):
            raise NotReadError(f"{some.get_tuple_name()} is run where a rest is tested")
        row = tuple(
            each.get_coefficient_val(isl.dim_type.set, at).to_python() for at in range(width)
        )
        tie = Tie(row, each.get_constant_val().to_python())
        least = sum(
            min(by * low, by * (high - 1)) for by, (low, high) in zip(row, box, strict=True)
        )
        ties |= {tie} if least + tie.constant < 0 else set()
        if each.is_equality():
            ties.add(Tie(tuple(-by for by in row), -tie.constant))
    return box, tuple(sorted(each for each in ties if sum(map(bool, each.row)) > 1))


def _without_sizes(some: Any) -> Any:
    return some.project_out(isl.dim_type.param, 0, some.dim(isl.dim_type.param))


def ends_of(some: Any, place: int) -> tuple[int, int]:
    """Return the least and the largest value of a coordinate."""
    return between(some.dim_min_val(place), some.dim_max_val(place))


def between(low: Any, high: Any) -> tuple[int, int]:
    """Return a least and a largest value as numbers."""
    if not (low.is_int() and high.is_int()):
        raise NotReadError("loops have no end")
    return low.to_python(), high.to_python()
