"""Commands with several processors: `--processors` leads here."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.files import json_text, write_all
from redblue.cli.value_options import Within
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts

if TYPE_CHECKING:
    from dags import CDAG
    from pebble import Machine, Rules, Schedule
    from redblue.answers.parallel import ParallelSolution, Speedups

MOST_DRAWN, MOST_SHOWN = 64, 50_000  # processors and moves that are drawn

Processors = Annotated[
    str | None,
    typer.Option(
        "--processors",
        metavar="P",
        help="Number of processors, each with its own --memory: 4, or 1,4,16 to compare. With a "
        "slow memory each, and links between neighbours: line:8, ring:8, mesh:4x4 or "
        "torus:2x2x2. 4:g=2 makes a step of words cost 2, where a step of computations costs 1.",
    ),
]
WordPrice = Annotated[float, Within("processors", "g")]
LinksName = Annotated[str | None, typer.Option("--links", metavar="NAME", hidden=True)]


def network_of(processors: str | None, links: str | None) -> tuple[str | None, str | None]:
    """The number of processors and their links, either of which may be None.

    Parameters
    ----------
    processors
        The option: a number, several, or links that say the number.
    links
        The option of the release before.
    """
    if links is not None:
        console.say(f"note: '--links {links}' is '--processors {links}' now; the old name will go")
    elif processors is not None and processors[:1].isalpha():
        return None, processors
    return processors, links


def numbers_of(processors: str) -> list[int]:
    """The numbers of processors that an option names.

    Raises
    ------
    InvalidSpecError
        If it is no list of numbers, or one is out of range.
    """
    from dags import InvalidSpecError
    from dags.errors import shown
    from pebble import Machine

    words = processors.split(",")
    if not all(word.isascii() and word.isdigit() and len(word) < 9 for word in words):
        raise InvalidSpecError(
            f"processors are a number, or several with commas, not {shown(processors)}"
        )
    return [Machine.parallel(int(word), 1).processors for word in words]


def one_number_of(processors: str) -> int:
    """The number of processors that an option names; raises as `numbers_of`."""
    from dags import InvalidSpecError

    numbers = numbers_of(processors)
    if len(numbers) > 1:
        raise InvalidSpecError(f"give one number of processors, not {len(numbers)}")
    return numbers[0]


def costs_of(g: float) -> Any:
    """The prices of steps."""
    from dags import InvalidSpecError
    from pebble import Costs

    if not 0 <= g < float("inf"):
        raise InvalidSpecError(f"a step of words costs 0 or more, not {g:g}")
    return Costs(int(g) if float(g).is_integer() else g)


def machine_of(
    processors: str | None, links: str | None, memory: int, moves: "Schedule | None" = None
) -> "Machine":
    """The machine that options describe, or that a schedule is played on.

    Parameters
    ----------
    processors, links
        As the options have them; None for as many as the links or the schedule have.
    memory
        Words of each fast memory.
    moves
        A schedule; None where it is yet to be found.
    """
    from pebble import Machine, parse_links

    lattice = None if links is None else parse_links(links)
    known = 1 if moves is None else max(moves.processors, 1)
    number = lattice.processors if lattice else known
    number = number if processors is None else one_number_of(processors)
    has_own = moves is not None and moves.home is not None
    return Machine.parallel(number, memory, lattice, "own" if has_own else "shared")


def solution_of(
    read: "Callable[[], CDAG]",
    spec: str,
    memory: int,
    rules: "Rules",
    processors: str | None,
    links: str | None,
    g: float,
    *,
    time_limit: float | None,
    work: float,
) -> "ParallelSolution":
    """Return the cheapest play by several processors; end the command where its time is over."""
    from dags.errors import one_line
    from redblue.answers.parallel import solve_parallel

    machine, costs = machine_of(processors, links, memory), costs_of(g)
    watch = Watch(time_limit)

    def play() -> "ParallelSolution":
        watch.stage = f"loading {one_line(spec)}"
        dag = read()
        watch.stage = f"scheduling on {machine.processors} processors"
        return solve_parallel(
            dag,
            memory,
            machine.processors,
            rules=rules,
            costs=costs,
            links=machine.links,
            time_limit=watch.budget(work).left,
            spec=spec,
        )

    return watch.must(play, "there is no schedule yet")


def solved_together(solution: "ParallelSolution", *, out: Path | None = None) -> Answer:
    """The cheapest play by several processors, which is written to the file `out`."""
    if out is not None:
        solution.schedule.save(out)
        console.say(f"wrote {out}")
    return solution


def several_of(solutions: "Iterable[ParallelSolution]") -> Facts:
    """The cheapest plays by several numbers of processors, one after the other."""
    solved = list(solutions)
    parts = [
        part
        for solution in solved
        for part in (f"{solution.machine.processors} processors", *solution.shown())
    ]
    return Facts({"solutions": [solution.to_dict() for solution in solved]}, tuple(parts))


def show_together(solution: "ParallelSolution", title: str, out: Path) -> Answer:
    """Write the page of a play by several processors, and return the play."""
    from dags import InvalidSpecError
    from dags.cdag.files import writing
    from redblue.answers.parallel.pages import processors_page

    moves = len(solution.schedule)
    if moves > MOST_SHOWN or solution.machine.processors > MOST_DRAWN:
        raise InvalidSpecError(
            f"{moves:,} moves by {solution.machine.processors} processors are too many to show: "
            f"up to {MOST_SHOWN:,} by {MOST_DRAWN}"
        )
    with writing(out) as temporary:
        temporary.write_text(processors_page(solution, title), encoding="utf-8")
    console.say(f"wrote {out}")
    return solved_together(solution)


def compare_together(
    graphs: "Sequence[tuple[str, Callable[[], CDAG]]]",
    memories: Sequence[int] | None,
    rules: "Rules",
    processors: str,
    g: float,
    *,
    time_limit: float | None,
    out: Path | None,
) -> Facts:
    """Cost, speed-up and words against the number of processors and their memory."""
    from dags import InvalidSpecError
    from dags.errors import one_line
    from redblue.answers.parallel import speedups

    if memories is None:
        raise InvalidSpecError(
            "several processors are compared at given sizes: --memory is missing"
        )
    numbers, costs, watch = numbers_of(processors), costs_of(g), Watch(time_limit)
    count = len(graphs) * len(memories) * len(numbers)
    share = None if watch.deadline is None else watch.deadline.left / count

    def work() -> "list[Speedups]":
        finished = []
        for spec, read in graphs:
            watch.stage = f"loading {one_line(spec)}"
            dag = read()
            watch.stage = f"scheduling {one_line(spec)}"
            finished.append(
                speedups(
                    dag, memories, numbers, rules=rules, costs=costs, time_limit=share, spec=spec
                )
            )
        return finished

    comparisons = watch.must(work, "not all numbers of processors are done")
    if out is not None:
        save(comparisons, out)
    record = {"comparisons": [comparison.to_dict() for comparison in comparisons]}
    return Facts(record, tuple(part for comparison in comparisons for part in comparison.shown()))


def save(found: "Sequence[Speedups]", folder: Path) -> None:
    """Write processors.json, .csv and a figure for each DAG to `folder`."""
    from dags.cdag.tables import csv_text
    from redblue.answers.parallel.figures import speedup_figure

    names = tuple(vars(found[0].rows[0]))
    rows = [
        (comparison.dag["spec"], *vars(row).values())
        for comparison in found
        for row in comparison.rows
    ]
    texts = {
        "processors.json": json_text([comparison.to_dict() for comparison in found]),
        "processors.csv": csv_text(("dag", *names), rows),
    }
    numbers = [f"-{place}" * (len(found) > 1) for place in range(1, len(found) + 1)]
    drawn = zip(numbers, found, strict=True)
    write_all(
        folder,
        texts,
        {f"processors{place}": speedup_figure(comparison) for place, comparison in drawn},
    )
