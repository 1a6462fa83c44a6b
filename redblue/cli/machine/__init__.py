"""``redblue machine``: the machine models, one file a subcommand; most are those of the papers."""

import typer

from redblue.cli.machine import balance, listing
from redblue.cli.part import add

app = typer.Typer(
    help="What I/O means for hardware: the models of five papers, and named machines.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("list")(listing.machines)
app.command("balance")(balance.balance)
for name in ("many-core", "mesh", "density", "qcd", "dirac", "split"):
    add(app, name)


@app.callback()
def machine(context: typer.Context) -> None:
    """Show the list of models if none is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)
