"""Bounds of partial computation, by the sliding game on a DAG with fewer edges (M2).

Let G' have the vertices of a DAG G, and of the edges into each computed vertex one or two; two only
into a value v that has at least as many words as either operand. Let D be the inputs that are read
in G and not in G', and S the computed vertices that are sinks in G' and no outputs of G. If every
one-shot play of G' with sliding moves at least B words, every play of G with partial computation
and the same memory moves at least B + words(D) - words(S).

`data` has "kept", the edges of G' as a rising list of places in the rows of predecessors, or "all";
and the "kind" and the "data" of a proof for G' under sliding rules.

The proof is M2 in docs/theory/games.md.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules
from proofs.certificates import optimum
from proofs.core.certificate import Certificate, CertificateError
from proofs.core.fields import only, text, vertices

KIND = "thinned"
SLIDING = Rules(sliding=True)


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
        Returns the words that a certificate proves for the DAG with fewer edges.
    """
    only(data, ("kept", "kind", "data"))
    kind = text(data, "kind")
    if not rules.partial:
        raise CertificateError("kind", "holds for partial computation alone")
    if kind in (KIND, optimum.KIND):
        raise CertificateError("kind", f"is {kind}, which is no bound of its own")
    if not isinstance(data["data"], Mapping):
        raise CertificateError("data", "is no object")
    every = isinstance(data["kept"], str) and data["kept"] == "all"
    kept = np.arange(dag.m) if every else vertices(data, "kept", dag.m)
    wrong = wrong_vertex(dag, kept)
    if wrong is not None:
        raise CertificateError("kept", f"has not one or two fitting edges into vertex {wrong}")
    thin = dag if every else thinned_dag(dag, kept)
    inner = bound(thin, memory, SLIDING, Certificate(kind, data["data"]))
    return max(inner + gained_words(dag, thin), 0)


def wrong_vertex(dag: CDAG, kept: Int64Array) -> int | None:
    """Return a computed vertex into which other edges are kept than may be, or None.

    Parameters
    ----------
    dag
        The computation.
    kept
        Places of the kept edges in `dag.pred_indices`, rising.
    """
    results = _results(dag)[kept]
    count = np.bincount(results, minlength=dag.n)
    wrong = dag.is_computed & ((count < 1) | (count > 2))
    if dag.words is not None:
        larger = dag.words[dag.pred_indices[kept]] > dag.words[results]
        wrong[results[larger & (count[results] == 2)]] = True
    return int(wrong.argmax()) if wrong.any() else None


def thinned_dag(dag: CDAG, kept: Int64Array) -> CDAG:
    """Return the DAG with some of its edges only; what is an output stays one.

    Parameters
    ----------
    dag, kept
        As for `wrong_vertex`.
    """
    count = np.bincount(_results(dag)[kept], minlength=dag.n)
    return CDAG(
        np.concatenate(([0], np.cumsum(count))),
        dag.pred_indices[kept],
        words=dag.words,
        outputs=dag.outputs,
    )


def gained_words(dag: CDAG, thin: CDAG) -> int:
    """Return the words of D less those of S, of the theorem.

    Parameters
    ----------
    dag, thin
        The DAG, and that with fewer edges.
    """
    return (
        dag.words_of(dag.used_inputs)
        - dag.words_of(thin.used_inputs)
        + dag.words_of(dag.outputs)
        - dag.words_of(thin.outputs)
    )


def _results(dag: CDAG) -> Int64Array:
    """Return (m,) the result of each edge."""
    return np.repeat(np.arange(dag.n), dag.indegree)
