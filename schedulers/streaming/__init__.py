"""Plays of orders that are known a block at a time: nothing is kept for each access of the whole.

`streamed` makes the moves, `streamed_traffic` counts them.
"""

from schedulers.streaming.stream import streamed, streamed_traffic

__all__ = ["streamed", "streamed_traffic"]
