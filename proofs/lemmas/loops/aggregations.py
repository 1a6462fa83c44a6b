"""Least words that the windows of a play with partial computation move.

The argument is that of one-shot plays (`window_gains`), for aggregations of operands in the place
of computations. Cut a play into windows, each but the first beginning just before an update becomes
complete; at a cut at most M words are red. A window completes A updates. Of these, C have all
operands aggregated in the window, and s *straddle* its beginning: partly computed at the cut, they
are red there or loaded in the window, each a vertex of its own. Call what is red at the cut or
loaded the window's T words: s <= T.

**What C updates touch.** Of each item of an array that comes in, take the first update of C that
touches it. The vertex y that it reads is complete and red when it is aggregated. If y has been
begun before the window, it was red at the cut or is loaded in the window: it is among the T words.
Otherwise it has been computed in the window, which is a birth, unless it is an update of the same
item: but then it would be one of C, and before the first. Of an array that goes out, the update
lies on a path to an output whose vertices belong to its item. Follow it as far as each vertex was
aggregated into the next one by the end of the window. The last one is still needed, for an output
or because the next one lacks it; and all of these aggregations came after the update was complete,
so that it is red at the next cut or was stored in the window. Where no update reads a vertex of
such a path, it is an update only if it is the complete one that the path begins with: so it is none
of those that straddle the next cut. Where one does, as in a chain of sums, the item comes in.

**Sums.** An item may be touched by way of a sum z that reads the update (`window_gains`). If z has
not taken in the update by the end of the window, the update goes out: it is red at the next cut or
was stored. Otherwise z was red in the window. If it had begun before the window, and had taken in
y, to which it adds, or has none, z is among the T words. If z has y neither then nor at the end, z
goes out itself: it still waits. Else y was taken in in the window, or z is a head that was begun in
it: a birth. A sum y of this item is followed likewise, back to a first one. Another y was complete
when the window began, and is among the T words; or it became so in the window: a birth. No word
counts twice at a cut. Of what goes out, updates are complete and never read as items, and sums lack
their y. The T words are partial updates, sums that have their y, and other values that are
complete: for where a sum is read as another item, it is no update of that, and its completion is a
birth. So no sum may be an update, nor may one be read by way of it.

**What follows.** With x(C) items for C updates, Y = T + births + what goes out >= x(A - s), and
Y >= s, so Y >= x(A - Y): Y is at least

    x'(A) = the least Y with Y >= x(A - Y),

and as for one-shot plays, with what is read and written besides,

    I/O >= sum of x' - M * (windows - 1) - births + such inputs + such outputs.

In the leading term nothing is lost: x(A) is small beside A in windows that prove much.

Source
------
P. A. Papp, A. Sobczyk and A. N. Yzelman, The impact of partial computations on the red-blue pebble
game, SPAA 2025, arXiv 2506.10854v2: that bounds by S-partitions of vertices do not carry over, and
that partitions of edges do. The argument above is complete.
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
