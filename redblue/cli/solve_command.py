"""``redblue solve``: the best schedule, and a proof of its quality."""

import time
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.counted_answers import counted_member, known_sentence
from redblue.cli.files import require_file
from redblue.cli.loading import loaded
from redblue.cli.options import (
    GIGABYTE,
    Family,
    Json,
    MachineName,
    Memory,
    NoRecognise,
    OrderFile,
    PriceOfWork,
    RulesName,
    Spec,
    Tile,
    WordBytes,
    Words,
    tiled,
)
from redblue.cli.processors import (
    LinksName,
    Processors,
    WordPrice,
    solve_together,
)
from redblue.cli.processors import (
    solution_of as solution_together,
)
from redblue.cli.proofs_in_words import proved
from redblue.cli.units import word_of
from redblue.cli.watch import Watch

if TYPE_CHECKING:
    from dags import CDAG
    from redblue.solutions import Solution
    from redblue.solvers import Solver


def solve(
    spec: Spec,
    memory: Memory,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    machine: MachineName = None,
    effort: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="quick, normal or high instead of a time: as for a size of a curve.",
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            help="Seconds, with loading and compiling; by default 60, or those of the effort.",
            show_default=False,
        ),
    ] = None,
    max_memory: Annotated[
        float, typer.Option(help="Gigabytes that the exact search may take.")
    ] = 2.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the schedule: .npz or .jsonl.")
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the bound with its certificate there."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only this one: exact, cp-sat or search. [default: all]"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the searches.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes on which schedules and bounds race.")] = 1,
    order: OrderFile = None,
    processors: Processors = None,
    links: LinksName = None,
    g: WordPrice = 1,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    family: Family = None,
    no_recognise: NoRecognise = False,
    sizes: Words = None,
    json: Json = False,
) -> None:
    """Find the best schedule in the time, and prove how good it is; `redblue check` verifies it.

    Ctrl-C ends the search with the best so far. Exit code 3 if there is no schedule at all.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from pebble import require_memory, require_schedule_suffix, rules_named
    from proofs import save_bound
    from redblue.bounding import quickly
    from redblue.efforts import effort_named
    from redblue.memories import parse_memory
    from redblue.prices import WorkClock, require_price
    from redblue.race import Race
    from redblue.racing.first_plays import take_any
    from redblue.solvers import solver_named
    from redblue.solving import run, solution_of

    word = word_of(spec, word_bytes, memory, attribute=sizes)
    words, game = parse_memory(memory, word), rules_named(rules)
    hardness = None if effort is None else effort_named(effort)
    if hardness is None and time_limit is None:
        time_limit = TIME_LIMIT
    for name, value in (("time limit", time_limit), ("memory limit", max_memory), ("jobs", jobs)):
        if value is not None and not value > 0:
            raise InvalidSpecError(f"the {name} must be more than 0, not {value:g}")
    if out is not None:
        require_schedule_suffix(out)
        require_file(out)
    require_file(certificate)
    require_price(price_of_work, game, processors)
    clock = None if machine is None else WorkClock.of(machine)
    alone = None if method is None else solver_named(method)
    spec = tiled(spec, tile)
    if (member := counted_member(spec, False)) is not None:
        console.fail(known_sentence(member, words, game))
    if processors is not None or links is not None:
        if jobs > 1:
            raise InvalidSpecError(
                f"play with several processors is found by one process: not --jobs {jobs}"
            )
        read = partial(
            loaded, spec, family=family, recognise=not no_recognise, words=sizes, tell=not json
        )
        found = solution_together(
            read, spec, words, game, processors, links, g, time_limit=time_limit or TIME_LIMIT
        )
        solve_together(found, out=out, as_json=json)
        return
    watch = Watch(time_limit)
    races: list[Race] = []
    loading = 0.0

    def work() -> None:
        nonlocal loading
        tell(f"loading {one_line(spec)}")
        graph = loaded(spec, family=family, recognise=not no_recognise, words=sizes, tell=not json)
        loading = watch.seconds - watch.compiling
        require_memory(graph, words, rules=game)
        solver = alone if order is None else solver_in_file(order, method, graph)
        how: dict[str, Any] = {"compilation_counts": watch.limit is not None}
        end = inf if watch.end is None else watch.end
        if hardness is not None:
            end = min(end, time.monotonic() + (hardness.most or inf))
        race = Race(
            graph, words, game, seed, end, watch.stopped, price_of_work=price_of_work, **how
        )
        races.append(race)
        tell("looking for a first schedule")
        if hardness is not None and not hardness.seconds:
            quickly(race, tell)
            return
        take_any(race)
        run(race, solver, max_memory=int(max_memory * GIGABYTE), jobs=jobs, tell=tell)

    with console.status_line() as show:
        tell = watch.telling(show)
        watch.run(work, lambda: bool(races) and races[0].found is not None)
    if not races or races[0].found is None:
        console.fail(f"{watch.why()}; there is no schedule yet", code=watch.code)
    spent = {"loading": loading, "compiling": watch.compiling}
    race = races[0]
    solution = solution_of(race, spec, max(watch.seconds - sum(spent.values()), 0.0))
    if out is not None:
        solution.schedule.save(out, race.dag)
        console.say(f"wrote {out}")
    if certificate is not None:
        save_bound(solution.bound, race.dag, certificate)
        console.say(f"wrote {certificate}")
    if json:
        times = {name: round(seconds, 6) for name, seconds in spent.items()}
        named = {} if clock is None else {"machine_seconds": clock.seconds(solution.again)}
        told = {**solution.to_dict(), **times, **named, "interrupted": watch.interrupted}
        console.emit_json(told)
    else:
        timed = "" if clock is None else f"\n{clock.sentence(solution.again)}"
        console.emit_text(sentence(solution) + besides(spent) + tiles(solution) + timed)
    if watch.interrupted:
        kept = "" if out is None else f", and in {out}"
        console.fail(
            f"{watch.why()}; the best schedule so far is told above{kept}", code=watch.code
        )


WORTH = 0.05  # seconds
TIME_LIMIT = 60.0  # seconds


def besides(spent: dict[str, float]) -> str:
    """Return what loading and compiling took, where that is worth a word."""
    told = [f"{seconds:.1f} s of {what}" for what, seconds in spent.items() if seconds >= WORTH]
    return f", besides {' and '.join(told)}" if told else ""


def solver_in_file(order: Path, method: str | None, graph: "CDAG") -> "Solver":
    """Return the solver that plays in the order of a file."""
    from dags import InvalidSpecError
    from redblue.own_orders import order_file, solver_in

    if method is not None:
        raise InvalidSpecError(f"an order is played with its best eviction, not by {method}")
    return solver_in(order_file(order, graph))


def sentence(solution: "Solution") -> str:
    """Return the solution in two lines."""
    from redblue.prices import again_phrase

    count = solution.count
    again = again_phrase(solution.again, count.io, solution.cost)
    how = (
        f"optimal, proved by {solution.proved_by};"
        if solution.status == "optimal"
        else proved(count.io, solution.lower_bound, solution.proved_by)
    )
    return (
        f"{count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored) "
        f"with {solution.memory:,} words of fast memory{again}, by {solution.method}\n"
        f"{how} {solution.seconds:.1f} s"
    )


def tiles(solution: "Solution") -> str:
    """Return the line on the tiles of a program's loops, or ""."""
    if solution.tiled is None:
        return ""
    tiling, io = solution.tiled
    return f"\n{tiling}" + f" (by themselves {io:,} words)" * (io != solution.count.io)
