"""Wavefronts that are worth most at given prices of values."""

from collections.abc import Iterator
from copy import copy
from functools import partial

import numpy as np
import numpy.typing as npt

from dags.arrays import Int32Array, Int64Array
from dags.work import charge
from pebble import Budget, Rules
from proofs.bounds.pieces.cuts._kernels.flows import FAR as UNREACHED
from proofs.bounds.pieces.cuts.vertex_network import VertexNetwork
from proofs.bounds.pieces.packing import _kernels
from proofs.bounds.pieces.packing.accounts import Accounts, Charge, Inequality, Part, PlainAccounts
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.pieces.wavefronts import capacities, taken_words

# A word that waits is worth this much; prices are rounded to multiples of 1 / GAIN.
GAIN = 10**6
# At this price the widest wavefronts are found: low enough that length matters only between equals.
LEAST_PRICE = 2.0**-12
# No flow is as large: the limit where none is known.
FAR = 2**40
# So many vertices are looked at together, between two looks at the clock.
AT_ONCE = 32
# All values together may have so many words, so that no sum of prices overflows.
MOST_WORDS = 2**32


class Moments:
    """The vertices of a piece as moments: while each is computed, values wait.

    The flow around a vertex x is worth, at prices of one word through each value, its words less
    the prices on its way and less the room that values have while x is computed beside its
    operands, which the flow avoids.
    """

    def __init__(
        self,
        piece: Piece,
        memory: int,
        rules: Rules,
        reach: int,
        accounts: Accounts | None = None,
    ) -> None:
        self.piece = piece
        self.accounts = accounts or PlainAccounts(piece)
        nothing = np.zeros(piece.size, np.int64)
        self.room = min(memory, MOST_WORDS) - taken_words(piece, rules, 1, nothing)
        self._reach = reach
        self._batches: list[tuple[int, Int32Array, Int64Array]] = []
        self._turn = 0
        mixed = (piece.price[np.diff(piece.successors[0]) > 0] == 1).any()
        self._thetas = (1, 2) if mixed else (1,)  # twice a flow at 1 is one at 2 if none is mixed
        self._rest = Rests(piece.size)
        self._network = VertexNetwork(piece)
        self._desk = _new_desk(piece.size, self._network.room.size)
        self._flows = np.empty((4 * piece.pred_indices.size + 10**5, 2), np.int64)
        self._empty = {
            theta: self._network.empty_room(capacities(piece, theta)) for theta in self._thetas
        }

    @property
    def searched(self) -> bool:
        """True if it is known around which vertices there is something."""
        return bool(self._batches)

    def charged_to(self, accounts: Accounts) -> "Moments":
        """The same moments, whose flows use rows of other accounts."""
        copied = copy(self)
        copied.accounts = accounts
        return copied

    def widest(self, budget: Budget) -> Iterator[Inequality]:
        """Yield the widest wavefront around each vertex that is worth something.

        Nothing is sought around other vertices from then on, such as those left over at its end.
        """
        computed = np.flatnonzero(np.diff(self.piece.pred_indptr)).astype(np.int32)
        np.random.default_rng(0).shuffle(computed)  # so that any few are from all over the piece
        searched = computed.size if self.piece.words.sum() < MOST_WORDS else 0
        worth = np.zeros(self.accounts.budget.size)
        minima = np.full(self.piece.size, round(GAIN * LEAST_PRICE))
        for start in range(0, searched, AT_ONCE):
            if budget.over:
                break
            batch = computed[start : start + AT_ONCE]
            for theta in self._thetas:
                inequalities = list(self._at(theta, minima, batch, np.full(batch.size, FAR), worth))
                if inequalities:
                    able = np.array([x for x, _, _ in inequalities], np.int32)
                    limits = np.array([flow for _, flow, _ in inequalities], np.int64)
                    self._batches.append((theta, able, limits))
                yield from (entry for _, _, entry in inequalities)

    def worth_more(
        self,
        prices: npt.NDArray[np.float64],
        budget: Budget,
        batches: int | None = None,
        *,
        rising: bool = False,
        resting: bool = False,
    ) -> Iterator[Inequality]:
        """Yield the flow around each vertex, or those of a few batches, if worth something.

        Whoever has had enough may stop: the next time we go on from there. After the end of
        the budget nothing more is sought.

        Parameters
        ----------
        prices
            (rows,) worth of each row of the accounts, in parts of a word that waits.
        budget
            Of the search.
        batches
            How many batches are tried; None for all.
        rising
            Whether the use of a flow becomes so much dearer for those after it that the flow is
            worth nothing more. At the same prices for all, all use the cheap ones; at rising ones
            they use different values, and together say much about the price of each.
        resting
            Whether vertices are left out around which there was nothing of late.
        """
        prices = prices.copy()
        for _ in range(min(batches or len(self._batches), len(self._batches))):
            if budget.over:
                break
            self._turn = (self._turn + 1) % len(self._batches)
            theta, batch, limits = self._batches[self._turn]
            for i in range(batch.size):
                if resting and self._rest.skips(theta, batch[i]):
                    continue
                costs = self.accounts.prices(int(batch[i]), prices)
                costs = np.rint(np.minimum(costs, 2.0) * GAIN).astype(np.int64)
                flows = self._at(theta, costs, batch[i : i + 1], limits[i : i + 1], prices)
                entries = [entry for _, _, entry in flows]
                self._rest.note(theta, batch[i], not entries)
                for entry in entries:
                    if rising:
                        _charge_in_full(prices, entry)
                    yield entry

    def _at(
        self,
        theta: int,
        costs: Int64Array,
        candidates: Int32Array,
        limits: Int64Array,
        worth: npt.NDArray[np.float64],
    ) -> Iterator[tuple[int, int, Inequality]]:
        """Yield (x, flow, inequality) of those worth something.

        Parameters
        ----------
        theta
            How often values count at most.
        costs
            (n,) of a word through each value, times `GAIN`.
        candidates, limits
            (c,) vertices, and how much can flow around each at most.
        worth
            (rows,) of the accounts, by which the rows that are charged are chosen.
        """
        size = candidates.size
        ends = np.empty((size, 2), np.int64)
        earned = np.empty(size, np.int64)
        starts = np.zeros(size + 1, np.int64)
        flows, empty = self._flows, self._empty[theta]
        self._desk.room[:] = empty
        network = self._network
        market = _kernels.Market(network.graph, network.arcs, empty, costs, GAIN, self._reach)
        tried = 0
        while tried < size:
            kept, tried_now = _kernels.earn_many(
                market,
                self._desk,
                candidates[tried:],
                theta * self.room[candidates[tried:]],
                limits[tried:],
                ends,
                earned,
                starts,
                flows,
            )
            charge("way", int(self._desk.count[4]))
            charge("moment", kept)
            self._desk.count[4] = 0
            for i in range(kept):
                x, value = ends[i].tolist()
                flow = flows[starts[i] : starts[i + 1]].copy()
                yield x, value, self._inequality(theta, x, value, flow, worth)
            tried += tried_now

    def _inequality(
        self, theta: int, x: int, value: int, flow: Int64Array, worth: npt.NDArray[np.float64]
    ) -> Inequality:
        """The inequality of a flow around x; `worth` as for `_at`."""
        forth = flow[flow[:, 0] >= 0]
        tails = self.piece.pred_indices[forth[:, 0]]
        used, place = np.unique(tails, return_inverse=True)
        words = np.bincount(place, forth[:, 1]).astype(np.int64)
        bound = value - theta * int(self.room[x])
        charge = self.accounts.charge(x, used.astype(np.int64), words, worth)
        part = partial(self._part, theta, x, flow, charge)
        return Inequality(charge.rows, charge.words, bound, part)

    def _part(self, theta: int, x: int, flow: Int64Array, charge: Charge) -> Part:
        """The part of a certificate: the flow in the piece that shows all it needs."""
        piece = self.piece
        member = np.zeros(piece.size, np.bool_)
        _kernels.connect(self._network.graph, x, flow[:, 0].copy(), member)
        vertices = np.flatnonzero(member)
        edges = np.empty(int(np.diff(piece.pred_indptr)[vertices].sum()), np.int64)
        count = _kernels.edges_within(self._network.graph, vertices, member, edges)
        flow = flow[np.argsort(flow[:, 0])]
        forth = flow[flow[:, 0] >= 0]
        back = flow[flow[:, 0] < 0][::-1]
        data = {
            "vertex": int(np.searchsorted(vertices, x)),
            "price": theta,
            "edges": np.searchsorted(edges[:count], forth[:, 0]),
            "amounts": forth[:, 1],
            "closures": np.searchsorted(edges[:count], -1 - back[:, 0]),
            "returns": back[:, 1],
        }
        return self.accounts.part((vertices, "moment", data), charge)


