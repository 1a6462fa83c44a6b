"""Arguments and options that several commands share."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from redblue.cli.value_options import Within

if TYPE_CHECKING:
    from pebble import Rules

T = TypeVar("T", int, float)
Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="The computation: a generator (fft:n=64; 'redblue dags' lists them) or a file. "
        "Graphs: .hdag .txt .mtx .dot .graphml .json .npz .edges .csv. Programs: .c .py. "
        "Models: .onnx .pt2 .dask. Sizes and options follow a colon: gemm.c:N=64, "
        "model.onnx:batch=1,tile=8, graph.json:words=bytes,family=fft:n=64. "
        "word=N sets the bytes of a word, by which memory in bytes is divided. "
        "By default a word is an element of the program or model; elsewhere it has 8 bytes.",
    ),
]
Family = Annotated[
    str | None,
    typer.Option(
        "--family", metavar="SPEC", hidden=True, help="As family=SPEC at the end of SPEC."
    ),
]
OrderFile = Annotated[
    Path | None,
    typer.Option(
        "--order",
        metavar="FILE",
        help="Compute the vertices in the order of this file: one label or number a line, or a "
        "JSON list.",
    ),
]
NoRecognise = Annotated[
    bool, typer.Option("--no-recognise", hidden=True, help="As recognise=no at the end of SPEC.")
]
Words = Annotated[
    str | None,
    typer.Option("--words", metavar="ATTR", hidden=True, help="As words=ATTR at the end of SPEC."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
GIGABYTE = 1 << 30  # bytes

CORES = os.cpu_count() or 1
Memories = Annotated[
    str | None,
    typer.Option(
        help="Fast memory in words: 64, a list 8,16,32, a range 8:512, or 8:512:10 for 10 sizes. "
        "Or in bytes: 64KB, 2MiB. By default a range from the smallest legal memory to the one "
        "with only compulsory I/O.",
        show_default=False,
    ),
]
Memory = Annotated[
    str, typer.Option(help="Fast memory in words: 64, 1e6; or in bytes: 64KB, 2MiB.")
]
WordBytes = Annotated[
    int | None,
    typer.Option("--word-bytes", metavar="N", hidden=True, help="As word=N at the end of SPEC."),
]
SchedulerNames = Annotated[
    str | None,
    typer.Option(
        "--schedulers",
        metavar="NAMES",
        help="Schedulers, separated by commas: structured (the family-specific schedule), "
        "ORDER+EVICTION, an eviction for program order, or your own MODULE:FUNCTION. "
        "By default four of ORDER+EVICTION, and structured if the family is known.",
    ),
]
BoundNames = Annotated[
    str | None,
    typer.Option(
        "--bounds",
        metavar="NAMES",
        help="Methods of lower bounds, separated by commas, or your own MODULE:FUNCTION. By "
        "default those that apply and need no search.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        help="Processes that work in parallel; by default one for each core.",
        show_default=False,
    ),
]

StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Save each result in this file, and reuse those that it has: an interrupted run "
        "continues.",
    ),
]
SweepStore = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Save each result in this file, and reuse those that it has: an interrupted run "
        "continues. Options follow a colon, FILE:keep,retry,seconds=60,gigabytes=4: keep "
        "schedules and certificates, retry failed cells, and limits of each cell.",
    ),
]
DaskAddress = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Compute on the Dask cluster at this address: tcp://host:8786.",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        help="Seconds for the whole command, with loading and compiling. A note says so where it "
        "has cut a search. By default no limit.",
        show_default=False,
    ),
]
EffortName = Annotated[
    str | None,
    typer.Option(
        "--effort",
        metavar="NAME",
        help="How hard to search for better schedules and bounds where a gap is left: quick, "
        "normal, high, or seconds of work on a reference machine. The same effort gives the same "
        "answer on every machine. By default normal; quick for laws, and with "
        "--schedulers, --bounds or --store.",
    ),
]
RulesName = Annotated[
    str,
    typer.Option(
        "--rules",
        help="Rules of the game: one-shot (each value is computed once), recompute (Hong and "
        "Kung), either with -sliding, or partial (operands are aggregated one by one). With "
        "recompute:price=3 a recomputed operation costs as much as 3 words.",
    ),
]
PriceOfWork = Annotated[float, Within("rules", "price")]

Tile = Annotated[
    str | None,
    typer.Option("--tile", metavar="N", hidden=True, help="As tile=N at the end of SPEC."),
]


def effort_of(effort: str | None, *chosen: object) -> str:
    """The effort that was asked for; by default "quick" if something was `chosen`.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    from redblue.answers.efforts import effort_named

    chosen_effort = effort or ("quick" if any(value is not None for value in chosen) else "normal")
    effort_named(chosen_effort)
    return chosen_effort


def names(text: str) -> list[str]:
    """The names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def numbers(text: str, kind: Callable[[str], T]) -> list[T]:
    """The numbers in a list with commas, each read by `kind`.

    Raises
    ------
    InvalidMachineError
        If there is none, or one cannot be read.
    """
    from redblue.answers.hardware import InvalidMachineError

    try:
        values = [kind(name) for name in names(text)]
    except ValueError:
        values = []
    if not values:
        raise InvalidMachineError(f"expected numbers with commas between them, not {text!r}")
    return values


@dataclass(frozen=True)
class Methods:
    """The schedulers, bounds and rules that a command's options name.

    Parameters
    ----------
    schedulers, bounds
        Names; None for the default ones.
    rules
        The rules of the game.
    """

    schedulers: list[str] | None
    bounds: list[str] | None
    rules: "Rules"


def methods(schedulers: str | None, bounds: str | None, rules: str) -> Methods:
    """The methods that options name.

    Raises
    ------
    UnknownNameError
        If a name is in no registry.
    """
    from pebble import rules_named
    from proofs import bound_named
    from schedulers import full_name

    game = rules_named(rules)
    players = None if schedulers is None else names(schedulers)
    provers = None if bounds is None else names(bounds)
    for name in players or []:
        full_name(name)
    for name in provers or []:
        bound_named(name)
    return Methods(players, provers, game)


Counted = Annotated[
    bool,
    typer.Option(
        "--counted",
        help="Do not build a large DAG even if it fits: answer by closed formulas.",
    ),
]
