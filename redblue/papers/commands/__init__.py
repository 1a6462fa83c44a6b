"""The commands of the papers, by name: `redblue papers gap`, and those of `redblue machine`."""

from collections.abc import Callable

from redblue.papers.commands import density, dirac, gap, many_core, mesh, qcd, split
from redblue.show.answer import Facts

COMMANDS: dict[str, Callable[..., Facts]] = {
    "gap": gap.gap,
    "density": density.density,
    "dirac": dirac.dirac,
    "many-core": many_core.many_core,
    "mesh": mesh.mesh,
    "qcd": qcd.qcd,
    "split": split.split,
}
