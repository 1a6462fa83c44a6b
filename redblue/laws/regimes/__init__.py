"""Laws of programs for all sizes: which term rules at which memory, and what was played to see it.

`law_of_program` takes the terms of `proofs.programs` that some play attains, `ranges` says where
each rules, `holding` holds them against plays and bounds at a few sizes and withdraws what they
contradict, and `finding` keeps all of it within seconds and memory.
"""

from redblue.laws.regimes.finding import law_of_program
from redblue.laws.regimes.laws import Held, RegimeLaw, Term

__all__ = ["Held", "RegimeLaw", "Term", "law_of_program"]
