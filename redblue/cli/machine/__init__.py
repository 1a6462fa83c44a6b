"""``redblue machine``: the machine models, one file a subcommand."""

import typer

from redblue.cli.machine import balance, density, dirac, listing, many_core, mesh, qcd, split

app = typer.Typer(
    help="What I/O means for hardware: the models of five papers, and named machines.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("list")(listing.machines)
app.command("balance")(balance.balance)
app.command("many-core")(many_core.many_core)
app.command("mesh")(mesh.mesh)
app.command("density")(density.density)
app.command("qcd")(qcd.qcd)
app.command("dirac")(dirac.dirac)
app.command("split")(split.split)


@app.callback()
def machine(context: typer.Context) -> None:
    """Show the list of models if none is named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)
