"""The Dirac operator: sweeps that keep only the front between visited and unvisited sites."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from dags import CDAG, InvalidDAGError
from dags.arrays import Int32Array, Int64Array, lock
from dags.families.common.dirac_numbers import (
    ABSENT,
    CUT,
    DIRECTIONS,
    EARLIER,
    HALO,
    LATER,
    DiracNumbers,
    HopOrder,
    hop_order,
)
from dags.families.dirac import sweep_axis
from pebble import Move, Rules, Schedule
from schedulers.families.dirac_plans import DiracPlan
from schedulers.families.plays import Play
from schedulers.families.tiles import in_turn

LOAD: Final = Move.LOAD
STORE: Final = Move.STORE
COMPUTE: Final = Move.COMPUTE
DELETE: Final = Move.DELETE
# Phases of a visit: a neighbour may depart after each hop, and the site itself at the end.
ARRIVAL, FAR, FIRST_HOP, LAST = 0, 1, 2, 2 + 2 * DIRECTIONS


class TimedMoves:
    """The moves of a play, collected in any order, each block of them with its times.

    Parameters
    ----------
    numbers
        The vertex numbers of the operator.
    hops
        The order in which its sums grow.
    """

    def __init__(self, numbers: DiracNumbers, hops: HopOrder) -> None:
        self.numbers = numbers
        self.hops = hops
        self.site = np.arange(numbers.sites)
        self._times: list[Int64Array] = []
        self._codes: list[Int64Array] = []
        self._vertices: list[Int64Array] = []

    def schedule(self) -> Schedule:
        """All moves in the order of their times, those of one time as they were added."""
        order = in_turn(np.concatenate(self._times))
        codes, vertices = np.concatenate(self._codes), np.concatenate(self._vertices)
        return Schedule(lock(codes[order]), lock(vertices[order]))

    def add(self, time: Int64Array, *moves: tuple[Move, Int64Array]) -> None:
        """Add a sequence of moves at each of the times."""
        codes = np.array([code for code, _ in moves], np.uint8)
        self._codes.append(np.tile(codes, time.size))
        self._vertices.append(np.stack([v for _, v in moves], 1).reshape(-1).astype(np.int32))
        self._times.append(np.repeat(time, len(moves)))

    def grow(self, x: Int64Array, d: int) -> list[tuple[Move, Int64Array]]:
        """The moves that add a hop to Phi; the new version slides onto the old one."""
        before = self.hops.place[x, d]
        old, new = self.numbers.phi(x, before), self.numbers.phi(x, before + 1)
        return [(COMPUTE, new), (DELETE, old)]

    def neighbour(self, x: Int64Array, d: int) -> tuple[Int64Array, Int64Array]:
        """The neighbours of `x` and the links between."""
        y = self.hops.neighbour[x, d]
        return y, self.numbers.link(x if d % 2 else y, d // 2)


def dirac_schedule(dag: CDAG, *, lockstep: bool = False) -> Schedule:
    """The play of a `dags.dirac` in the order for which it was made.

    Legal under sliding rules with `DiracPlan.peak` words; the traffic is `DiracPlan.local_io`
    on channel 0 and `neighbour_io` on channel 1.

    Parameters
    ----------
    dag
        The Dirac operator of a node.
    lockstep
        As in `DiracPlan`.

    Raises
    ------
    InvalidDAGError
        If `dag` was not made by `dags.dirac`.
    """
    plan = plan_of(dag, lockstep=lockstep)
    visits = _Visits(*lattice_of(plan))
    visits.arrive_and_depart()
    for d in range(DIRECTIONS):
        visits.cross_nodes(d, plan.apart and d // 2 == sweep_axis("x3"))
        visits.cross_tiles(d)
        visits.join_earlier(d)
    return visits.schedule()


def plan_of(dag: CDAG, *, lockstep: bool = False) -> DiracPlan:
    """The plan for which a Dirac operator was made.

    Raises
    ------
    InvalidDAGError
        If `dag` was not made by `dags.dirac`.
    """
    if dag.family != "dirac":
        raise InvalidDAGError(f"{dag!r} is no Dirac operator")
    return DiracPlan(**dag.params, lockstep=lockstep)


def lattice_of(plan: DiracPlan) -> tuple[DiracNumbers, HopOrder]:
    """The vertex numbers of a plan's operator, and the order of its hops."""
    tiling = sweep_axis(plan.sweep), plan.slab, plan.strip, plan.seam, plan.panel
    numbers = DiracNumbers(plan.k, plan.n4, plan.wrap, plan.copies)
    return numbers, hop_order(plan.k, plan.n4, plan.wrap, *tiling)


