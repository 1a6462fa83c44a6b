"""The memory from which on no bound can exceed the compulsory words."""

from weakref import WeakKeyDictionary

import numpy as np

from dags import CDAG
from pebble import Game
from proofs.base import Bound
from proofs.certificates import Certificate

_known: WeakKeyDictionary[CDAG, int] = WeakKeyDictionary()


def nothing_to_prove(method: str, game: Game) -> Bound | None:
    """The compulsory words as the bound of a method, where no more can be proved.

    So it is if computing in the order of the vertices' numbers moves them alone; None otherwise.
    Methods that search ask first.

    Parameters
    ----------
    method
        The name of the method.
    game
        The game.
    """
    return None if game.memory < room_for_all(game.dag) else compulsory_bound(method, game)


def compulsory_bound(method: str, game: Game) -> Bound:
    """The compulsory words as the bound of a method."""
    certificate = Certificate("compulsory", {})
    return Bound(method, game.memory, game.compulsory, game.rules, certificate)


def room_for_all(dag: CDAG) -> int:
    """Words of fast memory with which the order of the numbers moves the compulsory words alone.

    The most that the values take which a step touches, or which were touched before it and will be
    again: with so much nothing leaves that is still needed, whatever the rules.

    Examples
    --------
    >>> from dags import fft
    >>> room_for_all(fft(8))
    11
    """
    if dag not in _known:
        _known[dag] = _most_live(dag)
    return _known[dag]


def _most_live(dag: CDAG) -> int:
    readers = np.repeat(np.arange(dag.n), dag.indegree)
    first, last = np.arange(dag.n), np.arange(dag.n)
    last[dag.pred_indices] = readers  # of equal places the last one is written last
    first[dag.pred_indices[::-1]] = readers[::-1]
    first[dag.computed] = dag.computed
    touched = np.concatenate((dag.used_inputs, dag.computed))
    changes = np.zeros(dag.n + 1, np.int64)
    np.add.at(changes, first[touched], dag.sizes[touched])
    np.subtract.at(changes, last[touched] + 1, dag.sizes[touched])
    return int(np.cumsum(changes).max(initial=0))
