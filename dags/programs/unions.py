"""Values of an index over a box, as progressions or rising numbers, and sizes of their unions."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise, permutations, product
from math import gcd, isqrt, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from dags.programs.tied_loops import (
    Box,
    NotCountedError,
    Row,
    Span,
    Tie,
    common_of,
    count_of,
    differences_of,
    span_of,
    turned_round,
    values_of,
)
from dags.work import charge

PAIR = 2  # terms
MOST_VALUES = 1 << 22  # of a set of numbers that is no progression
NO_NUMBERS = lock(np.zeros(0, np.int64))
WORD = 63  # bits of a number without its sign
Progression = tuple[int, int, int]  # the first number, the step, how many there are
Values = Progression | Int64Array


def values_taken(row: Row, box: Box) -> int:
    """How many values an index takes over a box.

    Two points of a x + b y, a and b without a common divisor, have one value where they differ by
    a multiple of (b, -a): those are counted of which the next such point is not in the box.
    """
    ends = zip(row, box, strict=True)
    terms = sorted(
        (abs(coefficient), high - low)
        for coefficient, (low, high) in ends
        if coefficient and high - low > 1
    )
    if len(terms) == PAIR:
        (a, terms_count), (b, count) = terms
        common = gcd(a, b)
        return terms_count * count - max(0, terms_count - b // common) * max(0, count - a // common)
    result = _progression(terms)
    return result[1] if result is not None else count_of(box, (), (row,))


def progression(row: Sequence[int], offset: int, run: Box) -> Values:
    """The values of an index over a box: a progression, or numbers that rise."""
    first = offset + sum(
        coefficient * (run[loop][0] if coefficient > 0 else run[loop][1] - 1)
        for loop, coefficient in enumerate(row)
    )
    ends = zip(row, run, strict=True)
    terms = sorted(
        (abs(coefficient), high - low)
        for coefficient, (low, high) in ends
        if coefficient and high - low > 1
    )
    known = _progression(terms)
    return first + _sums(terms) if known is None else (first, *known)


def tied_progression(box: Box, ties: tuple[Tie, ...], row: Row) -> Progression | None:
    """The values of an index of one loop alone where conditions are of differences."""
    reflected, turned, (form,), _ = turned_round(box, ties, (row,))
    limits = differences_of(reflected, turned) if sum(map(bool, form)) == 1 else None
    if limits is None:
        return None
    (loop,) = (loop for loop, coefficient in enumerate(form) if coefficient)
    low, high = -int(limits[-1, loop]), int(limits[loop, -1])
    count = 0 if (limits.diagonal() < 0).any() else high - low + 1
    return min(form[loop] * low, form[loop] * high), abs(form[loop]), count


def _progression(terms: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The step and the length of the progression that sums of terms make, if it is one."""
    if not terms:
        return 1, 1
    step, count = terms[0]
    for coefficient, size in terms[1:]:
        if coefficient % step or coefficient > step * count:
            return None
        count += coefficient // step * (size - 1)
    return step, count


def _sums(terms: Sequence[tuple[int, int]]) -> Int64Array:
    """The numbers that are a sum of one multiple of each term, rising."""
    sums: Int64Array = np.zeros(1, np.int64)
    for coefficient, size in terms:
        if sums.size * size > MOST_VALUES:
            raise NotCountedError("an index takes too many values that are no progression")
        sums = np.unique(np.add.outer(sums, coefficient * np.arange(size, dtype=np.int64)))
    return sums


def _size(values: Values) -> int:
    return values[2] if isinstance(values, tuple) else values.size


def in_classes(sets: Iterable[Values]) -> Mapping[int, int]:
    """How many numbers are in just the sets of each bit mask."""
    listed = list(sets)
    ends = [(values[0], values[0] + values[2]) for values in listed if is_interval(values)]
    if len(ends) == len(listed):
        return _classes_of_intervals(ends)
    if sum(map(_size, listed)) > MOST_VALUES:
        raise NotCountedError("an index takes too many values that are no interval")
    # Numbers of the largest set alone are what others leave of it: they are not looked at.
    largest = max(range(len(listed)), key=lambda position: _size(listed[position]))
    shorter = [numbers_of(values) for position, values in enumerate(listed) if position != largest]
    charge("tied cell", sum(values.size for values in shorter))
    numbers = np.unique(np.concatenate(shorter)) if len(shorter) > 1 else [*shorter, NO_NUMBERS][0]
    masks: Any = np.zeros(numbers.size, _as_masks(len(listed)))
    alone = _size(listed[largest])
    for position, values in enumerate(listed):
        inside = _is_in(numbers, values)
        masks[inside] |= 1 << position
        alone -= int(inside.sum()) if position == largest else 0
    counts = dict(
        zip(*(part.tolist() for part in np.unique(masks, return_counts=True)), strict=True)
    )
    return counts | {1 << largest: alone} if alone else counts


