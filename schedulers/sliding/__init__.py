"""Sliding: plays in which a computed value takes the place of an operand.

`sliding_traffic` counts what an order costs so, `sliding_schedule` makes the moves.
"""

from schedulers.sliding.slides import sliding_schedule, sliding_traffic

__all__ = ["sliding_schedule", "sliding_traffic"]
