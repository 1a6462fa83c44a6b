"""The traffic that no memory saves."""

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words
from proofs.base import Bound, of_useful_memory
from proofs.certificates import Certificate


@of_useful_memory
def compulsory(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound: the words of all inputs that are read and of all outputs.

    It holds under every rule set and for every memory. Proof: every vertex has a path to a
    sink; a sink is an output, which is not in slow memory at first and so must be computed, and
    by induction backwards along the path so must all its ancestors but the inputs. An input
    with a successor must therefore be in fast memory at some time, and only a load brings it
    there; an output ends in slow memory, and only a store brings it there.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981.

    Examples
    --------
    >>> from dags import fft
    >>> compulsory(fft(8), 4).io
    16
    """
    return Bound("compulsory", memory, compulsory_words(dag), rules, Certificate("compulsory", {}))
