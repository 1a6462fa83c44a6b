"""Windows of a play by updates of a loop nest: what they touch, less what stays red.

Cut a play into windows, each but the first beginning just before an update is computed. A window
of A updates touches x(A) words at least (N1, `hbl`; N3, `aggregations`), at most K of which are red
when it begins, and `window_gains` verifies what is moved besides (N2):

    words >= sum over windows of x(A) - K (windows - 1) + gain.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from dags import CDAG
from pebble import Game, Rules
from proofs.core.certificate import CertificateError
from proofs.core.records import LARGEST, Positive, fraction, only
from proofs.core.windows import Count, Sum, Window
from proofs.lemmas.generated import is_single_use
from proofs.lemmas.loops.aggregations import aggregation_gain, compact_words
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.window_gains import chain_gain, dominator_gain, segment_gain

MOST_SIZES: Final = 16  # of windows: two are enough for windows that are as equal as can be
GAINS = {
    "segments": segment_gain,
    "aggregations": aggregation_gain,
    "chains": chain_gain,
    "dominators": dominator_gain,
}
Argument = Literal["segments", "aggregations", "chains", "dominators"]
Premises = tuple[Shape, int, int]  # projections, updates, words to add
Words = Callable[[Shape, int, Mapping[str, Fraction]], int]


@dataclass(frozen=True)
class UpdateWindow:
    """Windows of so many updates.

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
    """Return whether an argument holds under `rules`.

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
    """Return the sum over windows of what they touch.

    Parameters
    ----------
    shape, updates
        What updates touch, and how many there are.
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
        Window(each.size, each.count, (exponents_in(shape, each.exponents),)) for each in windows
    ]
    return Sum([(count, cuts)], held, besides, floor=False)


def gained(
    game: Game, argument: str, found: Premises, held: int, windows: Sequence[UpdateWindow]
) -> Sum:
    """Return the sum of windows whose updates and gain are verified.

    Parameters
    ----------
    game, argument
        The game, and a key of `GAINS`.
    found
        What updates touch, how many there are, and the words to add.
    held
        Words that can be red just before an update is computed.
    windows
        Of all updates.
    """
    if not holds(game.dag, game.rules, argument):
        message = f"{argument} do not hold under {game.rules.name} rules"
        raise CertificateError("argument", message)
    shape, updates, gain = found
    words = compact_words if game.rules.partial else least_words
    return updates_sum(shape, updates, held, windows, gain, words)


def exponents_in(shape: Shape, exponents: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return the exponent of each array of which several updates share an item."""
    only(exponents, [measure.name for measure in shape.partial])
    return {name: fraction(exponents, name) for name in exponents}
