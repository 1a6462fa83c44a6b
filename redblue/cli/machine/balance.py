"""``redblue machine balance``: Kung's balance, of laws, of arrays, and of a DAG on a machine."""

from pathlib import Path
from typing import Annotated

import typer

from redblue.cli.machine.arguments import LawName
from redblue.cli.machine.element import Bandwidth, Compute, Level, Link, Rate, Sought, WordBytes
from redblue.cli.options import (
    CORES,
    BoundNames,
    Jobs,
    Json,
    MachineName,
    RulesName,
    SchedulerNames,
    methods,
    numbers,
)


def balance(
    dag: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="A computation to play; without it, the paper's tables."),
    ] = None,
    machine: MachineName = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Words of fast memory: with a DAG those to play with, 8:512 or 8,16,32, by "
            "default up to where all fits; else the one to grow, by default 1024 or the machine's."
        ),
    ] = None,
    alpha: Annotated[str, typer.Option(help="Growth of C / IO; with a DAG the first.")] = "2,3,4",
    side: Annotated[int, typer.Option(help="p of arrays of p^j elements.")] = 10,
    compute: Compute = None,
    bandwidth: Bandwidth = None,
    rate: Rate = None,
    level: Level = None,
    link: Link = None,
    word_bytes: WordBytes = None,
    law: LawName = None,
    schedulers: SchedulerNames = None,
    bounds: BoundNames = None,
    rules: RulesName = "one-shot",
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write roofline.png, .svg and .pdf there."),
    ] = None,
    jobs: Jobs = CORES,
    json: Json = False,
) -> None:
    """Say whether a computation waits for words on a machine, and what more arithmetic needs.

    Without --dag: Kung's tables, of the memory that C / IO grown by alpha asks for, of arrays
    that balance themselves, and of a machine and an array of it (by default Warp).
    """
    from redblue.cli.machine import balance_dag, balance_tables

    sought = Sought(machine, compute, bandwidth, rate, level, link, word_bytes)
    growths = numbers(alpha, float)
    if dag is None:
        balance_tables.show(sought, memory, growths, side, law, json=json)
        return
    chosen = methods(schedulers, bounds, rules)
    played = balance_dag.Played(dag, memory, growths[0], law, chosen, jobs)
    balance_dag.show(played, sought, out, json=json)
