"""The search of a game under its rules, and the way back to a play."""

from dags import CDAG
from pebble.schedule import Schedule
from pebble.small._kernels.states import Store
from pebble.small.game import SmallGame
from pebble.small.one_shot import one_shot_play, one_shot_search
from pebble.small.recompute import recompute_play, recompute_search
from pebble.small.search import Search


def search_of(game: SmallGame) -> Search:
    """The best-first search of a game."""
    return recompute_search(game) if game.rules.recompute else one_shot_search(game)


def play_of(dag: CDAG, game: SmallGame, store: Store) -> Schedule:
    """The play that ends in the goal that a search has found.

    Parameters
    ----------
    dag, game
        The DAG, and the game on all of it.
    store
        The states of the search.

    Raises
    ------
    StepNotFoundError
        If the search is broken.
    """
    way_back = recompute_play if game.rules.recompute else one_shot_play
    return way_back(dag, game, store)
