"""Commands of what may be left out: where it is, they are added as all others are."""

import typer

from redblue import leaves
from redblue.cli.commands import command

ANYTHING = {"allow_extra_args": True, "ignore_unknown_options": True}


def add(app: typer.Typer, *names: str) -> None:
    """Add commands of the papers, or such as say that they are not installed."""
    for name in names:
        if leaves.installed():
            app.command(name)(command(leaves.part("commands").COMMANDS[name]))
        else:
            app.command(name, help="Not installed.", context_settings=ANYTHING)(missing)


def missing(context: typer.Context) -> None:
    """Say that what a command belongs to is not installed."""
    leaves.part("commands")
