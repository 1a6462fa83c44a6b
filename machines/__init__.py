"""What an I/O curve means for hardware.

`ProcessingElement` and `balancing_memory` are Kung's balance condition on measured curves.
"""

from machines.balance import ProcessingElement, balancing_memory
from machines.errors import InvalidMachineError

__all__ = ["InvalidMachineError", "ProcessingElement", "balancing_memory"]
