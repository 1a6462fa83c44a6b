"""``redblue compare``: schedulers side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from redblue.cli import console
from redblue.cli.computation import Reading
from redblue.cli.counted_answers import Counted, counted_member, curve_of
from redblue.cli.effort_sentences import sentence_of_effort
from redblue.cli.files import json_text, require_folder, write_all
from redblue.cli.options import (
    CORES,
    BoundNames,
    DaskAddress,
    EffortName,
    Jobs,
    Memories,
    PriceOfWork,
    RulesName,
    SchedulerNames,
    StoreFile,
    TimeLimit,
    effort_of,
    methods,
)
from redblue.cli.processors import Processors, WordPrice, compare_together
from redblue.cli.sweeping import sweeping
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts

if TYPE_CHECKING:
    from dags import CDAG
    from redblue.answers.comparison.comparison import Comparison
    from redblue.answers.sources import Source


def compare(
    specs: Annotated[list[str], "SPEC..."],
    reading: Reading,
    memory: Memories = None,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    order_loss: bool = False,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    processors: Processors = None,
    g: WordPrice = 1,
    out: Annotated[Path | None, "DIR"] = None,
    jobs: Jobs = CORES,
    store: StoreFile = None,
    dask: DaskAddress = None,
    effort: EffortName = None,
    time_limit: TimeLimit = None,
    counted: Counted = False,
) -> Answer:
    """Compare schedulers on one DAG or several, with the gap to the best bound.

    With a store it can be interrupted, or killed, and goes on where it was.

    Parameters
    ----------
    specs
        DAGs: generators with parameters, or files.
    order_loss
        Prove what each order costs at least, however values are evicted (small DAGs).
    out
        Write compare.json, and tables as .csv and .tex there.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from redblue.answers.comparison.compare import compare as run
    from redblue.answers.comparison.comparison import Comparison
    from redblue.answers.memories import parse_memories
    from redblue.answers.prices import require_price
    from redblue.cli.curve_command import (
        require_any,
        require_limits,
        warn_counted,
        warn_failed,
        warn_infeasible,
    )

    require_folder(out)
    word = reading.word(specs, memory)
    each = {spec: reading.of(spec) for spec in specs}
    memories = None if memory is None else parse_memories(memory, word)
    chosen = methods(schedulers, bounds, rules)
    hardness = effort_of(effort, schedulers, bounds, store, dask)
    taken: dict[str, object] = {
        "schedulers": schedulers,
        "bounds": bounds,
        "store": store,
        "words": reading.words,
        "family": reading.family,
    }
    taken |= {"processors": processors, "price_of_work": price_of_work or None}
    require_price(price_of_work, chosen.rules, processors)
    members = [counted_member(spec, counted, **taken, order_loss=order_loss) for spec in specs]
    known = [member for member in members if member is not None]
    if len(known) == len(specs):
        curves = tuple(curve_of(member, memories, chosen.rules) for member in known)
        return written(Comparison(chosen.rules, curves, {}), out)
    if known:
        laid = next(spec for spec, one in zip(specs, members, strict=True) if one is None)
        raise InvalidSpecError(
            f"{known[0].spec} is not laid out and {laid} is: compare them with --counted"
        )
    require_limits(time_limit, None, kept=False)
    if reading.family is not None and len(specs) > 1:
        raise InvalidSpecError(f"a family is for one DAG, not for {len(specs)}")
    if processors is not None:
        named = [(one.name, one.load) for one in each.values()]
        return compare_together(
            named, memories, chosen.rules, processors, g, time_limit=time_limit, out=out
        )
    watch = Watch(time_limit)

    by_name = {one.name: one.load for one in each.values()}

    def read(source: "Source") -> "CDAG":
        watch.stage = f"loading {one_line(str(source))}"
        load = by_name[str(source)]
        graph = load() if store is None else watch.must(load, "nothing is compared yet")
        watch.stage = f"playing and proving {one_line(str(source))}"
        return graph

    with sweeping(store, dask) as sweep, console.progress_bar("playing") as progress:

        def work() -> "Comparison":
            return run(
                [each[spec].name for spec in specs],
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
                reading=read,
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
    written(found, out)
    if effort is None and schedulers is not None and bounds is not None:
        return found
    lines = (f"{curve.title}: {sentence_of_effort(curve, hardness)}" for curve in found.curves)
    return Facts(found.to_dict(), (*found.shown(), "\n".join(lines)))


def written(found: "Comparison", out: Path | None) -> "Comparison":
    """Return a comparison, which is written to the folder `out` if there is one."""
    if out is not None:
        from redblue.show.reporting.tables import table_csv, table_latex

        texts = {"compare.json": json_text(found.to_dict())}
        for table in found.tables():
            texts[f"{table.name}.csv"] = table_csv(table)
            texts[f"{table.name}.tex"] = table_latex(table, table.name)
        write_all(out, texts)
    return found
