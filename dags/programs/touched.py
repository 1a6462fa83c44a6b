"""Numbers of items that iterations of a nest touch: images of boxes under affine functions.

The index of an item is affine in the loops. Indices that share no loop vary independently, so that
an image is a product of sets of numbers, one for each index; several accesses to one array touch
the union of such products. All counts are exact.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from math import prod

import numpy as np

from dags.arrays import Int64Array
from dags.programs.box_nests import Access, Box, volume
from dags.programs.instances import NotReadError

MOST_VALUES = 1 << 22  # of a set of numbers that is no progression
Progression = tuple[int, int, int]  # the first number, the step, how many there are


class NotCountedError(NotReadError):
    """Accesses whose union is not counted by formulas."""


def touched(accesses: Sequence[Access], run: Box | None = None) -> int:
    """Return how many items of one array some iterations touch.

    Parameters
    ----------
    accesses
        Accesses to the array, of one assignment or (where all are run) of several.
    run
        The iterations; None for all.
    """
    boxes = [each.box if run is None else common(each.box, run) for each in accesses]
    some = [(each, box) for each, box in zip(accesses, boxes, strict=True) if volume(box)]
    if not some:
        return 0
    if len(some) == 1:
        return _alone(*some[0])
    return _union([_image(access, both) for access, both in some])


def common(box: Box, run: Box) -> Box:
    """Return what two boxes have in common; some first value is not below the last if nothing."""
    pairs = zip(box, run, strict=True)
    return tuple((max(low, least), min(high, end)) for (low, high), (least, end) in pairs)


def _alone(access: Access, run: Box) -> int:
    """Return how many items one access touches."""
    total = 1
    for rows in components(access, run):
        loops = sorted({at for row in rows for at in _varied(access.rows[row], run)})
        if not loops:
            continue
        if len(rows) == 1:
            total *= _size(progression(access.rows[rows[0]], 0, run))
        elif _independent([[access.rows[row][at] for at in loops] for row in rows]):
            total *= prod(run[at][1] - run[at][0] for at in loops)
        else:
            raise NotCountedError(f"{access.array} is read along loops that its indices mix")
    return total


def components(access: Access, run: Box) -> list[list[int]]:
    """Return the indices of an access in groups that share no loop."""
    groups: list[tuple[set[int], list[int]]] = []
    for place, row in enumerate(access.rows):
        loops = set(_varied(row, run))
        rows = [place]
        for group in [one for one in groups if one[0] & loops]:
            loops |= group[0]
            rows = group[1] + rows
            groups.remove(group)
        groups.append((loops, rows))
    return [rows for _, rows in groups]


def _varied(row: Sequence[int], run: Box) -> list[int]:
    return [at for at, by in enumerate(row) if by and run[at][1] - run[at][0] > 1]


def _independent(matrix: Sequence[Sequence[int]]) -> bool:
    """Return whether different values of the loops always have different indices."""
    return int(np.linalg.matrix_rank(np.array(matrix, float))) == len(matrix[0])


def progression(row: Sequence[int], offset: int, run: Box) -> Progression | Int64Array:
    """Return the values of an index over a box: a progression, or numbers that rise."""
    first = offset + sum(
        by * (run[at][0] if by > 0 else run[at][1] - 1) for at, by in enumerate(row)
    )
    terms = sorted((abs(row[at]), run[at][1] - run[at][0]) for at in _varied(row, run))
    if not terms:
        return first, 1, 1
    step, count = terms[0]
    for by, many in terms[1:]:
        if by % step or by > step * count:
            return first + _sums(terms)
        count += by // step * (many - 1)
    return first, step, count


def _sums(terms: Sequence[tuple[int, int]]) -> Int64Array:
    """Return the numbers that are a sum of one multiple of each term, rising."""
    found: Int64Array = np.zeros(1, np.int64)
    for by, many in terms:
        if found.size * many > MOST_VALUES:
            raise NotCountedError("an index takes too many values that are no progression")
        found = np.unique(np.add.outer(found, by * np.arange(many, dtype=np.int64)))
    return found


def _size(some: Progression | Int64Array) -> int:
    return some[2] if isinstance(some, tuple) else some.size


def _image(access: Access, run: Box) -> list[Progression | Int64Array]:
    """Return the set of each index; those of different indices must be independent."""
    if any(
        len(rows) > 1 and any(_varied(access.rows[row], run) for row in rows)
        for rows in components(access, run)
    ):
        raise NotCountedError(f"{access.array} is read along loops that its indices mix")
    pairs = zip(access.rows, access.offset, strict=True)
    return [progression(row, offset, run) for row, offset in pairs]


def _union(images: Sequence[Sequence[Progression | Int64Array]]) -> int:
    """Return the size of a union of products.

    Numbers of one index are put into classes by the images that have them; classes of all indices
    that some image has together are counted once.
    """
    classes = [_classes(sets) for sets in zip(*images, strict=True)]
    total = 0
    for chosen in product(*(each.items() for each in classes)):
        common = -1
        for mask, _ in chosen:
            common &= mask
        if common:
            total += prod(count for _, count in chosen)
    return total


def _classes(sets: Iterable[Progression | Int64Array]) -> Mapping[int, int]:
    """Return how many numbers are in just the sets of each bit mask."""
    listed = list(sets)
    ends = [(one[0], one[0] + one[2]) for one in listed if _is_interval(one)]
    if len(ends) == len(listed):
        return _classes_of_intervals(ends)
    if sum(map(_size, listed)) > MOST_VALUES:
        raise NotCountedError("an index takes too many values that are no interval")
    masks: dict[int, int] = {}
    for place, one in enumerate(listed):
        values = one if not isinstance(one, tuple) else one[0] + one[1] * np.arange(one[2])
        for value in values.tolist():
            masks[value] = masks.get(value, 0) | 1 << place
    found: dict[int, int] = {}
    for mask in masks.values():
        found[mask] = found.get(mask, 0) + 1
    return found


def _is_interval(some: Progression | Int64Array) -> bool:
    return isinstance(some, tuple) and (some[1] == 1 or some[2] == 1)


def _classes_of_intervals(some: Sequence[tuple[int, int]]) -> Mapping[int, int]:
    ends = sorted({end for one in some for end in one})
    found: dict[int, int] = {}
    for low, high in pairwise(ends):
        mask = sum(
            1 << at for at, (first, last) in enumerate(some) if first <= low and high <= last
        )
        if mask:
            found[mask] = found.get(mask, 0) + high - low
    return found
