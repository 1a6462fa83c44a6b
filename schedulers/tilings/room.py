"""Items that are held from one iteration of a level to the next, where an index says which."""

from collections.abc import Sequence
from dataclasses import replace

from dags.programs.box_nests import Access
from dags.programs.touched import touched
from schedulers.tilings.iterations import hull

Moves = tuple[tuple[int, ...], ...]  # of each index how it goes on with each level


def held_apart(
    inside: Sequence[Access], moves: Sequence[Moves], loops: Sequence[int], chunk: int
) -> int | None:
    """How many items are held at once, at most; None where no index says in how many.

    Parameters
    ----------
    inside, moves
        Accesses to an array in one iteration of some levels, and how their indices move.
    loops, chunk
        The loop of the last level in each, and its chunks.
    """
    told = _told(inside, loops)
    if told is None or (told[1] > 1 and chunk > 1):
        return None
    place, iterations = told
    if iterations == 1:
        return sum(touched([access]) for access in inside)
    return iterations * _of_one_value(inside, moves, place)


def _of_one_value(inside: Sequence[Access], moves: Sequence[Moves], place: int) -> int:
    """How many items have one value of an index that tells the iteration, at most.

    Accesses that move alike, and not as the last level goes on but in that index, are in one box.
    """
    total = 0
    others = [(*each[:place], *each[place + 1 :]) for each in moves]
    for how in dict.fromkeys(others):
        some = [access for access, other in zip(inside, others, strict=True) if other == how]
        alone = sum(touched([access]) for access in some)
        is_still = not any(row[-1] for row in how)
        total += min(alone, hull([_without(each, place) for each in some])) if is_still else alone
    return total


def _without(access: Access, place: int) -> Access:
    """An access without one of its indices."""
    rows = (*access.rows[:place], *access.rows[place + 1 :])
    return replace(access, rows=rows, offset=(*access.offset[:place], *access.offset[place + 1 :]))


def _told(accesses: Sequence[Access], loops: Sequence[int]) -> tuple[int, int] | None:
    """An index that the last level alone says, and in how many iterations a value is used.

    Parameters
    ----------
    accesses, loops
        The accesses, and of each the loop of the last level.
    """
    found = []
    for place in range(len(accesses[0].rows)):
        rows = [access.rows[place] for access in accesses]
        steps = {row[loop] for row, loop in zip(rows, loops, strict=True)}
        if len(steps) > 1 or not all(steps) or any(sum(map(bool, row)) > 1 for row in rows):
            continue
        offsets = [access.offset[place] for access in accesses]
        if (apart := max(offsets) - min(offsets)) == 0 or steps <= {1, -1}:
            found.append((1 + apart, place))
    return min(found)[::-1] if found else None
