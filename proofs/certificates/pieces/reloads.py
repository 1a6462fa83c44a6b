"""Checks what must be loaded again after certain moments; it holds if values are computed again.

Let X_1, ..., X_k be sets of computed vertices of a piece, the *fronts*, where every vertex of
X_(i+1) that can be the first of it (has no ancestor in it) has all of X_i as ancestors. In a play
of the piece, t_i is the moment just before the first of X_i is computed for the first time: which
is one that can be first. All ancestors of it have been in fast memory before. So

- t_1 <= t_2 <= ...; and all of X_i is computed for the first time in the i-th window, from t_i to
  t_(i+1), the last one to the end: before t_i none of it was, and before t_(i+1) all of it was.
- the inputs A that are ancestors of all vertices of X_1 that can be first were loaded before t_1:
  each further load of one exceeds the compulsory words. So does each load of a computed value.

Let D be the values in fast memory at t_i, and those in slow memory at t_i that are loaded in the
window. **Every way from A to X_i meets D.** Go back along the way from its end, which is computed
in the window: then its operand is in fast memory. That operand was there at t_i, or it came in the
window: by a load of what was in slow memory at t_i, and is in D in either case; or it was computed
in the window (perhaps stored and loaded after that), and then the same holds of its own operand on
the way. The way begins with an input, which cannot be computed.

No vertex of X_i and no descendant of it is in D, for none has been computed before t_i. With C_i
the fewest words of other vertices that meet all ways from A to X_i, and K_i the most that values
have in fast memory at t_i (`wavefronts` says how much: M without what the first of X_i takes),

    excess >= sum over i of max(0, C_i - K_i),

as the loads of different windows are different ones, and only those of A and of computed values are
counted, for only these are on the ways. A flow from A to X_i past no descendant of X_i, of no more
than words(v) through each v, shows how large C_i is.

*Butterflies.* If X_1 is all outputs of a butterfly with n points, then A is all inputs, and n
disjoint ways lead from one to the other: n - M + 1 words more are loaded.

*Iterations.* If each value of an iteration takes part in the next one but one, by sums over all of
them, and each iteration reads a matrix, then the matrix is loaded, but for M words of it, for each
second iteration.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981 (dominator sets of
what is computed between two moments). The moments and the excess are argued above.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pebble import Rules
from proofs.certificates.pieces.piece import BoolArray, Piece
from proofs.certificates.pieces.set_wavefronts import common_ancestors, followers
from proofs.certificates.pieces.wavefronts import edge_flow, extra_words, through_and_supply
from proofs.core.certificate import CertificateError
from proofs.core.fields import only, vertices


def proven(piece: Piece, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the excess that the certificate proves.

    Parameters
    ----------
    piece, memory, rules
        The game on a piece.
    data
        Has a list of "windows", each with its "front" X (rising vertices) and a flow into it:
        "edges" (rising numbers of edges, places in the piece's predecessor rows) with
        "amounts".
    """
    only(data, ("windows",))
    if not isinstance(data["windows"], list) or not data["windows"]:
        raise CertificateError("windows", "are not listed")
    total = 0
    extra = extra_words(piece, rules)
    loaded, before = np.zeros(piece.size, np.bool_), np.zeros(0, np.int64)
    for number, window in enumerate(data["windows"]):
        if not isinstance(window, Mapping):
            raise CertificateError(f"window {number}", "is no object")
        only(window, ("front", "edges", "amounts"))
        front = vertices(window, "front", piece.size)
        if not front.size or piece.is_input[front].any():
            raise CertificateError("front", "is empty, or not all of it is computed")
        below, first = followers(piece, front)
        members = np.flatnonzero(first)
        common = common_ancestors(piece, members)
        if not common[before].all():
            raise CertificateError("front", f"{number} does not follow all of the one before")
        loaded = loaded if number else common & piece.is_input
        reached = np.zeros(piece.size, np.bool_)
        reached[front] = True
        value = _value(piece, window, loaded, below, reached)
        total += max(0, value - (memory - int(extra[members].min())))
        before = front
    return total


def _value(
    piece: Piece,
    window: Mapping[str, Any],
    loaded: BoolArray,
    below: BoolArray,
    reached: BoolArray,
) -> int:
    """Return how much flows from the inputs `loaded` to the front, past none of `below`."""
    nothing = np.zeros(0, np.int64)
    flow = edge_flow(piece, window, "edges", "amounts")
    through, supply = through_and_supply(piece, *flow, nothing, nothing)
    if (through > np.where(below, 0, piece.words)).any():
        raise CertificateError("amounts", "more flows through a value than it has words")
    if supply[~(loaded | reached)].any():
        raise CertificateError("amounts", "flow begins or ends on the way")
    return sum(supply[loaded].tolist())
