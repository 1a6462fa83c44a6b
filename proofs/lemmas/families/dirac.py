"""Windows of the Dirac operator: hops on a four-dimensional lattice touch many sites (F2).

Cut a play into windows by how many hops are computed in them. A hops that touch N sums and spinors
have A <= 4 N - 4 N^(3/4) + N / n4, the last term only where x4 is periodic, and L >= A / 2 links.
So A hops touch x(A) = 24 N + 18 ceil(A / 2) words or more, with the least N that allows A, and

    I/O >= sum over windows of x(A) - carry (windows - 1) + words that no hop touches.

`dirac_borders` has a second argument; a certificate proves the better of the two.

The proof is F2 in docs/theory/families.md.

**Many steps (F4).** Cut a play into windows of A computed spinors each, which exchange b spinors
and read L links:

    I/O >= sum over windows of (24 b + 18 L) - 2 K (windows - 1).                            (1)

With d axes of n_i sites, m = d + 1, j = (4 - 2^(1-d)) / (2 m), w^d = (d + 1) / d! and l = 18 (sum
over axes of 1 - 1 / n_i), a window that costs X words has

    A <= X / (48 m w) (X / (m (l + 48 j)))^(1/d) + X / (64 d).                                (2)

The proof is F4 in docs/theory/families.md.

Source
------
G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005, theorem 1:
plays with (120 + 66/s) words a site. The lower bound is derived here. L. H. Loomis and H. Whitney,
An inequality related to the isoperimetric inequality, 1949.
Derived here, from S3 and `segments`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial, isqrt, prod
from typing import Any

import numpy as np

from dags import CDAG, GENERATORS
from dags.families.common.dirac_numbers import FACES, LINK, SPINOR, DiracNumbers
from pebble import Game
from proofs.core.records import CertificateError, Positive
from proofs.core.windows import Lemma
from proofs.lemmas.families.dirac_borders import in_borders
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry.meshes import least_root


def most_hops(points: int, ring: int | None) -> int:
    """The most hops between so many Phi and Psi; `ring` is n4 where x4 is periodic."""
    square = isqrt(256 * points**3)
    root = isqrt(square)
    lines = root if root**4 == 256 * points**3 else root + 1
    return 4 * points - lines + (points // ring if ring else 0)


@lru_cache(maxsize=2**14)  # bounds for other memories ask for the same hops
def least_words(hops: int, ring: int | None) -> int:
    """The words that so many hops touch at least."""
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
    """The number of hops, the words that none touches, and n4 if x4 is periodic.

    Raises
    ------
    CertificateError
        If `dag` is not `dags.dirac` of `params`.
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


@dataclass(frozen=True)
class Hops:
    """The parameters of the DAG, and the number of windows, which are as equal as can be."""

    params: Mapping[str, Any]
    windows: Positive


def dirac(game: Game, record: Hops) -> int:
    """The bound by the better of two arguments on windows of hops (F2, F3)."""
    hops, rest, ring = hops_and_rest(game.dag, record.params)
    if record.windows > hops:
        raise CertificateError("windows", f"are {record.windows}, but there are {hops} hops")
    full, carry = {"wrap": True, **record.params}, game.rules.room_before(game.memory, SPINOR)
    numbers = DiracNumbers(full["k"], full["n4"], full["wrap"])
    beyond = game.compulsory + in_borders(numbers, record.windows, carry)
    return max(in_windows(hops, record.windows, carry, ring) + rest, beyond)


