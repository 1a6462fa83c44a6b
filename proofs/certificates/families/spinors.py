"""Checks bounds for the iterated Dirac operator: windows exchange spinors and read links.

Cut a play into windows of A computed spinors each (`segments`). Let V be those of a window, v_t of
them in layer t, and b how many values V reads from outside or passes on: 24 words each, and in a
window each is moved, or red at one of its ends. Let it read L links, 18 words each: each is loaded,
or red when it begins. At a cut K words are red at most, each of which counts for both windows if it
is a spinor, for the later one if it is a link. So

    I/O >= sum over windows of (24 b + 18 L) - 2 K (windows - 1).                            (1)

**Links.** Let n_i be the sides of the lattice. Of the widest layer, let a line along axis i meet
c of the points. They have c links or more along it, c (1 - 1 / n_i) if they fill it: so

    18 L >= l v for the most v_t, l = 18 (sum over axes of 1 - 1 / n_i).

**Both.** With d axes, m = d + 1, j = (4 - 2^(1-d)) / (2 m) and w^d = (d + 1) / d!,
`isoperimetry.spaces` shows

    2 d w A <= q b - 2 j q^m + 3 w b / 4

for some q > 0 with q^d <= v. A window that costs X = 24 b + l v words has b <= (X - l q^d) / 24:

    48 d w A <= q X - (l + 48 j) q^m + 3 w X / 4,

which is largest for q^d = X / (m (l + 48 j)). Hence

    A <= X / (48 m w) (X / (m (l + 48 j)))^(1/d) + X / (64 d).                                (2)

Windows of more spinors than (2) allows for X - 1 cost X words; X = 2 m K is best. The lattice is
thought of as endless for b, and what is missing at borders is waived as for a stencil
(`isoperimetry.meshes`), 24 words each. A lattice that closes reads more, and passes on more.

In the leading term that is 336 / K^(1/4) words a site and step in four dimensions.

Source
------
Derived here, from `isoperimetry.spaces` and `segments`.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import factorial, prod
from typing import Any

import numpy as np

from dags import CDAG, GENERATORS
from dags.families.lattice_qcd import LINK, SPINOR
from pebble import Rules
from proofs.core.certificate import CertificateError
from proofs.core.fields import only
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry.spaces import least_root


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "params" of the DAG, one of `dags.dirac_steps`.
    """
    only(data, ("params",))
    if rules.recompute:
        raise CertificateError("rules", "spinors are exchanged only if none is computed again")
    words = spinor_words(verified(dag, data["params"]), rules.room_before(memory))
    if words is None:
        raise CertificateError("params", "are of a lattice of which nothing is proved")
    return words


def verified(dag: CDAG, params: Any) -> Mapping[str, Any]:
    """Return all parameters of `dag`, which must be what `dags.dirac_steps` makes of some.

    Raises
    ------
    CertificateError
        If it is not, sizes included.
    """
    if not isinstance(params, Mapping):
        raise CertificateError("params", "is no object")
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
