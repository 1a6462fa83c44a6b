"""Sizes of unions of products: what several accesses to an array touch together."""

from collections.abc import Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

import numpy as np

from dags.programs.index_values import (
    MOST_VALUES,
    Values,
    in_classes,
    is_interval,
    numbers_of,
)
from dags.programs.tied_loops import Box, NotCountedError, Span, common_of, span_of, values_of

MOST_IMAGES = 6  # of which any some are compared


class Image(NamedTuple):
    """A product of sets of indices: of each index alone, and of several that are not independent.

    Attributes
    ----------
    sets
        By the place of the index.
    joint
        Of several indices by their places: what says which they are, and how many.
    """

    sets: dict[int, Values]
    joint: dict[tuple[int, ...], tuple[Span, int]]


def union(images: Sequence[Image]) -> int:
    """Return the size of a union of products.

    Where indices that are not independent are the same in all images, numbers of each other index
    are put into classes by the images that have them, and classes of all indices that some image
    has together are counted once; otherwise it is the sum over some images of what they have in
    common, with signs.
    """
    if all(image.joint == images[0].joint for image in images):
        return prod(count for _, count in images[0].joint.values()) * _union_of_sets(images)
    joint = {places for image in images for places in image.joint}
    taken = [place for places in joint for place in places]
    if len(images) > MOST_IMAGES or len(set(taken)) < len(taken):
        raise NotCountedError("an array is touched along loops that its indices mix")
    for places in joint:
        if all(_is_told(image, places) for image in images):
            for image in images:
                if places not in image.joint:
                    sets = [image.sets.pop(place) for place in places]
                    image.joint[places] = _span_of_sets(sets), 0
        else:
            _list_together(images, places)
    return sum(
        (-1) ** (count + 1) * _common(some)
        for count in range(1, len(images) + 1)
        for some in combinations(images, count)
    )


def _is_told(image: Image, places: tuple[int, ...]) -> bool:
    """Return whether differences tell some indices of an image."""
    if places in image.joint:
        return all(isinstance(limit, int) for limit in image.joint[places][0])
    return all(is_interval(image.sets[place]) for place in places)


def _list_together(images: Sequence[Image], places: tuple[int, ...]) -> None:
    """Make one index of several that are not independent, and list its values in each image."""
    boxes = [_spread(image, places) for image in images]
    low = [min(box[at][0] for box in boxes) for at in range(len(places))]
    high = [max(box[at][1] for box in boxes) for at in range(len(places))]
    weights = [
        prod(b - a for a, b in zip(low[:at], high[:at], strict=True)) for at in range(len(low))
    ]
    for image in images:
        if places in image.joint:
            box, ties, rows, offset = image.joint.pop(places)[0]
            row = tuple(
                sum(by * each[at] for by, each in zip(weights, rows, strict=True))
                for at in range(len(box))
            )
            found = values_of(box, ties, row)
        else:
            offset, found = (0,) * len(places), np.zeros(1, np.int64)
            for place, by in zip(places, weights, strict=True):
                some = numbers_of(image.sets.pop(place))
                if found.size * some.size > MOST_VALUES:
                    raise NotCountedError("an array is touched along loops that its indices mix")
                found = np.add.outer(found, by * some).ravel()
        image.sets[places[0]] = found + sum(
            by * (more - least) for by, more, least in zip(weights, offset, low, strict=True)
        )


def _spread(image: Image, places: tuple[int, ...]) -> Box:
    """Return the least box of some indices that are not independent."""
    if places not in image.joint:
        values = [numbers_of(image.sets[place]) for place in places]
        return tuple((int(each.min()), int(each.max()) + 1) for each in values)
    span = image.joint[places][0]
    if isinstance(span[0], int):
        raise NotCountedError("an array is touched along loops that its indices mix")
    box, _, rows, offset = span
    ends = []
    for row, more in zip(rows, offset, strict=True):
        last = [(by * low, by * (high - 1)) for by, (low, high) in zip(row, box, strict=True)]
        ends.append((more + sum(map(min, last)), more + sum(map(max, last)) + 1))
    return tuple(ends)


def _span_of_sets(sets: Sequence[Values]) -> Span:
    """Return what tells the values of several indices that are independent."""
    if not all(map(is_interval, sets)):
        raise NotCountedError("an array is touched along loops that its indices mix")
    box = tuple((int(one[0]), int(one[0] + one[2])) for one in sets)
    alone = tuple(tuple(int(i == j) for j in range(len(box))) for i in range(len(box)))
    return span_of(box, (), alone, (0,) * len(box))


def _common(images: Sequence[Image]) -> int:
    """Return how many items some images have in common."""
    total = 1
    for places in images[0].joint:
        total *= common_of(tuple(dict.fromkeys(image.joint[places][0] for image in images)))
    for place in images[0].sets:
        some = in_classes([image.sets[place] for image in images])
        total *= some.get((1 << len(images)) - 1, 0)
    return total


def _union_of_sets(images: Sequence[Image]) -> int:
    classes = [in_classes([image.sets[place] for image in images]) for place in images[0].sets]
    total = 0
    for chosen in product(*(each.items() for each in classes)):
        common = -1
        for mask, _ in chosen:
            common &= mask
        if common:
            total += prod(count for _, count in chosen)
    return total
