"""Searches for spaces of updates that prove much, among those that hold for a DAG."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, product
from math import prod
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG, load
from dags.families import FAMILIES
from dags.families.common.members import member_of
from dags.families.common.points import with_points_of
from dags.families.recognition.recogniser import spec_of
from dags.work import Kept, charge
from pebble import Budget, Rules
from proofs.bounds.loops.spaces import Description, descriptions, labels_of, with_ends
from proofs.certificates import CertificateError
from proofs.lemmas.loops.affine import premises
from proofs.lemmas.loops.hbl import Shape
from proofs.lemmas.loops.iteration_space import HEAD
from proofs.lemmas.loops.program_space import fulfilled, program_space
from proofs.lemmas.loops.program_updates import LETTERS, known_updates
from proofs.lemmas.loops.projections import SEGMENTS
from proofs.lemmas.loops.updates import holds

SECONDS = 10.0  # for the search in one DAG, where no time limit is given
OFFSETS = (0, 1, -1, 2, -2)  # of indices that are kept apart
MOST_CONDITIONS = 6
COSTS = ("1", "2/3", "1/2", "1/3")  # of arrays that may share labels
MOST_COSTS = 4  # ways to share them that are kept
LARGE = 1 << 14  # vertices from which the family's example tells the spaces, to save time
SMALL = 1 << 8  # vertices up to which it tells more of them than so few operands do
WORTH = 0.5  # words that an update is taken to be worth while spaces are compared


@dataclass(frozen=True)
class HeldSpace:
    """A space that holds for a DAG.

    Parameters
    ----------
    argument
        The argument that holds, a key of `GAINS` in the checker.
    space
        Its description.
    shape, updates, gain
        The result of `premises` for them.
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


class Named(NamedTuple):
    """A DAG whose vertices are named by points of a program.

    Attributes
    ----------
    dag
        The DAG, with them as its origin.
    member
        The "member" of a family whose points they are, as certificates have it; empty where they
        are the DAG's own.
    """

    dag: CDAG
    member: dict[str, str]


def named_dag(dag: CDAG) -> Named | None:
    """A program's DAG, or a generator's with the points of the program that it is.

    None for no points, and for updates that have a space of the family.

    Parameters
    ----------
    dag
        The DAG.
    """
    if dag.origin is not None:
        return Named(dag, {})
    family = FAMILIES.get(dag.family or "")
    if family is None or family.points is None or dag.family in SEGMENTS:
        return None
    member = member_of(spec_of(str(dag.family), dag.params))
    named = with_points_of(dag, member)
    return None if named is None else Named(named, {"member": member.spec})


# What has been found and verified, with its origin: a curve asks at every memory size.
_known: WeakKeyDictionary[CDAG, Kept] = WeakKeyDictionary()


def verified_spaces(
    dag: CDAG, rules: Rules, budget: Budget, *, ends: bool = False
) -> list[HeldSpace]:
    """Spaces that hold for a DAG, no two of them alike.

    Parameters
    ----------
    dag
        A DAG with an origin.
    rules
        Under which they have to hold.
    budget
        Of the search.
    ends
        Whether spaces with sums that go out, and with steps that end items, are among them: windows
        of updates prove no more by these.
    """
    part = budget.at_most(SECONDS)

    def find() -> list[HeldSpace]:
        search = _SpaceSearch(dag, rules, part, ends=ends)
        told = search.like_example(rules)
        return list(_distinct(told if told and dag.n > LARGE else chain(search.spaces(), told)))

    known = _known.setdefault(dag, Kept())
    question = dag.origin, rules.recompute, rules.partial, ends
    return known.get(question, find, part.left, lambda: part.left > 0)


def _distinct(spaces: Iterable[HeldSpace]) -> Iterator[HeldSpace]:
    """Yield spaces, but none that proves the same as an earlier one."""
    seen = []
    for space in spaces:
        out = any(not array["slots"] for array in space.space["arrays"])
        proves = space.argument, space.shape, space.updates, space.gain, out
        if space.updates and proves not in seen:
            seen.append(proves)
            yield space


@lru_cache(maxsize=8)
def _example(family: str) -> Named | None:
    """The example of a family, with the points of the program that it is; None for no points."""
    return named_dag(load(f"{family}:{FAMILIES[family].example}"))


