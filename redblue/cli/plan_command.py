"""``redblue plan``: how much memory for how much I/O."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redblue.cli import console
from redblue.cli.counted_answers import Counted, answer_plan, counted_member
from redblue.cli.files import require_file
from redblue.cli.loading import loaded
from redblue.cli.options import (
    EffortName,
    Family,
    Json,
    NoRecognise,
    PriceOfWork,
    RulesName,
    Spec,
    Tile,
    TimeLimit,
    WordBytes,
    Words,
    tiled,
)
from redblue.cli.proofs_in_words import proved
from redblue.cli.units import word_of
from redblue.cli.watch import Watch

if TYPE_CHECKING:
    from dags import CDAG
    from redblue.planning.evidence import Choice
    from redblue.planning.least import Requirement
    from redblue.planning.plans import Plan


def plan(
    spec: Spec,
    io_at_most: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Find the least memory for so much I/O: 1000, 64KB."),
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Find the least I/O for so much memory.")
    ] = None,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the schedule of the answer: .npz or .jsonl."),
    ] = None,
    effort: EffortName = None,
    seed: Annotated[int, typer.Option(help="Seed of the searches.")] = 0,
    time_limit: TimeLimit = None,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    family: Family = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    counted: Counted = False,
    json: Json = False,
) -> None:
    """Find how much memory a computation needs for how much I/O, and where more memory pays.

    The answer is an interval where the schedule found and the bound proved do not meet. Exit code
    3 if no memory is enough.
    """
    from dags.errors import one_line
    from pebble import require_schedule_suffix, rules_named
    from redblue.cli.curve_command import require_limits
    from redblue.memories import parse_memory
    from redblue.planning.least import NoMemoryIsEnoughError
    from redblue.planning.plans import plan as find

    if out is not None:
        require_schedule_suffix(out)
        require_file(out)
    spec = tiled(spec, tile)
    word = word_of(spec, word_bytes, io_at_most, memory, attribute=sizes)
    asked, own = (
        None if text is None else parse_memory(text, word) for text in (io_at_most, memory)
    )
    taken = {"out": out, "family": family, "words": sizes, "price_of_work": price_of_work or None}
    if (member := counted_member(spec, counted, **taken)) is not None:
        answer_plan(member, asked, own, rules_named(rules), json)
        return
    require_limits(time_limit, None, kept=False)
    watch = Watch(time_limit)
    watch.stage = f"loading {one_line(spec)}"
    try:
        with console.status_line() as show:

            def work() -> "tuple[CDAG, Plan]":
                graph = loaded(
                    spec, family=family, recognise=not no_recognise, words=sizes, tell=not json
                )
                return graph, find(
                    graph,
                    io_at_most=asked,
                    memory=own,
                    rules=rules,
                    price_of_work=price_of_work,
                    effort=effort or "normal",
                    seed=seed,
                    spec=spec,
                    progress=watch.telling(show),
                    deadline=watch.deadline,
                )

            graph, found = watch.must(work, "nothing is planned yet")
    except NoMemoryIsEnoughError as error:
        console.fail(str(error), code=3)
    if out is not None:
        _answer(found).schedule.save(out, graph)
        console.say(f"wrote {out}")
    if json:
        console.emit_json(found.to_dict())
        return
    console.emit_text("\n".join(sentences(found)))


def _answer(found: "Plan") -> "Choice":
    """Return the choice whose schedule is wanted: the answer, or the end."""
    if found.requirement is not None:
        return found.requirement.choice
    return found.choice or found.end.choice


def sentences(found: "Plan") -> list[str]:
    """Return the plan, a line each."""
    from redblue.planning.evidence import words

    title = f"{Path(found.dag['spec']).name}, {found.rules.name}"
    price = f", {found.price_of_work:g} words an operation" * bool(found.price_of_work)
    lines = [f"{title}{price}: {found.dag['min_memory']:,} words of memory are the least", ""]
    if found.requirement is not None:
        what = f"move at most {words(found.requirement.cost):,} words"
        lines += [requirement_sentence(found.requirement, what)]
    if found.choice is not None and found.bound is not None:
        least = proved(found.choice.count.io, found.bound.io, found.bound.method)
        lines.append(f"M = {found.choice.memory:,}: {cost_of(found.choice)}. {least}")
    if found.knee is not None:
        lines.append(f"The knee is at M = {found.knee.memory:,}: {cost_of(found.knee)}")
    lines.append(requirement_sentence(found.end, "move nothing twice"))
    return lines


def requirement_sentence(found: "Requirement", what: str) -> str:
    """Return how much memory is needed for what."""
    below = "nothing runs" if found.bound is None else f"more must move, by {found.bound.method}"
    least = f"{found.at_least:,} words of memory (below that {below})"
    needed = least if found.known else f"between {least} and {found.choice.memory:,}"
    return f"To {what} you need {needed}: {cost_of(found.choice)}"


def cost_of(choice: "Choice") -> str:
    """Return what a choice costs, and by what."""
    from redblue.prices import again_phrase

    count, again = choice.count, again_phrase(choice.again, choice.count.io, choice.cost)
    return (
        f"{count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored){again}, "
        f"by {choice.method}" + (f", {choice.tiling}" if choice.tiling else "")
    )
