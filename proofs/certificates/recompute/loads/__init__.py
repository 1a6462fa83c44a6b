"""How much must be loaded at the least from a state of the game with recomputation.

- `new_room` is room to work in; the kernels do the rest.
"""

import numpy as np

from proofs.certificates.recompute.loads._kernels import Room

KNOWN = 1 << 16


def new_room() -> Room:
    """Return room for greatest flows."""
    return Room(
        through=np.zeros(64, np.int64),
        heads=np.zeros(64, np.uint64),
        along=np.zeros((64, 64), np.int64),
        came=np.empty(128, np.int64),
        queue=np.empty(128, np.int64),
        known=np.zeros((KNOWN, 3), np.uint64),
        answer=np.zeros(KNOWN, np.int64),
    )


__all__ = ["Room", "new_room"]
