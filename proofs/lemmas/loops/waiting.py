"""Values that wait for a sum (N17).

**Sweeps** over an array are assignments of which each but the last sums up its operands, and the
items that all of them read: a sweep begins on a **block** of these, of all that go into one sum,
when the sweep before it has ended there. **Where a sweep has ended on a block of s items, at most M
of them are red, and the next sweep loads s - M again.** So a play moves at least the compulsory
words, and s - M more for each block and each sweep but the first; values that are made, and are no
outputs, are stored besides. Sums in any order, not where values are computed again.

The proof is N17 in docs/theory/nests.md.

Source
------
The theorem is written out here for this project.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import Box, Row
from dags.programs.touched import groups, touched
from proofs.core.records import CertificateError, Within

MOST_ARRAYS, MOST_STEPS = 64, 3  # steps from a sweep to the sum that it waits for
Form = tuple[Row, int]


@dataclass(frozen=True)
class Sweeps:
    """An array, and the assignments that sweep over it one after the other."""

    array: str
    sweeps: tuple[str, ...]


@dataclass(frozen=True)
class Waits:
    """Sweeps over different arrays."""

    arrays: Annotated[tuple[Sweeps, ...], Within(entries=MOST_ARRAYS)]


def waiting_words(nest: BoxNest, memory: int, some: Sweeps) -> tuple[int, int]:
    """Return the loads besides those of inputs, and the stores besides those of outputs (N17).

    Parameters
    ----------
    nest, memory
        The nest, and words of fast memory.
    some
        The sweeps.

    Raises
    ------
    CertificateError
        If they are none.
    """
    known = {each.name: each for each in nest.assignments}
    if not 2 <= len(some.sweeps) == len(set(some.sweeps)) or not known.keys() >= {*some.sweeps}:
        raise CertificateError("sweeps", "are not several assignments of this nest")
    chain = [known[name] for name in some.sweeps]
    accesses = [_swept(each, some.array) for each in chain]
    common = sum(touched([each]) for each in accesses) - (len(chain) - 1) * touched(accesses)
    places: set[int] = set()
    for (first, then), mine in zip(pairwise(chain), pairwise(accesses), strict=True):
        places |= _block(nest, first, then, *mine)
    blocks = 1
    for group in groups(accesses[0].rows, accesses[0].box, accesses[0].ties):
        inside = places & {*group.places}
        if inside and inside != {*group.places}:
            raise CertificateError("sweeps", "have no blocks of one size")
        blocks *= group.touched() if inside else 1
    maker = known.get(some.array)
    away = max(0, common - blocks * memory)
    return (len(chain) - 1) * away, away if maker is not None and maker.outputs is None else 0


def _swept(assignment: Assignment, array: str) -> Access:
    """Return the access of all instances of an assignment to an array that others make."""
    for access in assignment.reads:
        if access.array == array != assignment.name and assignment.is_whole(access):
            return access
    raise CertificateError("sweeps", f"{assignment.name} does not read {array} everywhere")


def _block(
    nest: BoxNest, first: Assignment, then: Assignment, before: Access, after: Access
) -> set[int]:
    """Return the places of the indices of an array that say into which sum an item goes.

    Parameters
    ----------
    nest
        The nest.
    first, then
        A sweep that sums up, and one in which each instance waits for the sum of its item.
    before, after
        Their accesses to the array.
    """
    if not first.sums:
        raise CertificateError("sweeps", f"{first.name} sums up nothing")
    swept = [_fixed(form, first.box) for form in _forms_of(before)]
    again = [_fixed(form, then.box) for form in _forms_of(after)]
    places, asked = set(), []
    for row, constant in (_fixed(form, first.box) for form in _forms_of(first.item)):
        if not any(row):
            asked.append(((0,) * len(then.box), constant))
            continue
        found = [at for at, (other, _) in enumerate(swept) if other == row]
        if not found:
            raise CertificateError("sweeps", f"{first.name} sums up across items of one index")
        places.add(found[0])
        more = constant - swept[found[0]][1]
        asked.append((again[found[0]][0], again[found[0]][1] + more))
    for forms in _read_of(nest, then, first, MOST_STEPS):
        if [_fixed(form, then.box) for form in forms] == asked:
            return places
    raise CertificateError("sweeps", f"{then.name} does not wait for {first.name}")


def _forms_of(access: Access) -> list[Form]:
    return list(zip(access.rows, access.offset, strict=True))


def _fixed(form: Form, box: Box) -> Form:
    """Return a form without loops that have one value."""
    row, constant = form
    alone = [high - low == 1 for low, high in box]
    rest = sum(by * low for by, (low, _), one in zip(row, box, alone, strict=True) if one)
    return tuple(0 if one else by for by, one in zip(row, alone, strict=True)), constant + rest


def _read_of(
    nest: BoxNest, reader: Assignment, made: Assignment, steps: int
) -> Iterator[list[Form]]:
    """Yield the indices of sums that each instance of a reader needs, as forms of its loops."""
    known = {each.name: each for each in nest.assignments}
    for access in reader.reads:
        if not reader.is_whole(access):
            continue
        if access.array == made.name:
            yield _forms_of(access)
        between = known.get(access.array)
        if between is None or between.sums or between is reader or steps == 1:
            continue
        for forms in _read_of(nest, between, made, steps - 1):
            yield [_of_reader(form, access) for form in forms]


def _of_reader(form: Form, access: Access) -> Form:
    """Return a form of a maker's loops as one of its reader's loops."""
    row, constant = form
    width = len(access.box)
    mine = tuple(
        sum(by * index[at] for by, index in zip(row, access.rows, strict=True))
        for at in range(width)
    )
    return mine, constant + sum(by * more for by, more in zip(row, access.offset, strict=True))
