"""Search for the tiles in which a loop nest moves least."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import islice, permutations, product
from math import isqrt
from typing import Final, TypeVar

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from dags.work import charge
from pebble import UNLIMITED, Budget, compulsory_words
from schedulers.eviction import traffic_within
from schedulers.eviction.policies import MOST_WORDS
from schedulers.orders.access_order import accesses
from schedulers.tilings.points import (
    PHASE,
    TIME,
    Coordinates,
    Levels,
    PointTiling,
    diagonals,
    tiled_order,
)

WORK: Final = 10**8  # accesses that all trials may have together,
LEAST_TRIALS: Final = 60  # but so many trials in any case,
MOST_TRIALS: Final = 4000  # and no more than these
MOST_LEVELS: Final = 7
MOST_ORDERS: Final = 24  # of loops that regular tiles are tried in
POOL: Final = 4  # tilings that are varied side by side
SKEWS: Final = (-1, 0, 1, 2)
Each = TypeVar("Each")
UNCOUNTED: Final = (0, -1)


class TilingSearch:
    """Tries tilings of one DAG with one memory, and remembers their words.

    Parameters
    ----------
    dag, where, memory
        The DAG of a program, its coordinates, and the words of fast memory.
    budget
        Of the trials; the same seed tries the same.
    """

    def __init__(
        self, dag: CDAG, where: Coordinates, memory: int, budget: Budget = UNLIMITED
    ) -> None:
        self.dag, self.where, self.memory = dag, where, memory
        self.budget, self.random = budget, budget.rng()
        self.compulsory = compulsory_words(dag)
        self.trials = int(np.clip(WORK // (dag.n + dag.m), LEAST_TRIALS, MOST_TRIALS))
        self.io: dict[PointTiling, int] = {}
        # Words of the shortest of like tilings, and of orders by their digests, and up to which
        # number they were counted: one more where they are more.
        self._like: dict[PointTiling, tuple[int, int]] = {}
        self._orders: dict[bytes, tuple[int, int]] = {}
        self._wanted = POOL
        self._best: list[int] = []  # the fewest words, as many as are wanted
        self.extent = where.extent
        simple = (*where.variables, PHASE, TIME)
        self.names = [name for name in simple if self.extent[name] > 1]

    def best(self, count: int) -> list[PointTiling]:
        """The `count` best tilings, the best first, without parts that do not help them."""
        share = self.trials // 4
        self._wanted = max(POOL, count)
        self.measure(PointTiling())
        self._try_some(self._regular(), share)
        self._vary(self._tiling_like, share)
        self._try_some(self._diamonds(), share)
        self._try_some(self._parallelepipeds(), share)
        self._vary(self._leaning_like, 2 * share)
        best = sorted(self.io, key=self.io.__getitem__)[:count]
        trials = iter(range(share))
        pruned = [self._pruned(tiling, trials) for tiling in best]
        return [*dict.fromkeys((*pruned, *best))][:count]

    def _pruned(self, tiling: PointTiling, trials: Iterator[int]) -> PointTiling:
        """A tiling that moves no more with fewer levels and skews, as far as is tried."""
        io = self.io[tiling]
        for simpler in tiling.simpler():
            if self.budget.over or next(trials, None) is None:
                break
            if self.measure(simpler, io) <= io:
                return self._pruned(simpler, trials)
        return tiling

    def measure(self, tiling: PointTiling, most: int = MOST_WORDS) -> int:
        """The words that a tiling moves with the better of two evictions.

        Parameters
        ----------
        tiling
            The tiling, which joins those of which the words are known.
        most
            Words; a tiling that moves more is left alone, and the number returned is above `most`.
        """
        if tiling not in self.io:
            shortest = tiling.shortest(self.extent)
            moved, counted = self._like.get(shortest, UNCOUNTED)
            if counted < min(moved, most):
                charge("point", self.dag.n + self.dag.m)
                moved = self._played(tiled_order(self.dag, self.where, shortest), most)
                self._like[shortest] = moved, most
            if moved > most:
                return moved
            self.io[tiling] = moved
            self._best = sorted((*self._best, moved))[: self._wanted]
        return self.io[tiling]

    def _enough(self) -> int:
        """The words above which a tiling is neither varied nor handed out."""
        return self._best[-1] if len(self._best) == self._wanted else MOST_WORDS

    def _played(self, order: Int32Array, most: int) -> int:
        """The words that an order moves, or `most` + 1 if they are more.

        Many tilings of a small nest have one order.
        """
        digest = blake2b(order.data, digest_size=16).digest()
        moved, counted = self._orders.get(digest, UNCOUNTED)
        if counted < min(moved, most):
            charge("step", self.dag.n + self.dag.m)
            layout = accesses(self.dag, order)
            found = traffic_within(layout, self.memory, price=1, most=most)
            moved = min(found.io, most + 1)
            if not found.alike:
                found = traffic_within(layout, self.memory, price=2, most=moved)
                moved = min(found.io, moved)
            self._orders[digest] = moved, most
        return moved

    def _done(self) -> bool:
        """Whether no further tiling is tried: none differs, or none can move less."""
        return not self.names or self.budget.over or self._enough() <= self.compulsory

    def _try_some(self, tilings: Iterable[PointTiling], trials: int) -> None:
        """Try some of many tilings, chosen at random."""
        known = list(dict.fromkeys(tilings))
        for place in self.random.permutation(len(known))[:trials].tolist():
            if self._done():
                return
            self.measure(known[place], self._enough())

    def _regular(self) -> Iterator[PointTiling]:
        """Yield tiles with equal sides, and tiles that lean over in time."""
        variables = [name for name in self.where.variables if name in self.names]
        before: list[Levels] = [(), ((PHASE, 1),)] if PHASE in self.names else [()]
        for first in before:
            for levels in self._boxes(variables):
                yield PointTiling((*first, *levels))
            yield from self._leaning(first, variables)

    def _boxes(self, variables: Sequence[str]) -> Iterator[Levels]:
        """Yield levels with the loops in some order: equal sides for the slow ones, then lines."""
        for side in self._sides():
            for order in islice(permutations(variables), MOST_ORDERS):
                for tiled in range(1, len(order) + 1):
                    sizes = [side] * tiled + [1] * (len(order) - tiled)
                    yield tuple(zip(order, sizes, strict=True))

    def _sides(self) -> list[int]:
        """Sides of which some box or slab fits into the memory."""
        root = isqrt(self.memory)
        some = (root // 2, root - 1, root, self.memory // 3, self.memory // 2)
        return sorted({max(1, side) for side in some})

    def _leaning(self, first: Levels, variables: Sequence[str]) -> Iterator[PointTiling]:
        """Yield tiles of the inner variables that lean over, time going on inside of each."""
        inner = [name for name in variables if name not in self.where.outermost]
        if TIME not in self.names:
            return
        for side, skew in product(self._sides(), SKEWS):
            for count in range(1, len(inner) + 1):
                levels = (*first, *((name, side) for name in inner[:count]), (TIME, 1))
                yield PointTiling(levels, tuple((name, TIME, skew) for name in inner if skew))

    def _parallelepipeds(self) -> Iterator[PointTiling]:
        """Yield tiles that lean over in time and in space, with some side going on inside of each.

        Where each variable leans by those before it, as far as the loops around it, dependences of
        sweeps in place go back along no side.
        """
        variables = [name for name in self.where.variables if name in self.names]
        inner = [name for name in variables if name not in self.where.outermost]
        if TIME not in self.names or not inner:
            return
        for skew, across in product((0, 1, 2), (-1, 0, 1)):
            skews = [
                *((name, TIME, skew * (k + 1 if across else 1)) for k, name in enumerate(inner)),
                *((name, other, across) for k, name in enumerate(inner) for other in inner[:k]),
            ]
            leaning = tuple(each for each in skews if each[2])
            for order in islice(permutations((TIME, *inner)), MOST_ORDERS):
                for sides in product(self._edges(), repeat=len(order) - 1):
                    yield PointTiling((*zip(order, sides, strict=False), (order[-1], 1)), leaning)

    def _edges(self) -> list[int]:
        """Sides of tiles of which one dimension goes on, so that sections fit."""
        root = isqrt(self.memory)
        return sorted({max(1, side) for side in (root // 2, root - 2, root - 1, root)})

    def _diamonds(self) -> Iterator[PointTiling]:
        """Yield tiles between the diagonals of time and inner variables, in some order of those."""
        variables = [name for name in self.names if name in self.where.variables]
        inner = [name for name in variables if name not in self.where.outermost]
        if TIME not in self.names:
            return
        for side, order in product(self._sides(), islice(permutations(inner), MOST_ORDERS)):
            for count in range(1, len(order) + 1):
                edges = [edge for name in order[:count] for edge in diagonals(name)]
                yield PointTiling((*((edge, 2 * side) for edge in edges), (TIME, 1)))

    def _vary(self, like: Callable[[PointTiling], PointTiling], trials: int) -> None:
        """Try variants of the best tilings; one that is no worse takes the place of its model."""
        pool = sorted(self.io, key=self.io.__getitem__)[:POOL]
        for _ in range(trials):
            if self._done():
                return
            place = int(self.random.integers(len(pool)))
            variant, least = like(pool[place]), self.io[pool[place]]
            if self.measure(variant, max(least, self._enough())) <= least:
                pool[place] = variant

    def _tiling_like(self, model: PointTiling) -> PointTiling:
        """A variant of a tiling: of its levels, or of how it leans."""
        if not self.where.variables or self.random.random() < 0.9:
            return replace(model, levels=self._levels_like(model.levels))
        name = self._one_of(self.where.variables)
        return self._leant(model, name, TIME)

    def _leaning_like(self, model: PointTiling) -> PointTiling:
        """A variant of a tiling, which may lean by any other coordinate, too."""
        if len(self.names) < 2 or self.random.random() < 0.7:
            return replace(model, levels=self._levels_like(model.levels))
        name = self._one_of(tuple(self.names))
        return self._leant(
            model, name, self._one_of(tuple(each for each in self.names if each != name))
        )

    def _leant(self, model: PointTiling, name: str, other: str) -> PointTiling:
        """The tiling with some multiple of one coordinate added to another."""
        skews = {(one, by): factor for one, by, factor in model.skews}
        skews[name, other] = self._one_of(SKEWS)
        return replace(model, skews=tuple(sorted((*pair, k) for pair, k in skews.items() if k)))

    def _levels_like(self, levels: Levels) -> Levels:
        """Levels with one side changed, two exchanged, or one more or fewer."""
        changed = list(levels)
        kind = self.random.random()
        if changed and kind < 0.5:
            place = int(self.random.integers(len(changed)))
            name, side = changed[place]
            changed[place] = name, self._side_like(name, side)
        elif len(changed) > 1 and kind < 0.7:
            i, j = self.random.choice(len(changed), 2, replace=False).tolist()
            changed[i], changed[j] = changed[j], changed[i]
        elif changed and kind < 0.8:
            del changed[int(self.random.integers(len(changed)))]
        else:
            name = self._one_of(tuple(self.names))
            side = min(self.extent[name], self._one_of((1, 2, 4, isqrt(self.memory))))
            changed.insert(int(self.random.integers(len(changed) + 1)), (name, max(1, side)))
        return tuple(changed[:MOST_LEVELS])

    def _side_like(self, name: str, side: int) -> int:
        near = self._one_of((side + 1, side - 1, side + 2, side - 2, 2 * side, side // 2))
        return min(max(1, near), self.extent[name])

    def _one_of(self, some: Sequence[Each]) -> Each:
        return some[int(self.random.integers(len(some)))]
