"""Finds moments of one order: `proofs.certificates.pieces.orders` has the theorem.

- `Relaxation` is the linear program, of which any prices of rows prove something.
- `solved_nearly` solves it nearly.
- `moments_of` rounds the prices for a checker.
- `ordered` does all of that; `least_seconds` and `seconds_of` say how long that takes, and
  `more_would_pay` whether a try with few moments should be followed by one with more.
"""

from proofs.bounds.pieces.orders.moments import (
    least_seconds,
    more_would_pay,
    ordered,
    seconds_of,
)
from proofs.bounds.pieces.orders.relaxation import Relaxation, solved_nearly
from proofs.bounds.pieces.orders.rounding import moments_of

__all__ = [
    "Relaxation",
    "least_seconds",
    "moments_of",
    "more_would_pay",
    "ordered",
    "seconds_of",
    "solved_nearly",
]
