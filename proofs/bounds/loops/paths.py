"""Values that updates read by way of another operator's: paths from an update to the next.

Nothing here is trusted: what is found is verified when a certificate is made of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

import numpy as np

from proofs.lemmas.loops.operands import NO_LOOP, Reference
from proofs.lemmas.loops.uniform import FARTHEST, MOST_REFERENCES

MOST_WAYS = 8  # sets of paths that are tried

Distance = tuple[int, ...]
Path = dict[str, Any]  # a slot of a certificate


def path_sets(
    operator: int,
    loops: Sequence[int],
    references: Mapping[int, list[Reference]],
    direct: Sequence[Distance],
) -> Iterator[dict[Distance, Path]]:
    """Yield sets of paths, one at most by way of each other operator, that fill all dimensions.

    Parameters
    ----------
    operator, loops
        The updates, and the coordinates of their points.
    references
        What each operator reads.
    direct
        Distances at which updates read each other themselves.
    """
    ways = [
        found
        for other in references
        if other != operator
        and (found := paths_through(other, operator, loops, references))
        and (found := {at: path for at, path in found.items() if at not in direct})
    ]
    for chosen in islice(product(*(found.items() for found in ways)), MOST_WAYS):
        paths = dict(chosen)
        if paths and np.linalg.matrix_rank(np.array([*direct, *paths])) == len(loops):
            yield paths


def paths_through(
    other: int,
    operator: int,
    loops: Sequence[int],
    references: Mapping[int, list[Reference]],
) -> dict[Distance, Path]:
    """Return the paths by way of one operator, by the distance that they bridge.

    Parameters
    ----------
    other
        The operator between.
    operator, loops, references
        As for `path_sets`.
    """
    found: dict[Distance, Path] = {}
    firsts = [each for each in references[operator] if each.made_by == other]
    seconds = [each for each in references[other] if each.made_by == operator]
    for first, second in product(firsts, seconds):
        one, two = _step(first, loops), _step(second, loops)
        if one is None or two is None:
            continue
        distance = tuple(a + b for a, b in zip(one, two, strict=True))
        if distance[0] not in (-1, 0) or not any(distance) or max(map(abs, distance)) > FARTHEST:
            continue
        begin = [
            each
            for each in references[other]
            if each.made_by not in references and _begins(each, second)
        ]
        then = [second, *begin][:MOST_REFERENCES]
        found[distance] = {
            "through": [first.described()],
            "operator": other,
            "then": [each.described() for each in then],
        }
    return found


def _step(reference: Reference, loops: Sequence[int]) -> Distance | None:
    """Return how far an operand is away, None if its coordinates are not its reader's."""
    if reference.loops != tuple(range(len(loops))):
        return None
    return tuple(reference.offsets[loop] for loop in loops)


def _begins(reference: Reference, straight: Reference) -> bool:
    """Return whether an input is read where the other operand would be, along fewer loops."""
    pairs = list(zip(reference.loops, reference.offsets, strict=True))
    return any(loop != NO_LOOP for loop, _ in pairs) and all(
        loop == NO_LOOP or offset == straight.offsets[loop] for loop, offset in pairs
    )
