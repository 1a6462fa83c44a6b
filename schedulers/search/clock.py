"""Progress of a search: the larger share of its time and of its iterations."""

import time
from dataclasses import dataclass, field


@dataclass
class Clock:
    """A budget of seconds, of iterations, or of both.

    Parameters
    ----------
    seconds
        How long it may take; None for as long as the iterations take.
    iterations
        How many there may be.
    """

    seconds: float | None
    iterations: int
    done: int = 0
    begun: float = field(default_factory=time.perf_counter)

    def progress(self) -> float:
        """Return the share of the budget that is spent, 1 when it is all."""
        spent = self.done / self.iterations if self.iterations else 1.0
        if self.seconds is not None:
            passed = time.perf_counter() - self.begun
            spent = max(spent, passed / self.seconds if self.seconds > 0 else 1.0)
        return min(spent, 1.0)
