"""``redblue verify``: the verdict on a schedule."""

from pathlib import Path
from typing import Annotated

import typer

from redblue.cli import console
from redblue.cli.loading import loaded
from redblue.cli.options import (
    Json,
    Memory,
    RulesName,
    Spec,
    Tile,
    WordBytes,
    Words,
    tiled,
)
from redblue.cli.processors import LinksName, Processors, verify_together
from redblue.cli.units import word_of

REFEREE_MOVES = 200_000


def verify(
    spec: Spec,
    schedule: Annotated[Path, typer.Argument(metavar="SCHEDULE", help="A .npz or .jsonl file.")],
    memory: Memory,
    rules: RulesName = "one-shot",
    processors: Processors = None,
    links: LinksName = None,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    sizes: Words = None,
    json: Json = False,
) -> None:
    """Play a schedule and print its cost, or where it is illegal (exit code 4).

    The referee judges up to 200,000 moves; longer schedules go to the engine.
    """
    from pebble import IllegalMoveError, Schedule, judge, play, rules_named
    from redblue.memories import parse_memory

    word = word_of(spec, word_bytes, memory, attribute=sizes)
    words, game = parse_memory(memory, word), rules_named(rules)
    spec = tiled(spec, tile)
    graph = loaded(spec, recognise=False, words=sizes)
    moves = Schedule.load(schedule, graph)
    if processors is not None or moves.step is not None:
        verify_together(graph, spec, schedule, moves, words, game, processors, links, as_json=json)
        return
    by_referee = len(moves) <= REFEREE_MOVES
    verdict = {
        "spec": spec,
        "schedule": str(schedule),
        "memory": words,
        "rules": game.name,
        "moves": len(moves),
        "judge": "referee" if by_referee else "engine",
    }
    try:
        count = (judge if by_referee else play)(graph, moves, words, rules=game)
    except IllegalMoveError as error:
        problem = {
            "step": error.step,
            "move": error.move,
            "vertex": error.vertex,
            "rule": error.rule.name,
            "message": str(error),
        }
        if json:
            console.emit_json({**verdict, "legal": False, "error": problem})
        else:
            console.emit_text(f"illegal: {error}")
        raise typer.Exit(4) from None
    if json:
        console.emit_json({**verdict, "legal": True, **count.to_dict()})
        return
    console.emit_text(
        f"legal: {count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored), "
        f"{count.computes:,} computations ({count.recomputes:,} of them again), "
        f"at most {count.peak:,} of {words:,} words in use"
    )
