"""Theorems behind proofs: the least exchanges of sets of vertices, by counts of them.

`LEMMAS` has the kinds of certificates that rest on them; of most the words are the one sum of
`proofs.core.windows`. They have numbers, by which docs/theory proves them and `redblue check` names
them.

- `sets` (W1, W2) and `priced_sets` (W4 to W6) are about sets of vertices of families:
  `isoperimetry` and `prices` have their exchanges.
- `loops` is about updates of loop nests: items that windows of them touch (`updates`), of programs
  (`affine`), families (`projections`) and nests that are not laid out (`nests`), at constant
  distances (`uniform`), of attention, and savings by keeping values (`kept_pairs`, `kept_orders`,
  `open_chains`).
- `families` is about butterflies (`butterflies`, words that leave take values along) and the Dirac
  operator (`dirac`, hops on a lattice, once and in many steps).
- `generated` verifies that a DAG is a generator's, by its sizes first, and that computing again
  never helps.
"""

from typing import Any

from proofs.core.windows import Lemma
from proofs.lemmas.families.butterflies import BUTTERFLY
from proofs.lemmas.families.dirac import DIRAC, SPINORS
from proofs.lemmas.loops.affine import AFFINE
from proofs.lemmas.loops.kept_orders import ORDERS
from proofs.lemmas.loops.kept_pairs import PAIRS
from proofs.lemmas.loops.open_chains import CHAINS
from proofs.lemmas.loops.projections import ATTENTION, PROJECTIONS
from proofs.lemmas.loops.uniform import UNIFORM
from proofs.lemmas.priced_sets import CONTACTS, LAYERS, LEVELS
from proofs.lemmas.sets import SEGMENTS, SETS

LEMMAS: dict[str, Lemma[Any]] = {
    "affine": AFFINE,
    "attention": ATTENTION,
    "butterfly": BUTTERFLY,
    "dirac": DIRAC,
    "kept-orders": ORDERS,
    "kept-pairs": PAIRS,
    "open-chains": CHAINS,
    "priced-contacts": CONTACTS,
    "priced-layers": LAYERS,
    "priced-levels": LEVELS,
    "projections": PROJECTIONS,
    "segments": SEGMENTS,
    "spinors": SPINORS,
    "uniform": UNIFORM,
    "windows": SETS,
}

__all__ = ["LEMMAS"]
