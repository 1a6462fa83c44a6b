"""``redblue machine``: named machines, and whether a computation waits for their memories."""

from redblue.cli import listings
from redblue.cli.commands import command, group
from redblue.cli.machine import balance

app = group("Machines of the catalogue, and whether a computation is I/O-bound on them.")
app.command("list")(command(listings.machines))
app.command("balance")(command(balance.balance))
