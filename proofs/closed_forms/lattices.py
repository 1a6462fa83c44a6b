"""Closed form of the iterated Dirac operator, by `proofs.certificates.families.spinors`."""

from math import prod

from dags.families.lattice_qcd import LINK, SPINOR
from dags.families.lattice_steps import links_of
from proofs.certificates.families.spinors import spinor_words
from proofs.closed_forms.form import ClosedForm, Params, compulsory


def _compulsory(p: Params) -> int:
    return 2 * SPINOR * prod(p["shape"]) + LINK * links_of(p["shape"], p["periodic"])


LATTICES: dict[str, tuple[ClosedForm, ...]] = {
    "dirac_steps": (
        compulsory("48 N + 18 L", _compulsory),
        ClosedForm(
            "X W - 2 K (W - 1) - borders, X = 2 m K, m = d + 1, W = [N T / A], A the least whole "
            "number above X / (48 m w) (X / (m (l + 48 j)))^(1/d) + X / (64 d), "
            "w = ((d + 1) / d!)^(1/d), j = (4 - 2^(1-d)) / (2 m), "
            "l = 18 (sum over axes of 1 - 1 / side)",
            "2-D to 4-D, W >= 1",
            spinor_words,
        ),
    ),
}
