"""Laws of programs for all sizes: the term that rules at each memory, and plays that show it.

`law_of_program` takes the terms of `proofs.laws.programs` that some play attains, `laws` says where
each rules, `finding` holds them against plays and bounds at a few sizes, withdraws those that they
contradict, and keeps all of it within seconds and memory.
"""

from redblue.laws.regimes.finding import law_of_program
from redblue.laws.regimes.laws import RegimeLaw

__all__ = ["RegimeLaw", "law_of_program"]
