"""Search for schedules of DAGs of any shape, from orders that are known.

- `generic_candidates` counts the generic orders with every eviction; `improve` takes orders and
  makes the best of them better, by `beam_rounds`, by `local_search`, and at last by `windowed`,
  which plays `stretches` of the play anew by exact search.
- `rematerialize` computes values again where the rules allow it, and that pays at once; `dropping`
  computes again whatever has left; `pruned` leaves out what is computed again for nothing;
  `recomputing` searches for where it pays, among `sequences` of computations, or with a vertex of
  its own for each computation (`copies`).
- `bisection` cuts a DAG in halves again and again; `dask_order` asks Dask.
- `beam` plays several states side by side, `annealing` changes orders at random.
- `replay` keeps the play of an order up to date while the order changes.

`schedulers.portfolio` has the entry to all of it, which knows the families of DAGs too.
"""

from schedulers.search.annealing import Found, local_search
from schedulers.search.beam import beam_order
from schedulers.search.bisection import bisection_order
from schedulers.search.candidates import Candidate, candidates_in, generic_candidates, generic_plays
from schedulers.search.improvement import improve
from schedulers.search.pruning import pruned
from schedulers.search.recomputation import computing_again, recomputing
from schedulers.search.rematerialization import rematerialize
from schedulers.search.rounds import beam_rounds

__all__ = [
    "Candidate",
    "Found",
    "beam_order",
    "beam_rounds",
    "bisection_order",
    "candidates_in",
    "computing_again",
    "generic_candidates",
    "generic_plays",
    "improve",
    "local_search",
    "pruned",
    "recomputing",
    "rematerialize",
]
