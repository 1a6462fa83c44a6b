"""Sets of isl as boxes, and parts of boxes that conditions cut off."""

from typing import Any

from dags.programs.instances import NotReadError
from dags.programs.integer_sets import isl
from dags.programs.tied_loops import Box, Tie


def part_of_box(set_: Any) -> tuple[Box, tuple[Tie, ...]]:
    """A set as a box, and the conditions that cut it off."""
    parts = parts_of_boxes(set_)
    if len(parts) != 1:
        raise NotReadError(f"{set_.get_tuple_name()} is run where conditions hold one or another")
    return parts[0]


def parts_of_boxes(set_: Any) -> list[tuple[Box, tuple[Tie, ...]]]:
    """The disjoint parts of boxes that a set is made of."""
    set_ = _without_sizes(set_).coalesce().remove_redundancies()
    parts = set_.get_basic_sets()
    if len(parts) > 1:
        hull = isl.Set.from_basic_set(set_.simple_hull())
        parts = (
            hull.get_basic_sets() if hull.is_equal(set_) else set_.make_disjoint().get_basic_sets()
        )
    return [_bounded(part) for part in parts]


def _bounded(basic: Any) -> tuple[Box, tuple[Tie, ...]]:
    """The least box of a convex set, and the conditions on several loops."""
    set_ = isl.Set.from_basic_set(basic)
    width = set_.dim(isl.dim_type.set)
    box = tuple((low, high + 1) for low, high in (ends_of(set_, loop) for loop in range(width)))
    ties = set()
    for constraint in basic.get_constraints():
        if constraint.dim(isl.dim_type.div):
            raise NotReadError(f"{set_.get_tuple_name()} is run where a rest is tested")
        row = tuple(
            constraint.get_coefficient_val(isl.dim_type.set, loop).to_python()
            for loop in range(width)
        )
        tie = Tie(row, constraint.get_constant_val().to_python())
        lowest = sum(
            min(coefficient * low, coefficient * (high - 1))
            for coefficient, (low, high) in zip(row, box, strict=True)
        )
        ties |= {tie} if lowest + tie.constant < 0 else set()
        if constraint.is_equality():
            ties.add(Tie(tuple(-coefficient for coefficient in row), -tie.constant))
    return box, tuple(sorted(tie for tie in ties if sum(map(bool, tie.row)) > 1))


def _without_sizes(set_: Any) -> Any:
    return set_.project_out(isl.dim_type.param, 0, set_.dim(isl.dim_type.param))


def ends_of(set_: Any, place: int) -> tuple[int, int]:
    """The least and the largest value of a coordinate."""
    return between(set_.dim_min_val(place), set_.dim_max_val(place))


def between(low: Any, high: Any) -> tuple[int, int]:
    """A least and a largest value as numbers."""
    if not (low.is_int() and high.is_int()):
        raise NotReadError("loops have no end")
    return low.to_python(), high.to_python()
