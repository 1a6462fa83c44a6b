"""Arguments and options that several commands share."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from pebble import Rules

T = TypeVar("T", int, float)
Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="A generator with parameters (fft:n=64; see 'redblue dags') or a file (.hdag .txt "
        ".mtx .dot .graphml .json .npz .edges .csv, .c .py, .onnx .pt2 .dask) with sizes and "
        "options: gemm.c:N=64, model.onnx:batch=1,tile=8, graph.json:words=bytes,family=fft:n=64. "
        "word=N are the bytes of a word, where memory is given in bytes: by default those of the "
        "elements of a text or a graph, else 8.",
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
        help="Play in this order: a label or number of a vertex a line, or a JSON list.",
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
        help="Words of fast memory: 64, or 8,16,32, or 8:512, or 8:512:10, or bytes: 64KB, 2MiB. "
        "By default from the least to where only compulsory I/O is left.",
        show_default=False,
    ),
]
Memory = Annotated[str, typer.Option(help="Words of fast memory: 64, 1e6; or bytes: 64KB, 2MiB.")]
WordBytes = Annotated[
    int | None,
    typer.Option("--word-bytes", metavar="N", hidden=True, help="As word=N at the end of SPEC."),
]
SchedulerNames = Annotated[
    str | None,
    typer.Option(
        "--schedulers",
        metavar="NAMES",
        help="structured, ORDER+EVICTION, an eviction for the natural order, or your own "
        "MODULE:FUNCTION; with commas. "
        "By default four of them, and structured where the family is known.",
    ),
]
BoundNames = Annotated[
    str | None,
    typer.Option(
        "--bounds",
        metavar="NAMES",
        help="Lower bounds, or your own MODULE:FUNCTION, with commas; default: those that apply "
        "and search nothing.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        help="Number of cells computed side by side; default: all cores.",
        show_default=False,
    ),
]

StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", help="Keep results there, and compute none that are there."
    ),
]
DaskAddress = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Compute on a Dask cluster: tcp://host:8786."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        help="Seconds for the whole command, with loading and compiling; what it cuts says so.",
        show_default=False,
    ),
]
EffortName = Annotated[
    str | None,
    typer.Option(
        "--effort",
        metavar="NAME",
        help="quick, normal, high, or seconds of work on a reference machine: how hard to search "
        "where schedules and bounds have not met, the same on every machine. By default normal; "
        "quick where methods are named, or results kept.",
    ),
]
RulesName = Annotated[
    str,
    typer.Option(
        "--rules",
        help="one-shot (each value is computed once), recompute (Hong and Kung), either with "
        "-sliding; or partial (operands are aggregated one by one).",
    ),
]
MachineName = Annotated[
    str | None,
    typer.Option("--machine", help="A machine of the catalogue; see 'redblue machine list'."),
]
PriceOfWork = Annotated[
    float,
    typer.Option(
        "--price-of-work",
        metavar="WORDS",
        help="Words that an operation counts as which is done again; takes --rules recompute.",
    ),
]

Tile = Annotated[
    str | None,
    typer.Option("--tile", metavar="N", hidden=True, help="As tile=N at the end of SPEC."),
]


def effort_of(effort: str | None, *chosen: object) -> str:
    """Return the effort that was asked for; by default "quick" if something was `chosen`.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    from redblue.answers.efforts import effort_named

    found = effort or ("quick" if any(one is not None for one in chosen) else "normal")
    effort_named(found)
    return found


def names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def numbers(text: str, kind: Callable[[str], T]) -> list[T]:
    """Return the numbers in a list with commas, each read by `kind`.

    Raises
    ------
    InvalidMachineError
        If there is none, or one cannot be read.
    """
    from redblue.answers.hardware import InvalidMachineError

    try:
        found = [kind(name) for name in names(text)]
    except ValueError:
        found = []
    if not found:
        raise InvalidMachineError(f"expected numbers with commas between them, not {text!r}")
    return found


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
    """Return the methods that options name.

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
        help="Do not build the DAG, also where it would fit: closed formulas answer.",
    ),
]
