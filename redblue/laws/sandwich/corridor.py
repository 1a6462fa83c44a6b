"""The corridor of a computation: words of plays above, proved words below, against memory."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import ONE_SHOT, Rules
from redblue.answers.balance.refine import merged
from redblue.answers.curves.curve import io_curve
from redblue.answers.results import IOCurve
from redblue.laws.fit.choice import Fit

Floats = npt.NDArray[np.float64]

DECADE = 10.0  # factor of memory over which a local exponent is read


@dataclass(frozen=True)
class Corridor:
    """Played words and proved words of a computation, by rising memory.

    Parameters
    ----------
    memories
        (k,) words of fast memory.
    upper
        (k,) words moved by a play that was replayed or counted exactly, in any unit.
    lower
        (k,) words proved, in the same unit; positive, and not above `upper`.
    overhead
        Words of a memory that hold no tile: laws are read against the others.
    """

    memories: Floats
    upper: Floats
    lower: Floats
    overhead: float = 0.0

    def __post_init__(self) -> None:
        for name in ("effective", "upper", "lower"):
            if (np.asarray(getattr(self, name)) <= 0).any():
                raise ValueError(f"a corridor needs positive {name}")
        if (self.upper < self.lower).any():
            position = int(self.memories[np.argmax(self.upper < self.lower)])
            raise ValueError(f"a schedule with {position} words moves less than is proved")

    @property
    def effective(self) -> Floats:
        """(k,) words of fast memory that can hold a tile."""
        return self.memories - self.overhead

    @property
    def decades(self) -> float:
        """Decades of memory that it spans."""
        if self.memories.size < 2:
            return 0.0
        return float(np.log10(self.memories[-1] / self.memories[0]))

    @property
    def ratios(self) -> Floats:
        """(k,) words moved over words proved."""
        return self.upper / self.lower

    @property
    def trend(self) -> float:
        """Factor by which that ratio changes with each decade, by the straight line in logarithms.

        Least squares describe it; nothing is inferred from them.
        """
        if self.memories.size < 2:
            return 1.0
        x, y = np.log10(self.memories), np.log10(self.ratios)
        x = x - x.mean()
        return float(10 ** (x @ y / (x @ x)))


@dataclass(frozen=True)
class Locals:
    """Local exponents: of operations per word over each decade of memory.

    Parameters
    ----------
    starts
        (w,) the words for tiles at which the decades begin.
    upper, lower
        (w,) -log10 of the growth of the words of either side over that decade.
    """

    starts: Floats
    upper: Floats
    lower: Floats

    @property
    def sides(self) -> tuple[Floats, Floats]:
        """Both sides."""
        return self.upper, self.lower


def corridor_of(rows: Iterable[tuple[float, float, float]], overhead: float = 0.0) -> Corridor:
    """The corridor of rows (memory, words moved, words proved), in any order.

    A play is legal with more memory and a bound holds with less, so that each side is replaced by
    its monotone envelope. `overhead` are the words of a memory that hold no tile. Words are counted
    in the largest of `upper`.

    Examples
    --------
    >>> corridor_of([(40, 60, 20), (10, 90, 60), (20, 120, 40)]).upper
    array([0.75, 0.75, 0.5 ])
    """
    known = sorted(rows)
    largest = max((row[1] for row in known), default=1)  # of integers too large for a float
    memories, upper, lower = (
        np.array([row[side] / (largest if side else 1) for row in known], float)
        for side in range(3)
    )
    if known:
        upper = np.minimum.accumulate(upper)
        lower = np.maximum.accumulate(lower[::-1])[::-1]
    return Corridor(memories, upper, lower, overhead)


def corridor_of_curve(curve: IOCurve, overhead: float = 0.0) -> Corridor:
    """The corridor of a curve, where it has a play and a bound that is more than nothing."""
    floor = dict(curve.envelope("lower"))
    rows = (
        (memory, io, floor[memory])
        for memory, io in curve.envelope("upper")
        if io > 0 and floor.get(memory, 0) > 0
    )
    return corridor_of(rows, overhead)


def local_exponents(corridor: Corridor) -> Locals:
    """The exponents over every decade that begins at a point and ends within the corridor.

    Between points words are straight in logarithms.
    """
    x, width = np.log10(corridor.effective), np.log10(DECADE)
    starts = x[x + width <= x[-1] + 1e-9] if x.size else x
    if not starts.size:
        return Locals(starts, starts, starts)

    def falls(words: Floats) -> Floats:
        y = np.log10(words)
        fallen: Floats = (y[: starts.size] - np.interp(starts + width, x, y)) / width
        return fallen

    return Locals(10**starts, falls(corridor.upper), falls(corridor.lower))


def enclosed(
    dag: CDAG,
    found: Fit,
    curve: IOCurve,
    *,
    rules: Rules = ONE_SHOT,
    jobs: int = 1,
    spec: str = "",
) -> tuple[Corridor, IOCurve]:
    """The corridor of a DAG that was played, and its curve with the bounds of that.

    Parameters
    ----------
    dag
        The computation.
    found, curve
        As `redblue.fit_dag` returns them: the bounds that search nothing are asked for at the
        memories that tell of the law.
    rules, jobs, spec
        As for `redblue.io_curve`.

    Examples
    --------
    >>> from dags import matmul
    >>> from redblue.laws.fit import fit_dag
    >>> corridor, _ = enclosed(matmul(24), *fit_dag(matmul(24)))
    >>> bool(corridor.ratios.max() < 1.3)
    True
    """
    memories = [int(memory) for memory in found.points.memories]
    if memories:
        proved = io_curve(dag, memories, schedulers=(), rules=rules, jobs=jobs, spec=spec)
        curve = merged(curve, proved)
    moved, floor = (dict(curve.envelope(kind)) for kind in ("upper", "lower"))
    rows = ((m, moved[m], floor[m]) for m in memories if floor.get(m))
    return corridor_of(rows, found.points.overhead), curve
