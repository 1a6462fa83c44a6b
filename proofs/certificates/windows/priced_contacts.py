"""Checks two-sided segment proofs with a price for points at the borders of grids and stencils.

The argument is that of `segments`, with windows of fixed sizes or such that begin anywhere
(`rolling`): a window that computes V exchanges boundary(V) values, what it reads outside and what
is needed outside of it. What a set near a border saves is bounded by how many points it has at the
border, and there are only so many of these. So let such a point have a price, and let c(A) be the
least of boundary(V) and the prices of V's points over all sets V of A vertices, less what is waived
of V (`contacts`). Each vertex is in one set of each way to cut the play, so

    sum of boundary(V) >= sum of c(|V|) - the prices of all points - all that is waived.

In some families each point of a layer may have a price besides, of any sign, since there is little
room in each of few layers.

Source
------
Derived here: one of Lagrange's multipliers for the points at borders. `segments` is the case in
which a price is as high as what the point may save.
"""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from pebble import Rules, compulsory_words
from proofs.certificates.windows.rolling import moves_beyond, windows_of
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only, shown, text
from proofs.lemmas.contacts import LAYERED, PRICED
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry.set_sums import red_values, value_words

HIGHEST = 64  # price, in parts, and parts of a move


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "family" and "params" that make the DAG; the "prices" of points at borders, in parts
        of a move, of which a "denominator" make one; "windows" as in `segments`; and it may have
        "layers", the prices of a point of each layer that is computed, of any sign.
    """
    fields = ("family", "params", "prices", "denominator", "windows")
    only(data, (*fields, *(["layers"] if "layers" in data else [])))
    if rules.recompute:
        raise CertificateError("rules", "segments exchange values only if none is computed again")
    family, params, windows = text(data, "family"), data["params"], data["windows"]
    if family not in PRICED:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(PRICED)}")
    if not isinstance(params, Mapping) or not isinstance(windows, Mapping):
        raise CertificateError("params", "or windows are no object")
    prices, parts = integers(data, "prices").tolist(), integer(data, "denominator", least=1)
    count, exchanged_and_paid = PRICED[family]
    if len(prices) != count or min(prices) < 0 or max(parts, *prices) > HIGHEST:
        raise CertificateError(
            "prices", f"are not {count} of 0 to {HIGHEST} parts, or these not so"
        )
    made = require_generated(dag, family, params)
    cut = windows_of(windows, dag.computed.size)
    if "layers" in data:
        layers = _layers(data, family)
        priced = LAYERED[family](cut.longest, tuple(prices), layers, parts, **made)
    else:
        priced = exchanged_and_paid(cut.longest, tuple(prices), parts, **made)
    least, saved = priced.least.tolist(), 2 * red_values(dag, memory, rules)
    beyond = moves_beyond(cut, least.__getitem__, priced.vertices, saved, priced.waived, parts)
    return compulsory_words(dag) + value_words(dag) * beyond


def _layers(data: Mapping[str, Any], family: str) -> tuple[int, ...]:
    """Return the prices of layers."""
    layers = integers(data, "layers").tolist()
    if family not in LAYERED or max(map(abs, layers), default=0) > HIGHEST:
        raise CertificateError("layers", f"have no prices, or none of up to {HIGHEST} parts")
    return tuple(layers)