def _is_in(numbers: Int64Array, values: Values) -> npt.NDArray[np.bool_]:
    """(k,) whether each of some numbers is among rising values."""
    if isinstance(values, tuple):
        first, step, count = values
        place = (numbers - first) // step
        inside: npt.NDArray[np.bool_] = (place >= 0) & (place < count)
        return inside & np.equal(numbers, first + step * place)
    place = np.searchsorted(values, numbers)
    inside = place < values.size
    inside[inside] = values[place[inside]] == numbers[inside]
    return inside


def _as_masks(bits: int) -> type:
    """The type of bit masks; of many bits they are integers of Python."""
    return np.int64 if bits < WORD else object


def numbers_of(values: Values) -> Int64Array:
    """Values one by one."""
    if not isinstance(values, tuple):
        return values
    if values[2] > MOST_VALUES:
        raise NotCountedError("an index takes too many values to be listed")
    return values[0] + values[1] * np.arange(values[2], dtype=np.int64)


def is_interval(values: Values) -> bool:
    """Whether values follow on each other."""
    return isinstance(values, tuple) and (values[1] == 1 or values[2] == 1)


def _classes_of_intervals(intervals: Sequence[tuple[int, int]]) -> Mapping[int, int]:
    ends = sorted({end for interval in intervals for end in interval})
    counts: dict[int, int] = {}
    for low, high in pairwise(ends):
        mask = sum(
            1 << position
            for position, (first, last) in enumerate(intervals)
            if first <= low and high <= last
        )
        if mask:
            counts[mask] = counts.get(mask, 0) + high - low
    return counts


MOST_IMAGES = 6  # of which any some are compared


class Image(NamedTuple):
    """A product of sets of indices: of each index alone, and of several that are not independent.

    Attributes
    ----------
    sets
        By the place of the index.
    joint
        Of several indices by their places: a key of them, and how many.
    """

    sets: dict[int, Values]
    joint: dict[tuple[int, ...], tuple[Span, int]]


def union(images: Sequence[Image]) -> int:
    """The size of a union of products.

    Where indices that are not independent are the same in all images, numbers of each other index
    are put into classes by the images that have them, and classes of all indices that some image
    has together are counted once; otherwise it is the sum over some images of the sizes of their
    intersections, with signs.
    """
    if all(image.joint == images[0].joint for image in images):
        return prod(count for _, count in images[0].joint.values()) * _union_of_sets(images)
    for places in _brought_together(images):
        if all(_is_told(image, places) for image in images):
            for image in images:
                _tell_together(image, places)
        elif all(places in image.joint or {*places} <= {*image.sets} for image in images):
            _list_together(images, places)
        else:
            raise NotCountedError("an array is touched along loops that its indices mix")
    kept: list[Image] = []
    for image in sorted(images, key=lambda candidate: _common([candidate]), reverse=True):
        if not any(_common([image, peer]) == _common([image]) for peer in kept):
            kept.append(image)
    if len(kept) > MOST_IMAGES:
        raise NotCountedError("an array is touched along loops that its indices mix")
    return sum(
        (-1) ** (count + 1) * _common(chosen)
        for count in range(1, len(kept) + 1)
        for chosen in combinations(kept, count)
    )


def _brought_together(images: Sequence[Image]) -> list[tuple[int, ...]]:
    """Indices that are not independent in some image, or in several by way of others."""
    groups: list[set[int]] = []
    for places in {places for image in images for places in image.joint}:
        separate = [group for group in groups if group.isdisjoint(places)]
        groups = [*separate, {*places}.union(*(group for group in groups if group not in separate))]
    return [tuple(sorted(group)) for group in groups]


def _is_told(image: Image, places: tuple[int, ...]) -> bool:
    """Whether differences tell some indices of an image."""
    spans = [span for group, (span, _) in image.joint.items() if {*group} <= {*places}]
    single = [image.sets[place] for place in places if place in image.sets]
    finite = all(isinstance(limit, int) for span in spans for limit in span)
    return finite and all(map(is_interval, single))


def _tell_together(image: Image, places: tuple[int, ...]) -> None:
    """Tell some indices of an image, alone or not independent, by one span."""
    if places in image.joint:
        return
    width = len(places) + 1
    to_zero, from_zero = np.zeros(width, object), np.zeros(width, object)
    joint = [block for block in image.joint if {*block} <= {*places}]
    single = [place for place in places if place in image.sets]
    blocks = [(group, image.joint.pop(group)[0]) for group in joint]
    blocks += [((place,), _span_of_sets([image.sets.pop(place)])) for place in single]
    limits = np.zeros((width, width), object)
    for group, span in blocks:
        positions = [places.index(place) for place in group]
        block = np.array(span, object).reshape(len(group) + 1, len(group) + 1)
        to_zero[positions], from_zero[positions] = block[:-1, -1], block[-1, :-1]
        limits[np.ix_(positions, positions)] = block[:-1, :-1] - np.add.outer(
            block[:-1, -1], block[-1, :-1]
        )
    limits += np.add.outer(to_zero, from_zero)
    image.joint[places] = tuple(limits.ravel().tolist()), 0


