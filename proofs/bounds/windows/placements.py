"""Grows the tree of decisions about where a window can be, as far as there is time."""

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from proofs.bounds.windows import _kernels
from proofs.certificates import CertificateError
from proofs.certificates.windows.placements import (
    LIMIT,
    SCALE,
    Case,
    Multipliers,
    Node,
    Placements,
    Window,
)

FIRST_STEPS = 25  # towards good multipliers, at the root,
STEPS = 3  # and further down
SHORTER = 0.7  # steps, from the fourth on


class Effort:
    """Work budget: seconds, or a number of cases if the result must be reproducible.

    Parameters
    ----------
    cases
        How many may be looked at, where no seconds are given.
    seconds
        How long it may take, or None.
    """

    def __init__(self, cases: int, seconds: float | None) -> None:
        self._most = cases if seconds is None else seconds
        self._begun = None if seconds is None else time.monotonic()
        self._cases = 0

    def look(self, cases: int = 1) -> None:
        """Count cases that are looked at."""
        self._cases += cases

    def is_spent(self, share: float = 1.0) -> bool:
        """Return whether such a share of it is spent."""
        spent = self._cases if self._begun is None else time.monotonic() - self._begun
        return spent >= share * self._most


@dataclass(order=True)
class Found:
    """A case with the best bound that was found for it.

    Parameters
    ----------
    value
        The bound, times `SCALE`.
    number
        In the order in which cases were met.
    case, multipliers
        What is decided, and the multipliers that prove the bound.
    branch, cases
        What is decided next, and the cases that this leads to; None and empty at a leaf.
    """

    value: int
    number: int
    case: Case = field(compare=False)
    multipliers: Multipliers = field(compare=False)
    branch: tuple[int, int] | None = field(default=None, compare=False)
    cases: list["Found"] = field(default_factory=list, compare=False)


class Tree:
    """Branch and bound over the placements of a window: the case with the least bound is next.

    Parameters
    ----------
    placements, window
        Of what.
    enough
        A cost beyond which nothing is asked for.
    effort
        Where each case is counted.
    """

    def __init__(self, placements: Placements, window: Window, enough: int, effort: Effort) -> None:
        self.placements = placements
        self.window = window
        self.enough = enough
        self.effort = effort
        self._numbers = count()
        smallest, largest = int(placements.words.min()), int(placements.words.max())
        rates = window.cost // placements.words
        dearest, least = SCALE * int(rates.max()), SCALE * int(rates.min())
        self._span = placements.span(window)
        # More of a gain or a shift than all costs together is never better.
        self._limits = smallest, largest, window.most, dearest, LIMIT
        case = placements.start(window)
        placements.settle(case, window)
        rent = least if window.red else dearest
        self.root = self._found(case, (smallest * least // 4, 0, rent), FIRST_STEPS)
        self._open = [self.root]
        self.is_done = False
        self.divided = 0  # cases

    @property
    def least(self) -> int:
        """Lower bound on the cost of the window that the tree proves so far."""
        return self.window.rounded(self._open[0].value)

    def grow(self, cases: int, share: float = 1.0) -> None:
        """Divide up to so many cases, until such a share of the effort is spent."""
        for _ in range(cases):
            self.is_done = self.is_done or self.least >= self.enough
            if self.is_done or self.effort.is_spent(share):
                return
            lowest = self._open[0]
            lowest.branch = self.placements.choice(lowest.case)
            if lowest.branch is None:
                self.is_done = True
                return
            heapq.heappop(self._open)
            self.divided += 1
            for case in self.placements.branch(lowest.case, *lowest.branch):
                if self.placements.settle(case, self.window):
                    lowest.cases.append(self._found(case, lowest.multipliers, STEPS))
                    heapq.heappush(self._open, lowest.cases[-1])

    def entries(self) -> list[Node]:
        """Return the tree for `placements.least_cost`, without branches that nothing needs."""
        return list(self._entries())

    def _entries(self) -> Iterator[Node]:
        """Yield the nodes in the order in which a checker meets them."""
        waiting = [self.root]
        while waiting:
            found = waiting.pop()
            if found.branch is None or self.window.rounded(found.value) >= self.least:
                yield list(found.multipliers)
            else:
                yield list(found.branch)
                waiting += reversed(found.cases)

    def _found(self, case: Case, multipliers: Multipliers, steps: int) -> Found:
        """Return a case with good multipliers, by steps along subgradients (B. T. Polyak's)."""
        self.effort.look(-(-steps // STEPS))
        value, *chosen, is_small = _kernels.ascend(
            self.placements.terms,
            self._span,
            case,
            multipliers,
            steps,
            SHORTER,
            self.enough,
            self.window.unit,
            SCALE,
            self._limits,
        )
        if not is_small:
            raise CertificateError("multipliers", "are too large to be added")
        gain, shift, rent = map(int, chosen)
        return Found(int(value), next(self._numbers), case, (gain, shift, rent))
