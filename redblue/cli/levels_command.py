"""``redblue levels``: words across each boundary of a hierarchy of memories."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.computation import Asked, say_notes
from redblue.cli.durations import A_HIERARCHY, say_how_long
from redblue.cli.options import Counted
from redblue.cli.watch import Watch
from redblue.show.answer import Answer, Facts

if TYPE_CHECKING:
    from dags import Computation
    from redblue.answers.hierarchies.results import Levels

Prices = Annotated[
    str | None,
    typer.Option(
        "--prices",
        "--costs",
        metavar="N,N",
        help="Price of a word across each boundary, for the cheapest schedule: 1,5,60. By default "
        "1 each.",
    ),
]
EXACT = "exact"  # effort of an exhaustive search, which takes small DAGs alone
NOTHING = "no words are counted yet"


def levels(
    computation: Asked,
    memory: Annotated[str | None, "SIZES"] = None,
    machine: Annotated[str | None, "NAME"] = None,
    out: Annotated[Path | None, "DIR"] = None,
    verify: Annotated[Path | None, "FILE"] = None,
    exact: Annotated[bool, typer.Option("--exact", hidden=True)] = False,
    prices: Prices = None,
    effort: Annotated[str, "NAME"] = "quick",
    time_limit: float | None = None,
    counted: Counted = False,
) -> Answer:
    """Count the words across each boundary of a memory hierarchy, with a lower bound for each.

    Each schedule (LRU, furthest next use, the best order found) uses the whole hierarchy. Exit code
    4 if the schedule of --verify is illegal.

    Parameters
    ----------
    memory
        Size of each level but the last, from the fastest, in words: 1K,32K,1M; or in bytes:
        32KB,1MiB.
    machine
        Machine of the catalogue whose memories are the levels: H100.
    out
        Write table, figure, schedule and certificates into this folder.
    verify
        Check this schedule on the hierarchy instead, and count its words.
    effort
        How hard to prove bounds: quick, normal, high, or seconds of work on a reference machine.
        With exact it finds the cheapest schedule of a small DAG by exhaustive search instead.
    time_limit
        Seconds for the whole command, with loading and compiling.
    """
    from dags.errors import one_line
    from redblue.answers.hierarchies.crossing import known_levels
    from redblue.answers.hierarchies.crossing import levels as crossed
    from redblue.answers.hierarchies.keeping import save_levels
    from redblue.cli.curve_command import require_limits

    if exact:
        console.say("note: '--exact' is '--effort exact' now; the old name will go")
    word, spec = computation.word_of(memory, machine=machine), computation.name
    hierarchy = known_levels(memory, machine, word)
    require_limits(time_limit, None, kept=False)
    watch = Watch(time_limit)
    watch.stage = f"loading {one_line(spec)}"
    found_in = watch.must(computation.load, NOTHING)
    if verify is not None:
        judged = partial(_verified, found_in, spec, verify, hierarchy.memories)
        return watch.must(judged, NOTHING)
    if exact or effort == EXACT:
        searched = partial(_searched, found_in, spec, hierarchy.memories, prices, watch)
        return watch.must(searched, NOTHING)
    chosen: Any = {"memories": memory} if machine is None else {"machine": machine}
    chosen |= {"word_bytes": word, "spec": spec, "counted": counted, "prices": prices}
    chosen["effort"] = effort
    chosen["building"] = partial(say_how_long, rate=A_HIERARCHY)
    watch.stage = "computing schedules and bounds"

    def work() -> "Levels":
        return crossed(found_in, **chosen, time_limit=watch.left, moves=out is not None)

    answer = watch.must(work, NOTHING)
    say_notes(answer)
    for path in [] if out is None else save_levels(answer, found_in, out):
        console.say(f"wrote {path}")
    return answer


def _verified(asked: "Computation", spec: str, path: Path, memories: tuple[int, ...]) -> Facts:
    """Replay a schedule of a hierarchy, and return its words."""
    from pebble import IllegalMoveError, Machine, Schedule, judge_on, play_on
    from redblue.cli.check_command import REFEREE_MOVES

    moves = Schedule.load(path)
    by_referee = len(moves) <= REFEREE_MOVES
    verdict = {"spec": spec, "schedule": str(path), "memories": list(memories)}
    try:
        count = (judge_on if by_referee else play_on)(asked.dag, moves, Machine.levels(memories))
    except IllegalMoveError as error:
        record = {**verdict, "legal": False, "error": str(error)}
        return Facts(record, (f"illegal: {error}",), 4)
    words = ", ".join(f"{boundary:,}" for boundary in count.words)
    peaks = ", ".join(f"{peak:,}" for peak in count.peaks)
    sentence = f"legal: {words} words across the boundaries; at most {peaks} words in use"
    return Facts({**verdict, "legal": True, **count.by_level()}, (sentence,))


def _searched(
    asked: "Computation",
    spec: str,
    memories: tuple[int, ...],
    costs: str | None,
    watch: Watch,
) -> Facts:
    """Search for the cheapest play on a hierarchy, and return its cost."""
    from dags import InvalidSpecError
    from pebble import Machine, judge_on
    from pebble.small.levels import least_cost

    texts = ["1"] * len(memories) if costs is None else costs.split(",")
    if len(texts) != len(memories) or not all(text.strip().isdecimal() for text in texts):
        raise InvalidSpecError(
            f"{len(memories)} boundaries take as many costs, whole numbers: not {costs}"
        )
    prices = [int(text) for text in texts]
    solution = least_cost(asked.dag, memories, prices, time_limit=watch.budget().seconds)
    if solution.schedule is None:
        console.fail(
            f"no schedule was found in the time; every one costs at least {solution.lower_bound:,}",
            code=3,
        )
    count = judge_on(asked.dag, solution.schedule, Machine.levels(memories))
    about = {"spec": spec, "memories": list(memories), "costs": prices}
    record = {**about, "cost": solution.cost, "states": solution.states, **count.by_level()}
    words = ", ".join(f"{boundary:,}" for boundary in count.words)
    sentence = (
        f"optimal: cost {solution.cost:,}, {words} words across the boundaries; "
        f"{solution.states:,} states"
    )
    return Facts(record, (sentence,))
