"""Checks windows of the Dirac operator: hops on a four-dimensional lattice touch many sites.

A *hop* is a vertex of `dags.dirac` that adds the product of the node's own U(x, y) and Psi(y) to
Phi(x). Cut a play into windows by how many hops are computed in them, each window but the first
beginning just before one is; at a cut at most `carry` words are red.

**What A hops touch.** Let them add to F sums Phi, read P spinors Psi and L links, and write
N = F + P. A link serves two hops, one each way: L >= A / 2. And

    A <= 4 N - 4 N^(3/4) + N / n4    (the last term only where x4 is periodic).

For a hop joins Phi at one site with Psi at the next one along some axis. Take the graph of all Phi
and Psi with the hops as edges. If x4 is not periodic or n4 is even, the parity of the coordinates'
sum, plus 1 for a Psi, is the same at both ends of a hop; so the graph is in two parts, in each of
which coordinates tell the vertex, and hops join neighbours in a lattice. If n4 is odd, it is one
lattice that is 2 n4 long and periodic along x4. Let S be N points of such a lattice. On a line
along an axis that meets S in c points there are c - 1 edges at most; or c, if it closes and all of
it is in S, n4 points or more. So there are at most 4 N - (p_1 + p_2 + p_3 + p_4) + N / n4 edges,
with p_i lines along axis i. By Loomis and Whitney p_1 p_2 p_3 p_4 >= N^3, so that the p_i, which
are integers, add up to 4 N^(3/4) or more; and so they do for two parts together, as N^(3/4) is
concave.
Hence A hops touch x(A) = 24 N + 18 ceil(A / 2) words or more, with the least N that allows A.

**What that costs.** Psi and links are inputs: the first hop of a window that reads one finds it
red at the cut, or it is loaded in the window. Phi(x) grows along a chain to an output: the last of
its values that is computed when the window ends is an output or still needed, so that it is red
at the next cut or was stored in the window. A value that is red at a cut is counted once, as one
or the other. So

    I/O >= sum over windows of x(A) - carry (windows - 1) + what no hop touches,

which are the links and spinors that only products for other nodes need, what comes in from them,
and what is sent. This holds for plays that compute each value once, and for all plays, as every
value that is computed has one reader, or none and is an output (`single_use`). In the leading term,
for windows of N = (carry / 6)^(4/3), it is (120 + 36 (6 / M)^(1/3)) words a site, with 120 and the
messages compulsory: an excess like 1/s where M grows like s^3. `dirac_borders` has a second
argument, for lattices that are large against the windows. A certificate names a number of windows,
and proves what the better of the two does.

Source
------
G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005, theorem 1:
plays with (120 + 66/s) words a site. The lower bound is derived here. L. H. Loomis and H. Whitney,
An inequality related to the isoperimetric inequality, 1949.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np

from dags import CDAG
from dags.families.dirac_numbers import DiracNumbers
from dags.families.lattice_qcd import LINK, SPINOR
from pebble import Rules, compulsory_words
from proofs.certificates.families.dirac_borders import in_borders
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only
from proofs.lemmas.generated import require_generated


def most_hops(points: int, ring: int | None) -> int:
    """Return the most hops between so many Phi and Psi; `ring` is n4 where x4 is periodic."""
    square = isqrt(256 * points**3)
    root = isqrt(square)
    lines = root if root**4 == 256 * points**3 else root + 1
    return 4 * points - lines + (points // ring if ring else 0)


@lru_cache(maxsize=2**14)  # bounds for other memories ask for the same hops
def least_words(hops: int, ring: int | None) -> int:
    """Return the words that so many hops touch at least."""
    low, high = 0, 1  # most_hops(low) is not enough, and it never falls
    while most_hops(high, ring) < hops:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if most_hops(middle, ring) < hops:
            low = middle
        else:
            high = middle
    return SPINOR * high + LINK * -(-hops // 2)


def hops_and_rest(dag: CDAG, params: Mapping[str, Any]) -> tuple[int, int, int | None]:
    """Return the number of hops, the words that none touches, and n4 if x4 is periodic.

    Raises
    ------
    CertificateError
        If `dag` is not what `dags.dirac` makes of `params`.
    """
    full = require_generated(dag, "dirac", params)
    numbers = DiracNumbers(*(full.get(key, False) for key in ("k", "n4", "wrap", "copies")))
    words = np.full(dag.n, SPINOR)
    words[numbers.sites : numbers.halo] = LINK
    if not np.array_equal(dag.sizes, words):
        raise CertificateError("params", "mean other sizes than the DAG has")
    sums = np.arange(numbers.chains + numbers.sites, dag.n)  # what adds to a Phi
    first = dag.pred_indices[dag.pred_indptr[sums]]
    hops = sums[first < numbers.sites]  # their first operand is a Psi, the next one its link
    places = dag.pred_indptr[hops]
    touched = np.unique(dag.pred_indices[np.concatenate([places, places + 1])])
    rest = dag.words_of(dag.used_inputs) - int(dag.sizes[touched].sum())
    sent = dag.outputs[dag.outputs < numbers.chains]
    return hops.size, rest + dag.words_of(sent), full["n4"] if full["wrap"] else None


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "params" of the DAG and the number of "windows", which are as equal as can be.
    """
    only(data, ("params", "windows"))
    if not isinstance(data["params"], Mapping):
        raise CertificateError("params", "is no object")
    hops, rest, ring = hops_and_rest(dag, data["params"])
    windows = integer(data, "windows", least=1)
    if windows > hops:
        raise CertificateError("windows", f"are {windows}, but there are {hops} hops")
    full, carry = {"wrap": True, **data["params"]}, rules.room_before(memory, SPINOR)
    numbers = DiracNumbers(full["k"], full["n4"], full["wrap"])
    beyond = compulsory_words(dag) + in_borders(numbers, windows, carry)
    return max(in_windows(hops, windows, carry, ring) + rest, beyond)


def in_windows(hops: int, windows: int, carry: int, ring: int | None) -> int:
    """Return what windows of equal numbers of hops touch, less what is red at the cuts.

    Parameters
    ----------
    hops, windows
        How many there are, and into how many windows they are cut.
    carry
        Words that each window but the first may find in fast memory.
    ring
        n4 where x4 is periodic, otherwise None.
    """
    size, more = divmod(hops, windows)
    touched = (windows - more) * least_words(size, ring)
    touched += more * least_words(size + 1, ring)
    return touched - carry * (windows - 1)
