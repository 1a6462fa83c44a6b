"""Checks windows of attention: a pair of a query and a key costs a word, or whole rows.

N queries, N keys, width d. Cut a play into windows by how many exponentials p(i,j) are computed
in them (for the first time), each window but the first beginning just before one is; at a cut at
most `carry` words are red.

**One-shot plays** ("segments"). Of the A pairs of a window, some are inside: all d links of the
score (i,j) and all readers of p(i,j) are computed in the window. For these the window reads the
whole rows q(i), k(j) and v(j), of d words each, and adds to all d columns of result i. The links
of a column lead to its output; the last that is computed when the window ends is an output or
needed, so that it is red then or was stored in the window. With r queries and s keys inside,
r s pairs at most, that is 2 d (r + s) >= 4 d sqrt(r s) words. A pair that is not inside has a link
of its score before the window, which is red at the cut or loaded; or a reader of p(i,j) after it,
and p(i,j) is red at the next cut or was stored in the window. Every word stands for one thing, so

    I/O >= sum over windows of x(A) - carry * (windows - 1),  x(A) = min(A, 4 d sqrt(A)):

a mixture of a pairs inside and A - a outside costs 4 d sqrt(a) + A - a, concave in a, and least
for a = 0 or a = A.

**Any play** ("dominators"). Let D be what has a pebble when the window begins and is red then or
loaded in it. A pair whose p(i,j) is computed for the first time is outside if D has a link of its
score; otherwise D has all of q(i) and k(j), for each of their values begins a path to p(i,j) that
meets D nowhere else. So |D| >= min(A, 2 d sqrt(A)), of which all but the carry is loaded in the
window. The rows of v are loaded besides, and all results stored.

For M >= 8 d^2 the best windows have A = M^2 / (4 d^2), x = 2 M, and make 4 N^2 d^2 / M words.

Source
------
B. Saha and C. Ye, The I/O complexity of attention, or how optimal is FlashAttention?, ICML 2024:
of the order N^2 d^2 / M if M >= d^2. Both constants are derived here.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Literal

from proofs.core.certificate import CertificateError
from proofs.core.fields import LARGEST
from proofs.core.records import Integers, Positive
from proofs.core.windows import Count, Game, Lemma, Sum, Window
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
    (dag, memory, rules), tokens, width = game, record.tokens, record.width
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
    return Sum([(count, cuts)], rules.room_before(memory), besides, floor=False)


ATTENTION = Lemma(Pairs, pairs, lambda record: ("N7",))
