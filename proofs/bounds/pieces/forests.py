"""The optimum of forests: trees, chains and DAGs that fall apart into them."""

from pebble import Budget, Game
from proofs.base import Bound, NotApplicableError, bound_method
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate
from proofs.certificates.pieces.forests import forest_excess, is_forest
from proofs.certificates.pieces.piece import Cutter
from proofs.lemmas.generated import is_single_use


@bound_method
@thinned
def forests(game: Game, budget: Budget) -> Bound:
    """Lower bound for forests: the optimum, if no output is read.

    `proofs.certificates.pieces.forests` has the theorem. A tree is evaluated from its leaves; of
    the values that do not fit, those whose computation needs most are stored. It takes linear time.
    With one use for each value, computing it again does not help, so that it holds under all rules.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If a value has several readers or words, or is read and an output where values may be
        computed again.

    Examples
    --------
    >>> from dags import tree
    >>> [forests(tree(3), memory).io for memory in (3, 4, 5)]
    [15, 11, 9]
    """
    dag, rules = game.dag, game.rules
    is_forest_like = dag.m < dag.n  # of a large DAG that is no forest, nothing is copied
    piece = Cutter(dag).whole() if is_forest_like else None
    if piece is None or not is_forest(piece):
        raise NotApplicableError(f"{dag!r} has values of several readers or words: no forest")
    if rules.recompute and not is_single_use(dag):
        raise NotApplicableError(
            f"{dag!r} has an output that is read, and under {rules.name} rules it may pay to "
            "compute that again"
        )
    io = game.compulsory + forest_excess(piece, game.memory, rules)
    return Bound("forests", game.memory, io, rules, Certificate("forest", {}))
