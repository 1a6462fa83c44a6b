"""``redblue machine``: the machine models, one file a subcommand; most are those of the papers."""

import typer

from redblue.cli import listings
from redblue.cli.commands import command
from redblue.cli.machine import balance

app = typer.Typer(
    help="What I/O means for hardware: the models of five papers, and named machines.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("list")(command(listings.machines))
app.command("balance")(command(balance.balance))
MODELS = ("many-core", "mesh", "density", "qcd", "dirac", "split")  # added if they are installed


@app.callback()
def machine(context: typer.Context) -> None:
    """Show the list of models if none is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)