def _charge_in_full(prices: npt.NDArray[np.float64], entry: Inequality) -> None:
    """Raise the prices of an inequality's values, least in all, up to its bound."""
    missing = entry.least - entry.words @ prices[entry.vertices]
    if missing > 0 and entry.vertices.size:
        prices[entry.vertices] += missing / (entry.words @ entry.words) * entry.words


def _new_desk(n: int, arcs: int) -> _kernels.Desk:
    """Room to work in for a piece of n vertices."""
    return _kernels.Desk(
        room=np.empty(arcs, np.int64),
        role=np.zeros(n, np.int8),
        listed=np.empty((2, n), np.int32),
        touched=np.empty(n, np.int32),
        dist=np.full(2 * n, UNREACHED, np.int64),
        seen=np.empty(2 * n, np.int64),
        came=np.empty(2 * n, np.int64),
        potential=np.zeros(2 * n, np.int64),
        raised=np.empty(2 * n, np.int64),
        count=np.zeros(5, np.int64),
    )


# So many turns, at most, a vertex is left out around which there was nothing time and again.
LONGEST = 3


class Rests:
    """Turns for which vertices are left out: twice as many each time that there was nothing.

    Parameters
    ----------
    n
        Vertices.
    """

    def __init__(self, n: int) -> None:
        self._left = np.zeros((3, n), np.int64)
        self._next = np.zeros((3, n), np.int64)

    def skips(self, theta: int, x: int) -> bool:
        """Whether a vertex is left out in this turn."""
        if not self._left[theta, x]:
            return False
        self._left[theta, x] -= 1
        return True

    def note(self, theta: int, x: int, nothing: bool) -> None:
        """Note whether there was nothing around a vertex, at values of one or both prices."""
        self._next[theta, x] = min(2 * self._next[theta, x] + 1, LONGEST) if nothing else 0
        self._left[theta, x] = self._next[theta, x]
