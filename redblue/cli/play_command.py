"""``redblue play``: a page on which a play can be followed move by move."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from redblue.cli import console
from redblue.cli.computation import Asked
from redblue.cli.files import require_page
from redblue.cli.options import Memory, RulesName
from redblue.cli.processors import (
    LinksName,
    Processors,
    WordPrice,
    network_of,
    show_together,
    solution_of,
)
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts
from redblue.show.proofs_in_words import proved

if TYPE_CHECKING:
    from dags import CDAG
    from pebble import Rules, Schedule

InScheduler = Annotated[Path | None, typer.Option(hidden=True)]
SECONDS = 5.0  # of each search, where there is no limit
SENTENCE = (
    "{moves:,} moves, {io:,} words of I/O ({loads:,} loaded, {stores:,} stored): {source}. {proof}"
)


def play(
    computation: Asked,
    memory: Memory,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the page to this file: .html.")],
    scheduler: Annotated[str | None, "NAME|FILE"] = None,
    schedule: InScheduler = None,
    order: InScheduler = None,
    processors: Processors = None,
    links: LinksName = None,
    g: WordPrice = 1,
    rules: RulesName = "one-shot",
    time_limit: float | None = None,
    seed: int = 0,
) -> Answer:
    """Write a page that shows a schedule of a small DAG move by move.

    The page is one HTML file that needs no network. By default it shows the best schedule that a
    few seconds of search find.

    Parameters
    ----------
    scheduler
        Show the schedule of this scheduler (as in 'curve') or of this file. The file is a schedule
        (.npz or .jsonl) or an order of vertices (a label or number a line, or a JSON list).
    time_limit
        Seconds for the whole command, with loading and compiling. By default 5 seconds of work
        search for the best schedule and lower bound.
    seed
        Seed of the random choices of searches.
    """
    from dags import InvalidSpecError
    from dags.errors import one_line
    from pebble import require_memory, rules_named
    from redblue.answers.memories import parse_memory
    from redblue.cli.curve_command import require_limits
    from redblue.racing.race import Race
    from redblue.racing.solving import raced
    from redblue.racing.solving import solution_of as solution_by
    from redblue.show.player import require_small, save_player

    word, spec = computation.word_of(memory), computation.name
    words, game = parse_memory(memory, word), rules_named(rules)
    require_limits(time_limit, None, kept=False)
    processors, links = network_of(processors, links)
    if sum(source is not None for source in (schedule, scheduler, order)) > 1:
        raise InvalidSpecError("one schedule is shown: --scheduler takes one name or file")
    scheduler, schedule, order = moves_of(scheduler, schedule, order)
    require_page(out)
    if processors is not None or links is not None:
        options: dict[str, Any] = {"time_limit": time_limit, "work": SECONDS}
        load = computation.built
        together = solution_of(load, spec, words, game, processors, links, g, **options)
        return show_together(together, Path(spec).name, out)
    watch = Watch(time_limit)
    known: list[tuple[CDAG, tuple[Schedule, str] | None, Race]] = []

    def work() -> None:
        watch.stage = f"loading {one_line(spec)}"
        graph = computation.built()
        require_small(graph)
        require_memory(graph, words, rules=game)
        watch.stage = "looking for a schedule"
        ours, limits = _Game(graph, words, game), partial(_seconds, watch)
        chosen = chosen_moves(ours, schedule, scheduler, seed, limits())
        if order is not None:
            chosen = moves_in_order(ours, order, seed, limits())
        # also for moves that were given: a small DAG's best schedule is the best bound there is
        budget = watch.budget(seed=seed).at_most(limits())
        race = Race(graph, words, game, budget, compilation_counts=time_limit is not None)
        known.append((graph, chosen, race))
        raced(race, tell=watch.telling())

    watch.run(work, lambda: bool(known) and known[0][2].found is not None)
    if not known or known[0][2].found is None or watch.interrupted:
        console.fail(f"{watch.why()}; there is no page yet", code=watch.code)
    graph, chosen, race = known[0]
    solution = solution_by(race, spec, watch.seconds)
    moves, source = chosen or (solution.schedule, "the best schedule that was found")
    count = save_player(
        out,
        graph,
        moves,
        words,
        rules=game,
        title=Path(spec).name,
        lower_bound=solution.lower_bound,
        source=source,
    )
    console.say(f"wrote {out}")
    facts = {
        "memory": words,
        "source": source,
        "moves": len(moves),
        "io": count.io,
        "loads": count.loads,
        "stores": count.stores,
        "lower_bound": solution.lower_bound,
        "proved_by": solution.proved_by,
        "status": "optimal" if count.io == solution.lower_bound else "feasible",
        "page": str(out),
    }
    proof = proved(count.io, solution.lower_bound, solution.proved_by, "This one")
    record = {"dag": solution.dag, "rules": game.name, **facts}
    return Facts(record, (SENTENCE.format(**facts, proof=proof),))


def moves_of(
    scheduler: str | None, schedule: Path | None, order: Path | None
) -> tuple[str | None, Path | None, Path | None]:
    """The scheduler, the schedule or the order to show; None for each that is not.

    Parameters
    ----------
    scheduler
        The option: a name, or a file.
    schedule, order
        Options of the release before.
    """
    from pebble.schedule import SUFFIXES

    for name, file in (("schedule", schedule), ("order", order)):
        if file is not None:
            console.say(
                f"note: '--{name} {file}' is '--scheduler {file}' now; the old name will go"
            )
    if scheduler is None or not (suffix := Path(scheduler).suffix):
        return scheduler, schedule, order
    if suffix.lower() in SUFFIXES:
        return None, Path(scheduler), None
    return (None, None, Path(scheduler)) if Path(scheduler).is_file() else (scheduler, None, None)


def _seconds(watch: Watch) -> float:
    """The seconds of work of a search: all that there is time for, or the usual ones."""
    return SECONDS if watch.deadline is None else watch.deadline.left


class _Game(NamedTuple):
    dag: "CDAG"
    memory: int
    rules: "Rules"


def moves_in_order(
    game: _Game, order: Path, seed: int, time_limit: float
) -> "tuple[Schedule, str]":
    """The moves with the best eviction in the order of a file, and their source."""
    from redblue.answers.own_orders import order_file, solver_in
    from redblue.show.player import require_small

    search = solver_in(order_file(order, game.dag))
    result = search(
        game.dag, game.memory, rules=game.rules, seed=seed, time_limit=time_limit, max_memory=0
    )
    assert result.schedule is not None  # what does not fit has been refused
    require_small(game.dag, result.schedule)
    return result.schedule, result.method


def chosen_moves(
    game: _Game, schedule: Path | None, scheduler: str | None, seed: int, time_limit: float
) -> "tuple[Schedule, str] | None":
    """The moves to show and their source; None for those of the best schedule.

    Moves that are illegal, or too many, are told before anything is searched.
    """
    from pebble import Schedule, judge
    from redblue.show.player import require_small
    from schedulers import full_name, scheduler_named

    dag, memory, rules = game
    if scheduler is not None:
        player = scheduler_named(scheduler)
        chosen = player(dag, memory, rules=rules, seed=seed, time_limit=time_limit)
        require_small(dag, chosen)
        return chosen, full_name(scheduler)
    if schedule is not None:
        saved = Schedule.load(schedule, dag)
        require_small(dag, saved)
        judge(dag, saved, memory, rules=rules)
        return saved, schedule.name
    return None
