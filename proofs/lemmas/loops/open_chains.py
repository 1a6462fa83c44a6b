"""Windows of a product, by the sums that are open where they are cut (N16).

The product of an (m, k) and a (k, n) matrix has a chain of k updates for each of m n entries. Let C
and C' sums be red at the ends of a window of A updates, of chains that have begun and not ended. It
moves at least

    F(max(C, C')) - (carry - C),    F(X) = min over u of G(A, u) + max(0, u - X),

G(A, u) the least rows and columns of k even layers, and nothing is taken off in the first window.
The least sum over all numbers C at the cuts is a shortest path.

The proof is N16 in docs/theory/nests.md.

Source
------
Proved here. The windows are those of `window_gains`.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dags.arrays import Int64Array
from pebble import Game
from proofs.core.records import LARGEST, CertificateError, Positive
from proofs.core.windows import Lemma
from proofs.lemmas.generated import require_generated
from proofs.lemmas.loops.kept_pairs import require_playable

MOST_ENTRIES, MOST_WINDOWS, MOST_OPEN = 2048, 1024, 1024
FAR = 2**40  # words: of what does not exist


@dataclass(frozen=True)
class Product:
    """Sizes of a product, and how many windows there are."""

    m: Positive
    n: Positive
    k: Positive
    windows: Positive


def product(game: Game, record: Product) -> int:
    """The words of windows of a product by the sums that are open at cuts (N16)."""
    require_playable(game)
    dag, m, n, k, windows = game.dag, record.m, record.n, record.k, record.windows
    if m * n > MOST_ENTRIES or k > LARGEST or windows > min(MOST_WINDOWS, m * n * k):
        raise CertificateError("windows", f"or the {m} by {n} entries are too many")
    if dag.words is not None or dag.n != m * k + k * n + m * n * k:
        raise CertificateError("m", "and n, k are not those of this DAG")
    require_generated(dag, "matmul", {"m": m, "n": n, "k": k, "form": "fma"})
    return least_words(m, n, k, game.rules.room_before(game.memory), windows)


def least_words(m: int, n: int, k: int, held: int, windows: int) -> int:
    """The words that any play of a product moves.

    Parameters
    ----------
    m, n, k
        Rows and columns of the result, and layers.
    held
        Words that can be red at a cut.
    windows
        Into which the play is cut, of sizes that differ by one at most.
    """
    updates, limit = m * n * k, min(held, m * n)
    if limit > MOST_OPEN:
        return 0
    cuts = [updates * place // windows for place in range(windows + 1)]
    sizes = [end - begin for begin, end in pairwise(cuts)]
    moved = {size: _moved(m, n, k, size, limit) for size in set(sizes)}
    sums = np.arange(limit + 1)
    larger, items = np.maximum.outer(sums, sums), held - sums
    lowest = np.where(sums == 0, held, FAR)  # nothing is red before the first window
    for size in sizes:
        lowest = ((lowest - items)[:, None] + moved[size][larger]).min(axis=0)
    return m * n + int(lowest[0])


def _moved(m: int, n: int, k: int, size: int, limit: int) -> Int64Array:
    """(most + 1,) F(X) of a window of `size` updates."""
    items = _even_layers(m, n, k, size)
    spread = np.arange(m * n + 1)
    further = np.maximum(0, spread - np.arange(limit + 1)[:, None])
    touched: Int64Array = (items + further).min(axis=1)
    return touched


def _even_layers(m: int, n: int, k: int, size: int) -> Int64Array:
    """(m n + 1,) G(size, u), at least."""
    h = _items_of_layers(m, n)
    low = np.arange(size // k + 1)
    high = np.arange(-(-size // k), m * n + 1)
    width = high - low[:, None]
    above, below = k * high - size, size - k * low
    line = -(-(h[low, None] * above + h[high] * below[:, None]) // np.maximum(width, 1))
    line = np.where(width > 0, line, k * h[low, None])
    lowest = np.full(m * n + 1, FAR)
    np.minimum.at(lowest, width.ravel(), line.ravel())
    touched: Int64Array = np.minimum.accumulate(lowest)
    return touched


def _items_of_layers(m: int, n: int) -> Int64Array:
    """(m n + 1,) the least rows and columns of a layer of a given number of updates."""
    rows = np.arange(1, m + 1)
    counts = np.arange(1, m * n + 1)[:, None]
    columns = -(-counts // rows)
    sides = np.where(columns <= n, rows + columns, FAR).min(axis=1)
    return np.concatenate((np.zeros(1, np.int64), sides)).astype(np.int64)


CHAINS = Lemma(Product, product, lambda _: ("N16",))
