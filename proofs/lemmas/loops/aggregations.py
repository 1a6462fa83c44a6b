"""Least words that the windows of a play with partial computation move (N3).

Windows begin just before an update becomes complete. With x(C) items that C updates touch, and

    x'(A) = the least Y with Y >= x(A - Y),

and as for one-shot plays, with what is read and written besides,

    I/O >= sum of x' - M * (windows - 1) - births + such inputs + such outputs.

The proof is N3 in docs/theory/nests.md.

Source
------
P. A. Papp, A. Sobczyk and A. N. Yzelman, The impact of partial computations on the red-blue pebble
game, SPAA 2025, arXiv 2506.10854v2: that bounds by S-partitions of vertices do not carry over, and
that partitions of edges do.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np

from dags import CDAG
from proofs.core.certificate import CertificateError
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.iteration_space import HEAD, LEAVES, IterationSpace
from proofs.lemmas.loops.window_gains import segment_gain


def aggregation_gain(dag: CDAG, space: IterationSpace) -> int:
    """Return the words to add to the sum of x' - M * (windows - 1) over a play.

    Raises
    ------
    CertificateError
        If the theorem does not hold for this DAG and these updates.
    """
    if np.any(dag.sizes[space.updates] < 1):
        raise CertificateError("family", "an update has no words")
    _check_sums(dag, space)
    return segment_gain(dag, _coming_in(dag, space))


def _check_sums(dag: CDAG, space: IterationSpace) -> None:
    """Check that what is partly added up stands for nothing else, and has the words of its item."""
    ways = [way for roles in space.between.values() for way in roles]
    for name, sums in space.sums.items():
        if any(np.isin(sums, others).any() for others in (space.updates, *ways)):
            raise CertificateError("family", "a sum is an update, or between one and what it reads")
        if np.any(dag.sizes[sums] < ceil(space.shape.measure(name).cost)):
            raise CertificateError("family", "a sum has fewer words than its item costs")


def _coming_in(dag: CDAG, space: IterationSpace) -> IterationSpace:
    """Return the updates where no update reads a vertex that goes out.

    Where one does, as in a chain of sums, all items that go out come in instead: as the operand
    with the label of the update, where there is one.
    """
    if space.label is None:
        return space
    label = space.label
    starts = dag.pred_indptr[space.updates]
    counts = dag.pred_indptr[space.updates + 1] - starts
    owner = np.repeat(np.arange(space.updates.size), counts)
    place = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
    read = dag.pred_indices[starts[owner] + place]
    if not np.any(label[read] >= 0):
        return space
    before = np.full(space.updates.size, HEAD, np.int64)
    same = (label[read] >= 0) & (label[read] == label[space.updates[owner]])
    before[owner[same]] = read[same]
    touched = {
        name: tuple(np.where(values == LEAVES, before, values) for values in roles)
        for name, roles in space.touched.items()
    }
    return replace(space, touched=touched, label=None)


def compact_words(shape: Shape, size: int, exponents: Mapping[str, Fraction]) -> int:
    """Return x'(size): the least Y for which size - Y updates touch Y words or fewer.

    Parameters
    ----------
    shape, size, exponents
        As for `least_words`.
    """
    low, high = -1, size  # x(0) = 0
    while high - low > 1:
        middle = (low + high) // 2
        if middle >= least_words(shape, size - middle, exponents):
            high = middle
        else:
            low = middle
    return high
