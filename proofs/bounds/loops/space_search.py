"""Searches for spaces of updates that prove much, among those that hold for a DAG."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from dags.origin import Origin
from proofs.bounds.loops.spaces import Description, descriptions
from proofs.certificates import CertificateError
from proofs.certificates.loops.affine import GAINS, premises
from proofs.certificates.loops.hbl import Shape
from proofs.certificates.loops.iteration_space import HEAD
from proofs.certificates.loops.program_space import LETTERS, program_space

SECONDS = 10.0  # for the search in one DAG, where no time limit is given
OFFSETS = (0, 1, -1, 2, -2)  # of indices that are kept apart
MOST_CONDITIONS = 6
WORTH = 0.5  # words that an update is taken to be worth while spaces are compared


@dataclass(frozen=True)
class Found:
    """A space that holds for a DAG.

    Parameters
    ----------
    argument
        The argument that holds, a key of `GAINS`.
    space
        Its description.
    shape, updates, gain
        What `premises` returns for them.
    """

    argument: str
    space: Description
    shape: Shape
    updates: int
    gain: int

    @property
    def worth(self) -> float:
        """About how many words it proves, for a memory of some words."""
        return WORTH * self.updates + self.gain


# What has been found and verified, with its origin: a curve asks at every memory size.
_known: WeakKeyDictionary[CDAG, tuple[Origin | None, list[Found]]] = WeakKeyDictionary()


def verified_spaces(dag: CDAG, end: float) -> list[Found]:
    """Return spaces that hold for a DAG, no two of them alike.

    Parameters
    ----------
    dag
        A DAG with an origin.
    end
        When to stop, on the monotonic clock.
    """
    origin, spaces = _known.get(dag, (None, []))
    if origin is not None and origin is dag.origin:
        return spaces
    limit = min(end, time.monotonic() + SECONDS)
    spaces = list(_distinct(_search(dag, limit)))
    if time.monotonic() < end:
        _known[dag] = dag.origin, spaces
    return spaces


def _distinct(spaces: Iterator[Found]) -> Iterator[Found]:
    """Yield spaces, but none that proves what an earlier one does."""
    seen = []
    for found in spaces:
        proves = found.argument, found.shape, found.updates, found.gain
        if found.updates and proves not in seen:
            seen.append(proves)
            yield found


def _search(dag: CDAG, end: float) -> Iterator[Found]:
    """Yield spaces that hold; those with updates that lack an operand are narrowed besides."""
    assert dag.origin is not None
    for space in descriptions(dag, dag.origin):
        if time.monotonic() > end:
            return
        if not (found := _verified(dag, space)):
            continue
        yield from found
        if not _has_heads(dag, space):
            continue
        for flags in ({"complete": True}, {"single": True}, {"complete": True, "single": True}):
            yield from _verified(dag, {**space, **flags})
        if not space["symmetric"]:
            yield from _narrowed(dag, space, end)
            yield from _narrowed(dag, {**space, "single": True}, end)


def _narrowed(dag: CDAG, space: Description, end: float) -> list[Found]:
    """Return the space with indices kept apart, one pair after the other, while that helps."""
    best = _verified(dag, space)
    indices = LETTERS[: len(space["statements"][0]["loops"])]
    apart = [[*pair, offset] for pair in combinations(indices, 2) for offset in OFFSETS]
    for _ in range(MOST_CONDITIONS):
        tried = [best]
        for one, other, offset in apart:
            if time.monotonic() > end:
                return best
            order = [*space["order"], [one, "!=", other, offset]]
            tried.append(_verified(dag, {**space, "order": order}))
        most = max(tried, key=_worth)
        if _worth(most) <= _worth(best):
            break
        best, space = most, most[0].space
    return best


def _worth(found: list[Found]) -> float:
    return max((each.worth for each in found), default=-np.inf)


def _verified(dag: CDAG, space: Description) -> list[Found]:
    """Return the space with each argument that holds for it."""
    found = []
    for argument in GAINS:
        try:
            found.append(Found(argument, space, *premises(dag, argument, space)))
        except CertificateError:
            continue
    return found


def _has_heads(dag: CDAG, space: Description) -> bool:
    """Return whether some update has no operand in some slot."""
    touched = program_space(dag, space).touched
    return any(bool(np.any(values == HEAD)) for roles in touched.values() for values in roles)
