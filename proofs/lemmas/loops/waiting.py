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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import Box, Row
from dags.programs.touched import groups, touched
from proofs.core.records import CertificateError, Within

MOST_ARRAYS, MOST_STEPS = 64, 3  # steps from a sweep to the sum that it waits for
Form = tuple[Row, int]
Sums = Sequence[Form]  # the indices of a sum, one for each instance of its reader


@dataclass(frozen=True)
class Sweeps:
    """An array, and the assignments that sweep over it one after the other."""

    array: str
    sweeps: tuple[str, ...]


@dataclass(frozen=True)
class Waits:
    """Sweeps over different arrays."""

    arrays: Annotated[tuple[Sweeps, ...], Within(entries=MOST_ARRAYS)]


def waiting_words(nest: BoxNest, memory: int, sweeps: Sweeps) -> tuple[int, int]:
    """The loads besides those of inputs, and the stores besides those of outputs (N17).

    Parameters
    ----------
    nest, memory
        The nest, and words of fast memory.
    sweeps
        The sweeps.

    Raises
    ------
    CertificateError
        If they are none.
    """
    known = {assignment.name: assignment for assignment in nest.assignments}
    if not 2 <= len(sweeps.sweeps) == len(set(sweeps.sweeps)) or not known.keys() >= {
        *sweeps.sweeps
    }:
        raise CertificateError("sweeps", "are not several assignments of this nest")
    chain = [known[name] for name in sweeps.sweeps]
    accesses = [swept(assignment, sweeps.array) for assignment in chain]
    common = sum(touched([access]) for access in accesses) - (len(chain) - 1) * touched(accesses)
    places: set[int] = set()
    for first, second in pairwise(chain):
        places |= block_places(first, second, sweeps.array, sums_needed(nest, second))
    blocks = [number for access in accesses if (number := _blocks(access, places)) is not None]
    if not blocks:
        raise CertificateError("sweeps", "have no blocks of one size")
    maker = known.get(sweeps.array)
    loads = max(0, common - min(blocks) * memory)
    return (len(chain) - 1) * loads, loads if maker is not None and maker.outputs is None else 0


def _blocks(access: Access, places: set[int]) -> int | None:
    """How many values the indices at some places have in an access.

    None where loops bring them together with other indices.
    """
    number = 1
    for group in groups(access.rows, access.box, access.ties):
        inside = places & {*group.places}
        if inside and inside != {*group.places}:
            return None
        number *= group.touched() if inside else 1
    return number


def swept(assignment: Assignment, array: str) -> Access:
    """The access of all instances of an assignment to an array that others make.

    Raises
    ------
    CertificateError
        If there is none.
    """
    for access in assignment.reads:
        if access.array == array != assignment.name and assignment.is_whole(access):
            return access
    raise CertificateError("sweeps", f"{assignment.name} does not read {array} everywhere")


def block_places(
    first: Assignment, second: Assignment, array: str, needed: Mapping[str, Sequence[Sums]]
) -> set[int]:
    """The places of the indices of an array that say into which sum an item goes.

    Parameters
    ----------
    first, then
        A sweep that sums up, and one in which each instance waits for the sum of its item.
    array
        What both of them read.
    needed
        The sums that each instance of the second one needs, by `sums_needed`.

    Raises
    ------
    CertificateError
        If the second one does not wait for the first.
    """
    before, after = swept(first, array), swept(second, array)
    if not first.sums:
        raise CertificateError("sweeps", f"{first.name} sums up nothing")
    read = [_fixed(form, first.box) for form in _forms_of(before)]
    forms_after = [_fixed(form, second.box) for form in _forms_of(after)]
    places: set[int] = set()
    asked: list[Form] = []
    for row, constant in (_fixed(form, first.box) for form in _forms_of(first.item)):
        if not any(row):
            asked.append(((0,) * len(second.box), constant))
            continue
        places_alike = [place for place, (other_row, _) in enumerate(read) if other_row == row]
        if not places_alike:
            raise CertificateError("sweeps", f"{first.name} sums up across items of one index")
        places.add(places_alike[0])
        difference = constant - read[places_alike[0]][1]
        asked.append(
            (forms_after[places_alike[0]][0], forms_after[places_alike[0]][1] + difference)
        )
    for forms in needed.get(first.name, ()):
        if [_fixed(form, second.box) for form in forms] == asked:
            return places
    raise CertificateError("sweeps", f"{second.name} does not wait for {first.name}")


def _forms_of(access: Access) -> list[Form]:
    return list(zip(access.rows, access.offset, strict=True))


def _fixed(form: Form, box: Box) -> Form:
    """A form without loops that have one value."""
    row, constant = form
    is_fixed = [high - low == 1 for low, high in box]
    offset = sum(
        coefficient * low
        for coefficient, (low, _), fixed_loop in zip(row, box, is_fixed, strict=True)
        if fixed_loop
    )
    return tuple(
        0 if fixed_loop else coefficient
        for coefficient, fixed_loop in zip(row, is_fixed, strict=True)
    ), constant + offset


def sums_needed(
    nest: BoxNest, reader: Assignment, steps: int = MOST_STEPS
) -> dict[str, list[Sums]]:
    """The sums that each instance of an assignment needs, by the assignment that makes them.

    Parameters
    ----------
    nest, reader
        The nest, and one of its assignments.
    steps
        So many reads lead from the reader to a sum at most.
    """
    known = {assignment.name: assignment for assignment in nest.assignments}
    needed: dict[str, list[Sums]] = {}
    width = len(reader.box)
    for access in reader.reads:
        maker = known.get(access.array)
        if maker is None or maker is reader or not reader.is_whole(access):
            continue
        if maker.sums:
            needed.setdefault(maker.name, []).append(_forms_of(access))
        elif steps > 1 and _is_by_loops(maker):
            loops = _loops_of_maker(access, maker)
            for name, several in sums_needed(nest, maker, steps - 1).items():
                forms_of_reader = (
                    [_composed(form, loops, width) for form in forms] for forms in several
                )
                needed.setdefault(name, []).extend(forms_of_reader)
    return needed


def _is_by_loops(maker: Assignment) -> bool:
    """Whether the indices of a value are the loops of its maker, each with a constant."""
    width = len(maker.box)
    return maker.item.rows == tuple(tuple(int(i == j) for j in range(width)) for i in range(width))


def _loops_of_maker(access: Access, maker: Assignment) -> list[Form]:
    """The loops of the maker of a value as forms of the loops of its reader.

    The loops of a nest are moved on by constants (`dags.programs.aligned_loops`), but the indices
    of values are not: what an access says is a loop of the maker and the constant of its item.
    """
    forms = zip(_forms_of(access), maker.item.offset, strict=True)
    return [(row, constant - moved) for (row, constant), moved in forms]


def _composed(form: Form, loops: Sequence[Form], width: int) -> Form:
    """A form of a maker's loops as one of its reader's, given what those loops are."""
    row, constant = form
    pairs = [(coefficient, *loop) for coefficient, loop in zip(row, loops, strict=True)]
    composed = tuple(
        sum(coefficient * loop_row[place] for coefficient, loop_row, _ in pairs)
        for place in range(width)
    )
    return composed, constant + sum(coefficient * shift for coefficient, _, shift in pairs)
