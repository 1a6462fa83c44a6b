"""The canonical form of loop nests: one computation is one nest, however its text is written.

Each step is a map between programs whose DAGs are the same up to names (T1 and T2 in
`docs/theory`). `rows` gives flat arrays their rows, `planes` makes planes of an array arrays,
`tiles` takes loops over tiles away, `unrolled` rolls loops up, `steps` counts those with steps,
`directions` has loops that may run up do so, `mirrors` renames those that may not, and turns arrays
round; `slants` has loops that follow others start at a number, and `interchanged` puts loops in the
order of what is written; `copies` reads what scalars copy where it comes from, and `filled` has
loops for arrays that are made. `renamed` finds whether the DAG is the same.
`temporaries` makes a nest beside it, in which they are one with their readers (T3).
"""

from dags.programs.canonical.form import Canonical, canonical
from dags.programs.canonical.temporaries import merged

__all__ = ["Canonical", "canonical", "merged"]
