"""Kernels that look for good multipliers of a window's bound; see `Placements.relaxed`."""

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from proofs.certificates.windows.placements._kernels import relax


@lean_kernel
def ascend(terms, span, case, begin, steps, shorter, goal, unit, scale, limits):
    """Return (bound, gain, shift, rent, whether numbers stayed small) of the best of some steps.

    They go along subgradients. begin: gain, shift and rent at first; steps: how many at most, those
    from the fourth on `shorter` times as long. goal: a cost beyond which nothing is asked for;
    unit: of which costs are multiples; scale: of bounds. limits: the smallest value's words, the
    largest value's words, the most that a gain or a shift, and that a rent may be, and the most
    that numbers may.
    """
    smallest, largest, most, dearest, huge = limits
    gain, shift, rent = begin
    best, best_gain, best_shift, best_rent = 0, gain, shift, rent
    price = span.cost.sum()
    for step in range(steps):
        reach = float(price) + (2.0 * gain + abs(shift)) * span.total + 1.0
        if max(reach, float(rent) * largest) > huge:
            return best, best_gain, best_shift, best_rent, False
        far = price + (2 * gain + abs(shift)) * span.total + 1
        value, inside, before, red = relax(terms, span, case, gain, shift, rent, far)
        if step == 0 or value > best:
            best, best_gain, best_shift, best_rent = value, gain, shift, rent
        proved = max(0, -(-best // (scale * unit)) * unit)
        aim = min(goal, -(-best // scale) + unit)
        missing = float(span.last - span.first - inside)
        early = float(before - span.first)
        rented = (red - span.red) / smallest if span.red else 0.0
        square = missing * missing + early * early + rented * rented
        if proved >= goal or square == 0:
            break
        length = (aim * scale - value) / square
        if step >= 3:
            length *= shorter
        gain = moved(gain, length * missing, 0, most)
        shift = moved(shift, length * early, -most, most)
        rent = moved(rent, length * rented / smallest, 0, dearest)
    return best, best_gain, best_shift, best_rent, True


@lean_inner_kernel
def moved(at, step, least, most):
    """Return the whole number nearest to at + step that is from `least` to `most`."""
    to = np.rint(at + step)
    return min(max(np.int64(min(max(to, float(least)), float(most))), least), most)
