"""Buffers at addresses as a picture of memory over time."""

from collections.abc import Sequence

from pebble.placement import Buffer
from redblue.show.model import MemoryMap, Span
from redblue.show.player.names import cleaned


def memory_map(
    buffers: Sequence[Buffer], offsets: Sequence[int], capacity: int, *, name: str = "memory"
) -> MemoryMap:
    """The picture of a placement, as data.

    Parameters
    ----------
    buffers, offsets
        The buffers and their addresses.
    capacity
        The size of memory, which is a line across.
    name
        The name of its files.
    """
    spans = tuple(
        Span(cleaned(b.name), b.lower, b.upper, offset, offset + b.size)
        for b, offset in zip(buffers, offsets, strict=True)
    )
    return MemoryMap(name, "Buffers in memory over time.", capacity, "", spans)
