"""Ways to cut a play into windows, and what is known of what each of them must load."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.traversal import post_order
from pebble import Rules
from proofs.bounds.windows.placements import Effort, Tree
from proofs.certificates.windows.computed_windows import costs, red_words, words_proven
from proofs.certificates.windows.placements import SCALE, Placements, Window

Key = tuple[int, int, int]  # a window's first and last, and the denominator of its share


class Counting:
    """The windows that are cut by the first computations of the same vertices.

    Parameters
    ----------
    dag, memory, rules
        The game.
    counted
        (c,) the vertices that are counted, rising.
    effort
        What may be spent on trees.
    """

    def __init__(
        self, dag: CDAG, memory: int, rules: Rules, counted: Int64Array, effort: Effort
    ) -> None:
        self.dag = dag
        self.counted = counted
        self.effort = effort
        self._placements = Placements(dag, counted)
        self._red = red_words(dag, counted, memory, rules)
        order = post_order(dag).astype(np.int64)
        self._orders = [dag.computed.astype(np.int64), order[dag.is_computed[order]]]
        self._enough: dict[Key, int] = {}
        self._trees: dict[Key, Tree] = {}

    def window(self, key: Key) -> Window:
        """Return a window; one that does not come first has a share of 1 of the denominator."""
        first, last, denominator = key
        share = int(first > 0)
        return Window(first, last, share * self._red, costs(self.dag, denominator, share))

    def enough(self, key: Key) -> int:
        """Return about what the window costs in some orders, at the least."""
        if key not in self._enough:
            window = self.window(key)
            self._enough[key] = min(self._cost_in(order, window) for order in self._orders)
        return self._enough[key]

    def tree(self, key: Key) -> Tree:
        """Return what is known of a window."""
        if key not in self._trees:
            window, enough = self.window(key), self.enough(key)
            self._trees[key] = Tree(self._placements, window, enough, self.effort)
        return self._trees[key]

    def _cost_in(self, order: Int64Array, window: Window) -> int:
        """Return about what the window costs if all is computed once, in this order."""
        rates = window.cost // self._placements.words
        case = self._placements.placed(order, window)
        values = [
            self._placements.relaxed(case, window, (0, 0, SCALE * rate)).value
            for rate in {int(rates.min()), int(rates.max())}
        ]
        return window.rounded(max(values))


class Plan:
    """A cut of plays into windows.

    A computed value that is loaded may be so in all windows but the first: each has an equal share
    of its store.

    Parameters
    ----------
    counting
        By which vertices it is cut.
    cuts
        How many of them are computed at each cut, from 0 to all; two windows or more.
    """

    def __init__(self, counting: Counting, cuts: tuple[int, ...]) -> None:
        self.counting = counting
        self.cuts = cuts
        self._denominator = len(cuts) - 2
        self._keys = [(first, last, self._denominator) for first, last in pairwise(cuts)]

    @property
    def worth(self) -> Fraction:
        """Lower bound on loads, and stores of values that are no outputs, in words."""
        return Fraction(sum(tree.least for tree in self._trees()), self._denominator)

    @property
    def words(self) -> int:
        """The words that are proved in all."""
        total = sum(tree.least for tree in self._trees())
        return words_proven(self.counting.dag, self._denominator, total)

    @property
    def most(self) -> int:
        """Estimate of the most words that this plan can prove, from two concrete orders."""
        total = sum(map(self.counting.enough, self._keys))
        return words_proven(self.counting.dag, self._denominator, total)

    def moved(self, step: int) -> Iterator["Plan"]:
        """Yield the plans in which one cut is moved so far, either way."""
        for i, at in enumerate(self.cuts[1:-1], 1):
            for other in (at - step, at + step):
                if self.cuts[i - 1] < other < self.cuts[i + 1]:
                    yield Plan(self.counting, (*self.cuts[:i], other, *self.cuts[i + 1 :]))

    def look(self, cases: int, share: float) -> None:
        """Look at each window until its tree has so many cases, or such a share is spent."""
        for tree in self._trees():
            tree.grow(cases - tree.divided, share)

    def grow(self, cases: int, most: int) -> None:
        """Look more closely at all windows in turn, at so many cases at a time."""
        while not self.counting.effort.is_spent():
            trees = [tree for tree in self._trees() if not tree.is_done and tree.divided < most]
            if not trees:
                return
            for tree in trees:
                tree.grow(cases)

    def data(self) -> dict[str, Any]:
        """Return the data of the certificate."""
        windows = [
            {"first": first, "last": last, "share": int(first > 0), "tree": tree.entries()}
            for (first, last, _), tree in zip(self._keys, self._trees(), strict=True)
            if tree.least
        ]
        every = self.counting.counted.size == self.counting.dag.computed.size
        counted = "all" if every else self.counting.counted
        return {"counted": counted, "denominator": self._denominator, "windows": windows}

    def _trees(self) -> list[Tree]:
        return [self.counting.tree(key) for key in self._keys]
