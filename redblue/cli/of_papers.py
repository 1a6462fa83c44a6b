"""The commands of the papers, by name."""

from collections.abc import Callable

from redblue.cli.gap_command import gap
from redblue.cli.machine.density import density
from redblue.cli.machine.dirac import dirac
from redblue.cli.machine.many_core import many_core
from redblue.cli.machine.mesh import mesh
from redblue.cli.machine.qcd import qcd
from redblue.cli.machine.split import split

COMMANDS: dict[str, Callable[..., None]] = {
    "gap": gap,
    "density": density,
    "dirac": dirac,
    "many-core": many_core,
    "mesh": mesh,
    "qcd": qcd,
    "split": split,
}
