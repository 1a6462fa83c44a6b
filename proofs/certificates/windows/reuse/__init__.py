"""Reuse within short windows of a one-shot play: its savings, and a checker of them.

`savings` has the theorem and the checker; `sharing` the steps of a DAG with the values that they
share, and the sets of steps that a short window can hold.
"""

from proofs.certificates.windows.reuse.savings import FAR, REUSE, Savings, most_peeled
from proofs.certificates.windows.reuse.sharing import Sharing

__all__ = [
    "FAR",
    "REUSE",
    "Savings",
    "Sharing",
    "most_peeled",
]
