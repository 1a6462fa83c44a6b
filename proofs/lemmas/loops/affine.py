"""Checks sums over windows of what the updates of a program touch, whichever program it is.

`program_space` rebuilds the updates from a description and the points of the DAG; `window_gains`
verifies on the DAG what its theorem asks of them, and `hbl` says how many items they touch.

Source
------
V. Elango, F. Rastello, L.-N. Pouchet, J. Ramanujam and P. Sadayappan, On characterizing the data
access complexity of programs, POPL 2015; A. Olivry, J. Langou, L.-N. Pouchet, P. Sadayappan and F.
Rastello, Automated derivation of parametric data movement lower bounds for affine programs, PLDI
2020: bounds from the references of a loop nest, as leading terms. What is proved here holds for the
DAG at hand, with all terms.
"""

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Rules
from proofs.core.certificate import CertificateError
from proofs.core.fields import only, text
from proofs.lemmas.loops.aggregations import aggregation_gain, compact_words
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.program_space import program_space
from proofs.lemmas.loops.window_gains import chain_gain, dominator_gain, segment_gain
from proofs.lemmas.loops.window_sums import words_of_windows
from proofs.lemmas.single_use import is_single_use

GAINS = {
    "segments": segment_gain,
    "aggregations": aggregation_gain,
    "chains": chain_gain,
    "dominators": dominator_gain,
}

# What has been verified, as long as the DAG is there: a curve asks at every memory size. Equal
# DAGs can have origins of their own, and the same description means something else in each.
_verified: WeakKeyDictionary[CDAG, dict[Any, tuple[Shape, int, int]]] = WeakKeyDictionary()


def held(dag: CDAG, memory: int, rules: Rules) -> int:
    """Return the words that can be red just before a vertex is computed, or becomes complete."""
    return rules.room_before(memory, 1 if dag.words is None else int(dag.words[dag.computed].min()))


def holds(dag: CDAG, rules: Rules, argument: str) -> bool:
    """Return whether an argument holds under `rules`.

    Segments need one-shot plays, and aggregations are of partial computation alone.

    Parameters
    ----------
    dag, rules
        The game.
    argument
        A key of `GAINS`.
    """
    if rules.partial or argument == "aggregations":
        return rules.partial and argument == "aggregations"
    return argument != "segments" or not rules.recompute or is_single_use(dag)


def premises(dag: CDAG, argument: str, space: Any) -> tuple[Shape, int, int]:
    """Return the projections, the number of updates, and the words to add; verified on `dag`.

    Parameters
    ----------
    dag
        A DAG with an origin.
    argument
        A key of `GAINS`.
    space
        The updates, as `program_space` takes them.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    if argument not in GAINS:
        raise CertificateError("argument", f"is not one of {', '.join(GAINS)}")
    known = _verified.setdefault(dag, {})
    question = dag.origin, argument, repr(space)
    if question not in known:
        found = program_space(dag, space)
        known[question] = found.shape, found.updates.size, GAINS[argument](dag, found)
    return known[question]


def described_space(dag: CDAG, source: Mapping[str, Any]) -> IterationSpace:
    """Return the updates of the "space" of a program, not verified on `dag` yet."""
    return program_space(dag, source["space"])


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "argument" (a key of `GAINS`), the "space" as `program_space`
        takes it, and "windows" as `window_sums` does.
    """
    only(data, ("argument", "space", "windows"))
    argument = text(data, "argument")
    shape, updates, gain = premises(dag, argument, data["space"])
    if not holds(dag, rules, argument):
        raise CertificateError("argument", f"{argument} do not hold under {rules.name} rules")
    red, words = held(dag, memory, rules), compact_words if rules.partial else least_words
    return words_of_windows(shape, updates, red, data["windows"], words) + gain
