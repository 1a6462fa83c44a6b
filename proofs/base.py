"""What a lower bound is."""

from dataclasses import dataclass
from typing import Protocol

from dags import CDAG
from pebble import ONE_SHOT, Rules


@dataclass(frozen=True)
class Bound:
    """A number of words that no legal play can do without.

    Parameters
    ----------
    method
        The name in `BOUNDS` of what proved it.
    memory
        The fast memory, in words, for which it holds; it holds for every smaller one too.
    io
        Words of loads and stores, end to end.
    rules
        The rules for which it holds.
    """

    method: str
    memory: int
    io: int
    rules: Rules


class BoundMethod(Protocol):
    """Anything that proves a lower bound."""

    def __call__(self, dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> Bound:
        """Return a bound on playing `dag` with `memory` words under `rules`."""
