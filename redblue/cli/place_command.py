"""``redblue place``: addresses for buffers with lifetimes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redblue.cli import console
from redblue.cli.files import json_text, require_file
from redblue.cli.options import TimeLimit
from redblue.cli.watch import Watch
from redblue.show.answer import Facts

if TYPE_CHECKING:
    from redblue.answers.placing.placing import Placing

PICTURES = (".png", ".svg", ".pdf")
SUFFIXES = (".csv", ".json", *PICTURES)
CAPACITY = typer.Option(
    help="Size of memory in the unit of the buffers: 1048576, 1MiB. By default the least that "
    "is enough."
)


def place(
    file: Annotated[Path, "FILE"],
    capacity: Annotated[str | None, CAPACITY] = None,
    alignment: int = 1,
    out: Annotated[Path | None, "FILE"] = None,
    time_limit: TimeLimit = None,
) -> Facts:
    """Give buffers addresses, so that no two share memory at the same time.

    It places the buffers, or proves that no placement exists (exit code 3), or reports that neither
    is known (exit code 3). An independent checker verifies the addresses.

    Parameters
    ----------
    file
        Buffers as CSV with the columns id,lower,upper,size; alignment and fixed offset may follow.
    alignment
        Make every offset a multiple of this.
    out
        Write the buffers with their offsets (.csv), the answer (.json), or a picture of memory
        over time (.png, .svg, .pdf) to this file.
    """
    from dags import FormatError
    from pebble.budget import under
    from redblue.answers.placing.placing import place as find

    if out is not None:
        if out.suffix.lower() not in SUFFIXES:
            raise FormatError(
                out, f"cannot be written: its name ends in none of {' '.join(SUFFIXES)}"
            )
        require_file(out)
    with under(Watch(time_limit).clock):
        placing = find(file, capacity, alignment=alignment)
    if out is not None and placing.offsets is not None:
        write(placing, out, file.name)
    return Facts(placing.to_dict(), placing.shown(), 0 if placing.offsets is not None else 3)


def write(placing: "Placing", out: Path, title: str) -> None:
    """Write an answer as its suffix says, and tell its name."""
    from dags.cdag.files import writing
    from redblue.answers.placing.pictures import memory_map
    from redblue.show.reporting.memory_maps import draw_map

    assert placing.offsets is not None
    assert placing.height is not None
    suffix = out.suffix.lower()
    with writing(out) as path:
        if suffix == ".csv":
            path.write_text(placing.to_csv(), encoding="utf-8", newline="")
        elif suffix == ".json":
            path.write_text(json_text(placing.to_dict()), encoding="utf-8")
        else:
            size = placing.found.capacity or placing.height
            draw_map(memory_map(placing.found.buffers, placing.offsets, size), title).savefig(path)
    console.say(f"wrote {out}")
