"""Windows of a play by updates of a loop nest: items they touch, less those that stay red.

Cut a play into windows, each but the first beginning just before an update is computed. A window of
A updates touches x(A) words at least (N1, `hbl`; N3), at most K of which are red when it begins,
and `window_gains` verifies the words moved besides (N2):

    words >= sum over windows of x(A) - K (windows - 1) + gain.

**Partial computation (N3).** Windows begin just before an update becomes complete. With x(C) items
that C updates touch, and

    x'(A) = the least Y with Y >= x(A - Y),

and as for one-shot plays, with words read and written besides,

    I/O >= sum of x' - M * (windows - 1) - births + such inputs + such outputs.

The proof is N3 in docs/theory/nests.md.

Source
------
P. A. Papp, A. Sobczyk and A. N. Yzelman, The impact of partial computations on the red-blue pebble
game, SPAA 2025, arXiv 2506.10854v2: that bounds by S-partitions of vertices do not carry over, and
that partitions of edges do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, Final, Literal

import numpy as np

from dags import CDAG
from pebble import Game, Rules
from proofs.core.records import LARGEST, CertificateError, Positive, fraction, only
from proofs.core.windows import Count, Sum, Window
from proofs.lemmas.generated import is_single_use
from proofs.lemmas.loops.hbl import Shape, degree_of, least_words
from proofs.lemmas.loops.iteration_space import HEAD, LEAVES, IterationSpace
from proofs.lemmas.loops.window_gains import chain_gain, dominator_gain, segment_gain

MOST_SIZES: Final = 4  # of windows: two are enough for windows that are as equal as can be
MOST_DEGREE: Final = 1260  # of integers that are compared: the sum of exponents, in whole parts
Argument = Literal["segments", "aggregations", "chains", "dominators"]
Premises = tuple[Shape, int, int]  # projections, updates, words to add
Words = Callable[[Shape, int, Mapping[str, Fraction]], int]


def aggregation_gain(dag: CDAG, space: IterationSpace) -> int:
    """The words to add to the sum of x' - M * (windows - 1) over a play.

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
    """Check that partial sums stand for nothing else, and have the words of their items."""
    ways = [way for roles in space.between.values() for way in roles]
    for name, sums in space.sums.items():
        if any(np.isin(sums, way).any() for way in (space.updates, *ways)):
            raise CertificateError("family", "a sum is an update, or between one and what it reads")
        if np.any(dag.sizes[sums] < ceil(space.shape.measure(name).cost)):
            raise CertificateError("family", "a sum has fewer words than its item costs")


def _coming_in(dag: CDAG, space: IterationSpace) -> IterationSpace:
    """The updates where no update reads a vertex that goes out.

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
    equal = (label[read] >= 0) & (label[read] == label[space.updates[owner]])
    before[owner[equal]] = read[equal]
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


def words_under(rules: Rules) -> Words:
    """What says how many words a window touches at least: x, or x' of N3."""
    return compact_words if rules.partial else least_words


GAINS = {
    "segments": segment_gain,
    "aggregations": aggregation_gain,
    "chains": chain_gain,
    "dominators": dominator_gain,
}


@dataclass(frozen=True)
class UpdateWindow:
    """Windows of a given number of updates.

    Parameters
    ----------
    size, count
        Updates in a window, and how many such windows there are.
    exponents
        Of the arrays, as fractions in a string, "1/2".
    """

    size: Positive
    count: Positive
    exponents: Mapping[str, Any]


def holds(dag: CDAG, rules: Rules, argument: str) -> bool:
    """Whether an argument holds under `rules`.

    Segments need one-shot plays, and aggregations are of partial computation alone.

    Parameters
    ----------
    dag, rules
        The game.
    argument
        A key of `GAINS`.
    """
    if rules.partial or argument == "aggregations":
        return rules.partial and argument == "aggregations"
    return argument != "segments" or not rules.recompute or is_single_use(dag)


def updates_sum(
    shape: Shape,
    updates: int,
    held: int,
    windows: Sequence[UpdateWindow],
    besides: int = 0,
    words: Words = least_words,
) -> Sum:
    """The sum over windows of the items they touch.

    Parameters
    ----------
    shape, updates
        The arrays that updates touch, and how many updates there are.
    held
        Words that can be red just before an update is computed.
    windows
        Of all updates.
    besides
        Words that no window counts.
    words
        Words that a window touches at least, of the shape, its size and the exponents.
    """
    count = Count(updates, lambda size, powers: words(shape, size, powers), reach=LARGEST)
    cuts = [
        Window(window.size, window.count, (exponents_in(shape, window.exponents),))
        for window in windows
    ]
    return Sum([(count, cuts)], held, besides, floor=False)


def gained(
    game: Game, argument: str, premised: Premises, held: int, windows: Sequence[UpdateWindow]
) -> Sum:
    """The sum of windows whose updates and gain are verified.

    Parameters
    ----------
    game, argument
        The game, and a key of `GAINS`.
    premised
        The arrays that updates touch, how many updates there are, and the words to add.
    held
        Words that can be red just before an update is computed.
    windows
        Of all updates.
    """
    if not holds(game.dag, game.rules, argument):
        message = f"{argument} do not hold under {game.rules.name} rules"
        raise CertificateError("argument", message)
    shape, updates, gain = premised
    return updates_sum(shape, updates, held, windows, gain, words_under(game.rules))


def exponents_in(shape: Shape, exponents: Mapping[str, Any]) -> dict[str, Fraction]:
    """The exponent of each array of which several updates share an item.

    Raises
    ------
    CertificateError
        If they are none, or integers would be raised to a power beyond `MOST_DEGREE`.
    """
    only(exponents, [measure.name for measure in shape.partial])
    exponents_by_name = {name: fraction(exponents, name) for name in exponents}
    if (degree := degree_of(shape, exponents_by_name)) > MOST_DEGREE:
        raise CertificateError("exponents", f"ask for powers of {degree}, beyond {MOST_DEGREE}")
    return exponents_by_name
