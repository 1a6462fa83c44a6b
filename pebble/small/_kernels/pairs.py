"""Pairs of steps: steps that may come between the two, and which states are as good as others.

The theory is in `pebble.small.one_shot`.
"""

import numpy as np

from dags._numba import lean_inner_kernel
from pebble.small._kernels.bits import NONE, ONE, lowest_bit


@lean_inner_kernel
def late_operands(g, done, red, dirty):
    """Return the step that is late with all operands there, or -1; who may leave; who may not.

    Those are operands of late steps (item 9): the clean ones of that step, and all that stay.
    """
    late, clean, stay = np.int64(-1), NONE, NONE
    left = g.paired & ~done
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        if not done >> np.uint64(g.step[v]["other"]) & ONE:
            continue
        operands = g.step[v]["operands"]
        if operands & ~red:
            stay |= operands
        else:
            late, clean = np.int64(v), operands & ~dirty
            stay |= operands & dirty
    return late, clean, stay


@lean_inner_kernel
def is_stuck(g, done, dirty, dirty1):
    """Return whether only the first of two states has all dirty that some late step reads (item 9).

    Then it need not be as good as the other one.
    """
    left = g.paired & ~done
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        operands = g.step[v]["operands"]
        if not operands & ~dirty and operands & ~dirty1:
            if done >> np.uint64(g.step[v]["other"]) & ONE:
                return True
    return False
