"""Checks bounds of partial computation: bounds of the placed game with some times the memory.

**Theorem.** Let every value be one word and d, at least 3, the most operands of a vertex. Let C be
the compulsory words: the inputs that are read and the outputs. If every one-shot play with (d - 1)
M words of fast memory moves at least B words, every play of partial computation with M words moves
at least C + (B - C) / (d - 1).

*Proof.* Follow a play of partial computation, and play beside it the one-shot game that holds,
instead of a partly computed value, the operands which have been aggregated into it: at most d - 1
words for each word, so that (d - 1) M words are enough. When the last operand u of v is aggregated,
v and u stand for d words of 2 (d - 1): as d is at least 3, there is room for one more, and v is
computed. A load or store of a complete value is one here too, or nothing; one of a partly computed
value is at most d - 1 loads or stores of its operands. Every input that is read is loaded as itself
at least once, and every output stored when it is complete: C words that cost no more here. Of the Q
words of the play the other Q - C cost at most d - 1 times as much: B is at most C + (d - 1) (Q -
C).

`data` has the "kind" and the "data" of a proof for one-shot plays with (d - 1) M words.
"""

from collections.abc import Callable, Mapping
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words
from proofs.certificates import optimum
from proofs.core.certificate import Certificate, CertificateError
from proofs.core.fields import only, text

KIND = "held-operands"


def proven(
    dag: CDAG,
    memory: int,
    rules: Rules,
    data: Mapping[str, Any],
    bound: Callable[[CDAG, int, Rules, Certificate], int],
) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules, data
        As for every checker.
    bound
        Returns the words that a certificate proves of one-shot plays.
    """
    only(data, ("kind", "data"))
    kind = text(data, "kind")
    if not rules.partial:
        raise CertificateError("kind", "holds for partial computation alone")
    if kind in (KIND, optimum.KIND):
        raise CertificateError("kind", f"is {kind}, which is no bound of its own")
    if not isinstance(data["data"], Mapping):
        raise CertificateError("data", "is no object")
    times = held_operands(dag)
    if times is None:
        raise CertificateError("kind", "is for three operands or more, and values of one word")
    words = bound(dag, times * memory, ONE_SHOT, Certificate(kind, data["data"]))
    return shared_words(dag, words, times)


def held_operands(dag: CDAG) -> int | None:
    """Return d - 1 of the theorem, None where it says nothing."""
    most = int(dag.indegree.max(initial=0))
    return None if dag.words is not None or most < 3 else most - 1


def shared_words(dag: CDAG, words: int, times: int) -> int:
    """Return the words of partial computation of which the theorem makes so many one-shot words.

    Parameters
    ----------
    dag
        The computation.
    words
        Lower bound on the words of one-shot plays.
    times
        d - 1 of the theorem.
    """
    least = compulsory_words(dag)
    return least + max(-(-(words - least) // times), 0)
