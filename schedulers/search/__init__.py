"""Search for schedules of DAGs of any shape, from orders that are known.

- `generic_plays` counts the generic orders with every eviction; `improve` takes orders and
  makes the best of them better, by `local_search`.
- `rematerialize` computes values again where the rules allow it, and that pays at once; `pruning`
  computes again whatever has left, and leaves out computations that gain nothing; `recomputing`
  searches for where it pays, among `sequences` of computations, or with a vertex of its own for
  each computation.
- `candidates` has orders that cut a DAG in halves again and again; `annealing` changes orders
  at random.
- `replay` keeps the play of an order up to date while the order changes.

`portfolio` has the entry to all of it, which knows the families of DAGs too: all schedulers side by
side, and search from where they end.
"""

from schedulers.search.annealing import improve, local_search
from schedulers.search.candidates import (
    Candidate,
    bisection_order,
    candidates_in,
    generic_plays,
)
from schedulers.search.pruning import pruned
from schedulers.search.recomputation import computing_again, recomputing
from schedulers.search.rematerialization import rematerialize

__all__ = [
    "Candidate",
    "bisection_order",
    "candidates_in",
    "computing_again",
    "generic_plays",
    "improve",
    "local_search",
    "pruned",
    "recomputing",
    "rematerialize",
]
