"""Counts of what a campaign's cases came to, and the cases that failed."""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

RARE: Final = 8  # cases of an outcome whose numbers are printed


@dataclass(frozen=True)
class Failure:
    """A case that should not have come out as it did.

    Parameters
    ----------
    case
        The number of the case; with the campaign's seed it makes the case anew.
    kind
        What was tried.
    message
        What came of it.
    """

    case: int
    kind: str
    message: str


@dataclass
class Outcomes:
    """What the cases of a campaign came to.

    Parameters
    ----------
    counts
        Cases by kind and outcome.
    failures
        Those that failed.
    slowest
        Seconds of the slowest case.
    cases
        The numbers of the cases of each outcome, by which each can be drawn anew.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    slowest: float = 0.0
    cases: dict[str, list[int]] = field(default_factory=dict)

    def table(self) -> str:
        """The counts, a kind of case a line."""
        outcomes = sorted({outcome for _, outcome in self.counts})
        lines = [f"{'':22}" + "".join(f"{outcome:>16}" for outcome in outcomes)]
        for kind in sorted({kind for kind, _ in self.counts}):
            row = "".join(f"{self.counts[kind, outcome]:16,}" for outcome in outcomes)
            lines.append(f"{kind:22}{row}")
        lines.append(f"slowest case: {self.slowest:.2f} s; failures: {len(self.failures)}")
        lines += [
            f"{outcome}: cases {', '.join(map(str, numbers))}"
            for outcome, numbers in self.cases.items()
            if len(numbers) <= RARE
        ]
        lines += [f"case {f.case} ({f.kind}): {f.message}" for f in self.failures]
        return "\n".join(lines)


def in_turns(
    looks: Mapping[str, Callable[[random.Random], str]], cases: int, seed: int
) -> Outcomes:
    """What `cases` came to, of each kind as many.

    Parameters
    ----------
    looks
        By kind: draws a case and returns its outcome, "failed: ..." if it should not be so.
    cases, seed
        Their number; a case is drawn by the seed and its number.
    """
    outcomes = Outcomes()
    for case in range(cases):
        kind, look = list(looks.items())[case % len(looks)]
        began = time.process_time()
        try:
            outcome = look(random.Random(f"{seed} {case}"))
        except Exception as error:
            outcome = f"failed: {type(error).__name__}: {error}"
        outcomes.slowest = max(outcomes.slowest, time.process_time() - began)
        name = outcome.partition(":")[0]
        outcomes.counts[kind, name] += 1
        outcomes.cases.setdefault(name, []).append(case)
        if outcome.startswith("failed"):
            outcomes.failures.append(Failure(case, kind, outcome))
    return outcomes
