"""Checks a bound of partial computation by searching all states of a small DAG once more.

The theorem is E4 in docs/theory/search.md. `data` has the "excess", the words beyond the
compulsory ones; the search looks for a play with less.
"""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from pebble import Rules, compulsory_words
from pebble.small import TooLargeError
from pebble.small.partial import partial_game, partial_search
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only

KIND = "partial-search"


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules, data
        As for every checker.
    """
    only(data, ("excess",))
    excess = integer(data, "excess", least=0)
    if not rules.partial:
        raise CertificateError("kind", "holds for partial computation alone")
    try:
        outcome = partial_search(partial_game(dag, memory)).below(excess)
    except TooLargeError as error:
        raise CertificateError("excess", str(error)) from None
    if outcome.found or outcome.excess < excess:
        raise CertificateError("excess", f"is {excess}, but some play may have {outcome.excess}")
    return compulsory_words(dag) + excess
