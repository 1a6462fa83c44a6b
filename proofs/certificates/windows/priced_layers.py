"""Checks two-sided segment proofs on grids that have a price for a vertex of each layer.

Cut a one-shot play of a grid into k windows as in `segments`: the i-th computes a set V_i, of a
size that is fixed beforehand, and at a cut at most m values are red. A value outside V_i that V_i
reads, R_i of them, was red when the window begins, or is loaded in it; a value of V_i that is read
outside, W_i of them, is red when it ends, or is stored in it. Outputs that nobody reads are no part
of W_i, and stored besides:

    loads + stores >= sum over i of (R_i + W_i) - 2 m (k - 1) + outputs.

With v_t vertices of V_i in layer t, and `box_layers`, where v_0 = 0 for the input is not computed,

    R_i + W_i >= sum over t > 0 of max(0, D_t(v_t) - v_(t-1)) + max(0, v_(t-1) - kept_t(v_t)).

Sets near a corner of the grid exchange little, but there are few vertices near a corner. Let a
vertex of layer t have a price p_t, and c(A) be the least of that sum less the sum of p_t v_t, over
all sequences of A vertices that fit into the layers; it is found layer by layer. The sets are
disjoint, and every computed vertex is in one of them, so

    sum over i of (R_i + W_i) >= sum over t > 0 of p_t n_t + sum over i of c(|V_i|).

All numbers are integers: prices and c are in parts of a word. Every move is of the least size of a
value or more. Nothing is waived at borders, as in `segments`, where sets never end there: this is
better where memory is large against the grid.

Source
------
Derived here: the dual of the linear program that asks how a grid may be divided into sets of so
many vertices, layer by layer.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Rules, compulsory_words
from proofs.certificates.windows.rolling import moves_beyond, windows_of
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers
from proofs.lemmas.generated import require_generated
from proofs.lemmas.isoperimetry import _kernels
from proofs.lemmas.isoperimetry.box_layers import (
    layer_sizes,
    least_read,
    most_kept,
)
from proofs.lemmas.isoperimetry.set_sums import red_values, value_words

MOST_ENTRIES = 2**24  # of a table: layers, times vertices of a set, times those of a layer
MOST_SIZES = 16
LARGEST = 2**16  # price, and denominator
FAR = 2**55


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "shape" of the grid; the "prices" of a vertex of each layer and their
        "denominator"; and the "sizes" of windows with how many "times" there is one of each, or
        the "length" of windows that begin anywhere (`rolling`), for which the input is waived.
    """
    named = ("shape", "prices", "denominator")
    if rules.recompute:
        raise CertificateError("rules", "windows exchange values only if none is computed again")
    shape = require_generated(dag, "grid", {"shape": data.get("shape")})["shape"]
    layers, denominator = layer_sizes(shape), integer(data, "denominator", least=1)
    prices = integers(data, "prices")
    if len(shape) < 2:
        raise CertificateError("shape", "is that of a line")
    if prices.size != layers.size or min(prices, default=0) < 0:
        raise CertificateError("prices", f"are not {layers.size} numbers from 0 on")
    if max(denominator, *prices.tolist()) > LARGEST:
        raise CertificateError("prices", f"or denominator are above {LARGEST}")
    others = {name: field for name, field in data.items() if name not in named}
    windows = windows_of(others, dag.computed.size)
    if windows.sizes is not None and len(windows.sizes) > MOST_SIZES:
        raise CertificateError("sizes", f"and times are not 1 to {MOST_SIZES} positive numbers")
    least = costs(shape, windows.longest, prices, denominator)[-1].min(axis=1).tolist()
    if least[windows.longest] >= FAR // 2:
        raise CertificateError("sizes", "of a set are more than there are")
    saved = 2 * red_values(dag, memory, rules)
    waived = denominator - sum((prices * layers)[1:].tolist())  # the input, and prices
    vertices = dag.computed.size
    moves = moves_beyond(windows, least.__getitem__, vertices, saved, waived, denominator)
    return compulsory_words(dag) + value_words(dag) * moves


def costs(shape: tuple[int, ...], size: int, prices: Int64Array, denominator: int) -> Int64Array:
    """Return (layers, size+1, w+1) the least cost up to each layer, by vertices so far and in it.

    The least of the last layer's costs of A vertices is c(A).

    Parameters
    ----------
    shape
        Of the grid.
    size
        The most vertices of a set.
    prices
        (layers,) of a vertex.
    denominator
        Parts of a word.

    Raises
    ------
    CertificateError
        If that takes more than `MOST_ENTRIES` numbers.
    """
    widths = np.minimum(layer_sizes(shape), size)
    entries = widths.size * (size + 1) * (int(widths.max()) + 1)
    if entries > MOST_ENTRIES:
        raise CertificateError("sizes", f"take a table of {entries} numbers, above {MOST_ENTRIES}")
    read, kept = least_read(shape, size), most_kept(shape, size)
    cost = np.full((widths.size, size + 1, read.shape[1]), FAR)
    _kernels.priced_layers(read, kept, lock(widths), lock(prices), denominator, cost)
    return cost
