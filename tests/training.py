"""A step of training of a small network: values whose sizes are bytes."""

import numpy as np

from dags import CDAG

MIB = 1 << 20


def training_step(layers: int, *, weights: int = 0, seed: int | None = None) -> CDAG:
    """A chain of layers forwards, and the gradients backwards.

    Parameters
    ----------
    layers
        Number of layers.
    weights
        MiB of the weights of each, which are inputs, and of their gradients, which are outputs.
    seed
        Draws the MiB of activations; they have one each by default.
    """
    rng = np.random.default_rng(seed)
    rows: list[list[int]] = []
    sizes: list[int] = []
    work: list[int] = []

    def add(operands: list[int], mib: int, operations: int) -> int:
        rows.append(sorted(operands))
        sizes.append(mib * MIB)
        work.append(operations)
        return len(rows) - 1

    widths = [1 if seed is None else int(rng.integers(1, 5)) for _ in range(layers + 1)]
    held = [[add([], weights, 0)] if weights else [] for _ in range(layers)]
    activations = [add([], widths[0], 0)]
    for own_part, width in zip(held, widths[1:], strict=True):
        activations.append(add([activations[-1], *own_part], width, 10))
    gradient = add(activations[-1:], widths[-1], 1)
    outputs = []
    for layer in range(layers - 1, -1, -1):
        if weights:
            outputs.append(add([activations[layer], gradient], weights, 10))
        gradient = add([activations[layer], gradient, *held[layer]], widths[layer], 10)
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.concatenate([np.array(row, np.int32) for row in rows])
    return CDAG(indptr, indices, words=sizes, work=work, outputs=[*outputs, gradient])
