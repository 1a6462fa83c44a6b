"""Checks two-sided segment proofs: what the sets of a partition exchange, less what stays red.

Take a one-shot play of a piece (`piece`) and the counted vertices of it in the order in which they
are computed. Cut the order into k sets V_1, ..., V_k of any sizes that are fixed beforehand; the
i-th segment of the play ends just before the first vertex of V_(i+1) is computed, the last one
when the play does. At a cut at most m values are red: with w the least size of a value, M / w,
rounded down, and one less unless that vertex can slide onto an operand.

- A value outside V_i that V_i reads was red when segment i began, or is loaded in it.
- A value of V_i that is read outside V_i, or is an output, is red when segment i ends, or is stored
  in it; it cannot be computed again. (It is not read before, outside V_i.)

When the first segment begins nothing is red; when the last one ends, nothing needs to be. So

    loads + stores >= sum over i of boundary(V_i) - 2 m (k - 1),

with the boundary of `isoperimetry`. Of these moves, one load of each input and one store of each
output are compulsory; every other one is excess and moves w words or more:

    excess >= w (sum over i of least(|V_i|) - waived - 2 m (k - 1)).

Windows that begin anywhere prove more where they are short (`rolling`).

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981 (partitions,
dominators and minimum sets); D. Ranjan, J. Savage and M. Zubair, Strong I/O lower bounds for
binomial and FFT computation graphs, COCOON 2011 (equal computations, and the flow through their
boundaries; known to us by its abstract). The counting is argued above.
"""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from pebble import Rules
from proofs.core.certificate import CertificateError
from proofs.lemmas.isoperimetry import TWO_SIDED
from proofs.lemmas.isoperimetry.set_sums import proven_by, red_values


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves; `proven_by` has its fields.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        As in `set_sums.proven_by`.
    """
    if rules.recompute:
        raise CertificateError("rules", "segments exchange values only if none is computed again")
    return proven_by(TWO_SIDED, dag, 2 * red_values(dag, memory, rules), data, rolling=True)
