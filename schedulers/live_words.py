"""Live words of an order: the memory from which on it moves the compulsory words alone."""

import numpy as np

from schedulers.access_order import Accesses


def peak_words(layout: Accesses) -> int:
    """Least memory, in words, with which an order moves the compulsory words alone.

    It is the most that the values take which a step touches, or which were touched before it and
    will be again. With so much memory nothing has to leave that is still needed, whatever the
    eviction; with less something has, at the step where they are most, and is moved once more.

    Examples
    --------
    >>> from dags import fft
    >>> from schedulers import ORDERS, accesses
    >>> peak_words(accesses(fft(8), ORDERS["natural"](fft(8))))
    11
    """
    last = layout.touched < 0
    values = np.where(last, ~layout.touched, layout.touched)
    first = np.empty(layout.values, np.int64)
    first[values[::-1]] = layout.step_of[::-1]  # of equal values the first access is written last
    changes = np.zeros(layout.steps + 1, np.int64)
    np.add.at(changes, first, layout.words[: layout.values])
    np.subtract.at(changes, layout.step_of[last] + 1, layout.words[values[last]])
    return int(np.cumsum(changes).max(initial=0))
