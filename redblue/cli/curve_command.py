"""``redblue curve``: I/O against memory, and schedulers side by side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from redblue.cli import console
from redblue.cli.computation import Reading, loaded, say_notes
from redblue.cli.durations import A_RANGE, A_SIZE, say_how_long
from redblue.cli.effort_sentences import sentence_of_effort
from redblue.cli.files import json_text, require_folder, today, write_all
from redblue.cli.options import (
    CORES,
    GIGABYTE,
    BoundNames,
    Counted,
    DaskAddress,
    EffortName,
    Jobs,
    Memories,
    OrderFile,
    PriceOfWork,
    RulesName,
    SchedulerNames,
    SweepStore,
    effort_of,
    methods,
)
from redblue.cli.processors import Processors, WordPrice, compare_together
from redblue.cli.sweeping import sweeping
from redblue.cli.value_options import Within
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dags import Computation
    from pebble import Rules
    from redblue.answers.comparison.comparison import Comparison
    from redblue.answers.kernels import Kernel
    from redblue.answers.results import IOCurve, Row
    from redblue.answers.sources import Memories as AnyMemories
    from redblue.answers.sources import Source
    from redblue.cli.options import Methods
    from schedulers import Scheduler

FEW_SIZES = 6  # of memory, that are told one by one


def curve(
    specs: Annotated[list[str], "SPEC..."],
    reading: Reading,
    memory: Memories = None,
    compare: bool = False,
    order_loss: bool = False,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    out: Annotated[Path | None, "DIR"] = None,
    jobs: Jobs = CORES,
    seed: int = 0,
    time_limit: float | None = None,
    cell_limit: Annotated[float | None, Within("store", "seconds")] = None,
    memory_limit: Annotated[float | None, Within("store", "gigabytes")] = None,
    store: SweepStore = None,
    dask: DaskAddress = None,
    keep: Annotated[bool, Within("store", "keep")] = False,
    retry: Annotated[bool, Within("store", "retry")] = False,
    order: OrderFile = None,
    processors: Processors = None,
    g: WordPrice = 1,
    effort: EffortName = None,
    counted: Counted = False,
    code: bool = False,
) -> Answer:
    """Draw the I/O of schedules, and the lower bound on it, against the size of fast memory.

    For several computations, or a table of them (kernels.toml), it prints one line for each: the
    best schedule, the lower bound, and the I/O in program order. With --compare it shows
    schedulers side by side, with the gap to the best lower bound.

    Parameters
    ----------
    specs
        Computations: generators (fft:n=64), files (gemm.c:N=64), or tables of kernels (.toml).
    compare
        Compare schedulers: a table of the I/O of each, and their order over all sizes of memory.
    order_loss
        Also prove the least I/O of each scheduler's order with the best eviction (small DAGs).
    out
        Write curve.csv, .json, .png, .svg and .pdf into this folder. For several computations:
        compare.json, compare.png, .svg and .pdf, tables as .csv and .tex, and the page
        kernels.html.
    seed
        Seed of random schedulers.
    time_limit
        Seconds for the whole command, with loading and compiling. With --store or --dask, write
        --store FILE:seconds=60 for a limit on each cell.
    cell_limit
        Seconds for each cell.
    code
        Also show the I/O of the tiled C code of a loop nest (`redblue emit`). With --out, write a
        C file for each size of memory.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from redblue.answers.comparison.compare import compare as compared
    from redblue.answers.comparison.comparison import Comparison
    from redblue.answers.memories import is_range
    from redblue.answers.prices import require_price

    require_folder(out)
    chosen = methods(schedulers, bounds, rules)
    kernels, tabled = kernels_asked_for(specs, reading, memory, chosen.rules)
    names = [kernel.label for kernel in kernels]
    side_by_side = compare or order_loss
    comparing = side_by_side or tabled or len(kernels) > 1
    memories = kernels[0].sizes()
    kept_by_method = () if comparing else (store, dask)
    hardness = effort_of(effort, schedulers, bounds, *kept_by_method)
    distributed = store is not None or dask is not None
    kept = distributed and not comparing
    require_store(store, keep=keep, retry=retry)
    require_limits(time_limit, memory_limit, kept=distributed)
    limit_of_cells = cell_limit_of(cell_limit, time_limit, kept=kept, store=store)
    require_price(price_of_work, chosen.rules, processors)
    require_alone(comparing, names, family=reading.family, order=order, code=code or None)
    first = str(kernels[0].source)
    write = partial(written, out=out, spec=require_nest(first) if code else None)
    watch, in_process = Watch(None if kept else time_limit), store is not None or kept
    if processors is not None:
        if tabled:
            raise InvalidSpecError("--processors takes computations, not a table of kernels")
        loads = [(spec, reading.of(spec).built) for spec in specs]
        options: dict[str, Any] = {"time_limit": time_limit, "out": out}
        return compare_together(loads, memories, chosen.rules, processors, g, **options)
    loading = {str(kernel.source): partial(loaded, str(kernel.source)) for kernel in kernels}
    read = partial(loaded_in_time, loading, watch, in_process)
    limit = None if memory_limit is None else int(memory_limit * GIGABYTE)
    limits: dict[str, Any] = {"keep": keep, "retry": retry, "memory_limit": limit}
    work: Any
    with sweeping(store, dask, **limits) as sweep, console.progress_bar("playing") as progress:
        options = {"rules": chosen.rules, "bounds": chosen.bounds, "seed": seed, "jobs": jobs}
        options |= {"effort": hardness, "price_of_work": price_of_work, "deadline": watch.deadline}
        options |= {"progress": progress, "sweep": sweep, "counted": counted}
        if comparing:
            options |= {"schedulers": chosen.schedulers, "order_loss": order_loss, "reading": read}
            work = partial(compared, kernels, **options)
        else:
            options |= {"time_limit": limit_of_cells, "whole": is_range(memory)}
            work = partial(drawn, read, first, memories, order, chosen, **options)
        answer = watch.must(work, "there is no schedule or bound yet", in_process=in_process)
    curves = curves_of(answer)
    require_any(curves, watch)
    for curve_ in curves:
        say_notes(curve_, curve_.title if len(curves) > 1 else "")
        warn_counted(curve_)
        warn_failed(curve_, store, limited=watch.limit is not None)
    failed = answer.failed if isinstance(answer, Comparison) else {}
    for name, why in failed.items():
        console.say(f"note: {one_line(name)} {why}")
    finished = {*failed, *(answer.names if isinstance(answer, Comparison) else names)}
    if left := [name for name in names if name not in finished]:
        console.say(f"note: not finished within the time limit: {', '.join(map(one_line, left))}")
    answer = write(answer)
    if isinstance(answer, Comparison) and not side_by_side and schedulers is None:
        return Facts(answer.to_dict(), (answer.kernel_table(),))
    sentences = [sentence_of_effort(shown_curve, hardness) for shown_curve in curves]
    if comparing:
        pairs = zip(curves, sentences, strict=True)
        sentences = [
            "\n".join(
                f"{shown_curve.title}: {sentence}" for shown_curve, sentence in pairs if sentence
            )
        ]
    sentences = [sentence for sentence in sentences if sentence]
    if effort is None and schedulers is not None and bounds is not None:
        sentences = []
    sentences += [] if comparing else whole_sentences(curves[0])
    return Facts(answer.to_dict(), (*answer.shown(), *sentences))


