"""Guesses which updates of a program make a good space of iterations; see `program_space`.

A candidate is one operator, or several that have the same arrays after their loops are renamed:
at common points, or with an index for the statement. Two operands of one array whose rows differ
in one index are a pair of rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import Any

from dags import CDAG
from dags.cdag.origin import Origin
from proofs.bounds.loops.references import Slot, slots_of
from proofs.bounds.loops.sums import added_up, chains_out, going_out
from proofs.lemmas.loops.operands import MOST, NO_LOOP
from proofs.lemmas.loops.program_space import STATEMENT
from proofs.lemmas.loops.program_updates import LETTERS

MOST_LOOPS = 5  # whose names are tried in all orders
MOST_ARRAYS = 6
LEAST_SHARE = 0.3  # of updates that have an operand: others are no array of their own

Description = dict[str, Any]


@dataclass(frozen=True)
class Side:
    """An operator as it takes part in a space.

    Parameters
    ----------
    operator
        Its number.
    loops
        The loop for each index of the space, -1 for none.
    slots
        The operands that are items.
    """

    operator: int
    loops: tuple[int, ...]
    slots: tuple[Slot, ...]

    def kept(self, slot: Slot) -> str:
        """The indices that a slot keeps."""
        pairs = zip(LETTERS, self.loops, strict=False)
        return "".join(letter for letter, loop in pairs if loop in slot.loops)

    def signature(self) -> tuple[tuple[str, bool], ...]:
        """Kept indices of slots, and which is a chain: equal for sides that go together."""
        return tuple((self.kept(slot), slot.chain) for slot in self.slots)

    def renamed(self, loops: tuple[int, ...]) -> "Side":
        """The same operator with its loops in another order, and slots in theirs."""
        side = replace(self, loops=loops)
        order = sorted(self.slots, key=lambda slot: (slot.chain, side.kept(slot), _makers(slot)))
        return replace(side, slots=tuple(order))


def descriptions(dag: CDAG, origin: Origin) -> Iterator[Description]:
    """Yield descriptions of spaces of updates, those with the most updates first.

    Parameters
    ----------
    dag, origin
        The DAG and its points.
    """
    sides = [
        side
        for operator in range(len(origin.operators))
        if (side := _side(dag, origin, operator)) is not None
    ]
    seen: set[str] = set()
    for together in _groups(sides):
        for description in _spaces_of(together):
            if (key := repr(description)) not in seen:
                seen.add(key)
                yield from going_out(dag, origin, description)
                yield from added_up(dag, origin, description)
                yield description


def with_ends(dag: CDAG, origin: Origin, space: Description) -> Iterator[Description]:
    """Yield a space with its sums going out, and with the steps that end its items.

    Parameters
    ----------
    dag, origin
        The DAG and its points.
    space
        The description of a space.
    """
    yield from chains_out(space)
    yield from _finished(dag, origin, space)


def _finished(dag: CDAG, origin: Origin, space: Description) -> Iterator[Description]:
    """Yield a space with the steps that end the items of an array as updates besides.

    A division l(i,k) = a(i,k) / u(k,k) is the point (i, k, k) of a(i,j) -= l(i,k) u(k,j): it reads
    the items of the other two arrays there, and makes that of L.

    Parameters
    ----------
    dag, origin
        The DAG and its points.
    space
        The description of a space.
    """
    statements = space["statements"]
    operators, first = {statement["operator"] for statement in statements}, statements[0]
    for ended, slot in enumerate([] if space["joint"] else first["slots"]):
        for value in slot if isinstance(slot, list) else ():
            maker, followed = value["made_by"], value["loops"]
            is_step = maker >= 0 and maker not in operators and not any(value["offsets"])
            if is_step and {*followed} <= {*first["loops"]}:
                for loops in _loops_of_step(first["loops"], followed):
                    step = _step(space, ended, loops, maker, slots_of(dag, origin, maker))
                    yield {**space, "statements": [*statements, step]}


def _loops_of_step(loops: list[int], followed: list[int]) -> Iterator[list[int]]:
    """Yield the loop of a step for each index of a space.

    Parameters
    ----------
    loops
        Of the space's operator, the loop for each index.
    followed
        Loops of the operator that those of the step follow.
    """
    straight = [followed.index(loop) if loop in followed else NO_LOOP for loop in loops]
    for chosen in product(range(len(followed)), repeat=straight.count(NO_LOOP)):
        free = iter(chosen)
        yield [next(free) if loop == NO_LOOP else loop for loop in straight]


def _step(
    space: Description, ended: int, loops: list[int], maker: int, read: list[Slot]
) -> Description:
    """The statement of steps that end items, as a certificate has it.

    Parameters
    ----------
    space
        The description of the space without them.
    ended
        The slot of the items that they end, of which they read none.
    loops, maker, read
        Of the step, the loop for each index, its operator, and what that reads.
    """
    depth = 1 + max(loops, default=NO_LOOP)
    itself = {"made_by": maker, "loops": [*range(depth)], "offsets": [0] * depth}
    slots: list[Any] = [[itself] for _ in space["statements"][0]["slots"]]  # nothing is read so
    for array in space["arrays"]:
        for place, kept in zip(array["slots"], array["kept"], strict=False):
            along = {loops[LETTERS.index(letter)] for letter in kept}
            alike = [slot for slot in read if slot.loops == along]
            if alike and place != ended:
                slots[place] = alike[0].described()
    return {"operator": maker, "loops": loops, "slots": slots}


def _side(dag: CDAG, origin: Origin, operator: int) -> Side | None:
    """An operator with its arrays, or None if it is no update of any."""
    depth = len(origin.operators[operator].variables)
    slots = [
        item
        for slot in slots_of(dag, origin, operator)
        for item in _items(dag, origin, slot, depth)
        if item.loops and item.share >= LEAST_SHARE and not _is_whole(item, depth)
    ]
    if depth < 2 or depth > len(LETTERS) or len(slots) < 2:
        return None
    side = Side(operator, tuple(range(depth)), tuple(slots[:MOST_ARRAYS]))
    return side.renamed(side.loops)


def reads_its_own(dag: CDAG, origin: Origin, operator: int) -> bool:
    """Whether most updates read a value that no other one reads, made at another point.

    Parameters
    ----------
    dag, origin, operator
        The DAG, its points, and a number of an operator.
    """
    depth = len(origin.operators[operator].variables)
    return any(
        _is_whole(slot, depth) and slot.share >= LEAST_SHARE and any(slot.references[0].offsets)
        for slot in slots_of(dag, origin, operator)
    )


def _items(dag: CDAG, origin: Origin, slot: Slot, depth: int) -> Iterator[Slot]:
    """Yield the slot, or the operand in it by way of a value at the reader's own point."""
    straight = slot.references[0]
    own_reference = (straight.made_by, tuple(range(depth)), (0,) * depth)
    if (
        own_reference != (straight.made_by, straight.loops, straight.offsets)
        or straight.made_by < 0
    ):
        yield slot
        return
    for read in slots_of(dag, origin, straight.made_by):
        if not read.chain and not read.way:
            yield replace(read, way=(straight,), share=min(read.share, slot.share))


