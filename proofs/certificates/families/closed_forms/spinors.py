"""Closed form of the iterated Dirac operator: windows exchange spinors and read links.

Cut a play into windows of A computed spinors each (`segments`). Let V be those of a window, v_t of
them in layer t, and b how many values V reads from outside or passes on: 24 words each, and in a
window each is moved, or red at one of its ends. Let it read L links, 18 words each: each is loaded,
or red when it begins. At a cut K words are red at most, each of which counts for both windows if it
is a spinor, for the later one if it is a link. So

    I/O >= sum over windows of (24 b + 18 L) - 2 K (windows - 1).                            (1)

**Links.** Let n_i be the sides of the lattice. Of the widest layer, let a line along axis i meet
c of the points. They have c links or more along it, c (1 - 1 / n_i) if they fill it: so

    18 L >= l v for the most v_t, l = 18 (sum over axes of 1 - 1 / n_i).

**Both.** With d axes, m = d + 1, j = (4 - 2^(1-d)) / (2 m) and w^d = (d + 1) / d!, `spaces` shows

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
Derived here, from `spaces` and `segments`.
"""

from fractions import Fraction
from math import factorial, prod

from dags.lattice_qcd import LINK, SPINOR
from dags.lattice_steps import links_of
from proofs.certificates.families.closed_forms.form import ClosedForm, Params, in_windows
from proofs.certificates.families.closed_forms.form import compulsory as inputs_and_outputs
from proofs.certificates.families.closed_forms.spaces import least_root


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


def _words(p: Params, carry: int) -> int | None:
    """Return what windows of 2 m K words move, None of a lattice with one axis."""
    sides = [side for side in p["shape"] if side > 1]
    if len(sides) < 2 or carry < 1:
        return None
    points, steps = prod(sides), int(p["steps"])
    cost = 2 * (len(sides) + 1) * carry
    found = in_windows(points * steps, most_spinors(cost - 1, sides) + 1, cost, 2 * carry)
    missing = sum(2 * points // side for side in sides)
    border = points - prod(side - 2 for side in sides)
    return None if found is None else found - SPINOR * (steps * missing + (steps - 1) * border)


def _compulsory(p: Params) -> int:
    return 2 * SPINOR * prod(p["shape"]) + LINK * links_of(p["shape"], p["periodic"])


SPINORS: dict[str, tuple[ClosedForm, ...]] = {
    "dirac_steps": (
        inputs_and_outputs("48 N + 18 L", _compulsory),
        ClosedForm(
            "X W - 2 K (W - 1) - borders, X = 2 m K, m = d + 1, W = [N T / A], A the least whole "
            "number above X / (48 m w) (X / (m (l + 48 j)))^(1/d) + X / (64 d), "
            "w = ((d + 1) / d!)^(1/d), j = (4 - 2^(1-d)) / (2 m), "
            "l = 18 (sum over axes of 1 - 1 / side)",
            "2-D to 4-D, W >= 1",
            _words,
        ),
    ),
}
