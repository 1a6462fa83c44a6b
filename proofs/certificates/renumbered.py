"""Checks a bound that is proved for the same DAG under other numbers.

A play of a DAG is a play of the renumbered one with each vertex called by its new number, and moves
as many words: a bound of one is a bound of the other. `data` has the list "vertex", which holds at
place i the vertex that is called i, and the "kind" and the "data" of the proof for the renumbered
DAG. That every vertex is there once, and operands before results, is verified; how the numbers
were found does not matter.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dags import CDAG, InvalidDAGError, renumber
from pebble import Rules
from proofs.certificates import optimum
from proofs.core.certificate import Certificate, CertificateError
from proofs.core.fields import integers, only, text

KIND = "renumbered"


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
        Returns the words that a certificate proves for the renumbered DAG.
    """
    only(data, ("vertex", "kind", "data"))
    kind, vertex = text(data, "kind"), integers(data, "vertex")
    if kind in (KIND, optimum.KIND):
        raise CertificateError("kind", f"is {kind}, which is no bound of its own")
    if not isinstance(data["data"], Mapping):
        raise CertificateError("data", "is no object")
    if vertex.size != dag.n or vertex.min() < 0 or vertex.max() >= dag.n:
        raise CertificateError("vertex", f"is no list of the {dag.n} vertices")
    try:
        numbered = renumber(dag, vertex.astype(np.int32), keep_names=False)
    except InvalidDAGError as error:
        raise CertificateError("vertex", str(error)) from None
    return bound(numbered, memory, rules, Certificate(kind, data["data"]))
