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

from collections.abc import Iterable, Iterator, Mapping
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
        Words of these that are loaded at least; inputs are, whatever it says.
    stores
        Words of arrays that are stored, besides outputs.
    """

    read: frozenset[str]
    summed: frozenset[str]
    loads: int
    stores: int = 0


def apart(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts as they are made, as long as no kind of value is counted twice.

    So there are no more of them than kinds of values, however many a certificate lists.

    Raises
    ------
    CertificateError
        If some kind of value is counted twice, or a part counts none.
    """
    counted: set[tuple[str, str]] = set()
    for part in parts:
        kinds = {("values", name) for name in part.read} | {("sums", name) for name in part.summed}
        if not kinds:
            raise CertificateError("parts", "count no values")
        if kinds & counted:
            raise CertificateError("parts", f"count {min(kinds & counted)[1]} twice")
        counted |= kinds
        yield part


def added_up(parts: Iterable[Part], inputs: Mapping[str, int], outputs: int) -> int:
    """The words of parts, of other inputs, and of outputs (N18).

    Parameters
    ----------
    parts
        No two of which count the same kind of value.
    inputs
        The words of each array of inputs.
    outputs
        Words of outputs.
    """
    read: set[str] = set()
    words = outputs
    for part in parts:
        read |= part.read
        loaded = sum(inputs.get(array, 0) for array in part.read)
        words += max(loaded, part.loads) + part.stores
    return words + sum(input_words for array, input_words in inputs.items() if array not in read)