class _SpaceSearch:
    """Looks for spaces of one DAG, within a budget."""

    def __init__(self, dag: CDAG, rules: Rules, budget: Budget, *, ends: bool) -> None:
        self.dag, self.ends = dag, ends
        self.budget = budget
        self.again, self.dominators = rules.recompute, holds(dag, rules, "dominators")
        names = ("segments", "aggregations", "chains")
        self.arguments = [name for name in names if holds(dag, rules, name)]
        if "segments" in self.arguments:
            self.arguments = ["segments"]  # no weaker

    def spaces(self) -> Iterator[HeldSpace]:
        """Yield spaces that hold; those with updates that lack an operand are narrowed besides."""
        assert self.dag.origin is not None
        labels = labels_of(self.dag, self.dag.origin)
        for space in descriptions(self.dag, self.dag.origin):
            if self.budget.over:
                return
            # Births are no loss to dominators, which is worth something where nothing is shared.
            single = self.dominators and len(space["arrays"]) == 1
            if labels and (self.again or single):
                yield from self.dominated({**space, "labels": labels})
            if labels and self.again and not space["labels"]:
                yield from self.held_by(("chains",), {**space, "labels": labels})
            if verified := self.verified(space):
                yield from verified
                yield from self.narrower(space)
            for ended in with_ends(self.dag, self.dag.origin, space) if self.ends else ():
                yield from self.verified(ended)

    def like_example(self, rules: Rules) -> list[HeldSpace]:
        """The spaces of the family's example that hold for a much larger or smaller member, too.

        References and indices of a space are those of the loops, whatever their lengths.
        """
        named = _example(self.dag.family) if self.dag.family in FAMILIES else None
        if named is None or named.dag == self.dag or SMALL <= self.dag.n <= LARGE:
            return []
        known = verified_spaces(named.dag, rules, self.budget, ends=self.ends)
        return [
            held
            for small in known
            if not self.budget.over
            for held in self.held_by((small.argument,), small.space)
        ]

    def narrower(self, space: Description) -> Iterator[HeldSpace]:
        """Yield the space without some updates, where some lack an operand."""
        if not _has_heads(self.dag, space):
            return
        for flags in ({"complete": True}, {"single": True}, {"complete": True, "single": True}):
            yield from self.verified({**space, **flags})
        yield from self.sharing(space)
        if not space["symmetric"]:
            yield from self.kept_apart(space)
            yield from self.kept_apart({**space, "single": True})

    def kept_apart(self, space: Description) -> list[HeldSpace]:
        """The space with indices kept apart, one pair after the other, while that helps."""
        best = self.verified(space)
        for _ in range(MOST_CONDITIONS):
            tried = [best]
            for condition in _conditions(self.dag, space):
                if self.budget.over:
                    return best
                order = [*space["order"], condition]
                tried.append(self.verified({**space, "order": order}))
            widest = max(tried, key=_worth)
            if _worth(widest) <= _worth(best):
                break
            best, space = widest, widest[0].space
        return best

    def sharing(self, space: Description) -> list[HeldSpace]:
        """The space with values that are items of two arrays, for half a word each."""
        spaces: list[HeldSpace] = []
        for costs in product(COSTS[::2], repeat=len(space["arrays"])):
            if self.budget.over:
                break
            spaces += self.verified({**_priced(space, costs), "shared": True})
        return sorted(spaces, key=_prices, reverse=True)[:1]

    def dominated(self, space: Description) -> list[HeldSpace]:
        """The space for all plays, with costs of arrays that may share labels."""
        for complete in (False, True):
            spaces: list[HeldSpace] = []
            cheapest = self._held_at((COSTS[-1],) * len(space["arrays"]), space, complete)
            for costs in product(COSTS, repeat=len(space["arrays"])):
                if self.budget.over or not cheapest:  # what holds at no lower cost holds at none
                    break
                spaces += self._held_at(costs, space, complete)
            if spaces:
                return sorted(spaces, key=_prices, reverse=True)[:MOST_COSTS]
        return []

    def _held_at(self, costs: Iterable[str], space: Description, complete: bool) -> list[HeldSpace]:
        """The space for all plays with the costs of its arrays, if it holds."""
        return self.held_by(("dominators",), {**_priced(space, costs), "complete": complete})

    def verified(self, space: Description) -> list[HeldSpace]:
        """The space with each argument that holds for it."""
        return self.held_by(self.arguments, space)

    def held_by(self, arguments: Iterable[str], space: Description) -> list[HeldSpace]:
        """The space with each of some arguments that holds for it."""
        spaces = []
        for argument in arguments:
            charge("premise", self.dag.n + self.dag.m)
            try:
                spaces.append(HeldSpace(argument, space, *premises(self.dag, argument, space)))
            except CertificateError:
                continue
        return spaces


def _conditions(dag: CDAG, space: Description) -> Iterator[list[Any]]:
    """Yield conditions that keep two indices apart, each of which leaves other updates."""
    points = known_updates(dag, space["statements"]).at
    fulfilled_all = np.ones(points.shape[1], np.bool_)
    for condition in space["order"]:
        fulfilled_all &= fulfilled(points, condition)
    seen = {fulfilled_all.tobytes()}
    for first, second in combinations(LETTERS[: len(points)], 2):
        for offset in OFFSETS:
            kept = fulfilled_all & fulfilled(points, [first, "!=", second, offset])
            if kept.tobytes() not in seen:
                seen.add(kept.tobytes())
                yield [first, "!=", second, offset]


def _priced(space: Description, costs: Iterable[str]) -> Description:
    """The space with the costs of its arrays."""
    pairs = zip(space["arrays"], costs, strict=True)
    return {**space, "arrays": [{**array, "cost": cost} for array, cost in pairs]}


def _prices(space: HeldSpace) -> float:
    """The product of the costs of the arrays: the items of windows grow with it."""
    return float(prod(measure.cost for measure in space.shape.measures))


def _worth(spaces: list[HeldSpace]) -> float:
    return max((space.worth for space in spaces), default=-np.inf)


def _has_heads(dag: CDAG, space: Description) -> bool:
    """Whether some update has no operand in some slot."""
    touched = program_space(dag, space).touched
    return any(bool(np.any(values == HEAD)) for roles in touched.values() for values in roles)