def _list_together(images: Sequence[Image], places: tuple[int, ...]) -> None:
    """Make one index of several that are not independent, and list its values in each image."""
    boxes = [_spread(image, places) for image in images]
    low = [min(box[position][0] for box in boxes) for position in range(len(places))]
    high = [max(box[position][1] for box in boxes) for position in range(len(places))]
    weights = [
        prod(b - a for a, b in zip(low[:position], high[:position], strict=True))
        for position in range(len(low))
    ]
    if prod(b - a for a, b in zip(low, high, strict=True)) >= 1 << WORD:
        raise NotCountedError("an array is touched along loops that its indices mix")
    for image in images:
        if places in image.joint:
            box, ties, rows, offset = _as_points(image.joint.pop(places)[0])
            row = tuple(
                sum(weight * row[loop] for weight, row in zip(weights, rows, strict=True))
                for loop in range(len(box))
            )
            numbers = values_of(box, ties, row)
        else:
            offset, numbers = (0,) * len(places), np.zeros(1, np.int64)
            for place, weight in zip(places, weights, strict=True):
                some = numbers_of(image.sets.pop(place))
                if numbers.size * some.size > MOST_VALUES:
                    raise NotCountedError("an array is touched along loops that its indices mix")
                numbers = np.add.outer(weight * some, numbers).ravel()  # rising
        image.sets[places[0]] = numbers + sum(
            weight * (constant - start)
            for weight, constant, start in zip(weights, offset, low, strict=True)
        )


def _spread(image: Image, places: tuple[int, ...]) -> Box:
    """The least box of some indices that are not independent."""
    if places not in image.joint:
        values = [numbers_of(image.sets[place]) for place in places]
        return tuple((int(array.min()), int(array.max()) + 1) for array in values)
    box, _, rows, offset = _as_points(image.joint[places][0])
    ends = []
    for row, shift in zip(rows, offset, strict=True):
        last = [
            (coefficient * low, coefficient * (high - 1))
            for coefficient, (low, high) in zip(row, box, strict=True)
        ]
        ends.append((shift + sum(map(min, last)), shift + sum(map(max, last)) + 1))
    return tuple(ends)


def _as_points(span: Span) -> tuple[Box, tuple[Tie, ...], tuple[Row, ...], tuple[int, ...]]:
    """Points and the indices at them, also of what differences tell."""
    if not isinstance(span[0], int):
        *points, offset = span
        return *_among_indices(*points), offset
    width = isqrt(len(span))
    box, ties = _points_within(np.array(span, object).reshape(width, width))
    identity = tuple(tuple(int(i == j) for j in range(len(box))) for i in range(len(box)))
    return box, ties, identity, (0,) * len(box)


def _points_within(limits: Any) -> tuple[Box, tuple[Tie, ...]]:
    """Points as their box and conditions, from the most that a loop is beyond another."""
    zero = len(limits) - 1
    ties = tuple(
        Tie(
            tuple(int(loop == second) - int(loop == first) for loop in range(zero)),
            limits[first, second],
        )
        for first, second in permutations(range(zero), 2)
    )
    return tuple((-limits[zero, loop], limits[loop, zero] + 1) for loop in range(zero)), ties


def _among_indices(
    box: Box, ties: tuple[Tie, ...], rows: tuple[Row, ...]
) -> tuple[Box, tuple[Tie, ...], tuple[Row, ...]]:
    """Points of the loops alone that indices have, where differences tell these."""
    used = [loop for loop in range(len(box)) if any(row[loop] for row in rows)]
    reflected, turned, forms, _ = turned_round(box, ties, rows)
    limits = differences_of(reflected, turned) if len(used) < len(box) else None
    if limits is None:
        return box, ties, rows
    kept = [*used, len(box)]
    return *_points_within(limits[np.ix_(kept, kept)]), tuple(
        tuple(row[loop] for loop in used) for row in forms
    )


def _span_of_sets(sets: Sequence[Values]) -> Span:
    """A key of the values of several indices that are independent."""
    if not all(map(is_interval, sets)):
        raise NotCountedError("an array is touched along loops that its indices mix")
    box = tuple((int(set_[0]), int(set_[0] + set_[2])) for set_ in sets)
    identity = tuple(tuple(int(i == j) for j in range(len(box))) for i in range(len(box)))
    return span_of(box, (), identity, (0,) * len(box))


def _common(images: Sequence[Image]) -> int:
    """How many items some images have in common."""
    total = 1
    for places in images[0].joint:
        total *= common_of(tuple(dict.fromkeys(image.joint[places][0] for image in images)))
    for place in images[0].sets:
        classes = in_classes([image.sets[place] for image in images])
        total *= classes.get((1 << len(images)) - 1, 0)
    return total


def _union_of_sets(images: Sequence[Image]) -> int:
    classes = [in_classes([image.sets[place] for image in images]) for place in images[0].sets]
    total = 0
    for chosen in product(*(counts.items() for counts in classes)):
        common = -1
        for mask, _ in chosen:
            common &= mask
        if common:
            total += prod(count for _, count in chosen)
    return total
