"""Moves as kernels write them."""

from typing import NamedTuple

import numpy as np

from dags._numba import lean_part

# Typed, for a literal is a type of its own and compiles a variant of its own.
LOAD, STORE, COMPUTE, DELETE = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)


class Script(NamedTuple):
    """Arrays that receive moves; empty ones where moves are only counted."""

    op: np.ndarray  # (k,) uint8
    vertex: np.ndarray  # (k,) int32


@lean_part
def note(script, at, move, v):
    """Write a move at place `at`; return the place of the next one."""
    if script.op.size > 0:
        script.op[at] = move
        script.vertex[at] = v
    return at + 1
