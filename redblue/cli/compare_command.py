"""``redblue compare``: schedulers side by side."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redblue.cli import console
from redblue.cli.counted_answers import Counted, counted_member, curve_of
from redblue.cli.effort_sentences import sentence_of_effort
from redblue.cli.files import require_folder
from redblue.cli.loading import loaded
from redblue.cli.options import (
    CORES,
    BoundNames,
    DaskAddress,
    EffortName,
    Family,
    Jobs,
    Json,
    Memories,
    NoRecognise,
    PriceOfWork,
    RulesName,
    SchedulerNames,
    StoreFile,
    Tile,
    TimeLimit,
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
    from rich.table import Table
    from rich.text import Text

    from dags import CDAG
    from redblue.comparison.comparison import Comparison
    from redblue.sources import Source


def compare(
    specs: Annotated[
        list[str],
        typer.Argument(metavar="SPEC...", help="DAGs: generators with parameters, or files."),
    ],
    memory: Memories = None,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    order_loss: Annotated[
        bool,
        typer.Option(
            "--order-loss",
            help="Prove what each order costs at least, however values are evicted (small DAGs).",
        ),
    ] = False,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    processors: Processors = None,
    g: WordPrice = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write compare.json, and tables as .csv and .tex there."),
    ] = None,
    jobs: Jobs = CORES,
    store: StoreFile = None,
    dask: DaskAddress = None,
    effort: EffortName = None,
    time_limit: TimeLimit = None,
    family: Family = None,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    counted: Counted = False,
    json: Json = False,
) -> None:
    """Compare schedulers on one DAG or several, with the gap to the best bound.

    With a store it can be interrupted, or killed, and goes on where it was.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from redblue.cli.curve_command import (
        require_any,
        require_limits,
        warn_counted,
        warn_failed,
        warn_infeasible,
    )
    from redblue.comparison.compare import compare as run
    from redblue.comparison.comparison import Comparison
    from redblue.memories import parse_memories
    from redblue.prices import require_price

    require_folder(out)
    word = word_of(specs, word_bytes, memory, attribute=sizes)
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, bounds, rules)
    hardness = effort_of(effort, schedulers, bounds, store, dask)
    taken: dict[str, object] = {
        "schedulers": schedulers,
        "bounds": bounds,
        "store": store,
        "words": sizes,
    }
    taken |= {"processors": processors, "family": family, "price_of_work": price_of_work or None}
    require_price(price_of_work, chosen.rules, processors)
    members = [counted_member(spec, counted, **taken, order_loss=order_loss) for spec in specs]
    known = [member for member in members if member is not None]
    if len(known) == len(specs):
        curves = tuple(curve_of(member, memories, chosen.rules) for member in known)
        show(Comparison(chosen.rules, curves, {}), out, json=json)
        return
    if known:
        laid = next(spec for spec, one in zip(specs, members, strict=True) if one is None)
        raise InvalidSpecError(
            f"{known[0].spec} is not laid out and {laid} is: compare them with --counted"
        )
    require_limits(time_limit, None, kept=False)
    if family is not None and len(specs) > 1:
        raise InvalidSpecError(f"a family is for one DAG, not for {len(specs)}")
    if processors is not None:
        read = partial(loaded, family=family, recognise=not no_recognise, words=sizes)
        named = [tiled(spec, tile) for spec in specs]
        compare_together(
            [(spec, partial(read, spec, tell=not json)) for spec in named],
            memories,
            chosen.rules,
            processors,
            g,
            time_limit=time_limit,
            out=out,
            as_json=json,
        )
        return
    watch = Watch(time_limit)

    def reading(source: "Source") -> "CDAG":
        watch.stage = f"loading {one_line(str(source))}"
        load = partial(
            loaded,
            str(source),
            family=family,
            recognise=not no_recognise,
            words=sizes,
            tell=not json,
        )
        graph = load() if store is None else watch.must(load, "nothing is compared yet")
        watch.stage = f"playing and proving {one_line(str(source))}"
        return graph

    with sweeping(store, dask) as sweep, console.progress_bar("playing") as progress:

        def work() -> "Comparison":
            return run(
                [tiled(spec, tile) for spec in specs],
                memories,
                schedulers=chosen.schedulers,
                bounds=chosen.bounds,
                rules=chosen.rules,
                jobs=jobs,
                order_loss=order_loss,
                progress=progress,
                sweep=sweep,
                effort=hardness,
                price_of_work=price_of_work,
                reading=reading,
                deadline=watch.deadline,
            )

        found = watch.must(work, "nothing is compared yet", here=store is not None)
    require_any(found.curves, watch)
    for curve in found.curves:
        warn_infeasible(curve)
        warn_counted(curve)
        warn_failed(curve, store, limited=time_limit is not None)
    if left := specs[len(found.curves) :]:
        console.say(f"note: not in the time: {', '.join(map(one_line, left))}")
    show(found, out, json=json)
    if json:
        return
    if effort is not None or schedulers is None or bounds is None:
        lines = (f"{curve.title}: {sentence_of_effort(curve, hardness)}" for curve in found.curves)
        console.emit_text("\n" + "\n".join(lines))


