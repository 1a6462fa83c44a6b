"""Checks closed forms: that the DAG is the family's, and what the formula says.

`FORMS` lists, by the name of a generator, formulas that need nothing but its parameters and K, the
words that can be red just before a word is computed. `loops`, `layers` and `spinors` have them,
each with its proof; they are corollaries of theorems elsewhere in `certificates`, whose searched
constants prove as much or more. All are for values of one word, but those of `spinors`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG, GENERATORS
from pebble import Rules
from proofs.certificates.certificate import CertificateError
from proofs.certificates.families.closed_forms.form import ClosedForm, Params
from proofs.certificates.families.closed_forms.layers import LAYERS
from proofs.certificates.families.closed_forms.loops import LOOPS
from proofs.certificates.families.closed_forms.spinors import SPINORS
from proofs.certificates.fields import integer, only, shown, text
from proofs.certificates.generated import require_generated
from proofs.certificates.loops.projections import carry

FORMS: dict[str, tuple[ClosedForm, ...]] = dict(sorted({**LOOPS, **LAYERS, **SPINORS}.items()))
WITH_SIZES = frozenset(SPINORS)  # families whose values are of more than one word


def form_words(form: ClosedForm, params: Params, memory: int, rules: Rules) -> int | None:
    """Return the words that a form proves, None where it does not hold.

    Parameters
    ----------
    form, params
        The formula, and all parameters of its family.
    memory, rules
        Words of fast memory, and the rules.
    """
    if rules.partial or (rules.recompute and not form.recompute):
        return None
    return form.words(params, carry(memory, rules))


def parameters(dag: CDAG, family: str, params: Params) -> Params:
    """Return all parameters of `dag`, which must be what the generator makes, sizes included.

    Raises
    ------
    CertificateError
        If it is not.
    """
    if dag.words is not None and family not in WITH_SIZES:
        raise CertificateError("family", "has closed forms only where every value is one word")
    full = require_generated(dag, family, params)
    if family in WITH_SIZES and not np.array_equal(dag.sizes, GENERATORS[family](**full).sizes):
        raise CertificateError("params", "mean other sizes than the DAG has")
    return full


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "family", its "params" as the generator takes them, and which "form" of the
        family is meant, counted from 0.
    """
    only(data, ("family", "params", "form"))
    family, params, number = text(data, "family"), data["params"], integer(data, "form", least=0)
    if family not in FORMS or number >= len(FORMS[family]):
        raise CertificateError("form", f"{number} of {shown(family)} is not known")
    if not isinstance(params, Mapping):
        raise CertificateError("params", "is no object")
    full = parameters(dag, family, params)
    words = form_words(FORMS[family][number], full, memory, rules)
    if words is None:
        raise CertificateError("form", f"{number} of {family!r} does not hold here")
    return words


__all__ = ["FORMS", "WITH_SIZES", "ClosedForm", "Params", "form_words", "parameters", "proven"]
