"""Windows of the iterated Dirac operator exchange spinors and read links (F4).

Cut a play into windows of A computed spinors each, which exchange b spinors and read L links:

    I/O >= sum over windows of (24 b + 18 L) - 2 K (windows - 1).                            (1)

With d axes of n_i sites, m = d + 1, j = (4 - 2^(1-d)) / (2 m), w^d = (d + 1) / d! and l = 18 (sum
over axes of 1 - 1 / n_i), a window that costs X words has

    A <= X / (48 m w) (X / (m (l + 48 j)))^(1/d) + X / (64 d).                                (2)

The proof is F4 in docs/theory/families.md.

Source
------
Derived here, from `isoperimetry.spaces` and `segments`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import Any

import numpy as np

from dags import CDAG, GENERATORS
from dags.families.lattice_qcd import LINK, SPINOR
from pebble import Game
from proofs.core.certificate import CertificateError
from proofs.core.windows import Lemma
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry.spaces import least_root


@dataclass(frozen=True)
class Steps:
    """The parameters of the DAG, one of `dags.dirac_steps`."""

    params: Mapping[str, Any]


def spinors(game: Game, record: Steps) -> int:
    """Return what windows of spinors move (F4)."""
    if game.rules.recompute:
        raise CertificateError("rules", "spinors are exchanged only if none is computed again")
    held = game.rules.room_before(game.memory)
    words = spinor_words(verified(game.dag, record.params), held)
    if words is None:
        raise CertificateError("params", "are of a lattice of which nothing is proved")
    return words


def verified(dag: CDAG, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return all parameters of `dag`, which must be what `dags.dirac_steps` makes of some.

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
    """Return what windows that cost 2 m K words move, None of a lattice with one axis.

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
    """Return the most spinors of a window that costs so many words, by (2), or a few more.

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