def kernels_asked_for(
    specs: Sequence[str], reading: Reading, memory: str | None, rules: "Rules"
) -> "tuple[list[Kernel], bool]":
    """The kernels of specifications and tables, and whether there is a table.

    Parameters
    ----------
    specs, reading
        The arguments of the command, and the options by which computations are read.
    memory, rules
        Of kernels whose table does not say.
    """
    from dags.errors import one_line
    from redblue.answers.kernels import Kernel, is_table, kernels_in
    from redblue.answers.memories import parse_memories
    from redblue.answers.words import is_in_bytes, word_of, word_sentence

    plain = [spec for spec in specs if not is_table(spec)]
    word = reading.word(plain, memory) if plain else None
    sizes = None if memory is None or word is None else parse_memories(memory, word)
    sources = [spec if is_table(spec) else Kernel(reading.named(spec), sizes) for spec in specs]
    kernels = kernels_in(sources, memory, rules)
    notes: dict[str, list[str]] = {}
    for kernel in kernels:
        if kernel.place and is_in_bytes(kernel.memories):
            sizes_given = map(str, _sizes_in(kernel.memories))
            sentence = word_sentence(word_of(kernel.source), *sizes_given)
            notes.setdefault(sentence, []).append(one_line(kernel.label))
    for sentence, labels in notes.items():
        of = f"{', '.join(dict.fromkeys(labels))}: " if len(notes) > 1 else ""
        console.say_with_answer(f"note: {of}{sentence}")
    tabled = len(plain) < len(specs)
    return [
        replace(kernel, source=reading.named(kernel.source)) if kernel.place else kernel
        for kernel in kernels
    ], tabled