def _is_whole(slot: Slot, depth: int) -> bool:
    """Whether each update has a computed value of its own there: nothing is gained."""
    return len(slot.loops) == depth and any(reference.made_by >= 0 for reference in slot.references)


def _makers(slot: Slot) -> tuple[int, ...]:
    return tuple(sorted(reference.made_by for reference in slot.references))


def _groups(sides: list[Side]) -> Iterator[list[Side]]:
    """Yield operators that go together, the largest groups first, and each alone."""
    classes: list[list[Side]] = []
    for side in sides:
        for members in classes:
            if (fitting := _aligned(members[0], side)) is not None:
                members.append(fitting)
                break
        else:
            classes.append([side])
    for members in sorted(classes, key=len, reverse=True):
        yield members
        if len(members) > 2:
            yield from map(list, combinations(members, 2))
        if len(members) > 1:
            yield from ([member] for member in members)


def _aligned(first: Side, second: Side) -> Side | None:
    """The other operator with its loops in the order that makes it most like the first."""
    depth = len(first.loops)
    if len(second.loops) != depth or len(second.slots) != len(first.slots) or depth > MOST_LOOPS:
        return None
    renamed = (second.renamed(loops) for loops in permutations(second.loops))
    fitting = [side for side in renamed if side.signature() == first.signature()]
    return max(fitting, key=lambda side: _in_common(first, side), default=None)


def _in_common(first: Side, second: Side) -> int:
    """Return in how many slots two operators read values of the same makers."""
    pairs = zip(first.slots, second.slots, strict=True)
    return sum(bool({*_makers(first_slot)} & {*_makers(two)}) for first_slot, two in pairs)


def _spaces_of(sides: list[Side]) -> Iterator[Description]:
    """Yield descriptions with these operators."""
    for joint in (False, True) if len(sides) > 1 else (False,):
        for upper, lower in _pairs(sides[0]):
            ordered = _with_letters(sides, upper, lower)
            pairs = _description(ordered, joint, _rows(ordered[0]), symmetric="ab")
            yield pairs
            yield from _triangles(ordered[0], pairs)
        arrays: list[tuple[int, ...]] = [(slot,) for slot in range(len(sides[0].slots))]
        yield _description(sides, joint, arrays)
        if 1 < len(large := _largest(sides[0])) < len(arrays):
            yield _description(sides, joint, large)


def _largest(side: Side) -> list[tuple[int, ...]]:
    """The slots of arrays that keep not less than another one: vectors beside matrices."""
    kept = [{*side.kept(slot)} for slot in side.slots]
    return [
        (slot,)
        for slot, kept_loops in enumerate(kept)
        if not any(kept_loops < other_kept for other_kept in kept)
    ]


