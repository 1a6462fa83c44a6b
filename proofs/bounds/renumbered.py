"""Bounds of DAGs that were recognised, proved for them as their generators number them."""

from functools import wraps

from pebble import Budget, Game
from proofs.base import Bound, Finder
from proofs.certificates import Certificate
from proofs.certificates.maps import RENUMBERED

FREE = frozenset({"compulsory"})  # kinds of certificates that name no vertex and no family


def as_generated(find: Finder) -> Finder:
    """Return a finder that proves of a DAG that was recognised what `find` does of a generator's.

    Its certificates hold the new numbers of all vertices: a checker needs to recognise nothing.
    """

    @wraps(find)
    def bound(game: Game, budget: Budget) -> Bound:
        recognised = game.dag.recognised
        if recognised is None:
            return find(game, budget)
        found = find(Game(recognised.dag, game.machine, game.rules), budget)
        inner = found.certificate
        if inner.kind in FREE:
            return found
        vertex = recognised.vertex.astype("int64")
        data = {"vertex": vertex, "kind": inner.kind, "data": inner.data}
        return Bound(
            found.method, game.memory, found.io, found.rules, Certificate(RENUMBERED, data)
        )

    return bound
