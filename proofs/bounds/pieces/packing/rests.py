"""Turns for which a vertex is left out, around which there was nothing of late."""

import numpy as np

# So many turns, at most, a vertex is left out around which there was nothing time and again.
LONGEST = 3


class Rests:
    """Turns for which vertices are left out: twice as many each time that there was nothing.

    Parameters
    ----------
    n
        Vertices.
    """

    def __init__(self, n: int) -> None:
        self._left = np.zeros((3, n), np.int64)
        self._next = np.zeros((3, n), np.int64)

    def skips(self, theta: int, x: int) -> bool:
        """Return whether a vertex is left out in this turn."""
        if not self._left[theta, x]:
            return False
        self._left[theta, x] -= 1
        return True

    def note(self, theta: int, x: int, nothing: bool) -> None:
        """Note whether there was nothing around a vertex, at values of one or both prices."""
        self._next[theta, x] = min(2 * self._next[theta, x] + 1, LONGEST) if nothing else 0
        self._left[theta, x] = self._next[theta, x]
