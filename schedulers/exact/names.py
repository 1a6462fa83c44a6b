"""The names of real vertices in states that a search keeps up to symmetry."""

from collections.abc import Iterator
from copy import copy

import numpy as np

from schedulers.exact.problem import Masks, Problem
from schedulers.exact.symmetry import Symmetry
from schedulers.exact.tables import byte_images

Sets = tuple[int, int, int]


class StepNotFoundError(AssertionError):
    """No move leads from a state of the search to its successor: the search is broken."""


def bits(x: int) -> Iterator[int]:
    """Yield the members of a set, rising."""
    while x:
        yield (x & -x).bit_length() - 1
        x &= x - 1


class Names:
    """Where the real vertices are in a state that the search keeps up to symmetry."""

    def __init__(self, problem: Problem, symmetry: Symmetry) -> None:
        self.images = byte_images(symmetry.of_computed)
        self.symmetry = symmetry
        self.computed, self.read = problem.computed, problem.read
        self.value = problem.value

    def following(self, state: Sets, kept: Sets) -> "Names | None":
        """Return the names after the symmetry that takes `state` to `kept`; None without one.

        Parameters
        ----------
        state, kept
            Sets of computed vertices, of values, and of values again, as the search keeps them.
        """
        if any(a.bit_count() != b.bit_count() for a, b in zip(state, kept, strict=True)):
            return None
        for turn in np.flatnonzero(self._images(state[0]) == np.uint64(kept[0])):
            of_read = self.symmetry.of_read[turn].tolist()
            first, second = (_image(values, of_read) for values in state[1:])
            places = self._sorted(first, second)
            if (_image(first, places), _image(second, places)) == tuple(kept[1:]):
                return self._renamed(int(turn), [places[r] for r in of_read])
        return None

    def _images(self, done: int) -> Masks:
        """Return (g,) the images of a set of computed vertices."""
        images = np.zeros(self.images.shape[0], np.uint64)
        for b in range(self.images.shape[1]):
            images |= self.images[:, b, done >> 8 * b & 255]
        return images

    def _sorted(self, first: int, second: int) -> list[int]:
        """Return where each value goes when twins are put in order."""
        code = [(first >> r & 1, second >> r & 1) for r in range(self.read.size)]
        holder = list(range(self.read.size))
        for low in self.symmetry.rounds.tolist():
            for r in bits(low):
                if code[r] < code[r + 1]:
                    code[r], code[r + 1] = code[r + 1], code[r]
                    holder[r], holder[r + 1] = holder[r + 1], holder[r]
        places = [0] * len(holder)
        for place, r in enumerate(holder):
            places[r] = place
        return places

    def _renamed(self, turn: int, places: list[int]) -> "Names":
        """Return the names after an automorphism, with its values at these places."""
        names = copy(self)
        names.computed, names.read = self.computed.copy(), self.read.copy()
        names.read[places] = self.read
        names.computed[self.symmetry.of_computed[turn]] = self.computed
        # A computed vertex that is read goes where its value goes, in order among its twins.
        has = self.value >= 0
        names.computed[has] = names.read[self.value[has]]
        return names


def _image(x: int, places: list[int]) -> int:
    return sum(1 << places[i] for i in bits(x))
