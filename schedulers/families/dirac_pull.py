"""The Dirac operator by pulling: each slice along x4 gathers all operands of its sums."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dags import CDAG, InvalidDAGError
from dags.arrays import Int64Array
from dags.families.common.dirac_numbers import (
    ABSENT,
    CUT,
    DIRECTIONS,
    EARLIER,
    HALO,
    LINK,
    SPINOR,
    HopOrder,
)
from pebble import Schedule
from schedulers.families.dirac import COMPUTE, DELETE, LOAD, STORE, TimedMoves, lattice_of, plan_of
from schedulers.families.dirac_plans import CUT_LINK, DiracPlan

ALONG_X3, ALONG_X4 = 2, 3  # axes
HELD = 3  # slices of Psi: the one whose sums grow, and those before and behind it
ARRIVAL, BEGIN, FIRST_HOP, FIRST_JOIN = 0, 1, 2, 2 + DIRECTIONS  # phases of a slice


@dataclass(frozen=True)
class PullPlan:
    """Slabs of thickness `s` along x3, each swept along x4 by slices that pull, in closed form.

    While the sums Phi of a slice grow, Psi of three slices is in fast memory with the values that
    came in over their lateral faces. The links between slices are loaded for both, and where x4 is
    periodic two slices of Psi come twice: (138 + 48/n4) n words with one slab. The best sweeps push
    instead: they move 120 n with less memory (`DiracPlan`).

    Parameters
    ----------
    k, n4, wrap, copies
        As in `dags.dirac`.
    s
        Thickness of slabs; k for one. Then the faces along x3 are lateral, too; otherwise values
        that cross them are brought for each hop.

    Source
    ------
    G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005,
    theorem 1, whose schedules are omitted: three slices of Psi with their halos and one of Phi
    are its 96 k^3 + 432 k^2 words, and 96 k^2 s + 288 k s.
    """

    k: int
    n4: int
    s: int
    wrap: bool = True
    copies: bool = False

    @property
    def push(self) -> DiracPlan:
        """The plan whose DAG this one plays: each slice of a slab is a tile."""
        return DiracPlan(self.k, self.n4, self.wrap, "x4", self.s, 1, copies=self.copies)

    @property
    def params(self) -> dict[str, Any]:
        """The arguments of `dags.dirac` whose chains follow this plan."""
        return self.push.params

    @property
    def local_io(self) -> int:
        """Words moved between the node's own memories, on channel 0."""
        plan, k = self.push, self.k
        inner = plan.sites - (0 if self.wrap else k**3)  # links along x4
        rereads = 2 * SPINOR * k**3 if self.wrap and self.n4 > HELD else 0
        cut = CUT_LINK * (-(-k // self.s) - 1) * k**2 * self.n4
        return 120 * plan.sites - plan.absent + plan.copied + LINK * inner + rereads + cut

    @property
    def neighbour_io(self) -> int:
        """Words moved to and from other nodes, on channel 1: 288 n/k."""
        return self.push.neighbour_io

    @property
    def peak(self) -> int:
        """Words of fast memory that suffice under sliding rules.

        Beside slices and halos a link, and the value sent or brought for a hop.
        """
        k, s, held = self.k, self.s, min(HELD, self.n4)
        lateral = 6 * k * k if s == k else 4 * k * s
        beside = LINK + (0 if self.copies and s == k else SPINOR)
        return SPINOR * (held * (k * k * s + lateral) + k * k * s) + beside


def dirac_pull_schedule(dag: CDAG) -> Schedule:
    """The play of a `dags.dirac` with strips of 1, made for a `PullPlan`, by pulling.

    Legal under sliding rules with `PullPlan.peak` words; the traffic is `PullPlan.local_io` on
    channel 0 and `neighbour_io` on channel 1.

    Raises
    ------
    InvalidDAGError
        If `dag` is no Dirac operator with strips of 1.
    """
    plan = plan_of(dag)
    if plan.strip != 1:
        raise InvalidDAGError(f"{dag!r} is not made for pulling: strip is {plan.strip}, not 1")
    numbers, hops = lattice_of(plan)
    pulls = _Pulls(plan, TimedMoves(numbers, hops))
    pulls.sums()
    pulls.slices()
    for d in range(DIRECTIONS):
        pulls.cross_nodes(d)
        pulls.cross_tiles(d)
        pulls.join(d)
    pulls.leave()
    return pulls.moves.schedule()


class _Pulls:
    """The moves of a play by pulling."""

    def __init__(self, plan: DiracPlan, moves: TimedMoves) -> None:
        k, site = plan.k, moves.site
        self.plan, self.moves, self.hops = plan, moves, moves.hops
        self.slab, self.slice = site // k**2 % k // plan.slab, site // k**3
        self.turn = self.slab * plan.n4 + self.slice
        self.length = FIRST_JOIN + (DIRECTIONS + 1) * (k * k * plan.slab + 1)
        self.rank = _ranks(self.turn, self.hops)
        self.stays = _stays(plan.n4, plan.wrap)

    def sums(self) -> None:
        """Begin the sums of a slice, and store them when all hops are done."""
        degree = np.count_nonzero(self.hops.kind != ABSENT, axis=1)
        site, phi = self.moves.site, self.moves.numbers.phi
        begun, complete = phi(site, np.zeros_like(site)), phi(site, degree)
        self.moves.add(self._time(site, BEGIN), (COMPUTE, begun))
        self.moves.add(self._time(site, self.length - 2), (STORE, complete), (DELETE, complete))

    def slices(self) -> None:
        """Load Psi of a slice whenever it is needed again."""
        for held, first, _, _ in self.stays:
            site = self.moves.site[self.slice == held]
            self.moves.add(self._turn(site, first, ARRIVAL), (LOAD, site))

    def leave(self) -> None:
        """Delete Psi of a slice that the next slice does not need, and its halo."""
        for held, _, last, _ in self.stays:
            site = self.moves.site[self.slice == held]
            self.moves.add(self._turn(site, last, self.length - 1), (DELETE, site))

    def cross_nodes(self, d: int) -> None:
        """Send and receive the values that cross a face, in time for the sums that read it."""
        numbers, moves, (axis, forward) = self.moves.numbers, self.moves, divmod(d, 2)
        x = moves.site[self.hops.kind[:, d] == HALO]
        time = self._hop(x, d)
        sent = (numbers.product_out if forward else numbers.spinor_out)(x, axis)
        message = (numbers.spinor_in if forward else numbers.product_in)(x, axis)
        link = [numbers.link(x, axis)] if forward else []
        if not forward and numbers.copies:
            link = [numbers.copy(x, axis)]
        out = (COMPUTE, sent), (STORE, sent), (DELETE, sent)
        lateral = axis != ALONG_X3 or self.plan.slab == self.plan.k
        if lateral:
            self._halo(x, message)
        early = lateral and not (forward and not numbers.copies)  # a copy of Psi is sent
        if early:
            moves.add(self._arrival(x), *out)
        brought = [(LOAD, message)] if not lateral else []
        left = [(DELETE, value) for value in ([] if lateral else [message]) + link]
        loads = [(LOAD, value) for value in link]
        moves.add(time, *loads, *(() if early else out), *brought, *moves.grow(x, d), *left)

    def cross_tiles(self, d: int) -> None:
        """Load the link to another slice or slab for each hop, and Psi of another slab."""
        x = self.moves.site[self.hops.kind[:, d] == CUT]
        y, link = self.moves.neighbour(x, d)
        brought = [link] if d // 2 == ALONG_X4 else [link, y]
        loads, drops = ([(move, value) for value in brought] for move in (LOAD, DELETE))
        self.moves.add(self._hop(x, d), *loads, *self.moves.grow(x, d), *drops)

    def join(self, d: int) -> None:
        """Do the hops both ways between sites of a slice while their link is there."""
        x = self.moves.site[self.hops.kind[:, d] == EARLIER]
        y, link = self.moves.neighbour(x, d)
        pair = *self.moves.grow(x, d), *self.moves.grow(y, d ^ 1)
        time = self._time(x, FIRST_JOIN + DIRECTIONS * self.rank[x] + self.hops.place[x, d])
        self.moves.add(time, (LOAD, link), *pair, (DELETE, link))

    def _halo(self, x: Int64Array, message: Int64Array) -> None:
        """Hold the values that come in for a slice while it is held around the slice's own turn."""
        for held, first, last, is_own in self.stays:
            sites = self.slice[x] == held
            if is_own:
                self.moves.add(self._turn(x[sites], first, ARRIVAL), (LOAD, message[sites]))
                self.moves.add(
                    self._turn(x[sites], last, self.length - 1), (DELETE, message[sites])
                )

    def _arrival(self, x: Int64Array) -> Int64Array:
        """Return when the slice of each site is loaded for its own turn."""
        first = {held: first for held, first, _, is_own in self.stays if is_own}
        arrivals = np.array([first[held] for held in range(self.plan.n4)])
        return self._turn(x, arrivals[self.slice[x]], ARRIVAL)

    def _hop(self, x: Int64Array, d: int) -> Int64Array:
        return self._time(x, FIRST_HOP + self.hops.place[x, d])

    def _time(self, x: Int64Array, phase: int | Int64Array) -> Int64Array:
        """The time of a phase of the turn of each site's slice."""
        return self.turn[x] * self.length + phase

    def _turn(self, x: Int64Array, slice_: int | Int64Array, phase: int) -> Int64Array:
        """The time of a phase of another slice's turn, in the same slab."""
        return (self.slab[x] * self.plan.n4 + slice_) * self.length + phase


def _ranks(turn: Int64Array, hops: HopOrder) -> Int64Array:
    """The place of each site among those of its turn."""
    order = np.lexsort((hops.rank, turn))
    starts = np.searchsorted(turn[order], turn[order])
    rank = np.empty_like(turn)
    rank[order] = np.arange(turn.size) - starts
    return rank


def _stays(n4: int, wrap: bool) -> list[tuple[int, int, int, bool]]:
    """Return from which to which turn each slice is held, and whether for its own turn."""
    stays, since = [], dict[int, int]()
    for turn in range(n4 + 1):
        near = range(turn - 1, turn + 2) if turn < n4 else ()
        needed = {t % n4 for t in near if wrap or 0 <= t < n4}
        for held in sorted(since.keys() - needed):
            first = since.pop(held)
            stays.append((held, first, turn - 1, first <= held < turn))
        since |= dict.fromkeys(sorted(needed - since.keys()), turn)
    return stays
