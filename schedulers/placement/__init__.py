"""Where buffers are put in memory: a complete search, and the least memory that is enough.

`place` finds addresses in memory of a given size, or says that there are none; `least_memory` finds
the smallest memory, from both sides. What they find is judged by `pebble.judge_placement`.
"""

from schedulers.placement.search import WORK, Placed, least_memory, place

__all__ = ["WORK", "Placed", "least_memory", "place"]
