"""Premises of spaces of updates, verified for all sizes at once.

The premises that `program_space` and `window_gains.segment_gain` verify on one DAG are verified
here on the relations of all of them: that updates are at different points, that a value is one
item, that the items which a value stands for cost no more than it has. The words to add are numbers
of points of sets: inputs that are read and are no items, outputs, less heads and births, one by one
as there. The proof is the one in `window_gains`; values are one word each, and nothing goes out.

Operands of the instances of a program are found by the references of a certificate, which is of a
DAG of some sizes; constants in it may stand for sizes: the last value of a chain of NK updates is
the one at NK - 1, which is 11 where NK is 12. So a constant is tried as each size that it is near,
less the difference, and as itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import ceil
from typing import Any, Final

from dags.programs.dataflow import Dataflow
from dags.programs.integer_sets import isl, parameters
from proofs.base import NotApplicableError
from proofs.laws.symbolic.counts import NotCountedError, Terms, points_of, polynomial_of
from proofs.lemmas.loops.operands import NO_LOOP
from proofs.lemmas.loops.program_space import STATEMENT
from proofs.lemmas.loops.program_updates import LETTERS

NEAR: Final = 3  # of a size: a constant that may stand for it
NO_SIZE: Final = -1
Sized = tuple[int, int]  # a size, or none, and what is added
Space = Mapping[str, Any]  # a description, as `program_space` takes it


@dataclass(frozen=True)
class Named:
    """A reference of a certificate, for all sizes.

    Parameters
    ----------
    made_by, loops
        As in `proofs.lemmas.loops.operands.Reference`.
    offsets
        The constant of each coordinate: a size, or -1 for none, and a number.
    """

    made_by: int
    loops: tuple[int, ...]
    offsets: tuple[Sized, ...]

    @property
    def at(self) -> str:
        """The point of the operand, as isl reads it."""
        return ",".join(
            f"{'' if loop == NO_LOOP else f'c{loop} + '}"
            f"{'' if size == NO_SIZE else f'n{size} + '}{offset}"
            for loop, (size, offset) in zip(self.loops, self.offsets, strict=True)
        )

    def described(self, sizes: Sequence[int]) -> dict[str, Any]:
        """The reference as a certificate of a DAG of some sizes has it."""
        offsets = [
            offset + (0 if size == NO_SIZE else sizes[size]) for size, offset in self.offsets
        ]
        return {"made_by": self.made_by, "loops": list(self.loops), "offsets": offsets}


@dataclass(frozen=True)
class OperandReader:
    """Finds operands of one program.

    Parameters
    ----------
    found
        The values of the program.
    sizes
        The sizes of the DAG whose certificate it is.
    asked
        The sizes that are meant: a `islpy.Set` of parameters alone.
    """

    found: Dataflow
    sizes: Sequence[int]
    asked: Any

    def slot(self, operator: int, slot: Sequence[Mapping[str, Any]]) -> tuple[Any, list[Named]]:
        """Return from instances to the operand in a slot, and the references that are there.

        As in a certificate, the first reference that an instance has is meant; one that nothing
        has at some sizes is left out.

        Parameters
        ----------
        operator
            Whose operand it is.
        slot
            The references as a certificate has them.
        """
        read, named = self.relation(""), []
        for reference in slot:
            for reading in self.readings(reference):
                instances = self.operands(operator, reading).intersect(self.found.reads)
                if self.asked.is_subset(instances.params()):
                    read = read.union(instances.subtract_domain(read.domain()))
                    named.append(reading)
        return read, named

    def readings(self, reference: Mapping[str, Any]) -> Iterator[Named]:
        """Yield the forms that a reference may have for all sizes."""
        loops, offsets = reference["loops"], reference["offsets"]
        pairs = zip(loops, offsets, strict=True)
        for choice in product(*(self.forms(loop, offset) for loop, offset in pairs)):
            yield Named(reference["made_by"], tuple(loops), choice)

    def forms(self, loop: int, offset: int) -> list[Sized]:
        """The forms of an offset: where there is no loop, a size less something."""
        if loop != NO_LOOP:
            return [(NO_SIZE, offset)]
        differences = [(place, offset - value) for place, value in enumerate(self.sizes)]
        return [
            *((place, difference) for place, difference in differences if abs(difference) <= NEAR),
            (NO_SIZE, offset),
        ]

    def operands(self, operator: int, reading: Named) -> Any:
        """Return from all instances of an operator to the values that a reference names."""
        maker = reading.made_by
        name = f"S{maker}" if maker >= 0 else self.found.arrays[-1 - maker]
        return self.relation(f"{self.instance(operator)} -> {name}[{reading.at}]")

    def relation(self, text: str) -> Any:
        """A relation that is written without the list of sizes."""
        return isl.UnionMap(f"{parameters(len(self.sizes))} -> {{ {text} }}")

    def points(self, text: str) -> Any:
        """A set that is written without the list of sizes."""
        return isl.UnionSet(f"{parameters(len(self.sizes))} -> {{ {text} }}")

    def instance(self, operator: int) -> str:
        """Any instance of an operator, as isl reads it."""
        listed = self.found.computed.get_set_list()
        for place in range(listed.n_set()):
            if listed.get_at(place).get_tuple_name() == f"S{operator}":
                depth = listed.get_at(place).dim(isl.dim_type.set)
                return f"S{operator}[{','.join(f'c{i}' for i in range(depth))}]"
        raise NotApplicableError(f"assignment {operator} computes nothing")


class NotHeldError(NotApplicableError):
    """A premise that does not hold for all sizes; the message says which."""


@dataclass(frozen=True)
class Premises:
    """Numbers and references of a space that hold at all sizes that were asked for.

    Parameters
    ----------
    updates, gain
        Updates, and words to add to the items of windows, by powers of the sizes.
    ranges
        The range of each index, likewise.
    named
        For each statement and slot, the references for all sizes.
    """

    updates: Terms
    gain: Terms
    ranges: Mapping[str, Terms]
    named: Sequence[Sequence[Sequence[Named]]]

    def space_at(self, space: Space, sizes: Sequence[int]) -> dict[str, Any]:
        """The space as a certificate of the DAG of some sizes has it."""
        statements = [
            {
                **statement,
                "slots": [[reading.described(sizes) for reading in slot] for slot in slots],
            }
            for statement, slots in zip(space["statements"], self.named, strict=True)
        ]
        return {**space, "statements": statements}


@dataclass(frozen=True)
class _Array:
    """The relations from updates to items in each role; kept indices, kind and cost."""

    slots: tuple[Any, ...]
    kept: tuple[str, ...]
    by_value: bool
    cost: Fraction

    @property
    def read(self) -> Any:
        """From updates to items, in any role."""
        return _together(self.slots)


def premises_for_all(reader: OperandReader, space: Space) -> Premises:
    """The premises of a space, for all sizes that the reader is asked for.

    Parameters
    ----------
    reader
        The operands of the program.
    space
        The description of a space, for one-shot plays, as it was found in one DAG.

    Raises
    ------
    NotApplicableError
        If a premise does not hold for all of them, or a number is no polynomial.
    """
    if space["labels"]:
        raise NotHeldError("items that go out are not followed for all sizes")
    if any(
        isinstance(slot, Mapping)
        for statement in space["statements"]
        for slot in statement["slots"]
    ):
        raise NotHeldError("sums, and what is between, are not followed for all sizes")
    return _Premises(reader, space).found()


class _Premises:
    """The premises of one space."""

    def __init__(self, reader: OperandReader, space: Space) -> None:
        self.reader = reader
        self.space = space
        self.names = ",".join([*LETTERS[: len(space["statements"][0]["loops"])], STATEMENT])
        slots_read = [
            [reader.slot(statement["operator"], slot) for slot in statement["slots"]]
            for statement in space["statements"]
        ]
        self.named = [[named for _, named in slots] for slots in slots_read]
        columns = zip(*([read for read, _ in slots] for slots in slots_read), strict=True)
        self.slots = [_together(column) for column in columns]
        self.point = self.points()
        self.arrays = [*self.listed()]

    def found(self) -> Premises:
        """The proof; raises NotApplicableError where not all does."""
        if not self.point.is_injective():
            raise NotHeldError("two updates are at one point")
        self.check_order()
        self.check_costs()
        for array in self.arrays:
            self.check_items(array)
        asked, updates = self.reader.asked, points_of(self.point.domain())
        ranges = {}
        for index in self.names.split(",")[:-1]:
            with suppress(NotCountedError):  # the largest of several is no polynomial
                ranges[index] = polynomial_of(points_of(self.values(index)), asked)
        gain = polynomial_of(self.gain(), asked)
        return Premises(polynomial_of(updates, asked), gain, ranges, self.named)

    def gain(self) -> list[Any]:
        """The words to add: inputs and outputs, less heads and births."""
        flow, updates = self.reader.found, self.point.domain()
        items = _together([array.read for array in self.arrays]).range()
        pieces = points_of(flow.inputs.subtract(items)) + points_of(flow.outputs)
        for slot in (slot for array in self.arrays for slot in array.slots):
            pieces += points_of(updates.subtract(slot.domain()), -1)
        for born, words in _priced([(self.born(array), array.cost) for array in self.arrays]):
            pieces += points_of(born, -words)
        return pieces

    def points(self) -> Any:
        """Return from each update to its coordinates, the number of its statement the last."""
        points = self.reader.relation("")
        for number, statement in enumerate(self.space["statements"]):
            coordinates = [f"c{loop}" if loop >= 0 else "0" for loop in statement["loops"]]
            last = str(number) if self.space["joint"] else "0"
            instance = self.reader.instance(statement["operator"])
            points = points.union(
                self.reader.relation(f"{instance} -> P[{','.join([*coordinates, last])}]")
            )
        points = points.intersect_domain(self.reader.found.computed)
        for first, relation, second, offset in self.space["order"]:
            kept = f"P[{self.names}] : {first} - {second} - ({offset}) {relation} 0"
            points = points.intersect_range(self.reader.points(kept))
        for slot in self.slots if self.space["complete"] else ():
            points = points.intersect_domain(slot.domain())
        return points

    def listed(self) -> Iterator[_Array]:
        """Yield the arrays; a value that is an item of one is none of the next."""
        slots_by_array = [
            [self.slots[slot] for slot in array["slots"]] for array in self.space["arrays"]
        ]
        if not all(slots_by_array):
            raise NotHeldError("items that go out are not followed for all sizes")
        owned: list[list[Any]] = []  # by earlier arrays
        before = self.reader.points("")
        for array_slots in slots_by_array:
            in_points = [slot.intersect_domain(self.point.domain()) for slot in array_slots]
            owned.append([slot.intersect_range(before) for slot in in_points])
            before = before.union(_together(in_points).range())
        if self.space["single"] and not self.space["shared"]:
            earlier = _together([slot for array_slots in owned for slot in array_slots])
            self.point = self.point.subtract_domain(earlier.domain())
        for array, array_slots, owned_slots in zip(
            self.space["arrays"], slots_by_array, owned, strict=True
        ):
            if not self.space["shared"]:
                array_slots = [
                    slot.subtract(owned_slot)
                    for slot, owned_slot in zip(array_slots, owned_slots, strict=True)
                ]
            roles = tuple(slot.intersect_domain(self.point.domain()) for slot in array_slots)
            yield _Array(roles, tuple(array["kept"]), array["by_value"], Fraction(array["cost"]))

    def image(self, kept: str) -> Any:
        """Return from updates to their projections."""
        onto = f"P[{self.names}] -> I[{','.join(kept)}]"
        return self.point.apply_range(self.reader.relation(onto))

    def values(self, index: str) -> Any:
        """All numbers from the least to the largest value of an index.

        Indices of which one is above the other have one range.
        """
        alike = self.space["symmetric"]
        values = _together(
            [self.image(similar).range() for similar in (alike if index in alike else index)]
        )
        above = values.apply(self.reader.relation("I[x] -> I[y] : y >= x"))
        return above.intersect(values.apply(self.reader.relation("I[x] -> I[y] : y <= x")))

    def check_order(self) -> None:
        """Check that symmetric indices fall."""
        for upper, lower in pairwise(self.space["symmetric"]):
            low = self.reader.points(f"P[{self.names}] : {upper} <= {lower}")
            if not self.point.range().intersect(low).is_empty():
                raise NotHeldError(f"index {upper} is not above {lower}")

    def check_items(self, array: _Array) -> None:
        """Check that a value is one item of an array."""
        pairs = list(zip(array.slots, array.kept, strict=True))
        items = _together([slot.reverse().apply_range(self.image(kept)) for slot, kept in pairs])
        if array.by_value:
            if len(pairs) != 1:
                raise NotHeldError("an array of two roles is no array of values")
            ((slot, kept),) = pairs
            cut = STATEMENT if self.space["joint"] and STATEMENT not in kept else ""
            items = slot.range_product(self.image(cut)).reverse().apply_range(self.image(kept))
        if not items.is_single_valued():
            raise NotHeldError("a value stands for two items")

    def check_costs(self) -> None:
        """Check that the items for which a value stands cost a word at most together."""
        values = [(array.read.range(), array.cost) for array in self.arrays]
        for count in range(1, len(values) + 1):
            for value in combinations(values, count):
                if sum(cost for _, cost in value) > 1 and not _common(value).is_empty():
                    raise NotHeldError("a value stands for two items")

    def born(self, array: _Array) -> Any:
        """The values that may be computed in a window that touches them as items."""
        read = array.read
        if len(array.slots) == 1 and not array.by_value:
            image = self.image(array.kept[0])
            read = read.subtract(image.apply_range(image.reverse()))
        return read.range().intersect(self.reader.found.computed)


def _together(several: Iterable[Any]) -> Any:
    """The union of some sets or relations."""
    first, *further = several
    for relation in further:
        first = first.union(relation)
    return first


def _common(births: Iterable[tuple[Any, Fraction]]) -> Any:
    """The words in each of some sets with their costs."""
    (first, _), *further = births
    for births_of_array, _ in further:
        first = first.intersect(births_of_array)
    return first


def _priced(births: list[tuple[Any, Fraction]]) -> Iterator[tuple[Any, int]]:
    """Yield disjoint sets of values with the whole words of each: its costs, rounded up."""
    for count in range(1, len(births) + 1):
        for chosen in combinations(range(len(births)), count):
            shared = _common([births[number] for number in chosen])
            for births_of_other in (
                births[number][0] for number in range(len(births)) if number not in chosen
            ):
                shared = shared.subtract(births_of_other)
            yield shared, ceil(sum((births[number][1] for number in chosen), Fraction(0)))
