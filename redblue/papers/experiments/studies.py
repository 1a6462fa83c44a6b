"""Studies of computations: a curve, the law of its operations per word, figures and tables."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from dags import CDAG, load
from proofs.laws import Law
from redblue.answers.balance.refine import merged
from redblue.answers.results import IOCurve, Kind, Row
from redblue.laws.fit import Fit, Points, as_far_as_it_tells, default_players, fit, points_of
from redblue.laws.sandwich import Corridor, corridor_of
from redblue.papers.experiments.bench import Bench
from redblue.show.model import Axis, Figure, Series, Table
from redblue.show.rows import series, table


@dataclass(frozen=True)
class Study:
    """A DAG that was played at several sizes of memory."""

    spec: str  # of what generates it
    dag: CDAG
    curve: IOCurve  # the best schedule and the best bound at each size

    @cached_property
    def points(self) -> Points:
        """All sizes at which it was played."""
        return points_of(self.dag, self.curve.envelope("upper"))

    @cached_property
    def found(self) -> Fit:
        """The law."""
        return fit(self.points)

    @cached_property
    def corridor(self) -> Corridor:
        """Words played and words proved, at the sizes that tell of the law."""
        moved, floor = (dict(self.curve.envelope(kind)) for kind in ("upper", "lower"))
        sizes = self.found.points.memories.astype(int).tolist()
        rows = ((size, moved[size], floor[size]) for size in sizes if floor.get(size))
        return corridor_of(rows, self.points.overhead)

    @property
    def gaps(self) -> dict[int, float]:
        """Ratio of the words played to the words proved, by memory."""
        floor = dict(self.curve.envelope("lower"))
        return {memory: io / floor[memory] for memory, io in self.curve.envelope("upper")}


def study(
    bench: Bench,
    spec: str,
    memories: Iterable[int] | None = None,
    *,
    bounds: Iterable[str] = (),
) -> Study:
    """A DAG played by its family's schedule, with bounds beside the compulsory words.

    By default at the memories at which the schedule is tuned, as far as they tell of the law.
    """
    dag = load(spec)

    def play(sizes: Sequence[int]) -> IOCurve:
        return _curve(bench, spec, tuple(sizes), default_players(dag), ("compulsory",))

    curve = as_far_as_it_tells(dag, play) if memories is None else play(list(memories))
    for method in bounds:
        curve = merged(curve, _curve(bench, spec, tuple(curve.memories), (), (method,)))
    return Study(spec, dag, curve)


@lru_cache(maxsize=256)
def _curve(
    bench: Bench,
    spec: str,
    memories: tuple[int, ...],
    schedulers: tuple[str, ...],
    bounds: tuple[str, ...],
) -> IOCurve:
    """A curve; several experiments look at the same ones."""
    return bench.curve(spec, memories, schedulers=schedulers, bounds=bounds)


UPDATES = "affine", "projections"  # bounds of loop nests, one of which is known of each family
MEMORY = Axis("fast memory [words]", base=2)
WORDS = Axis("words moved", base=10)
RATIO = Axis("operations per word", base=2)
LINEAR_RATIO = Axis("operations per word")
UPPER, LOWER, CEILING = "best schedule", "best bound", "no schedule has more"


def io_figure(
    study: Study,
    name: str,
    caption: str,
    formula: str = "",
    words: Callable[[int], float] | None = None,
) -> Figure:
    """The figure of I/O against memory: the best schedule and the best bound.

    Parameters
    ----------
    study
        The DAG of the plays.
    name, caption
        Of the figure.
    formula, words
        A source's formula, and the words that it says for a memory.
    """
    upper, lower = played(study.curve, label=UPPER), proved(study.curve, label=LOWER)
    drawn = [upper, lower]
    if words is not None:
        sizes = study.curve.memories
        drawn.append(Series(formula, upper.x, tuple(words(m) for m in sizes), "theorem"))
    law = study.found.law
    if law is not None:
        drawn.append(_fitted(study, lambda ratio: study.points.work / ratio, words_text(law)))
    return Figure(name, caption, MEMORY, WORDS, tuple(drawn), (UPPER, LOWER))


def ratio_figure(
    studies: Sequence[tuple[str, Study]], name: str, caption: str, axis: Axis = RATIO
) -> Figure:
    """The figure of operations per word against memory, with laws, of several studies.

    For one computation also the most of any schedule. A power is a straight line on `RATIO`, a
    logarithm on `LINEAR_RATIO`.
    """
    drawn: list[Series] = []
    for label, study in studies:
        drawn.append(_ratios(label, study))
        law = study.found.law
        if law is not None:
            drawn.append(_fitted(study, lambda ratio: ratio, f"{label}: {law_text(law)}"))
    if len(studies) > 1:
        return Figure(name, caption, MEMORY, axis, tuple(drawn))
    ((label, study),) = studies
    return Figure(name, caption, MEMORY, axis, (*drawn, ceiling(study)), (CEILING, label))


def _ratios(label: str, study: Study) -> Series:
    points = study.points
    rows = zip(points.memories.tolist(), points.ratios.tolist(), points.ios, strict=True)
    return series(
        label, rows, lambda row: row[0], lambda row: row[1], "upper",
        lambda row: f"{study.spec}: {points.work:,} operations, {int(row[2]):,} words with "
        f"{int(row[0]):,}",
    )  # fmt: skip


def ceiling(study: Study) -> Series:
    """The upper bound on operations per word at each memory, by the best bound."""
    floor = proved(study.curve)
    return Series(
        CEILING, floor.x, tuple(study.points.work / io for io in floor.y), "lower", floor.notes
    )


def words_text(law: Law) -> str:
    """The words moved by a law, which fall where operations per word grow.

    Examples
    --------
    >>> words_text(Law("power", 0.516)), words_text(Law("logarithmic"))
    ('M^-0.516', '1 / log M')
    """
    if law.kind == "power":
        return f"M^-{law.exponent:.3f}"
    return law.name if law.kind == "constant" else f"1 / {law.name}"


def law_text(law: Law) -> str:
    """A law with its coefficient, like "0.77 M^0.520"."""
    name = "" if law.kind == "constant" else f" {law.name}".replace("log M", "log2 M")
    return f"{law.coefficient:.2f}{name}"


def _fitted(study: Study, value: Callable[[float], float], label: str) -> Series:
    """The series of a fitted law, with `value` of its operations per word.

    A logarithm is fitted to the words that hold tiles, and a power scaled to the memory.
    """
    points, law = study.found.points, study.found.law
    if law is None:
        raise ValueError(f"no law was found for {study.spec}")
    sizes = points.effective if law.kind == "logarithmic" else points.memories
    y = tuple(value(law.ratio(size)) for size in sizes.tolist())
    return Series(f"fitted: {label}", tuple(points.memories.tolist()), y, "fit")


def curve_table(study: Study, name: str, caption: str) -> Table:
    """The table of exact counts of a study, a line per memory."""
    best = [row for row in study.curve.rows if row.method == "best"]
    floor = {row.memory: row for row in best if row.kind == "lower"}

    def cells(upper: Row) -> tuple[Any, ...]:
        lower = floor[upper.memory]
        work, io, lower_io = study.points.work, upper.io or 0, lower.io or 0
        return (upper.memory, io, upper.loads, upper.stores, lower_io, winner(study.curve, lower),
                round(io / lower_io, 3), round(work / io, 3),
                round(work / lower_io, 3))  # fmt: skip

    return table(
        name, caption, (cells(row) for row in best if row.kind == "upper"), "M [words]",
        "moved [words]", "loads [words]", "stores [words]", "at least [words]", "bound",
        "moved / bound", "operations per word", "at most",
    )  # fmt: skip


def law_table(studies: Sequence[tuple[str, Study]], name: str, caption: str) -> Table:
    """The table of fitted laws, a line per computation."""

    def cells(label: str, study: Study) -> tuple[Any, ...]:
        fitted = study.found
        exponents = [fitted.exponents.get(key) for key in ("M", "M_eff", "M_eff, corrected")]
        growths = [*(growth.counted for growth in fitted.growths[:2]), None, None][:2]
        numbers = [*(fitted.interval or (None, None)), *exponents, *growths]
        return (label, study.spec, fitted.points.memories.size,
                "not told" if fitted.law is None else fitted.law.name,
                *(None if number is None else round(number, 3) for number in numbers))  # fmt: skip

    return table(
        name, caption, (cells(*study) for study in studies), "computation", "DAG", "sizes", "law",
        "low", "high", "exponent against M", "against M - 2", "corrected",
        "R(4M) / R(M), low end", "high end",
    )  # fmt: skip


def played(curve: IOCurve, method: str = "best", label: str = "") -> Series:
    """I/O against memory of one scheduler, by default the best of all."""
    return _series(
        curve, "upper", method, label or ("best schedule" if method == "best" else method)
    )


def proved(curve: IOCurve, method: str = "best", label: str = "") -> Series:
    """The lower bound on I/O against memory by one method, by default the best."""
    return _series(curve, "lower", method, label or ("best bound" if method == "best" else method))


def stepped(
    memories: list[int], words: list[float], end: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return x and y of a step curve that falls at each of `memories` and ends at `end`."""
    x = [float(edge) for edge in memories for _ in range(2)][1:]
    y = [float(word) for word in words for _ in range(2)]
    return (*x, float(end)), tuple(y)


def _series(curve: IOCurve, kind: Kind, method: str, label: str) -> Series:
    rows = [row for row in curve.rows if row.kind == kind and row.method == method]
    rows = sorted((row for row in rows if row.io is not None), key=lambda row: row.memory)
    return Series(
        label, tuple(float(row.memory) for row in rows), tuple(float(row.io or 0) for row in rows),
        kind, tuple(_note(curve, row) for row in rows),
    )  # fmt: skip


def _note(curve: IOCurve, row: Row) -> str:
    """The method and the exact counts of a row, as text."""
    method = winner(curve, row) if row.method == "best" else row.method
    if row.kind == "lower":
        return f"{method}: at least {row.io:,} words with {row.memory:,}"
    return (
        f"{method}: {row.io:,} words with {row.memory:,}, "
        f"{row.loads:,} loaded and {row.stores:,} stored"
    )


def winner(curve: IOCurve, best: Row) -> str:
    """The method behind a row of method "best": "search" where none alone does as much."""
    rivals = (row for row in curve.rows if (row.kind, row.io) == (best.kind, best.io))
    near = sorted(rivals, key=lambda row: abs(row.memory - best.memory))
    return next((row.method for row in near if row.method != "best"), "search")
