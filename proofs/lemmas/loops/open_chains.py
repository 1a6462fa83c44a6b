"""Checks what windows of a product move, by the sums that are open where they are cut.

The product of an (m, k) and a (k, n) matrix has a chain of k updates for each of m n entries;
update l of the chain (i, j) reads a(i, l), b(l, j) and what update l - 1 made, and makes an output
if it is the last. Cut a one-shot play into windows, each but the first beginning just before an
update. Let C sums be red at a cut, of chains that have begun and not ended, each the last that its
chain has made: then `carry` - C items of A and B are red there at most, M - 1 words (M where values
slide) in all. No word is red before the first window, and no chain is open behind the last.

*A window* of A updates has x chains, of which b begin in it and e end in it. It touches, in layer l
(its updates with that l), n_l of them. Items of different layers are different, so that

    loads of items >= sum over layers of h(n_l) - (items red at its beginning),

h(n) the least r + s with r s >= n. A chain that is not begun in the window reads first a sum that
is red at its beginning, or is loaded. A chain that does not end in it makes last a sum that is red
at its end, or is stored, and that is no output. So with C and C' red at both ends, x - b - C sums
are loaded, if these are more than none, and x - e - C' are stored. All m n outputs are stored, too.

*Layers are even.* Let u be the larger of x - b and x - e. Of the chains let p begin and end in the
window, y only begin, z only end, and w do neither: x - b = z + w, x - e = y + w. In layer l are p,
and y_l of the y, z_l of the z, w_l of the w. Those that begin have the layers from the first one
on, those that end have those up to the last. If n_l > p + u, then y_l and z_l are n_l - p - u at
least, for n_l <= p + y_l + z_l + w and u >= w + max(y, z). Then each layer before l has p + y_l
updates at least, and each one behind it p + z_l. So there is a number q, with

    q <= n_l <= q + u    in all k layers.

The sum of h over layers with A updates is at least k times the lower convex hull of h between q and
q + u, at A / k: a point on a line between two of its points. That is the least over pairs
n1 <= A / k <= n2 with n2 - n1 <= u, rounded up, G(A, u); it falls with u. So a window with C and
C' moves at least

    F(max(C, C')) - (carry - C),    F(X) = min over u of G(A, u) + max(0, u - X),

and nothing is taken off in the first window. The least sum over all numbers C at the cuts is a
shortest path.

Why this is more than windows of `projections` say: there a chain that begins in a window gives a
word away, m n words in all. Here what keeps no sums at a cut pays with sums of many small squares.

Source
------
Proved here. The windows are those of `window_gains`.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, min_memory
from proofs.core.certificate import CertificateError
from proofs.core.fields import LARGEST, integer, only
from proofs.lemmas.generated import require_generated
from proofs.lemmas.loops.kept_pairs import holds

MOST_ENTRIES, MOST_WINDOWS, MOST_OPEN = 2048, 1024, 1024
FAR = 2**40  # words: of what does not exist


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has "m", "n" and "k" of the product, and "windows", how many there are.
    """
    only(data, ("m", "n", "k", "windows"))
    if not holds(dag, rules):
        raise CertificateError("rules", f"are {rules.name}, under which values come back otherwise")
    if memory < min_memory(dag, rules=rules):
        raise CertificateError("memory", f"of {memory} words is too small to play at all")
    m, n, k = (integer(data, name, least=1) for name in "mnk")
    windows = integer(data, "windows", least=1)
    if m * n > MOST_ENTRIES or k > LARGEST or windows > min(MOST_WINDOWS, m * n * k):
        raise CertificateError("windows", f"or the {m} by {n} entries are too many")
    if dag.words is not None or dag.n != m * k + k * n + m * n * k:
        raise CertificateError("m", "and n, k are not those of this DAG")
    require_generated(dag, "matmul", {"m": m, "n": n, "k": k, "form": "fma"})
    return least_words(m, n, k, rules.room_before(memory), windows)


def least_words(m: int, n: int, k: int, held: int, windows: int) -> int:
    """Return the words that any play of a product moves.

    Parameters
    ----------
    m, n, k
        Rows and columns of the result, and layers.
    held
        Words that can be red at a cut.
    windows
        Into which the play is cut, of sizes that differ by one at most.
    """
    updates, most = m * n * k, min(held, m * n)
    if most > MOST_OPEN:
        return 0
    cuts = [updates * place // windows for place in range(windows + 1)]
    sizes = [end - begin for begin, end in pairwise(cuts)]
    moved = {size: _moved(m, n, k, size, most) for size in set(sizes)}
    sums = np.arange(most + 1)
    larger, items = np.maximum.outer(sums, sums), held - sums
    least = np.where(sums == 0, held, FAR)  # nothing is red before the first window
    for size in sizes:
        least = ((least - items)[:, None] + moved[size][larger]).min(axis=0)
    return m * n + int(least[0])


def _moved(m: int, n: int, k: int, size: int, most: int) -> Int64Array:
    """Return (most + 1,) F(X) of a window of `size` updates."""
    items = _even_layers(m, n, k, size)
    spread = np.arange(m * n + 1)
    more = np.maximum(0, spread - np.arange(most + 1)[:, None])
    found: Int64Array = (items + more).min(axis=1)
    return found


def _even_layers(m: int, n: int, k: int, size: int) -> Int64Array:
    """Return (m n + 1,) G(size, u), at least."""
    h = _items_of_layers(m, n)
    low = np.arange(size // k + 1)
    high = np.arange(-(-size // k), m * n + 1)
    width = high - low[:, None]
    above, below = k * high - size, size - k * low
    line = -(-(h[low, None] * above + h[high] * below[:, None]) // np.maximum(width, 1))
    line = np.where(width > 0, line, k * h[low, None])
    least = np.full(m * n + 1, FAR)
    np.minimum.at(least, width.ravel(), line.ravel())
    found: Int64Array = np.minimum.accumulate(least)
    return found


def _items_of_layers(m: int, n: int) -> Int64Array:
    """Return (m n + 1,) the least rows and columns of a layer of so many updates."""
    rows = np.arange(1, m + 1)
    counts = np.arange(1, m * n + 1)[:, None]
    columns = -(-counts // rows)
    sides = np.where(columns <= n, rows + columns, FAR).min(axis=1)
    return np.concatenate((np.zeros(1, np.int64), sides)).astype(np.int64)
