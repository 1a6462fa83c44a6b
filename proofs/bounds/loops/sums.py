"""Spaces of products that other operators add up: items of sums, or entries that go out."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dags import CDAG
from dags.cdag.origin import Origin
from proofs.bounds.loops.references import Slot, slots_of
from proofs.lemmas.loops.operands import MOST, NO_LOOP
from proofs.lemmas.loops.program_updates import LETTERS

Description = dict[str, Any]


def going_out(dag: CDAG, origin: Origin, space: Description) -> Iterator[Description]:
    """Yield a space with one array more, of the sums that its one operator's values go into.

    Parameters
    ----------
    dag, origin
        The DAG and its points.
    space
        The description of a space.
    """
    if len(space["statements"]) != 1 or any(array["slots"] == [] for array in space["arrays"]):
        return
    (statement,) = space["statements"]
    operator, loops = statement["operator"], statement["loops"]
    for adder in _readers(dag, origin, operator, len(origin.operators[operator].variables)):
        slots = slots_of(dag, origin, adder)
        summed = _summed(slots, adder)
        if summed is None or not _reads(slots, operator, len(loops)):
            continue
        kept = [loop for loop in range(len(loops)) if loop != summed]
        letters = "".join(LETTERS[loops.index(loop)] for loop in kept)
        out = {"slots": [], "kept": ["".join(sorted(letters))], "by_value": False, "cost": "1"}
        labels = [{"operator": maker, "loops": kept} for maker in (operator, adder)]
        after = _after(dag, origin, adder, len(kept))
        labels += [{"operator": later, "loops": [*range(len(kept))]} for later in after]
        if len(labels) <= MOST:
            yield {**space, "arrays": [*space["arrays"], out], "labels": labels}


def chains_out(space: Description) -> Iterator[Description]:
    """Yield a space whose sums go out, where its operator reads its own: none of them is born."""
    if len(space["statements"]) != 1 or space["labels"]:
        return
    (statement,) = space["statements"]
    for place, array in enumerate(space["arrays"]):
        if len(array["slots"]) != 1:
            continue
        (slot,), (kept,) = array["slots"], array["kept"]
        read = statement["slots"][slot]
        if isinstance(read, list) and any(
            reference["made_by"] == statement["operator"] for reference in read
        ):
            arrays = [*space["arrays"]]
            arrays[place] = {"slots": [], "kept": [kept], "by_value": False, "cost": "1"}
            loops = [statement["loops"][LETTERS.index(letter)] for letter in kept]
            labels = [{"operator": statement["operator"], "loops": loops}]
            yield {**space, "arrays": arrays, "labels": labels}


def added_up(dag: CDAG, origin: Origin, space: Description) -> Iterator[Description]:
    """Yield a space with one array more, of the items that its operators' values are added to.

    Parameters
    ----------
    dag, origin
        The DAG and its points.
    space
        The description of a space without sums.
    """
    sums = [_sums_of(dag, origin, statement) for statement in space["statements"]]
    for kept in dict.fromkeys(letters for sums in sums for letters in sums):
        if all(kept in sums for sums in sums):
            place = len(space["statements"][0]["slots"])
            statements = [
                {**statement, "slots": [*statement["slots"], sums[kept]]}
                for statement, sums in zip(space["statements"], sums, strict=True)
            ]
            array = {"slots": [place], "kept": [kept], "by_value": False, "cost": "1"}
            yield {**space, "statements": statements, "arrays": [*space["arrays"], array]}


def _sums_of(dag: CDAG, origin: Origin, statement: Description) -> dict[str, Description]:
    """The sums of an operator's values, by the indices that their items keep."""
    operator, loops = statement["operator"], statement["loops"]
    sums: dict[str, Description] = {}
    for adder in _readers(dag, origin, operator, len(origin.operators[operator].variables)):
        slots = slots_of(dag, origin, adder)
        values = [
            [
                reference.described()
                for reference in slot.references
                if reference.made_by == operator
            ]
            for slot in slots
        ]
        summed = _summed(slots, adder)
        before = [slot for slot in slots if slot.chain]
        if summed is None or not before or not any(values):
            continue
        references = [
            reference for reference in before[0].references if reference.made_by != operator
        ]
        kept = [loop for loop in range(len(loops)) if loop != summed]
        letters = "".join(sorted(LETTERS[loops.index(loop)] for loop in kept))
        sums[letters] = {
            "sum": adder,
            "values": [value for value in values if value],
            "before": [reference.described() for reference in references],
        }
    return sums


def _after(dag: CDAG, origin: Origin, adder: int, depth: int) -> list[int]:
    """Operators that make of each sum one value after the other, by a guess."""
    operators: list[int] = []
    wave = [adder]
    while wave:
        wave = [
            reader
            for operator in wave
            for reader in _readers(dag, origin, operator, depth)
            if reader not in (adder, *operators)
        ]
        operators += dict.fromkeys(wave)
    return operators


def _readers(dag: CDAG, origin: Origin, operator: int, depth: int) -> list[int]:
    """The operators in so many loops that read values of another one."""
    edges = np.flatnonzero(origin.made_by[dag.pred_indices] == operator)
    readers = np.searchsorted(dag.pred_indptr, edges, side="right") - 1
    return [
        maker
        for maker in np.unique(origin.made_by[readers]).tolist()
        if maker not in (operator, -1) and len(origin.operators[maker].variables) == depth
    ]


def _summed(slots: list[Slot], adder: int) -> int | None:
    """The loop along which an operator adds to its values before."""
    for slot in slots:
        for reference in slot.references:
            moved = [loop for loop, offset in enumerate(reference.offsets) if offset]
            straight = reference.loops == tuple(range(len(reference.loops)))
            if reference.made_by == adder and straight and len(moved) == 1:
                return moved[0]
    return None


def _reads(slots: list[Slot], operator: int, depth: int) -> bool:
    """Whether an operator's values are read at the points where they were made."""
    return any(
        reference.made_by == operator
        and reference.loops == tuple(range(depth))
        and NO_LOOP not in reference.loops
        for slot in slots
        for reference in slot.references
    )
