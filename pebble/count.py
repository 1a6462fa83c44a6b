"""The cost of a play, in words and moves."""

from dataclasses import dataclass, field
from typing import Any

from pebble.rules import Rules


@dataclass(frozen=True)
class ChannelCount:
    """The traffic of one channel.

    Parameters
    ----------
    loads, stores
        Words moved to fast and to slow memory.
    """

    loads: int
    stores: int

    @property
    def io(self) -> int:
        """Words moved both ways."""
        return self.loads + self.stores


@dataclass(frozen=True)
class IOCount:
    """The cost of a play and the rules under which it was played.

    Parameters
    ----------
    rules
        The rules under which it was played.
    loads, stores
        Words moved to fast and to slow memory.
    load_moves, store_moves
        How many moves moved them.
    computes
        Computations, the repeated ones among them.
    recomputes
        Computations of a vertex that had been computed before.
    peak
        Most words that were in fast memory at once.
    work
        Operations of all computations; None where the DAG does not say.
    channels
        Traffic by channel; empty where the DAG has no channels.
    """

    rules: Rules
    loads: int
    stores: int
    load_moves: int
    store_moves: int
    computes: int
    recomputes: int
    peak: int
    work: int | None = None
    channels: dict[int, ChannelCount] = field(default_factory=dict)

    @property
    def io(self) -> int:
        """Words moved both ways: the cost that the game minimises."""
        return self.loads + self.stores

    def to_dict(self) -> dict[str, Any]:
        """Return the words, computations and peak as plain JSON."""
        return {
            "io": self.io,
            "loads": self.loads,
            "stores": self.stores,
            "computes": self.computes,
            "recomputes": self.recomputes,
            "peak": self.peak,
            "channels": {
                str(tag): {"loads": part.loads, "stores": part.stores}
                for tag, part in self.channels.items()
            },
        }
