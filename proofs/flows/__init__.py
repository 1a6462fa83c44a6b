"""Greatest flows: one residual network and one algorithm, for what finds and for what checks.

`arcs_between` makes a network, `_kernels` has the algorithm. Most checkers need neither: they add
up a flow that they are given (`proofs.certificates.pieces.wavefronts`). The least cut of a window
is the exception (`proofs.certificates.windows.placements`).
"""

from proofs.flows._kernels import Network, Work
from proofs.flows.networks import arcs_between, new_work

__all__ = ["Network", "Work", "arcs_between", "new_work"]
