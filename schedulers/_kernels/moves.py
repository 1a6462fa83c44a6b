"""Moves as kernels write them: op (k,) uint8 and vertex (k,) int32, the next at place `at`.

Nothing branches here: a branch around an array that is handed on has its references counted, which
makes a play four times as long. So a store is written and then, if it was none, written over; and
a play that is only counted has one place to write to, with `record` 0 instead of 1.
"""

import numpy as np

from dags._numba import inlined

# Typed, for a literal is a type of its own and compiles a variant of its own.
LOAD, STORE, COMPUTE, DELETE = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)
WRITTEN = np.int64(1)  # `record` where all moves are written


@inlined
def write(op, vertex, at, record, move, v):
    """Write a move; return the place of the next one."""
    op[at * record] = move
    vertex[at * record] = v
    return at + 1


@inlined
def store(blue, x, op, vertex, at, record, v):
    """Store value x unless it is blue; return the place of the next move, and 1 if it was not."""
    owed = np.int64(1) - blue[x]
    blue[x] = 1
    op[at * record] = STORE
    vertex[at * record] = v
    return at + owed, owed