def show(found: "Comparison", out: Path | None, *, json: bool) -> None:
    """Write a comparison to the folder `out`, if there is one, and print it.

    Parameters
    ----------
    found
        The comparison.
    out
        A folder for files, or None.
    json
        Whether to print one JSON object.
    """
    if out is not None:
        for path in save(found, out):
            console.say(f"wrote {path}")
    if json:
        console.emit_json(found.to_dict())
        return
    console.emit_text(f"I/O (words), {found.rules.name}; how many times the best bound\n")
    console.emit_table(plays_table(found), keys=2)
    console.emit_text("\nOver all of them (geometric means)\n")
    console.emit_table(standings_table(found))


def save(found: "Comparison", folder: Path) -> list[Path]:
    """Write the comparison to `folder`, all or nothing; return the files."""
    import json
    from contextlib import ExitStack

    from dags.cdag.files import writing
    from redblue.comparison.tables import tables_of
    from redblue.reporting.tables import table_csv, table_latex

    folder.mkdir(parents=True, exist_ok=True)
    texts = {folder / "compare.json": json.dumps(found.to_dict(), indent=1) + "\n"}
    for table in tables_of(found):
        texts[folder / f"{table.name}.csv"] = table_csv(table)
        texts[folder / f"{table.name}.tex"] = table_latex(table, table.name)
    with ExitStack() as stack:
        for path, text in texts.items():
            stack.enter_context(writing(path)).write_text(text, encoding="utf-8")
    return list(texts)


def plays_table(found: "Comparison") -> "Table":
    """Return a line per DAG and memory, and a column per scheduler; the best is bold."""
    from rich.table import Table

    table = Table("DAG", box=None, pad_edge=False)
    for heading in ("M", *found.methods, "bound"):
        table.add_column(heading.replace("+", "\n+"), justify="right")
    plays = {(play.spec, play.memory, play.method): play for play in found.plays}
    for curve in found.curves:
        spec = curve.dag["spec"]
        for memory in curve.memories:
            line = [plays.get((spec, memory, method)) for method in found.methods]
            cells = [
                "-" if play is None else shown(play.io, play.over_bound, play.io == play.best)
                for play in line
            ]
            bound = next((play.bound for play in line if play is not None), None)
            name = Path(spec).name if memory == curve.memories[0] else ""
            table.add_row(name, f"{memory:,}", *cells, shown(bound, None, False))
    return table


def shown(words: int | None, ratio: float | None, bold: bool) -> "str | Text":
    """Return the words of a cell, with their ratio to the bound."""
    if words is None:
        return "-"
    text = f"{words:,}" if ratio is None else f"{words:,} {ratio:6.2f}"
    return console.styled(text, "bold") if bold else text


def standings_table(found: "Comparison") -> "Table":
    """Return a line per scheduler, best first: its gap to the bound, and the loss of its parts."""
    from rich.table import Table

    orders = bool(found.order_io)
    table = Table("scheduler", box=None, pad_edge=False)
    losses = ("order's loss", "eviction's loss") if orders else ()
    for heading in ("I/O / bound", "I/O / best", *losses, "best in", "of"):
        table.add_column(heading, justify="right")
    for one in sorted(found.standings, key=lambda one: one.over_best or float("inf")):
        means = [one.over_bound, one.over_best]
        means += [one.order_loss, one.eviction_loss] if orders else []
        cells = ["-" if mean is None else f"{mean:.3f}" for mean in means]
        table.add_row(one.method, *cells, str(one.first), str(one.played))
    return table
