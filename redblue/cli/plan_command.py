"""``redblue plan``: how much memory for how much I/O."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from redblue.cli import console
from redblue.cli.computation import Asked, say_in_place, say_notes
from redblue.cli.files import require_file
from redblue.cli.options import Counted, EffortName, PriceOfWork, RulesName, TimeLimit
from redblue.cli.watch import Watch
from redblue.show.answer import Answer

if TYPE_CHECKING:
    from dags import Computation
    from redblue.answers.planning.plans import AnyPlan


def plan(
    computation: Asked,
    io_at_most: Annotated[str | None, "WORDS"] = None,
    memory: Annotated[str | None, "WORDS"] = None,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    out: Annotated[Path | None, "FILE"] = None,
    effort: EffortName = None,
    seed: int = 0,
    time_limit: TimeLimit = None,
    addresses: bool = False,
    alignment: int = 1,
    counted: Counted = False,
) -> Answer:
    """Find the fast memory that a computation needs for a given I/O, and where more memory pays.

    The answer is an interval if the best schedule and the lower bound do not meet. Exit code 3 if
    no memory is enough.

    Parameters
    ----------
    io_at_most
        Find the least memory for at most this I/O, in words or bytes: 1000, 64KB.
    memory
        Find the least I/O for this fast memory, in words or bytes: 1000, 64KB.
    out
        Write the schedule to this file: .npz or .jsonl. With --addresses also .json or .csv for a
        compiler, a picture of memory over time (.png, .svg, .pdf), or a folder for all of them.
    seed
        Seed of the random choices of searches.
    addresses
        Give every tensor an address within --memory: order, spills and offsets together. 'redblue
        check plan.json' checks the result.
    alignment
        Make every address a multiple of this many words, or bytes where memory is in bytes.
    """
    if addresses:
        from redblue.cli.placed_plans import placed

        options = {"rules": rules, "price_of_work": price_of_work, "time_limit": time_limit}
        return placed(computation, memory, out, seed=seed, alignment=alignment, **options)
    from dags.errors import one_line
    from pebble import require_schedule_suffix
    from redblue.answers.memories import parse_memory
    from redblue.answers.planning.least import NoMemoryIsEnoughError
    from redblue.answers.planning.plans import plan as find
    from redblue.cli.curve_command import require_limits

    if out is not None:
        require_schedule_suffix(out)
        require_file(out)
    word, spec = computation.word_of(io_at_most, memory), computation.name
    asked, io_words = (
        None if text is None else parse_memory(text, word) for text in (io_at_most, memory)
    )
    require_limits(time_limit, None, kept=False)
    watch = Watch(time_limit)
    watch.stage = f"loading {one_line(spec)}"
    try:
        with console.status_line() as show:

            def work() -> "tuple[Computation, AnyPlan]":
                asked_about = computation.load()
                return asked_about, find(
                    asked_about,
                    io_at_most=asked,
                    memory=io_words,
                    rules=rules,
                    price_of_work=price_of_work,
                    effort=effort or "normal",
                    seed=seed,
                    spec=spec,
                    progress=watch.telling(show),
                    deadline=watch.deadline,
                    counted=counted,
                    moves=out is not None,
                )

            asked_about, plan = watch.must(work, "nothing is planned yet")
    except NoMemoryIsEnoughError as error:
        console.fail(str(error), code=3)
    if asked_about.is_built:
        say_in_place(asked_about.dag, rules)
    say_notes(plan)
    if out is not None:
        plan.schedule.save(out, asked_about.dag)
        console.say(f"wrote {out}")
    return plan
