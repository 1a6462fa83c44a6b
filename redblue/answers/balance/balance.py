"""The verdict of a computation's I/O curve on a machine: compute-bound or I/O-bound.

Time is that of the slower side, arithmetic and I/O overlapping fully, and the work is divided
evenly: real machines reach less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from dags import CDAG
from proofs.laws import Law
from redblue.answers.hardware import ProcessingElement, balancing_memory
from redblue.answers.results import IOCurve

Bound = Literal["compute", "I/O", "undecided"]


@dataclass(frozen=True)
class BalancePoint:
    """A computation on a machine at one size of fast memory.

    Parameters
    ----------
    memory
        Words of fast memory.
    io, least_io
        Words that the best schedule moves, and that every schedule moves at least.
    ratio, most_ratio
        Operations per word of that schedule, and of every schedule at most.
    rate
        Operations per second with that schedule.
    bound
        "compute": that schedule's words come while the machine computes; "I/O": with every
        schedule the machine waits for words, which is proved; "undecided": it waits with that
        schedule.
    """

    memory: int
    io: int
    least_io: int
    ratio: float
    most_ratio: float
    rate: float
    bound: Bound


@dataclass(frozen=True)
class Balance:
    """A computation on a machine, against the size of fast memory.

    Parameters
    ----------
    element
        The machine, in the computation's words.
    work
        Operations of the computation.
    points
        One for each memory size at which a schedule was played, rising.
    balanced_at
        Smallest size at which a schedule does not wait for words; None if none does.
    not_below
        Smallest size at which no bound proves that every schedule waits; None if there is none.
    alpha
        Growth of the arithmetic that the next two are about.
    grown_at
        Smallest size of the curve at which `alpha` times the arithmetic does not wait.
    grown_by_law
        The memory by `law` for `alpha` times the arithmetic, with the ratio that was played at
        `balanced_at`; infinity if no memory is enough.
    law
        The law of the computation, None if it is not known.
    """

    element: ProcessingElement
    work: int
    points: tuple[BalancePoint, ...]
    balanced_at: int | None
    not_below: int | None
    alpha: float
    grown_at: int | None
    grown_by_law: float | None
    law: Law | None

    @property
    def own(self) -> BalancePoint | None:
        """Point of the machine's own memory: the largest played size that is no larger."""
        return next((p for p in reversed(self.points) if p.memory <= self.element.memory), None)


def balance_of(
    curve: IOCurve,
    work: int,
    element: ProcessingElement,
    *,
    alpha: float = 2.0,
    law: Law | None = None,
) -> Balance:
    """The verdict of `curve` on `element`.

    Parameters
    ----------
    curve
        Words moved and words proved, against memory.
    work
        Operations of the computation; see `work_of`.
    element
        The machine, in words of the computation.
    alpha
        Growth of the arithmetic that is asked about.
    law
        How operations per word grow with memory; for memories beyond the curve.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, equation (1).
    """
    uppers, lowers = curve.envelope("upper"), curve.envelope("lower")
    floor = dict(lowers)
    points = tuple(_point(m, io, floor.get(m, 0), work, element) for m, io in uppers)
    grown = ProcessingElement(alpha * element.compute, element.bandwidth, element.memory)
    at = next((point for point in points if point.bound == "compute"), None)
    return Balance(
        element=element,
        work=work,
        points=points,
        balanced_at=None if at is None else at.memory,
        not_below=_balanced(element, work, lowers),
        alpha=alpha,
        grown_at=_balanced(grown, work, uppers),
        grown_by_law=None if law is None or at is None else _extended(law, at, grown),
        law=law,
    )


def work_of(dag: CDAG) -> int:
    """The operations of all computations, one for each where the DAG does not say."""
    if dag.uniform_work is not None:
        return int(dag.uniform_work) * int(dag.computed.size)
    if dag.work is not None:
        return int(dag.work[dag.computed].sum())
    return int(dag.computed.size)


def _extended(law: Law, played: BalancePoint, element: ProcessingElement) -> float:
    """The memory for the balance of `element` on the curve of `law` through a point."""
    return law.rebalance(element.balance / played.ratio, played.memory)


def _balanced(
    element: ProcessingElement, work: int, points: Sequence[tuple[int, int]]
) -> int | None:
    return balancing_memory(element, work, [m for m, _ in points], [io for _, io in points])


def _point(
    memory: int, io: int, least_io: int, work: int, element: ProcessingElement
) -> BalancePoint:
    ratio, most = (work / words if words else inf for words in (io, least_io))
    computing = work * element.bandwidth
    waits, must_wait = (words * element.compute > computing for words in (io, least_io))
    bound: Bound = "I/O" if must_wait else "undecided" if waits else "compute"
    rate = min(element.compute, element.bandwidth * ratio)
    return BalancePoint(memory, io, least_io, ratio, most, rate, bound)
