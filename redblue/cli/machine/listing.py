"""``redblue machine list``: named machines."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from redblue.cli import console
from redblue.cli.options import Json

if TYPE_CHECKING:
    from redblue.hardware import Machine


def machines(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One machine; by default all.")
    ] = None,
    json: Json = False,
) -> None:
    """List the machines of the catalogue, every number with its unit and its source."""
    from rich.table import Table

    from redblue.hardware import MACHINES, machine_named

    chosen = MACHINES.values() if name is None else [machine_named(name)]
    if json:
        console.emit_json({"machines": [facts(machine) for machine in chosen]})
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("machine", "number", "value", "unit", "source", "year"):
        table.add_column(heading, justify="right" if heading == "value" else "left")
    for machine in chosen:
        table.add_row(machine.name, console.styled(machine.title, "italic"), style="bold")
        for entry in facts(machine)["numbers"]:
            value = f"{entry['value']:g}"
            what = f"{entry['section']} {entry['name']}"
            table.add_row("", what, value, entry["unit"], entry["source"], entry["date"])
    console.emit_table(table)


def facts(machine: "Machine") -> dict[str, Any]:
    """Return the catalogue's facts on `machine`; base values in flop/s, byte/s, byte, hertz."""
    from redblue.hardware.catalogue import SECTIONS

    clock = {} if machine.clock is None else {"": machine.clock}
    tables = {"clock": clock, **{section: getattr(machine, section) for section in SECTIONS}}
    found = [
        {
            "section": section,
            "name": name,
            "value": number.value,
            "unit": number.unit,
            "base": number.base,
            "fed_by": number.fed_by,
            "source": number.source.title,
            "date": number.source.date,
        }
        for section, table in tables.items()
        for name, number in table.items()
    ]
    return {
        "name": machine.name,
        "title": machine.title,
        "word_bytes": machine.word_bytes,
        "numbers": found,
    }