def plays(dag: CDAG, memory: int, rules: Rules) -> Iterator[Play]:
    """Yield `dirac_schedule` where it is legal; its cost is known by closed form.

    A file may have lost the sizes of the values, of which the closed form is.
    """
    plan = DiracPlan(**dag.params)
    if rules.sliding and dag.words is not None and plan.peak <= memory:
        yield Play(plan.local_io + plan.neighbour_io, lambda: (dirac_schedule(dag),))


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield the order in which `dirac_schedule` computes, for plays without sliding."""
    del memory
    moves = dirac_schedule(dag)
    yield moves.vertex[moves.op == COMPUTE]


class _Visits(TimedMoves):
    """The moves of a play in which each site is visited once."""

    def arrive_and_depart(self) -> None:
        """Load Psi and begin Phi at each visit; store Phi and drop both after the last hop."""
        numbers, hops, site = self.numbers, self.hops, self.site
        begun = numbers.phi(site, np.zeros_like(site))
        self.add(self._visit(site, ARRIVAL), (LOAD, site), (COMPUTE, begun))
        degree = np.count_nonzero(hops.kind != ABSENT, axis=1)
        d = hops.direction[site, degree - 1]
        waits = hops.kind[site, d] == LATER
        y = hops.neighbour[site, d]
        joined = self._visit(y, FIRST_HOP + 2 * hops.place[y, d ^ 1] + 1)
        complete, phi = np.where(waits, joined, self._visit(site, LAST)), numbers.phi(site, degree)
        self.add(complete, (STORE, phi), (DELETE, phi), (DELETE, site))

    def cross_nodes(self, d: int, is_apart: bool) -> None:
        """Exchange words over the face in direction `d`, visited `is_apart` by the other node."""
        numbers, (axis, forward) = self.numbers, divmod(d, 2)
        x = self.site[self.hops.kind[:, d] == HALO]
        time = self._hop(x, d)
        # the site on the opposite face, whose counterpart on another node is visited with x
        far = self.hops.neighbour[x, d]
        if forward:
            link = numbers.link(x, axis)
            self.add(time, (LOAD, link))
            if is_apart:
                self._send(self._visit(x, FAR), numbers.spinor_out(far, axis), far)
            else:
                self._send(time, numbers.product_out(x, axis))
            message = numbers.spinor_in(x, axis)
            self.add(time, (LOAD, message), *self.grow(x, d), (DELETE, message), (DELETE, link))
        else:
            if is_apart:
                links = () if numbers.copies else (numbers.link(far, axis),)
                self._send(self._visit(x, FAR), numbers.product_out(far, axis), far, *links)
            else:
                self._send(time, numbers.spinor_out(x, axis))
            message = numbers.product_in(x, axis)
            copies = [numbers.copy(x, axis)] if numbers.copies else []
            self.add(time, *((LOAD, value) for value in (*copies, message)))
            self.add(time, *self.grow(x, d), *((DELETE, value) for value in (message, *copies)))

    def cross_tiles(self, d: int) -> None:
        """Let sites whose neighbour is in another tile look at it, whichever is visited first."""
        x = self.site[self.hops.kind[:, d] == CUT]
        y, link = self.neighbour(x, d)
        dropped = (DELETE, y), (DELETE, link)
        self.add(self._hop(x, d), (LOAD, link), (LOAD, y), *self.grow(x, d), *dropped)

    def join_earlier(self, d: int) -> None:
        """Do the hops both ways between each site and its neighbour if that is waiting."""
        x = self.site[self.hops.kind[:, d] == EARLIER]
        y, link = self.neighbour(x, d)
        sums = *self.grow(x, d), *self.grow(y, d ^ 1)
        self.add(self._hop(x, d), (LOAD, link), *sums, (DELETE, link))

    def _send(self, time: Int64Array, message: Int64Array, *operands: Int64Array) -> None:
        """Compute and store values for another node; load `operands` for it and drop them."""
        loads = [(LOAD, operand) for operand in operands]
        drops = [(DELETE, operand) for operand in operands]
        stored = (COMPUTE, message), (STORE, message), (DELETE, message)
        self.add(time, *loads, *stored, *drops)

    def _hop(self, x: Int64Array, d: int) -> Int64Array:
        return self._visit(x, FIRST_HOP + 2 * self.hops.place[x, d])

    def _visit(self, x: Int64Array, phase: int | Int64Array) -> Int64Array:
        """The time of a phase of the visit to `x`."""
        return self.hops.rank[x] * (LAST + 1) + phase