def _sizes_in(memories: "AnyMemories | None") -> tuple[object, ...]:
    return memories if isinstance(memories, tuple) else (memories,)


def require_alone(comparing: bool, specs: Sequence[str], **options: object) -> None:
    """Raise InvalidSpecError for options of one curve where several are compared."""
    from dags import InvalidSpecError

    for name, value in options.items():
        if value is not None and (len(specs) > 1 or (comparing and name in ("order", "code"))):
            raise InvalidSpecError(f"--{name} is for the curve of one DAG, not for a comparison")


def loaded_in_time(
    loads: "Mapping[str, Callable[[], Computation]]",
    watch: Watch,
    in_process: bool,
    source: "Source",
) -> "Computation":
    """A computation; the limit covers its loading also where a store does the work."""
    from dags.errors import one_line

    name = str(source)
    watch.stage = f"loading {one_line(name)}"
    computation = watch.must(
        loads[name], "there is no schedule or bound yet", in_process=not in_process
    )
    watch.stage = f"computing schedules and bounds of {one_line(name)}"
    return computation


def drawn(
    read: "Callable[[str], Computation]",
    spec: str,
    memories: "Sequence[int] | None",
    order: Path | None,
    chosen: "Methods",
    **options: Any,
) -> "IOCurve":
    """A curve, by the schedulers that were chosen, and such as play the order of a file."""
    from redblue.answers.curves.curve import io_curve
    from redblue.answers.own_orders import order_file, players_in
    from schedulers import default_schedulers

    computation = read(spec)
    players: Sequence[str | Scheduler] | None = chosen.schedulers
    if players is not None:
        share = A_RANGE if memories is None else A_SIZE * len(memories)
        say_how_long(computation, share * len(players))
    if order is not None:
        graph = computation.dag
        named = default_schedulers(graph) if players is None else players
        players = [*named, *players_in(order_file(order, graph))]
    return io_curve(computation, memories, schedulers=players, spec=spec, **options)


def curves_of(answer: "IOCurve | Comparison") -> "tuple[IOCurve, ...]":
    """The curves of a comparison, or the one that it is."""
    from redblue.answers.comparison.comparison import Comparison

    return answer.curves if isinstance(answer, Comparison) else (answer,)


def require_nest(spec: str) -> str:
    """A specification of a loop nest; raises as `prepared` where no code can be made."""
    from redblue.emission.emission import prepared

    prepared(spec)
    return spec


def written(
    answer: "IOCurve | Comparison", out: Path | None, spec: str | None = None
) -> "IOCurve | Comparison":
    """An answer, whose files are written to the folder `out` if there is one.

    Parameters
    ----------
    found, out
        The answer, and the folder.
    spec
        A loop nest of which code is emitted; its words are told, and `out` has its files.
    """
    from redblue.answers.comparison.pages import kernels_page
    from redblue.answers.curves.figures import curve_figure
    from redblue.answers.results import IOCurve
    from redblue.show.reporting.tables import table_csv, table_latex

    for curve in curves_of(answer):
        warn_infeasible(curve)
    files: dict[str, str] = {}
    if spec is not None and isinstance(answer, IOCurve):
        from redblue.emission.on_curves import emissions, files_of, with_code

        code, prices = emissions(spec, answer.memories)
        answer, files = with_code(answer, code, prices), files_of(code)
    if out is None:
        return answer
    record = json_text(answer.to_dict())
    if isinstance(answer, IOCurve):
        texts = {"curve.csv": answer.to_csv(), "curve.json": record, **files}
        texts |= {"whole.csv": whole_csv(answer)} if answer.whole else {}
        write_all(out, texts, {"curve": curve_figure(answer)})
        return answer
    texts = {"compare.json": record}
    for table in answer.tables():
        texts |= {f"{table.name}.csv": table_csv(table)}
        texts |= {f"{table.name}.tex": table_latex(table, table.name)}
    texts["kernels.html"] = kernels_page(answer, today())
    write_all(out, texts, {"compare": cast("Figure", answer.plot().figure)})
    return answer


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
    for name, limit in (("time", time_limit), ("memory", memory_limit)):
        if limit is not None and not limit > 0:
            raise InvalidSpecError(f"the {name} limit must be more than 0, not {limit:g}")


