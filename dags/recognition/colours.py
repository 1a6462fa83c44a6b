"""Colours of vertices that no renumbering changes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dags.cdag.value import CDAG
from dags.recognition import _kernels

Colours = npt.NDArray[np.uint64]
SWEEPS = 2  # down and up each: enough to tell apart most vertices of grids and factorizations


def coloured(dag: CDAG, marks: Sequence[npt.NDArray[np.integer[Any]]] = ()) -> Colours:
    """Return (n,) colours: vertices that an isomorphism can exchange have the same.

    Each is a hash of what the vertex is computed from and what is computed from it, so that
    vertices of one colour need not be exchangeable.

    Parameters
    ----------
    dag
        The DAG.
    marks
        (n,) integers each, which an isomorphism is to keep: sizes, tags.
    """
    colour = np.zeros(dag.n, np.uint64)
    for mark in marks:
        colour *= np.uint64(0x100000001B3)
        colour += mark.astype(np.uint64)
    for _ in range(SWEEPS):
        _kernels.colour_down(dag.pred_indptr, dag.pred_indices, colour)
        told = np.zeros(dag.n, np.uint64)
        _kernels.colour_up(dag.pred_indptr, dag.pred_indices, colour, told)
    return colour
