"""Games on pieces of small DAGs, for tests of proofs about each order of the steps."""

import numpy as np
from hypothesis import strategies as st

from pebble import RULES, min_memory
from proofs.certificates.pieces.piece import Cutter
from tests.strategies import dags

ONCE = [rules for rules in RULES.values() if not rules.recompute and not rules.partial]


@st.composite
def one_shot_pieces(draw):
    """A piece of a DAG, often with operands outside, memory for it, and rules."""
    dag = draw(dags(max_vertices=9))
    rules = draw(st.sampled_from(ONCE))
    kept = draw(st.sets(st.integers(0, dag.n - 1), min_size=1))
    piece = Cutter(dag).cut(np.array(sorted(kept)))
    memory = max(min_memory(dag, rules=rules), 1) + draw(st.integers(0, 2))
    return piece, memory, rules