def cell_limit_of(
    cell_limit: float | None, time_limit: float | None, *, kept: bool, store: Path | None
) -> float | None:
    """The seconds for each cell of a curve; None for no limit.

    Parameters
    ----------
    cell_limit, time_limit
        Seconds for each cell, and for the whole command, as the options give them.
    kept
        Whether worker processes compute one curve, whose cells are limited.
    store
        The store; None for none.

    Raises
    ------
    InvalidSpecError
        If the limit of a cell is not positive, or is given for a comparison.
    """
    from dags import InvalidSpecError

    if cell_limit is None:
        if kept and time_limit is not None and store is not None:
            console.say(
                f"note: with --store, --time-limit limits each cell: write "
                f"'--store {store}:seconds={time_limit:g}'; in the next release it limits the "
                "whole command"
            )
        return time_limit if kept else None
    if not cell_limit > 0:
        raise InvalidSpecError(f"the seconds of a cell must be more than 0, not {cell_limit:g}")
    if not kept:
        raise InvalidSpecError("--store FILE:seconds=S is for one curve, not a comparison")
    if time_limit is not None:
        raise InvalidSpecError("a --store takes seconds=S for each cell, or --time-limit, not both")
    return cell_limit


def warn_infeasible(result: "IOCurve") -> None:
    """Print the sizes of memory that were too small for all or for some schedulers."""
    small = [row for row in result.rows if row.status == "infeasible"]
    minimum = result.dag["min_memory"]
    for_all = [row.memory for row in small if row.memory < minimum]
    if for_all:
        largest = max(for_all)
        console.say(f"note: {largest} words are too few: schedules need at least {minimum}")
    for_some = [row for row in small if row.memory >= minimum]
    if for_some:
        largest = max(row.memory for row in for_some)
        names = ", ".join(dict.fromkeys(row.method for row in for_some))
        console.say(
            f"note: {largest} words are enough for sliding schedulers only, not for {names}"
        )


def warn_counted(result: "IOCurve") -> None:
    """Print the schedulers that have points counted and not replayed."""
    counted = [row for row in result.rows if row.status == "counted" and row.method != "best"]
    if counted and not result.notes:
        names = ", ".join(dict.fromkeys(row.method for row in counted))
        console.say(
            f"note: {len(counted)} points are exact counts, without a replay of moves: {names}"
        )


def whole_sentences(result: "IOCurve") -> list[str]:
    """Which schedulers are known at more memory sizes, and where they were replayed."""
    known = [row for row in result.whole if len(row.loads) > len(result.memories)]
    if not known:
        return []
    first, names = known[0], " and ".join(row.method for row in result.whole)
    sizes, last = len(first.loads), first.first + len(first.loads) - 1
    return [
        f"{names}: I/O at all {sizes:,} sizes from {first.first:,} to {last:,}, counted in one "
        f"pass; the engine replayed {len(first.replayed)} of them and counted the same"
    ]


def require_any(curves: "Sequence[IOCurve]", watch: Watch) -> None:
    """End the command where its time was over before anything was played or proved."""
    if watch.limit is not None and not any(row.io for curve in curves for row in curve.rows):
        console.fail(f"{watch.why()}; there is no schedule or bound yet", code=watch.code)


def warn_failed(result: "IOCurve", store: Path | None, *, limited: bool = False) -> None:
    """Print which cells failed, or were not done in the time."""
    from redblue.sweeps.store.cells import FAILURES

    late = [row for row in result.rows if limited and row.status == "timed-out"]
    failed = [row for row in result.rows if row.status in FAILURES and row not in late]
    if failed:
        why = "" if store is None else f"; why: redblue store {store} --rows"
        console.say(f"note: {len(failed)} of the cells failed{why}")
    if late:
        names = dict.fromkeys(row.method for row in late)
        places = (f"{name} at {sizes_of(late, name)}" for name in names)
        console.say(f"note: not finished within the time limit: {', '.join(places)}")


def sizes_of(rows: "Sequence[Row]", method: str) -> str:
    """The memory sizes of a method's rows in a few words."""
    sizes = sorted({row.memory for row in rows if row.method == method})
    if len(sizes) > FEW_SIZES:
        return f"{len(sizes)} sizes"
    return f"M = {', '.join(f'{size:,}' for size in sizes)}"


def whole_csv(result: "IOCurve") -> str:
    """A line for each scheduler and memory size of the rows that are known at every size."""
    from dags.cdag.tables import csv_text

    rows = (
        (row.method, row.first + i, loads + stores, loads, stores)
        for row in result.whole
        for i, (loads, stores) in enumerate(zip(row.loads, row.stores, strict=True))
    )
    return csv_text(("method", "memory", "io", "loads", "stores"), rows)
