"""The traffic that no memory saves."""

from pebble import Budget, Game
from proofs.base import Bound, bound_method
from proofs.bounds.room_for_all import compulsory_bound


@bound_method
def compulsory(game: Game, budget: Budget) -> Bound:
    """Lower bound: the words of all inputs that are read and of all outputs.

    It holds under every rule set and for every memory. Proof: every vertex has a path to a
    sink; a sink is an output, which is not in slow memory at first and so must be computed, and
    by induction backwards along the path so must all its ancestors but the inputs. An input
    with a successor must therefore be in fast memory at some time, and only a load brings it
    there; an output ends in slow memory, and only a store brings it there.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981.

    Examples
    --------
    >>> from dags import fft
    >>> compulsory(fft(8), 4).io
    16
    """
    return compulsory_bound("compulsory", game)
