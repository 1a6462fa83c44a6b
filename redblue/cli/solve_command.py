"""``redblue solve``: the best schedule, and a proof of its quality."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.computation import Asked, say_in_place
from redblue.cli.files import require_file
from redblue.cli.options import (
    GIGABYTE,
    Memory,
    OrderFile,
    PriceOfWork,
    RulesName,
)
from redblue.cli.processors import (
    LinksName,
    Processors,
    WordPrice,
    network_of,
    numbers_of,
    several_of,
    solved_together,
)
from redblue.cli.processors import solution_of as solution_together
from redblue.cli.value_options import Within
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts

if TYPE_CHECKING:
    from dags import CDAG
    from redblue.racing.solvers import Solver

OfPlan = Annotated[bool, typer.Option("--addresses", hidden=True)]
WORTH = 0.05  # seconds


def solve(
    computation: Asked,
    memory: Memory,
    rules: RulesName = "one-shot",
    price_of_work: PriceOfWork = 0.0,
    machine: Annotated[str | None, Within("rules", "machine")] = None,
    effort: Annotated[str | None, "NAME"] = None,
    time_limit: float | None = None,
    max_memory: float = 2.0,
    out: Annotated[Path | None, "FILE"] = None,
    certificate: Annotated[Path | None, "FILE"] = None,
    method: Annotated[str | None, "NAME"] = None,
    seed: int = 0,
    jobs: int = 1,
    order: OrderFile = None,
    processors: Processors = None,
    links: LinksName = None,
    g: WordPrice = 1,
    addresses: OfPlan = False,
    alignment: Annotated[int, typer.Option(hidden=True)] = 1,
) -> Answer:
    """Find the best schedule, and prove a lower bound on the I/O of every schedule.

    `redblue check` verifies both. Ctrl-C ends the search with the best schedule so far. Exit code
    3 if there is no schedule at all.

    With --rules recompute:machine=H100 it prints how long recomputation takes on this machine.

    Parameters
    ----------
    effort
        How hard to search: quick, normal, high, or seconds of work on a reference machine. The
        same effort gives the same answer on every machine. By default 60.
    time_limit
        Seconds for the whole command, with loading and compiling. By default none.
    max_memory
        Gigabytes of working memory for the exact search.
    out
        Write the schedule to this file: .npz or .jsonl.
    certificate
        Write the lower bound and its certificate to this file.
    method
        Use only this method: exact, cp-sat or search. By default all.
    seed
        Seed of the random choices of searches.
    jobs
        Processes that search for schedules and bounds in parallel.
    addresses
        As redblue plan --memory M --addresses.
    alignment
        As redblue plan --addresses --alignment N.
    """
    if addresses:
        from redblue.cli.placed_plans import placed

        console.say(
            "note: 'redblue solve --addresses' is 'redblue plan --addresses' now; the old name "
            "will go"
        )
        options = {"rules": rules, "price_of_work": price_of_work, "time_limit": time_limit}
        return placed(computation, memory, out, seed=seed, alignment=alignment, **options)
    from dags import InvalidSpecError
    from dags.errors import one_line
    from pebble import require_schedule_suffix, rules_named
    from proofs import save_bound
    from redblue.answers.memories import parse_memory
    from redblue.answers.prices import WorkClock, require_price
    from redblue.racing.race import Race
    from redblue.racing.solvers import solver_named
    from redblue.racing.solving import WORK, playable, raced, solution_of, work_of

    word, spec = computation.word_of(memory), computation.name
    words, game = parse_memory(memory, word), rules_named(rules)
    work_of(effort, time_limit)  # which knows the names of efforts
    for name, value in (("time limit", time_limit), ("memory limit", max_memory), ("jobs", jobs)):
        if value is not None and not value > 0:
            raise InvalidSpecError(f"the {name} must be more than 0, not {value:g}")
    if out is not None:
        require_schedule_suffix(out)
        require_file(out)
    require_file(certificate)
    require_price(price_of_work, game, processors)
    clock = None if machine is None else WorkClock.of(machine)
    single = None if method is None else solver_named(method)
    watch = Watch(time_limit)
    processors, links = network_of(processors, links)
    if processors is not None or links is not None:
        if jobs > 1:
            raise InvalidSpecError(
                f"one process searches for several processors: leave out --jobs {jobs}"
            )
        load = computation.built
        if processors is not None and len(numbers_of(processors)) > 1:
            files = {"--out": out, "--certificate": certificate, "--links": links}
            for option in (option for option, value in files.items() if value is not None):
                raise InvalidSpecError(f"{option} is for one number of processors, not several")
            count = len(numbers_of(processors))
            share = None if time_limit is None else time_limit / count
            limits: dict[str, Any] = {"time_limit": share, "work": WORK / count}
            return several_of(
                solution_together(load, spec, words, game, number, None, g, **limits)
                for number in processors.split(",")
            )
        limits = {"time_limit": time_limit, "work": WORK}
        found = solution_together(load, spec, words, game, processors, links, g, **limits)
        return solved_together(found, out=out)
    races: list[Race] = []
    loading = 0.0

    def work() -> None:
        nonlocal loading
        tell(f"loading {one_line(spec)}")
        graph = playable(computation.load(), words, game)
        loading = watch.seconds - watch.compiling
        solver = single if order is None else solver_in_file(order, method, graph)
        settings: dict[str, Any] = {"compilation_counts": watch.limit is not None}
        seconds, quick = work_of(effort, time_limit)
        budget = watch.budget(seconds, seed=seed, bytes=int(max_memory * GIGABYTE))
        race = Race(graph, words, game, budget, price_of_work=price_of_work, **settings)
        races.append(race)
        tell("looking for a first schedule")
        raced(race, solver, quick=quick, jobs=jobs, tell=tell)

    with console.status_line() as show:
        tell = watch.telling(show)
        watch.run(work, lambda: bool(races) and races[0].found is not None)
    if not races or races[0].found is None:
        console.fail(f"{watch.why()}; there is no schedule yet", code=watch.code)
    spent = {"loading": loading, "compiling": watch.compiling}
    race = races[0]
    say_in_place(race.dag, race.rules.name)
    solution = solution_of(race, spec, max(watch.seconds - sum(spent.values()), 0.0))
    if out is not None:
        solution.schedule.save(out, race.dag)
        console.say(f"wrote {out}")
    if certificate is not None:
        save_bound(solution.bound, race.dag, certificate)
        console.say(f"wrote {certificate}")
    times = {name: round(seconds, 6) for name, seconds in spent.items()}
    named = {} if clock is None else {"machine_seconds": clock.seconds(solution.again)}
    record = {**solution.to_dict(), **times, **named, "interrupted": watch.interrupted}
    timed = () if clock is None else (clock.sentence(solution.again),)
    text = "\n".join((*solution.lines(besides(spent)), *timed))
    if not watch.interrupted:
        return Facts(record, (text,))
    kept = "" if out is None else f", and in {out}"
    problem = f"{watch.why()}; the best schedule so far is printed above{kept}"
    return Facts(record, (text,), watch.code, problem)


def besides(spent: dict[str, float]) -> str:
    """The seconds of loading and compiling, where that is worth a word."""
    parts = [
        f"{seconds:.1f} s of {activity}" for activity, seconds in spent.items() if seconds >= WORTH
    ]
    return f", besides {' and '.join(parts)}" if parts else ""


def solver_in_file(order: Path, method: str | None, graph: "CDAG") -> "Solver":
    """The solver that plays in the order of a file."""
    from dags import InvalidSpecError
    from redblue.answers.own_orders import order_file, solver_in

    if method is not None:
        raise InvalidSpecError(f"--order uses the best eviction, not --method {method}")
    return solver_in(order_file(order, graph))
