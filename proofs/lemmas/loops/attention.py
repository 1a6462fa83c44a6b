"""Windows of attention: a pair of a query and a key costs a word, or whole rows (N7).

N queries, N keys, width d. Cut a play into windows by how many exponentials p(i,j) are computed in
them for the first time; at a cut at most `carry` words are red. In one-shot plays ("segments")

    I/O >= sum over windows of x(A) - carry * (windows - 1),  x(A) = min(A, 4 d sqrt(A)),

and in any play ("dominators") with x(A) = min(A, 2 d sqrt(A)) and the rows of v and all results
besides.

The proof is N7 in docs/theory/nests.md.

Source
------
B. Saha and C. Ye, The I/O complexity of attention, or how optimal is FlashAttention?, ICML 2024:
of the order N^2 d^2 / M if M >= d^2. Both constants are derived here.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Literal

from pebble import Game
from proofs.core.certificate import CertificateError
from proofs.core.records import LARGEST, Integers, Positive
from proofs.core.windows import Count, Lemma, Sum, Window
from proofs.lemmas.generated import require_generated

ROWS = {"segments": 4, "dominators": 2}


def least_words(argument: str, width: int, pairs: int) -> int:
    """Return the words, rounded up, that a window of so many pairs touches at least.

    Parameters
    ----------
    argument
        A key of `ROWS`.
    width, pairs
        Words of a row, and pairs in the window.
    """
    square = (ROWS[argument] * width) ** 2 * pairs
    return min(pairs, isqrt(square - 1) + 1)


def gain(argument: str, tokens: int, width: int) -> int:
    """Return the words that no window counts.

    Parameters
    ----------
    argument
        A key of `ROWS`.
    tokens, width
        Rows, and words of a row.
    """
    return 2 * tokens * width if argument == "dominators" else 0


@dataclass(frozen=True)
class Pairs:
    """Windows of pairs of a query and a key: each entry is a size in pairs, and a count."""

    argument: Literal["segments", "dominators"]
    tokens: Positive
    width: Positive
    windows: tuple[Integers, ...]


def pairs(game: Game, record: Pairs) -> Sum:
    """Return what windows of pairs touch (N7)."""
    dag, rules, tokens, width = game.dag, game.rules, record.tokens, record.width
    if rules.recompute and record.argument == "segments":
        raise CertificateError("argument", f"segments do not hold under {rules.name} rules")
    if dag.n != tokens * (4 * width + 2 * tokens * width + 2 * tokens - 1) or dag.words is not None:
        raise CertificateError("tokens", "and width are not those of this DAG")
    require_generated(dag, "attention", {"tokens": tokens, "width": width})
    if any(len(entry) != 2 for entry in record.windows):
        raise CertificateError("windows", "are no list of sizes and counts")
    count = Count(tokens**2, lambda size: least_words(record.argument, width, size), reach=LARGEST)
    cuts = [Window(size, times) for size, times in record.windows]
    besides = gain(record.argument, tokens, width)
    return Sum([(count, cuts)], game.room, besides, floor=False)


ATTENTION = Lemma(Pairs, pairs, lambda record: ("N7",))
