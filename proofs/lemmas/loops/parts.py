"""Parts of a bound whose words add up (N18).

A **part** says how often values of some kinds are loaded: those of an array that some assignments
read, or the open sums of an assignment, each of which is read by the next one alone. **Where no
kind is counted twice, the loads of all parts add up**, and so do inputs of which no part counts the
loads, once each, and the outputs, which are stored.

The proof is N18 in docs/theory/nests.md.

Source
------
The theorem is written out here for this project.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from proofs.core.records import CertificateError


@dataclass(frozen=True)
class Part:
    """The least words that a play moves of some kinds of values.

    Parameters
    ----------
    read
        Arrays of which it counts the values that are read.
    summed
        Assignments of which it counts the sums that go on.
    loads
        Words of these that are loaded.
    stores
        Words of arrays that are stored, besides outputs.
    """

    read: frozenset[str]
    summed: frozenset[str]
    loads: int
    stores: int = 0


def added_up(parts: Sequence[Part], inputs: Mapping[str, int], outputs: int) -> int:
    """Return the words of parts, of other inputs, and of outputs (N18).

    Parameters
    ----------
    parts
        The counted arrays.
    inputs
        The words of each array of inputs.
    outputs
        Words of outputs.

    Raises
    ------
    CertificateError
        If some kind of value is counted twice.
    """
    for kind in ("read", "summed"):
        counted = Counter(name for each in parts for name in getattr(each, kind))
        if counted and counted.most_common(1)[0][1] > 1:
            raise CertificateError("parts", f"count {counted.most_common(1)[0][0]} twice")
    read = {name for each in parts for name in each.read}
    others = sum(words for array, words in inputs.items() if array not in read)
    return sum(each.loads + each.stores for each in parts) + others + outputs
