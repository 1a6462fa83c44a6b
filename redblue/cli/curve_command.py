"""``redblue curve``: I/O against memory."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redblue.cli import console
from redblue.cli.counted_answers import Counted, counted_as_good, counted_member, curve_of
from redblue.cli.effort_sentences import sentence_of_effort
from redblue.cli.files import require_folder
from redblue.cli.loading import loaded
from redblue.cli.options import (
    CORES,
    GIGABYTE,
    BoundNames,
    DaskAddress,
    EffortName,
    Family,
    Jobs,
    Json,
    Memories,
    NoRecognise,
    OrderFile,
    PriceOfWork,
    RulesName,
    SchedulerNames,
    Spec,
    StoreFile,
    Tile,
    WordBytes,
    Words,
    effort_of,
    methods,
    tiled,
)
from redblue.cli.processors import Processors, WordPrice, compare_together
from redblue.cli.sweeping import sweeping
from redblue.cli.units import word_of
from redblue.cli.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.table import Table

    from dags import CDAG
    from redblue.cli.options import Methods
    from redblue.results import IOCurve, Row
    from schedulers import Scheduler

FEW_SIZES = 6  # of memory, that are told one by one


def curve(
    spec: Spec,
    memory: Memories = None,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write curve.csv, .json, .png, .svg and .pdf there."),
    ] = None,
    jobs: Jobs = CORES,
    seed: Annotated[int, typer.Option(help="Seed of schedulers that draw at random.")] = 0,
    time_limit: Annotated[
        float | None,
        typer.Option(
            help="Seconds for the whole command, with loading and compiling; with a --store or "
            "--dask for each method at each size of memory."
        ),
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(help="Gigabytes for each of them; takes a --store.")
    ] = None,
    store: StoreFile = None,
    dask: DaskAddress = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep schedules and certificates in the store too.")
    ] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try again what failed, as the store has it.")
    ] = False,
    order: OrderFile = None,
    processors: Processors = None,
    g: WordPrice = 1,
    effort: EffortName = None,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    family: Family = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    counted: Counted = False,
    json: Json = False,
) -> None:
    """Draw the I/O of schedulers and its lower bounds against the memory size.

    With a store it can be interrupted, or killed, and goes on where it was.
    """
    from dags.errors import one_line
    from redblue.curves.curve import io_curve
    from redblue.memories import is_range, parse_memories
    from redblue.prices import require_price

    spec = tiled(spec, tile)
    require_folder(out)
    word = word_of(spec, word_bytes, memory, attribute=sizes)
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, bounds, rules)
    hardness = effort_of(effort, schedulers, bounds, store, dask)
    require_store(store, keep=keep, retry=retry)
    require_limits(time_limit, memory_limit, kept=store is not None or dask is not None)
    taken: dict[str, object] = {"schedulers": schedulers, "bounds": bounds, "order": order}
    taken |= {"store": store, "price_of_work": price_of_work or None}
    require_price(price_of_work, chosen.rules, processors)
    if (member := counted_member(spec, counted, **taken, family=family, words=sizes)) is not None:
        show(curve_of(member, memories, chosen.rules), out, json=json)
        return
    given = {**taken, "family": family, "words": sizes, "dask": dask, "processors": processors}
    if (found := counted_as_good(spec, memories, chosen.rules, hardness, **given)) is not None:
        show(found, out, json=json)
        return
    if processors is not None:
        read = partial(
            loaded, spec, family=family, recognise=not no_recognise, words=sizes, tell=not json
        )
        compare_together(
            [(spec, read)],
            memories,
            chosen.rules,
            processors,
            g,
            time_limit=time_limit,
            out=out,
            as_json=json,
        )
        return
    most = None if memory_limit is None else int(memory_limit * GIGABYTE)
    kept = store is not None or dask is not None
    watch = Watch(None if kept else time_limit)
    how = {"keep": keep, "retry": retry, "memory_limit": most}
    with sweeping(store, dask, **how) as sweep, console.progress_bar("playing") as progress:

        def work() -> "IOCurve":
            watch.stage = f"loading {one_line(spec)}"
            graph = loaded(
                spec, family=family, recognise=not no_recognise, words=sizes, tell=not json
            )
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
    show(result, out, json=json)
    if json:
        return
    if schedulers is None or bounds is None or effort is not None:
        console.emit_text("\n" + sentence_of_effort(result, hardness))
    if any(len(row.loads) > len(result.memories) for row in result.whole):
        console.emit_text("\n" + sentence_of_whole(result))


def show(result: "IOCurve", out: Path | None, *, json: bool) -> None:
    """Write a curve to the folder `out`, if there is one, and print it.

    Parameters
    ----------
    result
        The curve.
    out
        A folder for files, or None.
    json
        Whether to print one JSON object.
    """
    warn_infeasible(result)
    if out is not None:
        for path in save(result, out):
            console.say(f"wrote {path}")
    if json:
        console.emit_json(result.to_dict())
        return
    console.emit_text(f"I/O (words) of {result.title}\n")
    console.emit_table(table_of(result), keys=1)
    if result.tiled:
        console.emit_text("\n" + "\n".join(tile_lines(result.tiled)))
    if len(result.memories) > 1:
        from redblue.curves.terminal import curve_text

        console.emit_text("\n" + curve_text(result))


def with_order(order: Path, graph: "CDAG", chosen: "Methods") -> "list[str | Scheduler]":
    """Return the schedulers of a curve, and those that play in the order of a file."""
    from redblue.curves.curve import default_schedulers
    from redblue.own_orders import order_file, players_in

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
    """Print which cells failed, or were not done in the time.

    Parameters
    ----------
    result
        The curve.
    store
        Where their errors are kept; None for nowhere.
    limited
        Whether there was a limit for all of them.
    """
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


def save(result: "IOCurve", folder: Path) -> list[Path]:
    """Write the table and the figure to `folder`, all or nothing; return the files."""
    import json

    from dags.cdag.files import writing
    from redblue.curves.figures import curve_figure, save_figure

    folder.mkdir(parents=True, exist_ok=True)
    table, data = folder / "curve.csv", folder / "curve.json"
    with writing(table) as new_table, writing(data) as new_data:
        new_table.write_text(result.to_csv())
        new_data.write_text(json.dumps(result.to_dict(), indent=1) + "\n")
        figures = save_figure(curve_figure(result), folder / "curve")
        more = [folder / "whole.csv"] if result.whole else []
        for path in more:
            path.write_text(whole_csv(result))
    return [table, data, *more, *figures]


def tile_lines(rows: "Iterable[Row]") -> "Iterator[str]":
    """Yield a line for each size of memory: the words that tiles move, their sides and loops."""
    for row in rows:
        yield f"M = {row.memory:,}, {row.io:,} words by {row.tiling}"


def whole_csv(result: "IOCurve") -> str:
    """Return a line for each scheduler and memory size of the rows that are known at every size."""
    from dags.cdag.tables import csv_text

    rows = (
        (row.method, row.first + i, loads + stores, loads, stores)
        for row in result.whole
        for i, (loads, stores) in enumerate(zip(row.loads, row.stores, strict=True))
    )
    return csv_text(("method", "memory", "io", "loads", "stores"), rows)


def table_of(result: "IOCurve") -> "Table":
    """Return the table of I/O, a line per memory, a column per method; the best upper is bold."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    uppers, lowers = result.methods("upper"), result.methods("lower")
    searched = () if result.effort is None else ("best found", "best bound")
    published = [one.name for one in result.references]
    again = {row.memory: row.again for row in result.rows if row.method == "best" and row.again}
    last = ("best / bound", *(("operations again",) if again else ()))
    for heading in ("M", *published, *uppers, *lowers, *searched, *last):
        table.add_column(heading.replace("+", "\n+"), justify="right")
    io = {(row.kind, row.method, row.memory): row.words for row in result.rows}
    for memory in result.memories:
        words = [io.get(("upper", method, memory)) for method in uppers]
        best = min((count for count in words if count is not None), default=None)
        shown = ["-" if count is None else f"{count:,}" for count in words]
        looks = ["bold" if count == best else "" for count in words]
        told = [console.styled(*each) for each in zip(shown, looks, strict=True)]
        known = [io.get(("lower", method, memory)) for method in lowers]
        floor = ["-" if count is None else f"{count:,}" for count in known]
        top, bottom = io.get(("upper", "best", memory)), io.get(("lower", "best", memory))
        gap = f"{top / bottom:.3f}" if top and bottom else "-"
        found = ["-" if count is None else f"{count:,}" for count in (top, bottom)]
        said = [dict(one.points).get(memory) for one in result.references]
        promised = ["-" if count is None else f"{count:,}" for count in said]
        ends = (gap, *((f"{again.get(memory, 0):,}",) if again else ()))
        table.add_row(f"{memory:,}", *promised, *told, *floor, *found[: len(searched)], *ends)
    return table
