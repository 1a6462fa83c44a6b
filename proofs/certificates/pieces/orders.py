"""Checks moments of one order: whatever it is, of two computations one is before the other.

`wavefronts` takes the worst set D of what has been before x is computed, `stages` the worst of the
stages in which that may be, each moment by itself. In a play the sets belong together: let D(x) be
what has been in fast memory before x is computed. Then of two computed vertices u and x,

    either u is in D(x), or x is in D(u), and never both;

and x is computed in that stage of v whose number is N(x, v), how many of the chosen readers of v
are in D(x). Take a flow f along edges of the whole DAG, g back along them, and a price theta >= 0,
with through(v) <= theta words(v), and supply(v) as in `wavefronts`; but it may be anything
anywhere. As there, summed over D(x), supply is at most what goes through alive values, and what
goes through those in fast memory is at most theta K - idle(x). So

    sum over D(x) of supply(u) - theta K + idle(x) <= sum of through(v) over v that are away at x.

*Charges.* Charge stored(v) <= through(v) to the stores of v if it is computed and no output, and
charge(v, i) >= 0 to its loads in each stage i; let rest(v) = through(v) - stored(v). If v is away
while x is computed in its stage i, then by `stages` both the stores of v that are charged and its
loads in that stage are words(v) or more, and through(v) is at most

    stored(v) stores(v) / words(v) + charge(v, i) loads(v, i) / words(v) + missing(v, i),
    missing(v, i) = max(0, rest(v) - charge(v, i)).

*Ties.* What is missing is known from D(x): with any slope(v), of any sign, and

    beyond(v) = max over the stages i in which x may be computed of missing(v, i) - slope(v) i,

it is at most beyond(v) + slope(v) N(x, v), which is never negative, even where v is not away. And
N(x, v) is a sum over D(x): subtract from supply(u) the slopes of all values of which u is a chosen
reader, and call that due(x, u). Values with rest(v) = slope(v) = 0 need nothing of this.

*Sum.* If the charges of all x together are at most words(v) for the stores of v and for the loads
in each of its stages, then

    excess >= sum over x of (sum over D(x) of due(x, u) - theta K + idle(x) - sum of beyond(v)).

Ancestors u of x are in D(x), and x and its descendants are not. Another input u is or is not: it
counts due(x, u) or 0, at least the smaller. Of two computed vertices, neither an ancestor of the
other, either due(x, u) counts or due(u, x), never both: at least the smaller one, where a vertex
whose moment is not in the sum has 0 due. So no multiplier says how moments are held against each
other: each flow may begin and end where it likes, and the checker adds up what is due.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.pieces.stages import Stages, ranges
from proofs.certificates.pieces.wavefronts import MAX_FLOW, flow_of, relatives, taken_words
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only, vertices

FIELDS = ("vertex", "price", "edges", "amounts", "closures", "returns")
CHARGED = ("stored", "stores", "stages", "charges", "tied", "slopes")
MOST_DUE = 2**23  # amounts of all moments together: what is due of each vertex in each of them


class Orders:
    """Moments of one order, entered one by one, and what is due between them.

    Parameters
    ----------
    whole
        All of the DAG.
    stages
        The stages of its values.
    memory, rules
        The game, in which each value is computed once.
    """

    def __init__(self, whole: Piece, stages: Stages, memory: int, rules: Rules) -> None:
        self._whole, self._stages = whole, stages
        self._memory, self._rules = memory, rules
        self._due: dict[int, Int64Array] = {}

    def enter(self, data: Mapping[str, Any]) -> tuple[int, Int64Array, Int64Array]:
        """Return what a moment proves by itself, and the words that it charges, not judged here.

        They are (n,) of the stores of each value, and (stages,) of the loads in each stage.

        Parameters
        ----------
        data
            Has the "vertex" x, the "price" theta and a flow as in `wavefronts`; values that are
            "stored" (rising) with the "stores" charged to each; numbers of "stages" (rising) with
            the "charges" to each; and values that are "tied" (rising) with their "slopes".
        """
        only(data, (*FIELDS, *CHARGED))
        whole = self._whole
        x, price = integer(data, "vertex", least=0), integer(data, "price", least=0)
        if x >= whole.size or whole.is_input[x]:
            raise CertificateError("vertex", f"{x} is not computed")
        if x in self._due:
            raise CertificateError("vertex", f"{x} has a moment already")
        if (len(self._due) + 1) * whole.size > MOST_DUE:
            raise CertificateError("vertex", f"{x} has one moment more than can be added up")
        most = int(whole.words.sum()) + self._memory
        if price * most > MAX_FLOW // (whole.pred_indices.size + 1):
            raise CertificateError("price", f"is {price}, too large to be checked")
        through, supply = flow_of(whole, data)
        if (through > price * whole.words).any():
            raise CertificateError("amounts", "more flows through a value than it counts")
        taken = int(taken_words(whole, self._rules, price, through)[x])
        through[whole.pred_indices[whole.pred_indptr[x] : whole.pred_indptr[x + 1]]] = 0
        stores = _spread(data, "stored", "stores", whole.size, 0)
        if (stores > through).any() or stores[whole.price != 2].any():
            raise CertificateError("stores", "are of no value that goes through and is stored")
        loads = _spread(data, "stages", "charges", self._stages.count, 0)
        slopes = _spread(data, "tied", "slopes", whole.size, -MAX_FLOW)
        beyond = self._beyond(x, through - stores, loads, slopes)
        due = supply - self._stages.of_readers(slopes)
        above, below = relatives(whole, x)
        known = sum(due[above].tolist())
        due[above | below] = 0
        self._due[x] = due
        return known - price * self._memory + taken - beyond, stores, loads

    def _beyond(self, x: int, rest: Int64Array, loads: Int64Array, slopes: Int64Array) -> int:
        """Return the sum of beyond(v) over all values around x."""
        first, last = self._stages.span(np.array([x]))
        some = np.flatnonzero((rest > 0) | (slopes != 0))
        if not some.size:
            return 0
        first, last = first[some], last[some]
        rows, many = ranges(first, last), last - first + 1
        value = np.repeat(some, many)
        missing = np.maximum(rest[value] - loads[rows], 0)
        number = rows - self._stages.first[value]
        starts = np.cumsum(many) - many
        return sum(np.maximum.reduceat(missing - slopes[value] * number, starts).tolist())

    def held(self) -> int:
        """Return what pairs of vertices, and inputs, are certain to add to all moments."""
        if not self._due:
            return 0
        moments = np.array(list(self._due))
        due = np.stack(list(self._due.values()))
        total = 0
        for number, row in enumerate(due):
            # Both halves of each pair with a later moment, then what is in no moment of its own.
            later = moments[number + 1 :]
            pairs = np.minimum(row[later], due[number + 1 :, moments[number]])
            row[moments] = 0
            total += sum(pairs[pairs != 0].tolist()) + sum(row[row < 0].tolist())
        return total


def _spread(data: Mapping[str, Any], where: str, much: str, size: int, least: int) -> Int64Array:
    """Return (size,) amounts in the places that the field `where` has, 0 in others."""
    places, amounts = vertices(data, where, size), integers(data, much)
    most = MAX_FLOW // (size + 1)
    if amounts.size != places.size:
        raise CertificateError(much, f"has {amounts.size} entries for {places.size} places")
    if amounts.size and (amounts.min() < max(least, -most) or amounts.max() > most):
        raise CertificateError(much, f"are not all between {max(least, -most)} and {most}")
    spread = np.zeros(size, np.int64)
    spread[places] = amounts
    return spread
