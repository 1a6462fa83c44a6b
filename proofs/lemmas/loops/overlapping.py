"""Windows that begin at every update, of nests that are not laid out (N20).

Two updates in a row that have an item are a *pair* of it, kept if its value stays in fast memory
from one to the other. Where updates have items of n arrays, of N updates in one copy of a nest and
for windows of A updates that touch x(A) items at least,

    (A - 1) kept <= room + sum over all windows of n size - x(size),

room the words beside what an update touches, summed over updates; pairs that are not kept are
loads, besides the first ones of inputs. So a window counts nearly (x(A) - K) / (A - 1) words an
update, where windows that are apart (N8) count (x(A) - K) / A.

The proof is N20 in docs/theory/nests.md.

Source
------
The theorem is N11 for pairs of one price, written out here for this project.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Annotated, Any, Final

from dags.programs.box_nests import Access
from dags.programs.touched import touched
from proofs.core.records import CertificateError, Integers, Within
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.layered_sets import REACH, layers_of, least_items
from proofs.lemmas.loops.nest_updates import Premises, rank_of
from proofs.lemmas.loops.updates import exponents_in

MOST_COUNTED: Final = 8  # arrays


@dataclass(frozen=True)
class Everywhere:
    """Windows of `size` updates of one copy that begin at each of them."""

    assignment: str
    arrays: Annotated[tuple[str, ...], Within(entries=MOST_COUNTED)]
    order: Integers
    size: Annotated[int, Within(2, REACH)]
    exponents: Mapping[str, Any]


def pairs_away(premised: Premises, red: int, record: Everywhere, *, heads: bool) -> int:
    """The pairs that are not kept, at least: loads besides the first ones of inputs (N20).

    Parameters
    ----------
    premised
        The arrays that updates of one copy touch.
    red
        Words that can be red just before an update, beside its result.
    record
        The windows.
    heads
        Whether the first update of each sum reads none.

    Raises
    ------
    CertificateError
        If a window is longer than all updates, or exponents are wrong.
    """
    if record.size > premised.updates:
        raise CertificateError("size", f"is more than the {premised.updates} updates of a copy")
    items = [touched([access]) for access in premised.counted]
    arrays, first = len(items), items[record.arrays.index(record.assignment)] if heads else 0
    exponents = exponents_in(premised.shape, record.exponents)
    least = max(
        least_words(premised.shape, record.size, exponents),
        items_of_product(premised, record.size)[record.size],
    )
    room = max(0, red - arrays) * premised.updates + -(-first // premised.copies)
    inside = kept_inside(premised, record.size, least)
    kept = most_kept(arrays, premised.updates, room, record.size, inside)
    return max(0, premised.copies * (arrays * premised.updates - kept) - sum(items))


def most_kept(arrays: int, updates: int, room: int, size: int, inside: int) -> int:
    """The pairs that one copy keeps at most (N20).

    Parameters
    ----------
    arrays, updates
        How many there are.
    room
        Words beside the items that updates touch, summed over updates.
    size, inside
        Updates of a window, and the pairs in one at most.
    """
    ends = sum(min(inside, arrays * (shorter - 1)) for shorter in range(1, size))
    return (room + (updates - size + 1) * inside + 2 * ends) // (size - 1)


def kept_inside(premised: Premises, size: int, touched: int) -> int:
    """The pairs in a window at most.

    Parameters
    ----------
    premised
        The arrays that updates touch.
    size, least
        Its updates, and the items that these touch at least.
    """
    shared = most_shared(premised.counted, premised.loops) * (size * (size - 1) // 2)
    return min(len(premised.counted) * size - touched, shared)


def items_of_product(premised: Premises, size: int) -> Sequence[int]:
    """The items that 0, 1, ... updates of a product touch, at least (N12); of others 0.

    Layers are of items whose indices are loops: where one mixes several, an item may be of two
    layers.

    Parameters
    ----------
    found, size
        The arrays, and the updates of the largest set.
    """
    names = [measure.name for measure in premised.shape.measures]
    rows = [row for access in premised.counted for row in access.rows]
    mixed = any(sum(bool(row[loop]) for loop in premised.loops) > 1 for row in rows)
    touched = [0] * (size + 1)
    for base, *operands in permutations(names) if len(names) == 3 and not mixed else ():
        if operands == sorted(operands) and (
            layers := layers_of(premised.shape, base, tuple(operands))
        ):
            layered = least_items(layers, size, 1, 1).tolist()
            touched = [max(pair) for pair in zip(touched, layered, strict=True)]
    return touched


def most_shared(counted: Sequence[Access], loops: Sequence[int]) -> int:
    """Return of how many arrays two different updates have the same item, at most.

    Where no direction but 0 keeps all indices of some arrays, no two have the same items of these.

    Parameters
    ----------
    counted
        Their accesses.
    loops
        Loops of several iterations.
    """
    return max(
        number
        for number in range(len(counted) + 1)
        for chosen in combinations(counted, number)
        if not number
        or rank_of([row for access in chosen for row in access.rows], loops) < len(loops)
    )
