"""Bounds of partial computation, by the placed game with some times the memory (M1).

Let every value be one word and d, at least 3, the most operands of a vertex, C the compulsory
words. If every one-shot play with (d - 1) M words of fast memory moves at least B words, every play
of partial computation with M words moves at least C + (B - C) / (d - 1).

`data` has the "kind" and the "data" of a proof for one-shot plays with (d - 1) M words.

The proof is M1 in docs/theory/games.md.
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
