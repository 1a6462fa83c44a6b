"""``redblue curve``: I/O against memory."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from redblue.cli import console
from redblue.cli.computation import Computation
from redblue.cli.counted_answers import Counted, counted_as_good, counted_member, curve_of
from redblue.cli.effort_sentences import sentence_of_effort
from redblue.cli.files import json_text, require_folder, write_all
from redblue.cli.options import (
    CORES,
    GIGABYTE,
    BoundNames,
    DaskAddress,
    EffortName,
    Jobs,
    Memories,
    OrderFile,
    PriceOfWork,
    RulesName,
    SchedulerNames,
    StoreFile,
    effort_of,
    methods,
)
from redblue.cli.processors import Processors, WordPrice, compare_together
from redblue.cli.sweeping import sweeping
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dags import CDAG
    from redblue.answers.results import IOCurve, Row
    from redblue.cli.options import Methods
    from schedulers import Scheduler

FEW_SIZES = 6  # of memory, that are told one by one


def curve(
    computation: Computation,
    memory: Memories = None,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    out: Annotated[Path | None, "DIR"] = None,
    jobs: Jobs = CORES,
    seed: int = 0,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    store: StoreFile = None,
    dask: DaskAddress = None,
    keep: bool = False,
    retry: bool = False,
    order: OrderFile = None,
    processors: Processors = None,
    g: WordPrice = 1,
    effort: EffortName = None,
    counted: Counted = False,
) -> Answer:
    """Draw the I/O of schedulers and its lower bounds against the memory size.

    With a store it can be interrupted, or killed, and goes on where it was.

    Parameters
    ----------
    out
        Write curve.csv, .json, .png, .svg and .pdf there.
    seed
        Seed of schedulers that draw at random.
    time_limit
        Seconds for the whole command, with loading and compiling; with a --store or --dask for
        each method at each size of memory.
    memory_limit
        Gigabytes for each of them; takes a --store.
    keep
        Keep schedules and certificates in the store too.
    retry
        Try again what failed, as the store has it.
    """
    from dags.errors import one_line
    from redblue.answers.curves.curve import io_curve
    from redblue.answers.memories import is_range, parse_memories
    from redblue.answers.prices import require_price

    require_folder(out)
    word, spec = computation.word_of(memory), computation.name
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, bounds, rules)
    hardness = effort_of(effort, schedulers, bounds, store, dask)
    require_store(store, keep=keep, retry=retry)
    require_limits(time_limit, memory_limit, kept=store is not None or dask is not None)
    taken: dict[str, object] = {"schedulers": schedulers, "bounds": bounds, "order": order}
    taken |= {"store": store, "price_of_work": price_of_work or None}
    require_price(price_of_work, chosen.rules, processors)
    taken |= computation.taken
    if (member := counted_member(spec, counted, **taken)) is not None:
        return written(curve_of(member, memories, chosen.rules), out)
    given = {**taken, "dask": dask, "processors": processors}
    if (found := counted_as_good(spec, memories, chosen.rules, hardness, **given)) is not None:
        return written(found, out)
    if processors is not None:
        named = [(spec, computation.load)]
        return compare_together(
            named, memories, chosen.rules, processors, g, time_limit=time_limit, out=out
        )
    most = None if memory_limit is None else int(memory_limit * GIGABYTE)
    kept = store is not None or dask is not None
    watch = Watch(None if kept else time_limit)
    how = {"keep": keep, "retry": retry, "memory_limit": most}
    with sweeping(store, dask, **how) as sweep, console.progress_bar("playing") as progress:

        def work() -> "IOCurve":
            watch.stage = f"loading {one_line(spec)}"
            graph = computation.load()
            watch.stage = "playing and proving"
            players = chosen.schedulers if order is None else with_order(order, graph, chosen)
            return io_curve(
                graph,
                memories,
                schedulers=players,
                bounds=chosen.bounds,
                rules=chosen.rules,
                seed=seed,
                time_limit=time_limit if kept else None,
                jobs=jobs,
                spec=spec,
                progress=progress,
                sweep=sweep,
                whole=is_range(memory),
                effort=hardness,
                price_of_work=price_of_work,
                deadline=watch.deadline,
            )

        result = watch.must(work, "there is no point of the curve yet", here=kept)
    require_any([result], watch)
    warn_counted(result)
    warn_failed(result, store, limited=watch.limit is not None)
    written(result, out)
    told = []
    if schedulers is None or bounds is None or effort is not None:
        told.append(sentence_of_effort(result, hardness))
    if any(len(row.loads) > len(result.memories) for row in result.whole):
        told.append(sentence_of_whole(result))
    return Facts(result.to_dict(), (*result.shown(), *told))


def written(result: "IOCurve", out: Path | None) -> "IOCurve":
    """Return a curve, which is written to the folder `out` if there is one."""
    warn_infeasible(result)
    if out is not None:
        from redblue.answers.curves.figures import curve_figure

        texts = {"curve.csv": result.to_csv(), "curve.json": json_text(result.to_dict())}
        texts |= {"whole.csv": whole_csv(result)} if result.whole else {}
        write_all(out, texts, {"curve": curve_figure(result)})
    return result


def with_order(order: Path, graph: "CDAG", chosen: "Methods") -> "list[str | Scheduler]":
    """Return the schedulers of a curve, and those that play in the order of a file."""
    from redblue.answers.curves.curve import default_schedulers
    from redblue.answers.own_orders import order_file, players_in

    named = default_schedulers(graph) if chosen.schedulers is None else chosen.schedulers
    return [*named, *players_in(order_file(order, graph))]


def require_store(store: Path | None, *, keep: bool, retry: bool) -> None:
    """Raise InvalidSpecError for an option that takes a store, where there is none."""
    from dags import InvalidSpecError

    if (keep or retry) and store is None:
        raise InvalidSpecError(f"--{'keep' if keep else 'retry'} takes a --store")


def require_limits(time_limit: float | None, memory_limit: float | None, *, kept: bool) -> None:
    """Raise InvalidSpecError for limits that are not positive, or that nothing would enforce.

    Parameters
    ----------
    time_limit, memory_limit
        Seconds and gigabytes; None for no limit.
    kept
        Whether worker processes compute, which can be limited.
    """
    from dags import InvalidSpecError

    if memory_limit is not None and not kept:
        raise InvalidSpecError("--memory-limit takes a --store")
    for what, limit in (("time", time_limit), ("memory", memory_limit)):
        if limit is not None and not limit > 0:
            raise InvalidSpecError(f"the {what} limit must be more than 0, not {limit:g}")


def warn_infeasible(result: "IOCurve") -> None:
    """Print the sizes of memory that were too small for all or for some schedulers."""
    small = [row for row in result.rows if row.status == "infeasible"]
    least = result.dag["min_memory"]
    for_all = [row.memory for row in small if row.memory < least]
    if for_all:
        few = max(for_all)
        console.say(f"note: {few} words are too few: these schedulers take {least} at least")
    for_some = [row for row in small if row.memory >= least]
    if for_some:
        few = max(row.memory for row in for_some)
        names = ", ".join(dict.fromkeys(row.method for row in for_some))
        console.say(f"note: {few} words are too few for schedulers that do not slide: {names}")


def warn_counted(result: "IOCurve") -> None:
    """Print the schedulers that have points counted and not replayed."""
    counted = [row for row in result.rows if row.status == "counted" and row.method != "best"]
    if counted:
        names = ", ".join(dict.fromkeys(row.method for row in counted))
        console.say(f"note: {len(counted)} points are counted exactly, not replayed: {names}")


def sentence_of_whole(result: "IOCurve") -> str:
    """Return which schedulers are known at every memory size, and where they were replayed."""
    first, *_ = result.whole
    names = " and ".join(row.method for row in result.whole)
    sizes, last = len(first.loads), first.first + len(first.loads) - 1
    return (
        f"{names}: all {sizes:,} sizes from {first.first:,} to {last:,} counted in one pass, "
        f"{len(first.replayed)} of them replayed by the engine, which counts the same"
    )


def require_any(curves: "Sequence[IOCurve]", watch: Watch) -> None:
    """End the command where its time was over before anything was played or proved."""
    if watch.limit is not None and not any(row.io for curve in curves for row in curve.rows):
        console.fail(f"{watch.why()}; nothing is played or proved yet", code=watch.code)


def warn_failed(result: "IOCurve", store: Path | None, *, limited: bool = False) -> None:
    """Print which cells failed, or were not done in the time."""
    from redblue.store.cells import FAILURES

    late = [row for row in result.rows if limited and row.status == "timed-out"]
    failed = [row for row in result.rows if row.status in FAILURES and row not in late]
    if failed:
        why = "" if store is None else f"; why: redblue store {store} --rows"
        console.say(f"note: {len(failed)} of the cells failed{why}")
    if late:
        names = dict.fromkeys(row.method for row in late)
        told = (f"{name} at {sizes_of(late, name)}" for name in names)
        console.say(f"note: not in the time: {', '.join(told)}")


def sizes_of(rows: "Sequence[Row]", method: str) -> str:
    """Return the memory sizes of a method's rows in a few words."""
    sizes = sorted({row.memory for row in rows if row.method == method})
    if len(sizes) > FEW_SIZES:
        return f"{len(sizes)} sizes"
    return f"M = {', '.join(f'{size:,}' for size in sizes)}"


def whole_csv(result: "IOCurve") -> str:
    """Return a line for each scheduler and memory size of the rows that are known at every size."""
    from dags.cdag.tables import csv_text

    rows = (
        (row.method, row.first + i, loads + stores, loads, stores)
        for row in result.whole
        for i, (loads, stores) in enumerate(zip(row.loads, row.stores, strict=True))
    )
    return csv_text(("method", "memory", "io", "loads", "stores"), rows)