def _triangles(side: Side, pairs: Description) -> Iterator[Description]:
    """Yield the space of triangles: rows and their results are entries of one array, a > b > c."""
    arrays = pairs["arrays"]
    if len(side.loops) != 3 or [len(array["slots"]) for array in arrays] != [2, 1]:
        return
    rows, entries = arrays
    if [*rows["kept"], *entries["kept"]] == ["ac", "bc", "ab"]:
        slots, kept = [*rows["slots"], *entries["slots"]], [*rows["kept"], *entries["kept"]]
        triangle = {"slots": slots, "kept": kept, "by_value": False, "cost": "1"}
        order = [*pairs["order"], ["b", ">", "c", 0]]
        yield {**pairs, "arrays": [triangle], "order": order, "symmetric": "abc"}


def _pairs(side: Side) -> Iterator[tuple[int, int]]:
    """Yield pairs of loops, both ways, in which two slots of one array differ."""
    for slot, two in combinations(side.slots, 2):
        differ = slot.loops ^ two.loops
        if len(differ) == 2 and len(slot.loops) == len(two.loops) and _meet(slot, two):
            upper, lower = sorted(differ)
            yield upper, lower
            yield lower, upper


def _meet(first: Slot, two: Slot) -> bool:
    """Whether two slots read values of the same makers, and are no chains."""
    return not first.chain and not two.chain and bool({*_makers(first)} & {*_makers(two)})


def _with_letters(sides: list[Side], upper: int, lower: int) -> list[Side]:
    """The operators with two loops of the first as the indices a and b."""
    places = [sides[0].loops.index(loop) for loop in (upper, lower)]
    places += [place for place in range(len(sides[0].loops)) if place not in places]
    return [replace(side, loops=tuple(side.loops[place] for place in places)) for side in sides]


def _rows(side: Side) -> list[tuple[int, ...]]:
    """The slots of each array where pairs of rows are one; others keep a and b or none."""
    arrays: list[tuple[int, ...]] = []
    left = list(range(len(side.slots)))
    for first, two in combinations(range(len(side.slots)), 2):
        upper, lower = side.kept(side.slots[first]), side.kept(side.slots[two])
        if first in left and two in left and _meet(side.slots[first], side.slots[two]):
            if upper.replace("a", "b") == lower and "a" in upper and "b" not in upper:
                arrays.append((first, two))
                left = [slot for slot in left if slot not in (first, two)]
            elif lower.replace("a", "b") == upper and "a" in lower and "b" not in lower:
                arrays.append((two, first))
                left = [slot for slot in left if slot not in (first, two)]
    arrays += [(slot,) for slot in left if len({*"ab"} & {*side.kept(side.slots[slot])}) != 1]
    return sorted(arrays, key=lambda array: side.slots[array[0]].chain)


def _description(
    sides: list[Side],
    joint: bool,
    arrays: list[tuple[int, ...]],
    *,
    symmetric: str = "",
) -> Description:
    """The description of a space."""
    return {
        "statements": [
            {
                "operator": side.operator,
                "loops": list(side.loops),
                "slots": [slot.described() for slot in side.slots],
            }
            for side in sides
        ],
        "joint": joint,
        "order": [["a", ">", "b", 0]] if symmetric else [],
        "complete": False,
        "single": False,
        "shared": False,
        "symmetric": symmetric,
        "arrays": [_array(sides, joint, slots) for slots in arrays],
        "labels": [],
    }


def _array(sides: list[Side], joint: bool, slots: tuple[int, ...]) -> Description:
    """The description of an array with these slots."""
    first = sides[0]
    statement = STATEMENT if joint and not _shared(sides, slots) else ""
    chain = any(first.slots[slot].chain for slot in slots)
    return {
        "slots": list(slots),
        "kept": [first.kept(first.slots[slot]) + statement for slot in slots],
        "by_value": not chain and len(slots) == 1,
        "cost": "1",
    }


def _shared(sides: list[Side], slots: tuple[int, ...]) -> bool:
    """Whether two statements read values of the same makers in these slots."""
    makers = [{maker for slot in slots for maker in _makers(side.slots[slot])} for side in sides]
    return any(makers_of_one & two for makers_of_one, two in combinations(makers, 2))


def labels_of(dag: CDAG, origin: Origin) -> list[Description]:
    """Return of each operator the operand that its value takes the place of, if any.

    That is the one that follows the most of its loops: the cell as it was before, most likely.

    Parameters
    ----------
    dag, origin
        The DAG and its points.
    """
    labels = []
    for operator in range(len(origin.operators)):
        slots = slots_of(dag, origin, operator)
        cell = max(slots, key=lambda slot: (slot.chain, len(slot.loops), slot.share), default=None)
        if cell is not None:
            references = [reference.described() for reference in cell.references]
            labels.append({"operator": operator, "references": references})
    return labels[:MOST]
