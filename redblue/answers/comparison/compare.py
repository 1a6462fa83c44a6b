"""Schedulers side by side, on several DAGs: how far each is from the best bound, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dags import CDAG, Computation, InvalidSpecError, RedBlueError
from dags.arguments import checked
from pebble import ONE_SHOT, Budget, MemoryTooSmallError, Rules, min_memory, require_memory
from redblue.answers.comparison.comparison import Comparison
from redblue.answers.curves.cells import curve_cell, curve_of
from redblue.answers.curves.curve import io_curve
from redblue.answers.kernels import Kernel, computation_of, kernels_in
from redblue.answers.results import IOCurve, describe
from redblue.answers.sources import Memories, RulesLike, Source, label_of, load, rules_of
from redblue.limits.progress import Progress
from redblue.sweeps.options import SweepOptions
from redblue.sweeps.runner import LATE
from redblue.sweeps.runner import sweep as swept
from redblue.sweeps.store.cells import Outcome
from schedulers import OrderAndEviction, scheduler_named

ORDER_EDGES = 20_000  # largest DAG, in edges, for which the least I/O of an order is proved
ORDER_SECONDS = 10.0  # for each of them, roughly


@checked
def compare(
    specs: Source | Sequence[Source],
    memories: Memories | None = None,
    *,
    schedulers: Sequence[str] | None = None,
    bounds: Sequence[str] | None = None,
    rules: RulesLike = ONE_SHOT,
    seed: int = 0,
    jobs: int = 1,
    order_loss: bool = False,
    effort: str | float = "quick",
    progress: Progress | None = None,
    sweep: SweepOptions | None = None,
    reading: Callable[[Source], Computation] = load,
    deadline: Budget | None = None,
    price_of_work: float = 0.0,
    counted: bool = False,
) -> Comparison:
    """The I/O of schedulers on several computations, with the best lower bounds.

    With a sweep whole curves are computed side by side, each in a cell; what is kept is not
    computed again. A curve that fails there is told of in the result; without a sweep its error is
    raised.

    Parameters
    ----------
    specs
        The computations, as `redblue.load` takes them, in a list or a tuple; or one of them, or the
        path of a table of kernels (``kernels.toml``), with memories and rules of each.
    memories, rules
        As `io_curve` takes them, for kernels that do not say.
    schedulers, bounds, seed, effort, price_of_work
        As `io_curve` takes them.
    jobs
        Number of methods that run side by side; with `sweep`, number of curves.
    sweep
        Where curves are computed, and kept. Where schedules are kept too (`keep`), the methods of
        one curve after the other are.
    order_loss
        Whether to prove the least I/O of each order, for DAGs of up to `ORDER_EDGES` edges.
    progress
        As for `io_curve`, over the cells of all computations.
    reading
        Makes a computation of a specification.
    deadline
        As for `io_curve`, for all of them together. Those for which no time is left are left out.
    counted
        Whether closed formulas answer alone, and no DAG is built if it is large.

    Raises
    ------
    FormatError
        If a table cannot be read.
    InvalidSpecError
        If there is no computation, two have one name, or all sizes are too small for one; and as
        `io_curve`.

    Examples
    --------
    >>> found = compare(["fft:n=16"], [4], schedulers=["lru", "belady"], order_loss=True)
    >>> [(play.method, play.io, play.order, play.bound) for play in found.plays]
    [('natural+lru', 175, 159, 66), ('natural+belady', 160, 159, 66)]
    """
    game = rules_of(rules)
    kernels = kernels_in(specs, memories, game)
    how: dict[str, Any] = {"schedulers": schedulers, "bounds": bounds, "effort": str(effort)}
    how |= {"price_of_work": price_of_work, "counted": counted}
    every = _Every(kernels, reading, how, seed, deadline, progress)
    if sweep is not None and not sweep.keep:
        curves, failed = every.swept(sweep, jobs)
    else:
        curves, failed = every.one_by_one(jobs=jobs, sweep=sweep), {}
    names = tuple(curves)
    order_io: dict[tuple[str, str, int], int] = {}
    for name, curve in curves.items() if order_loss else ():
        if curve.dag["edges"] <= ORDER_EDGES:
            dag = every.computations[name].dag
            least = least_by_order(dag, curve, curve.rules, seed, deadline)
            spec = curve.dag["spec"]
            order_io |= {(spec, method, memory): io for (method, memory), io in least.items()}
    return Comparison(game, tuple(curves.values()), order_io, names, failed)


@dataclass
class _Every:
    """All kernels of a comparison, and what their curves share.

    Parameters
    ----------
    kernels, reading
        The kernels, and what makes computations of them.
    how
        Arguments of `io_curve`, of values that JSON has.
    seed, deadline, progress
        As for `compare`.
    """

    kernels: list[Kernel]
    reading: Callable[[Source], Computation]
    how: dict[str, Any]
    seed: int
    deadline: Budget | None
    progress: Progress | None

    def __post_init__(self) -> None:
        self.computations: dict[str, Computation] = {}

    def read(self, kernel: Kernel) -> tuple[str, tuple[int, ...] | None]:
        """The name of a kernel, whose computation is there now, and its memory sizes."""
        known = computation_of(kernel, self.reading)
        name = kernel.label or describe(known.dag)["spec"]
        try:
            sizes = kernel.sizes()
            if name in self.computations:
                raise InvalidSpecError(f"two DAGs of a comparison are called {name!r}")
            if sizes is not None:
                _require_memory(known, sizes[-1], kernel.rules or ONE_SHOT, name)
        except RedBlueError as error:
            raise kernel.raised(error) from error
        self.computations[name] = known
        return name, sizes

    def one_by_one(self, **more: Any) -> dict[str, IOCurve]:
        """The curves, computed one after the other."""
        curves: dict[str, IOCurve] = {}
        for place, kernel in enumerate(self.kernels):
            left, deadline = len(self.kernels) - place, self.deadline
            share = None if deadline is None else deadline.turn(1 / left)
            try:
                name, sizes = self.read(kernel)
                about: dict[str, Any] = {"rules": kernel.rules, "seed": self.seed}
                about["spec"] = _spec_of(kernel, name)
                shown = _shifted(self.progress, place, len(self.kernels))
                about |= {"progress": shown, "deadline": share, **self.how, **more}
                curves[name] = io_curve(self.computations[name], sizes, **about)
            except KeyboardInterrupt:  # as the limit of a command ends what takes no notice
                if deadline is None or deadline.left or not curves:
                    raise
            if deadline is not None and not deadline.left:
                break
        return curves

    def swept(self, sweep: SweepOptions, jobs: int) -> tuple[dict[str, IOCurve], dict[str, str]]:
        """The curves, each a cell, and why there is none of the others."""
        cells = []
        for kernel in self.kernels:
            name, sizes = self.read(kernel)
            cell = curve_cell(name, sizes, kernel.rules or ONE_SHOT, self.seed, **self.how)
            cells.append(replace(cell, memory_limit=sweep.memory_limit))
        outcomes = swept(
            cells,
            dags=self.computations,
            store=sweep.store,
            jobs=jobs,
            dask=sweep.dask,
            retry=sweep.retry,
            progress=self.progress,
            deadline=self.deadline,
        )
        curves: dict[str, IOCurve] = {}
        failed: dict[str, str] = {}
        for kernel, cell, outcome in zip(self.kernels, cells, outcomes, strict=True):
            if outcome.status == "done":
                curve = curve_of(outcome.result)
                dag = {**curve.dag, "spec": _spec_of(kernel, cell.dag)}
                curves[cell.dag] = replace(curve, dag=dag)
            elif not _is_late(outcome):
                failed[cell.dag] = f"{outcome.status}: {outcome.error}"
        return curves, failed


def _spec_of(kernel: Kernel, name: str) -> str:
    """The specification that the curve of a kernel shows."""
    return label_of(kernel.source) or name


def _is_late(outcome: Outcome) -> bool:
    """Whether a curve was not begun, or not done, in the time of all."""
    return outcome.status == "timed-out" and outcome.error == LATE


def _require_memory(computation: Computation, memory: int, rules: Rules, spec: str) -> None:
    """Raise InvalidSpecError, with the name of the computation, if the memory is too small."""
    try:
        if computation.is_built:
            require_memory(computation.dag, memory, rules=rules)
        elif memory < (least := computation.min_memory(sliding=rules.sliding)):
            raise MemoryTooSmallError(memory, least, f"of {computation.name}")
    except MemoryTooSmallError as error:
        raise InvalidSpecError(f"{spec}: {error}") from error


def _shifted(progress: Progress | None, place: int, places: int) -> Progress | None:
    """`progress` for one of several curves of as many cells."""
    if progress is None:
        return None
    tell = progress
    return lambda done, total, failed: tell(place * total + done, places * total, failed)


def least_by_order(
    dag: CDAG, curve: IOCurve, rules: Rules, seed: int, deadline: Budget | None = None
) -> dict[tuple[str, int], int]:
    """The least I/O of the schedulers' orders, by (method, memory).

    Parameters
    ----------
    dag, curve
        The computation, and its record.
    rules, seed
        The game.
    deadline
        When to leave out the others; None for never.
    """
    from schedulers.exact import optimal_eviction

    least = min_memory(dag, rules=rules)
    sizes = [memory for memory in curve.memories if memory >= least]
    found: dict[tuple[str, int], int] = {}
    known: dict[tuple[object, int], int] = {}
    for method in curve.methods("upper"):
        player = scheduler_named(method)
        if not isinstance(player, OrderAndEviction):
            continue
        for memory in sizes:
            if (player.order, memory) not in known:
                if deadline is not None and not deadline.left:
                    return found
                best = optimal_eviction(
                    dag,
                    player.order(dag),
                    memory,
                    rules=rules,
                    seed=seed,
                    time_limit=ORDER_SECONDS
                    if deadline is None
                    else min(ORDER_SECONDS, deadline.left),
                )
                known[player.order, memory] = best.order_bound
            found[method, memory] = known[player.order, memory]
    return found
