"""How much must be fetched at the least from a state of the game with recomputation.

- `new_flow` is room to work in; the kernels do the rest.
"""

import numpy as np

from schedulers.exact.recompute.flow._kernels import Flow

KNOWN_FLOWS = 1 << 20


def new_flow() -> Flow:
    """Return room for maximum flows."""
    return Flow(
        np.empty(64, np.int64),
        np.empty(64, np.uint64),
        np.empty((64, 64), np.int64),
        np.empty(64, np.int64),
        np.empty(64, np.int64),
        np.empty(128, np.int64),
        np.zeros((KNOWN_FLOWS, 3), np.uint64),
        np.zeros(KNOWN_FLOWS, np.int64),
    )


__all__ = ["new_flow"]
