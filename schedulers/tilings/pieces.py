"""Keys of holds: arrays, single accesses to them, and items between two values of an index.

The key of an array is its name. With an assignment and a number, "A_x S1 2", it is one access; with
an index and two values, "A_x [1] 0:30", the items of the array of which the index is one of these.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dags.programs.box_nests import Access

By = Mapping[str, list[Access]]  # accesses by assignment


def array_of(key: str) -> str:
    """The array of a key of holds."""
    return key.partition(" ")[0]


def key_between(array: str, place: int, low: int, high: int) -> str:
    """The key of the items of an array of which an index has some values."""
    return f"{array} [{place}] {low}:{high}"


def named(key: str, names: Mapping[str, str]) -> str:
    """An array by its name in the text, with the values of an index that are meant."""
    array = array_of(key)
    text = names.get(array, array.removeprefix("A_"))
    if "[" not in key:
        return text
    place, ends = _ends(key)
    return f"{text}[{':, ' * place}{ends[0]}:{ends[1]}]"


class Accesses(dict[str, By]):
    """The accesses of keys of holds; those to items between two values are found when asked for."""

    def __missing__(self, key: str) -> By:
        found = {}
        place, ends = _ends(key)
        for name, some in self[array_of(key)].items():
            if not all(_rises(access, place) for access in some):
                continue  # pieces are of a group of assignments beside it, which has none
            if cuts := [cut for access in some for cut in _between(access, place, ends)]:
                found[name] = cuts
        self[key] = found
        return found


def _ends(key: str) -> tuple[int, tuple[int, int]]:
    """The index of a key of items, and the first value and the one behind the last."""
    _, place, ends = key.split()
    low, high = ends.split(":")
    return int(place.strip("[]")), (int(low), int(high))


def _rises(access: Access, place: int) -> bool:
    """Whether an index of an access rises with one loop."""
    factors = [factor for factor in access.rows[place] if factor]
    return len(factors) == 1 and factors[0] > 0


def _between(access: Access, place: int, ends: tuple[int, int]) -> Iterator[Access]:
    """Yield an access where an index has some values; the index rises with one loop."""
    row, shift = access.rows[place], access.offset[place]
    (at,) = (loop for loop, by in enumerate(row) if by)
    low, high = (-((shift - each) // row[at]) for each in ends)
    low, high = max(low, access.box[at][0]), min(high, access.box[at][1])
    if low < high:
        yield replace(access, box=(*access.box[:at], (low, high), *access.box[at + 1 :]))
