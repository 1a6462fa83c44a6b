"""``redblue verify``: the verdict on a schedule."""

from pathlib import Path
from typing import Annotated

from redblue.cli.computation import Reading, loaded
from redblue.cli.options import Memory, RulesName, Spec, Tile, WordBytes, Words, tiled
from redblue.cli.processors import LinksName, Processors, illegal, verify_together
from redblue.show.answer import Facts

REFEREE_MOVES = 200_000


def verify(
    spec: Spec,
    schedule: Annotated[Path, "SCHEDULE"],
    memory: Memory,
    rules: RulesName = "one-shot",
    processors: Processors = None,
    links: LinksName = None,
    word_bytes: WordBytes = None,
    tile: Tile = None,
    words: Words = None,
) -> Facts:
    """Play a schedule and print its cost, or where it is illegal (exit code 4).

    The referee judges up to 200,000 moves; longer schedules go to the engine.

    Parameters
    ----------
    schedule
        A .npz or .jsonl file.
    """
    from pebble import IllegalMoveError, Schedule, judge, play, rules_named
    from redblue.answers.memories import parse_memory

    reading = Reading(word_bytes=word_bytes, words=words)
    word = reading.word([spec], memory)
    size, game = parse_memory(memory, word), rules_named(rules)
    spec = tiled(spec, tile)
    graph = loaded(spec, recognise=False, words=words)
    moves = Schedule.load(schedule, graph)
    if processors is not None or moves.step is not None:
        return verify_together(graph, spec, schedule, moves, size, game, processors, links)
    by_referee = len(moves) <= REFEREE_MOVES
    verdict = {
        "spec": spec,
        "schedule": str(schedule),
        "memory": size,
        "rules": game.name,
        "moves": len(moves),
        "judge": "referee" if by_referee else "engine",
        **reading.record,
    }
    try:
        count = (judge if by_referee else play)(graph, moves, size, rules=game)
    except IllegalMoveError as error:
        return illegal(error, verdict)
    told = (
        f"legal: {count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored), "
        f"{count.computes:,} computations ({count.recomputes:,} of them again), "
        f"at most {count.peak:,} of {size:,} words in use"
    )
    return Facts({**verdict, "legal": True, **count.to_dict()}, (told,))
