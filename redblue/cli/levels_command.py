"""``redblue levels``: words across each boundary of a hierarchy of memories."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.loading import loaded
from redblue.cli.options import Json, Spec, Tile, WordBytes, Words, tiled
from redblue.cli.units import word_of

if TYPE_CHECKING:
    from dags import CDAG
    from redblue.hierarchies.results import Levels


def levels(
    spec: Spec,
    memories: Annotated[
        str | None,
        typer.Option(
            metavar="SIZES",
            help="Words of each level but the last, rising: 1K,32K,1M; or bytes: 32KB,1MiB.",
        ),
    ] = None,
    machine: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A machine whose memories are the levels: H100."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write table, figure, schedule and certificates there."),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Replay this schedule on the hierarchy instead."),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Search all plays of a small DAG instead.")
    ] = False,
    costs: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="Cost of a word at each boundary, for --exact; 1."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds for each bound, or for --exact.", show_default=False),
    ] = None,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    sizes: Words = None,
    json: Json = False,
) -> None:
    """Count the words across each boundary of a hierarchy, and prove how many must cross it.

    Plays of LRU, of furthest next use and of the best order that is found are plays of the whole
    hierarchy at once. Exit code 4 if a schedule to be verified is illegal.
    """
    from redblue.hierarchies import crossing
    from redblue.hierarchies.keeping import save_levels

    spec = tiled(spec, tile)
    word = word_of(spec, word_bytes, memories, attribute=sizes)
    known = crossing.known_levels(memories, machine, word)
    graph = loaded(spec, words=sizes, tell=not json)
    if verify is not None:
        _verify(graph, spec, verify, known.memories, json)
        return
    if exact:
        _search(graph, spec, known.memories, costs, time_limit, json)
        return
    chosen: Any = {"memories": memories} if machine is None else {"machine": machine}
    found = crossing.levels(graph, **chosen, word_bytes=word, time_limit=time_limit, spec=spec)
    written = [] if out is None else save_levels(found, graph, out)
    for path in written:
        console.say(f"wrote {path}")
    if json:
        console.emit_json(found.to_dict())
    else:
        _show(found)


def _show(found: "Levels") -> None:
    """Print a table of a hierarchy, a line a boundary."""
    from rich.table import Table

    console.emit_text(f"words across each boundary: {found.dag['spec']}, one-shot\n")
    table = Table(box=None, pad_edge=False)
    for heading in ("below", "above", "words below"):
        table.add_column(heading, justify="right" if heading == "words below" else "left")
    for play in found.plays:
        table.add_column(play.method, justify="right", overflow="fold")
    for heading in ("alone", "at least", "best / least"):
        table.add_column(heading, justify="right")
    for place, bound in enumerate(found.bounds):
        words = [play.words[place] for play in found.plays]
        table.add_row(
            found.names[place],
            found.names[place + 1],
            f"{found.memories[place]:,}",
            *(f"{one:,}" for one in words),
            f"{found.alone[place][1]:,}",
            f"{bound.io:,}",
            f"{words[-1] / bound.io:.2f}" if bound.io else "",
        )
    console.emit_table(table, keys=3)
    total, least = sum(found.best.words), sum(found.lower)
    console.emit_text(
        f"\n{found.best.method} moves {total:,} words across all boundaries, and every play "
        f"{least:,} at least; 'alone' is a play of that boundary by itself"
    )
    if found.best.tiling is not None:
        console.emit_text(found.best.tiling)
    for place, rate in enumerate(found.rates):
        if rate is not None:
            seconds = found.best.words[place] / rate
            console.emit_text(
                f"{found.names[place]} is fed with {rate:,.4g} words/s: {seconds:.4g} s at least "
                "for these words"
            )


def _verify(graph: "CDAG", spec: str, path: Path, memories: tuple[int, ...], json: bool) -> None:
    """Replay a schedule of a hierarchy, and print what it moves."""
    from pebble import IllegalMoveError, Machine, Schedule, judge_on, play_on
    from redblue.cli.verify_command import REFEREE_MOVES

    moves = Schedule.load(path)
    by_referee = len(moves) <= REFEREE_MOVES
    verdict = {"spec": spec, "schedule": str(path), "memories": list(memories)}
    try:
        count = (judge_on if by_referee else play_on)(graph, moves, Machine.levels(memories))
    except IllegalMoveError as error:
        if json:
            console.emit_json({**verdict, "legal": False, "error": str(error)})
        else:
            console.emit_text(f"illegal: {error}")
        raise typer.Exit(4) from None
    if json:
        console.emit_json({**verdict, "legal": True, **count.by_level()})
        return
    words = ", ".join(f"{one:,}" for one in count.words)
    peaks = ", ".join(f"{one:,}" for one in count.peaks)
    console.emit_text(f"legal: {words} words across the boundaries; at most {peaks} words in use")


def _search(
    graph: "CDAG",
    spec: str,
    memories: tuple[int, ...],
    costs: str | None,
    time_limit: float | None,
    json: bool,
) -> None:
    """Search for the cheapest play on a hierarchy, and print what it costs."""
    from dags import InvalidSpecError
    from pebble import Machine, judge_on
    from pebble.small.levels import least_cost

    texts = ["1"] * len(memories) if costs is None else costs.split(",")
    if len(texts) != len(memories) or not all(text.strip().isdecimal() for text in texts):
        raise InvalidSpecError(
            f"{len(memories)} boundaries take as many costs, whole numbers: not {costs}"
        )
    prices = [int(text) for text in texts]
    found = least_cost(graph, memories, prices, time_limit=time_limit)
    if found.schedule is None:
        console.fail(f"no play in the time; each costs {found.lower_bound:,} at least", code=3)
    count = judge_on(graph, found.schedule, Machine.levels(memories))
    if json:
        about = {"spec": spec, "memories": list(memories), "costs": prices}
        console.emit_json({**about, "cost": found.cost, "states": found.states, **count.by_level()})
        return
    words = ", ".join(f"{one:,}" for one in count.words)
    console.emit_text(
        f"optimal: cost {found.cost:,}, {words} words across the boundaries; "
        f"{found.states:,} states"
    )
