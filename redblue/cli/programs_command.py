"""``redblue programs``: the loop nests that come with it."""

from redblue.cli import console
from redblue.cli.options import Json


def programs(json: Json = False) -> None:
    """List the built-in loop nests, their sizes, and what they compute."""
    from dags.programs.library import KERNELS, polybench

    entries = [
        {
            "name": f"polybench/{name}",
            "sizes": ", ".join(polybench(name).sizes),
            "results": ", ".join(kernel.live),
            "constants": ", ".join(kernel.constants),
            "about": kernel.about,
        }
        for name, kernel in sorted(KERNELS.items())
    ]
    if json:
        console.emit_json({"programs": entries})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("program", "sizes", "results", "constants", "computes"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "program")
    for entry in entries:
        table.add_row(*entry.values())
    console.emit_table(table)
