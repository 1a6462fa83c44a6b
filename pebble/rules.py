"""The rules of the game, and the smallest memory under which it can be played."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags import CDAG, InvalidSpecError, UnknownNameError
from dags.arrays import MAX_TOTAL, Int64Array, lock
from dags.errors import shown
from pebble.errors import Held, InvalidRulesError, MemoryTooSmallError

MOST_WORDS = MAX_TOTAL  # words
NAMED = 3  # operands that are told when memory is too small for them


@dataclass(frozen=True)
class Rules:
    """A variant of the red-blue pebble game; it travels with every result.

    In all of them sources, and only sources, begin in slow memory and cannot be computed; a
    load or a store costs the vertex's words; deletion is free; every output ends in slow memory.

    Parameters
    ----------
    recompute
        Whether a value may be recomputed (Hong and Kung); otherwise each is computed once.
    sliding
        Whether a computed value may replace one of its operands in fast memory. Otherwise operands
        and result are in fast memory together. Where a DAG says which values may be computed in
        place (`CDAG.in_place`), only these may, and only of an operand of their size.
    partial
        Whether operands may be aggregated one by one into a partly computed value, each once
        (`pebble.referee`); it goes with neither of the others.

    Raises
    ------
    InvalidRulesError
        If partial computation is asked for together with another variant.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, with three
    corrections: an input is never computed, inputs are exactly the sources, and no vertex is
    both input and output.
    """

    recompute: bool = False
    sliding: bool = False
    partial: bool = False

    def __post_init__(self) -> None:
        if self.partial and (self.recompute or self.sliding):
            raise InvalidRulesError(
                "partial computation aggregates each operand once, in place: "
                "it goes neither with recompute nor with sliding"
            )

    @property
    def name(self) -> str:
        """The name on the command line: "one-shot", "recompute", either "-sliding", "partial"."""
        if self.partial:
            return "partial"
        return ("recompute" if self.recompute else "one-shot") + ("-sliding" * self.sliding)

    def room_before(self, memory: int, result: int = 1) -> int:
        """The words that can be in fast memory just before a computation.

        Parameters
        ----------
        memory
            Words of fast memory.
        result
            Words of the result: they are not left where it is placed, and are where it slides or
            may have been there in part.
        """
        return memory if self.sliding or self.partial else max(0, memory - result)


ONE_SHOT = Rules()
PARTIAL = Rules(partial=True)
# The variants whose moves are the same four; `rules_named` knows "partial" besides.
RULES = {
    rules.name: rules
    for rules in (ONE_SHOT, Rules(recompute=True), Rules(sliding=True), Rules(True, True))
}


def rules_named(name: str) -> Rules:
    """The rules called `name`.

    Raises
    ------
    UnknownNameError
        If there are none.
    """
    known = {**RULES, PARTIAL.name: PARTIAL}
    if name not in known:
        raise UnknownNameError("rule set", name, known)
    return known[name]


# What slides: nothing; onto any operand; onto an operand of the result's size.
NEVER, ANY, ALIKE = 0, 1, 2


def slides(dag: CDAG, rules: Rules) -> npt.NDArray[np.uint8]:
    """(n,) which operands a value may slide onto; (1,) where it is the same for all."""
    if not rules.sliding or dag.in_place is None:
        return lock(np.array([ANY if rules.sliding else NEVER], np.uint8))
    return lock(np.where(dag.in_place, ALIKE, NEVER).astype(np.uint8))


def memory_needs(dag: CDAG, *, rules: Rules = ONE_SHOT) -> Int64Array:
    """(n,) the words of fast memory that computing each vertex takes; 0 for inputs."""
    if dag.words is None and rules.partial:
        return 2 * dag.is_computed.astype(np.int64)
    in_place = dag.in_place if rules.sliding else None
    if in_place is not None:
        rules, beside = ONE_SHOT, dag.is_computed & ~in_place
    else:
        beside = dag.is_computed
    if dag.words is None:
        return dag.indegree + (0 if rules.sliding else beside)
    needs = np.zeros(dag.n, np.int64)
    if not dag.m:
        return needs
    computed, starts = dag.computed, dag.pred_indptr[dag.computed]
    operands = dag.words[dag.pred_indices]
    held = np.maximum if rules.partial else np.add
    together = held.reduceat(operands, starts)
    result = dag.words[computed]
    if rules.sliding:
        replaced = np.maximum.reduceat(operands, starts)
        needs[computed] = np.maximum(together, together - replaced + result)
    else:
        needs[computed] = together + result * beside[computed]
    return needs


def min_memory(dag: CDAG, *, rules: Rules = ONE_SHOT) -> int:
    """The smallest fast memory, in words, in which every vertex can be computed.

    It also suffices: values that are not needed at the moment can be in slow memory.
    """
    return _neediest(dag, rules)[1]


def useful_memory(dag: CDAG, memory: int) -> int:
    """The words of fast memory that a schedule can use: at most the words of all values.

    **Theorem.** Where W are the words of all values, plays with W words of fast memory and with
    more are the same plays, under all rules and in every sibling game.

    *Proof.* A fast memory holds each value once at most, whole or partly computed, in its words:
    under every rule a value that is there is neither loaded nor computed nor received again. So its
    values, and one more that is not there, are at most W words, and no move is refused for want of
    room from W on; room is all that a memory's size decides. The same holds of each level of a
    hierarchy and of each processor by itself.

    Bounds ask for it where a game enters (`proofs.base.of_useful_memory` in finders,
    `proofs.certificates.proven_io` in checkers), so that no product with memory is larger than one
    with the sizes of the DAG.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words of fast memory that a user has.
    """
    return min(int(memory), all_words(dag))


def all_words(dag: CDAG) -> int:
    """The words of all values; `dags.cdag.border` keeps them below 2^62."""
    return dag.n if dag.words is None else int(dag.words.sum())


def compulsory_words(dag: CDAG) -> int:
    """The words of all inputs that are read and of all outputs, which no memory saves."""
    return dag.words_of(dag.used_inputs) + dag.words_of(dag.outputs)


def placing_memory(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> int:
    """Memory, in words, in which placing has as much room as `memory` gives under `rules`.

    It is `memory` itself where results are placed, and larger by the savings of sliding in the
    neediest step where they slide; no more than a play can use.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words of fast memory under `rules`.
    rules
        The rules of the game.
    """
    return useful_memory(dag, memory + min_memory(dag) - min_memory(dag, rules=rules))


def require_memory(dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT) -> None:
    """Raise MemoryTooSmallError if some vertex cannot be computed with `memory` words.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words of fast memory.
    rules
        The rules of the game.

    Raises
    ------
    InvalidSpecError
        If it is more than `MOST_WORDS`: engines add such numbers in 64 bits.
    """
    if memory > MOST_WORDS:
        raise InvalidSpecError(f"memory must be at most {MOST_WORDS} words, not {shown(memory)}")
    vertex, needed = _neediest(dag, rules)
    if memory < needed:
        if rules.partial or dag.words is None or dag.labels is None:
            raise MemoryTooSmallError(memory, needed, dag.name(vertex))
        held = _held(dag, vertex)
        raise MemoryTooSmallError(memory, needed, held[-1][0], held=held)


def _held(dag: CDAG, vertex: int) -> Held:
    """Names and words of the values held at once to compute a vertex, the largest alone."""
    operands = dag.pred_indices[dag.pred_indptr[vertex] : dag.pred_indptr[vertex + 1]]
    largest = sorted(operands.tolist(), key=lambda vertex: -dag.words_of(np.array([vertex])))
    unnamed, labels = largest[NAMED:], dag.labels or ()
    named = [(shown(labels[v]), int(dag.sizes[v])) for v in (*largest[:NAMED], vertex)]
    summary = [(f"{len(unnamed)} more", dag.words_of(np.array(unnamed)))] if unnamed else []
    return (*named[:-1], *summary, named[-1])


def _neediest(dag: CDAG, rules: Rules) -> tuple[int, int]:
    """The vertex whose computation takes most words, and how many."""
    if dag.words is not None or (rules.sliding and dag.in_place is not None):
        needs = memory_needs(dag, rules=rules)
        return int(needs.argmax()), int(needs.max())
    operands = int(dag.pred_indptr[dag.widest + 1] - dag.pred_indptr[dag.widest])
    if rules.partial:
        return dag.widest, 2 * (operands > 0)
    return dag.widest, operands + (not rules.sliding and operands > 0)
