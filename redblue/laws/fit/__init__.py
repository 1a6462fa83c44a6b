"""Fits: the law that a computation follows, from its I/O curve.

`fit_dag` plays a DAG at `tuned_memories` and fits; `fit` takes a curve that is known. `points`
says which sizes tell anything, and how small DAGs bend a law; `choice` has the models, and chooses
one or refuses to; `against` compares with the literature.
"""

from redblue.laws.fit.choice import Fit, fit
from redblue.laws.fit.played import as_far_as_it_tells, default_players, fit_dag, tuned_memories
from redblue.laws.fit.points import Points, points_of
from redblue.laws.fit.verdict import against

__all__ = [
    "Fit",
    "Points",
    "against",
    "as_far_as_it_tells",
    "default_players",
    "fit",
    "fit_dag",
    "points_of",
    "tuned_memories",
]
