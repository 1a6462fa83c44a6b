"""Machines of today and of papers: named ones, and when neither arithmetic nor I/O waits.

- `balance` and `arrays` are Kung's: how memory must grow for a machine to stay balanced, alone and
  in arrays.
- `catalogue` reads `MACHINES`, named machines with a source for every number; `units` has their
  units.
"""

from dags import UnknownNameError
from dags.spec import Plugged, offered, plugged
from redblue.answers.hardware.arrays import ProcessorArray
from redblue.answers.hardware.balance import (
    ProcessingElement,
    balancing_memory,
    law_memory,
    rebalanced,
)
from redblue.answers.hardware.catalogue import Machine, read_catalogue
from redblue.answers.hardware.machine_files import is_machine_file, read_machine
from redblue.answers.hardware.validation import InvalidMachineError

MACHINES: dict[str, Machine] = read_catalogue()


def machine_named(name: str) -> Machine:
    """The machine called `name`, in whatever case, that of a file, or of a plug-in.

    Raises
    ------
    UnknownNameError
        If there is none.
    InvalidMachineError
        If a file (.toml, .json) holds none.
    InvalidSpecError
        If a plug-in makes something else.
    """
    if is_machine_file(name):
        return read_machine(name)
    known = {key.casefold(): machine for key, machine in MACHINES.items()}
    if name.casefold() in known:
        return known[name.casefold()]
    function = plugged("machine", name)
    if function is None:
        raise UnknownNameError("machine", name, [*MACHINES, *offered("machine")])
    made: Machine = Plugged(name, function, Machine)()
    return made


__all__ = [
    "MACHINES",
    "InvalidMachineError",
    "Machine",
    "ProcessingElement",
    "ProcessorArray",
    "balancing_memory",
    "law_memory",
    "machine_named",
    "read_catalogue",
    "rebalanced",
]