def in_windows(hops: int, windows: int, carry: int, ring: int | None) -> int:
    """The words that windows of equal numbers of hops touch, less those red at the cuts.

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


def numbers_of(params: Mapping[str, Any]) -> DiracNumbers:
    """The numbers of a lattice, by all parameters of `dags.dirac`."""
    return DiracNumbers(params["k"], params["n4"], params["wrap"], params.get("copies", False))


def closed_words(numbers: DiracNumbers, windows: int, carry: int) -> int:
    """The words that `dirac` proves by so many windows, from the numbers of a lattice alone.

    All hops but those across faces have both ends on the node; they do not touch the links across
    faces, received values, and sent ones: (3 * 18 + 12 * 24) words for each site of a face, and 3 *
    18 more where the node has copies of other nodes' links.

    Parameters
    ----------
    numbers
        The lattice.
    windows
        Into how many windows its hops are cut.
    carry
        Words that each window but the first may find in fast memory.
    """
    hops, rest, compulsory = hops_of(numbers), untouched(numbers), compulsory_of(numbers)
    ring = numbers.n4 if numbers.wrap else None
    beyond = compulsory + in_borders(numbers, windows, carry)
    return max(compulsory, beyond, rest + in_windows(hops, windows, carry, ring))


def hops_of(numbers: DiracNumbers) -> int:
    """The hops that have both ends on the node."""
    return 8 * numbers.sites - 2 * numbers.outer - 2 * FACES * numbers.face


def untouched(numbers: DiracNumbers) -> int:
    """The words that no hop between sites of the node touches."""
    return FACES * numbers.face * (LINK + 4 * SPINOR) + _copied(numbers)


def compulsory_of(numbers: DiracNumbers) -> int:
    """The words of inputs and outputs."""
    own = (SPINOR + 4 * LINK + SPINOR) * numbers.sites - LINK * numbers.outer
    return own + 4 * FACES * numbers.face * SPINOR + _copied(numbers)


def _copied(numbers: DiracNumbers) -> int:
    return FACES * numbers.face * LINK if numbers.copies else 0


DIRAC = Lemma(Hops, dirac, lambda _: ("F2", "F3"))


@dataclass(frozen=True)
class Steps:
    """The parameters of the DAG, one of `dags.dirac_steps`."""

    params: Mapping[str, Any]


def spinors(game: Game, record: Steps) -> int:
    """The words of windows of spinors (F4)."""
    if game.rules.recompute:
        raise CertificateError("rules", "spinors are exchanged only if none is computed again")
    held = game.rules.room_before(game.memory)
    words = spinor_words(verified(game.dag, record.params), held)
    if words is None:
        raise CertificateError("params", "are of a lattice of which nothing is proved")
    return words


def verified(dag: CDAG, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """All parameters of `dag`, which must be a member of `dags.dirac_steps`.

    Raises
    ------
    CertificateError
        If it is not, sizes included.
    """
    full = require_generated(dag, "dirac_steps", params)
    if not np.array_equal(dag.sizes, GENERATORS["dirac_steps"](**full).sizes):
        raise CertificateError("params", "mean other sizes than the DAG has")
    return full


def spinor_words(params: Mapping[str, Any], carry: int) -> int | None:
    """The words of windows that cost 2 m K words, None of a lattice with one axis.

    Parameters
    ----------
    params
        All parameters of `dags.dirac_steps`.
    carry
        K, the words that can be red just before a word is computed.
    """
    sides = [side for side in params["shape"] if side > 1]
    if len(sides) < 2 or carry < 1:
        return None
    points, steps = prod(sides), int(params["steps"])
    cost = 2 * (len(sides) + 1) * carry
    windows = points * steps // (most_spinors(cost - 1, sides) + 1)
    missing = sum(2 * points // side for side in sides)
    border = points - prod(side - 2 for side in sides)
    waived = SPINOR * (steps * missing + (steps - 1) * border)
    return cost * windows - 2 * carry * (windows - 1) - waived if windows else None


def most_spinors(words: int, sides: list[int]) -> int:
    """The most spinors of a window that costs so many words, by (2), or a few more.

    Parameters
    ----------
    words
        X.
    sides
        Those of the lattice that are longer than 1, two or more.
    """
    d = len(sides)
    m = d + 1
    reading = LINK * sum(1 - Fraction(1, side) for side in sides)
    turning = Fraction(24 * (2 ** (d + 1) - 1), m * 2 ** (d - 1))  # 48 j
    # X (X / (m (l + 48 j) w^d))^(1/d) is the d-th root of this
    power = words**m / (m * (reading + turning) * Fraction(d + 1, factorial(d)))
    root = least_root(-(-power.numerator // power.denominator), d)
    return root // (2 * SPINOR * m) + 1 + -(-words // (64 * d))


SPINORS = Lemma(Steps, spinors, lambda _: ("F4", "S3"))
