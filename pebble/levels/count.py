"""The cost of a play on a hierarchy, boundary by boundary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pebble.rules import Rules


@dataclass(frozen=True)
class LevelCount:
    """The cost of a play on a hierarchy.

    Parameters
    ----------
    rules
        The rules under which it was played.
    loads, stores
        (L - 1,) words moved across each boundary, to the level below it and to the one above.
    peaks
        (L - 1,) most words that each level but the last held at once.
    computes, recomputes
        Computations, and those of a vertex that had been computed before.
    """

    rules: Rules
    loads: tuple[int, ...]
    stores: tuple[int, ...]
    peaks: tuple[int, ...]
    computes: int
    recomputes: int

    @property
    def words(self) -> tuple[int, ...]:
        """(L - 1,) words moved across each boundary, both ways."""
        return tuple(sum(pair) for pair in zip(self.loads, self.stores, strict=True))

    def cost(self, costs: Sequence[int]) -> int:
        """Return the words across each boundary times what a word costs there, in all."""
        return sum(price * words for price, words in zip(costs, self.words, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return the words, computations and peaks as plain JSON."""
        return {
            "words": list(self.words),
            "loads": list(self.loads),
            "stores": list(self.stores),
            "peaks": list(self.peaks),
            "computes": self.computes,
            "recomputes": self.recomputes,
        }
