"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="A generator with parameters (fft:n=64; see 'redblue dags') or a file "
        "(.hdag .txt .mtx .dot .graphml .json .npz .edges .csv).",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
GIGABYTE = 1 << 30  # bytes

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
RulesName = Annotated[
    str,
    typer.Option(
        "--rules",
        help="one-shot (each value is computed once), recompute (Hong and Kung), "
        "and either with -sliding.",
    ),
]


def names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]
