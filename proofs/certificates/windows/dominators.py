"""Checks window proofs, for all rules: what sets must be computed from, less what stays red.

Take any play and the counted vertices in the order in which they are computed for the first time.
Cut the order into k sets V_1, ..., V_k of any sizes that are fixed beforehand; the i-th window of
the play ends just before the first vertex of V_(i+1) is computed, the last one when the play does.
At a cut at most m values are red, as in `segments`.

Let D be the values outside V_i that are red when window i begins or are loaded in it. Every path
from an input to a vertex of V_i meets D. For follow it backwards, from a moment in the window at
which the vertex that we have come to is computed; at first, when the path's end is. The vertex p
before it is red then. If p is in V_i, it was computed for the first time before, in this window:
go on from there. If p is outside V_i and was computed in this window before, go on from there.
Otherwise p is in D. We go back in time, and inputs are never computed, so this ends in D. Hence

    loads >= sum over i of least(|V_i|) - m (k - 1),

where least is the fewest values outside a set from which the set can be computed. One load of
each input is compulsory, each other one is excess and moves w words or more, w the least size:

    excess >= w (sum over i of least(|V_i|) - waived - m (k - 1)).

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, with windows of
equal computations in place of equal numbers of moves, and loads only.
"""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from pebble import Rules
from proofs.lemmas.isoperimetry import DOMINATED
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
    return proven_by(DOMINATED, dag, red_values(dag, memory, rules), data)
