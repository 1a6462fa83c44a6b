"""The most values that must wait at one moment."""

from functools import partial
from weakref import WeakKeyDictionary

from dags import CDAG
from dags.work import Kept
from pebble import Budget, Game, Rules
from proofs.base import Bound, bound_method, require_one_shot
from proofs.bounds.pieces.cuts import Score, best_excess, widest_scores
from proofs.bounds.pieces.cuts.widest import SECONDS
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.pieces.piece import Cutter

_known: WeakKeyDictionary[CDAG, Kept] = WeakKeyDictionary()


@bound_method
@thinned
def wavefront(game: Game, budget: Budget) -> Bound:
    """Lower bound by the widest wavefront of the whole DAG.

    While x is computed, all of its ancestors and none of its descendants have been; whatever else
    has been, at least so many values wait for readers, and those that do not fit into fast memory
    are stored and loaded again. `proofs.certificates.pieces.wavefronts` has the theorem and its
    proof. Strong where everything meets in few vertices (reductions, iterations, tops of pyramids);
    on large regular DAGs use `decomposition`.

    The cuts do not depend on the memory and are kept: bounds for many memories cost one search.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If values may be computed again.

    Examples
    --------
    >>> from dags import pyramid
    >>> wavefront(pyramid(height=8), 4).io
    16
    """
    require_one_shot("wavefront", game.rules)
    total, parts = game.compulsory, []
    best = best_excess(_scores(game.dag, game.rules, budget), game.memory)
    if best is not None:
        total += best[0]
        parts.append({"vertices": "all", "proof": "wavefront", "data": best[1]})
    certificate = Certificate("parts", {"parts": parts})
    return Bound("wavefront", game.memory, total, game.rules, certificate)


def _scores(dag: CDAG, rules: Rules, budget: Budget) -> list[Score]:
    """The widest wavefronts, for any memory; kept for the next one."""
    budget = budget.limited(SECONDS)
    known = _known.setdefault(dag, Kept())
    find = partial(widest_scores, Cutter(dag).whole(), rules, budget)
    return known.get((rules, budget.left), find, budget.left, lambda: True)
