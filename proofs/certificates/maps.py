"""Bounds by plays of other games: renumbered, rounded (M8), thinned (M2), of more memory (M1).

A **map** tells a game, and the words of this one for so many words of that: a certificate has the
"kind" and the "data" of a proof for the other game, which is of no map of its own kind.

- `renumbered`: a play of a DAG is a play of the renumbered one with each vertex called by its new
  number, and moves as many words. That every vertex is there once, and operands before results, is
  verified; how the numbers were found does not matter.
- `thinned`: let G' have the vertices of a DAG G, and of the edges into each computed vertex one or
  two; two only into a value v that has at least as many words as either operand. Let D be the
  inputs that are read in G and not in G', and S the computed vertices that are sinks in G' and no
  outputs of G. If every one-shot play of G' with sliding moves at least B words, every play of G
  with partial computation and the same memory moves at least B + words(D) - words(S).
- `held-operands`: let every value be one word and d, at least 3, the most operands of a vertex, C
  the compulsory words. If every one-shot play with (d - 1) M words of fast memory moves at least B
  words, every play of partial computation with M words moves at least C + (B - C) / (d - 1).
- `program`: the DAG is the instance of a text at given sizes (M7): a bound of the loop nest that
  the text gives is one of the DAG. The DAG is built from the text once more and compared; where
  the text is that of a family's member, a renumbering is looked for, and applied before that.
- `nest-member`: a loop nest is the text of a family's member, up to the names of instances (T2): a
  bound of the member's nest, or a closed form of the member, is one of it. isl verifies the
  renaming, which is looked for again.
- `rounded`: sizes and memory are divided by a unit and rounded down, and values of less than a unit
  are left out (M8): words beyond the compulsory ones of a one-shot play of that game are so many
  units of any one-shot play of this one.
- `optimum`: the same game, with a play that moves no more than is proved.

The proofs are in docs/theory/games.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

import numpy as np

from dags import CDAG, InvalidDAGError, InvalidSpecError, RedBlueError, recognise_as, renumber
from dags.arrays import Int64Array
from dags.families.common.members import member_of
from dags.programs.box_nests import BoxNest
from dags.programs.instances import NotReadError
from dags.programs.members import instance_of, instance_of_member, sizes_of
from dags.programs.nest import ProgramError
from dags.programs.recognition import kin_of
from dags.programs.tied_loops import NotCountedError
from pebble import (
    MOST_WORDS,
    ONE_SHOT,
    Game,
    IllegalMoveError,
    InvalidScheduleError,
    Rules,
    Schedule,
    compulsory_words,
    play,
)
from proofs.certificates.closed_forms import CLOSED, CLOSED_FORM, MemberGame
from proofs.core.records import (
    Certificate,
    CertificateError,
    Within,
    integers,
    rising,
    shown,
)
from proofs.lemmas.loops import nests

RENUMBERED, THINNED, HELD, OPTIMUM = "renumbered", "thinned", "held-operands", "optimum"
PROGRAM, ROUNDED = "program", "rounded"
MEMBER = "nest-member"  # of loop nests
SLIDING: Final = Rules(sliding=True)
Proven = Callable[[CDAG | BoxNest, int, Rules, Certificate], int]
Words = Callable[[int], int]  # of this game, by those of the other one
Other = tuple[CDAG | BoxNest, int, Rules, Words]


@dataclass(frozen=True, kw_only=True)
class Inner:
    """The kind and the data of the proof for the other game."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Renumbered(Inner):
    """At place i the vertex that is called i."""

    vertex: Int64Array


@dataclass(frozen=True, kw_only=True)
class Thinned(Inner):
    """The edges that are kept, a rising list of places in the rows of predecessors, or "all"."""

    kept: Any


@dataclass(frozen=True, kw_only=True)
class OfProgram(Inner):
    """The member of a family whose text the program is; empty for the text of the DAG itself."""

    member: str = ""


@dataclass(frozen=True, kw_only=True)
class OfMember(Inner):
    """The member of a family, as a specification."""

    member: str


@dataclass(frozen=True, kw_only=True)
class Rounded(Inner):
    """The unit, in words."""

    unit: Annotated[int, Within(1, MOST_WORDS)]


@dataclass(frozen=True, kw_only=True)
class Met(Inner):
    """A play as the lists of its moves; "operand" where partial computation has some."""

    op: Int64Array
    vertex: Int64Array
    operand: Int64Array | None = None


def renumbered(game: Game, record: Renumbered) -> Other:
    """The same game under other numbers."""
    dag, vertex = game.dag, record.vertex
    if vertex.size != dag.n or vertex.min() < 0 or vertex.max() >= dag.n:
        raise CertificateError("vertex", f"is no list of the {dag.n} vertices")
    try:
        numbered = renumber(dag, vertex.astype(np.int32), keep_names=False)
    except InvalidDAGError as error:
        raise CertificateError("vertex", str(error)) from None
    return numbered, game.memory, game.rules, lambda words: words


def thinned(game: Game, record: Thinned) -> Other:
    """The sliding game with fewer edges (M2)."""
    dag = game.dag
    every = isinstance(record.kept, str) and record.kept == "all"
    listed = np.arange(dag.m) if every else integers({"kept": record.kept}, "kept")
    kept = rising("kept", listed, dag.m)
    wrong = wrong_vertex(dag, kept)
    if wrong is not None:
        raise CertificateError("kept", f"has not one or two fitting edges into vertex {wrong}")
    thin = dag if every else thinned_dag(dag, kept)
    return thin, game.memory, SLIDING, lambda words: max(words + gained_words(dag, thin), 0)


def held(game: Game, _: Inner) -> Other:
    """The placed game with some times the memory (M1)."""
    times = held_operands(game.dag)
    if times is None:
        raise CertificateError("kind", "is for three operands or more, and values of one word")
    dag = game.dag
    return dag, times * game.memory, ONE_SHOT, lambda words: shared_words(dag, words, times)


def instance(game: Game, record: OfProgram) -> Other:
    """The loop nest of which the DAG is the instance (M7)."""
    dag = game.dag
    try:
        found = instance_of_member(record.member) if record.member else instance_of(dag)
        if found is None:
            raise CertificateError("kind", "is of a program, and the DAG comes from no text")
        if record.member and member_of(record.member).sizes.vertices != dag.n:
            raise CertificateError("member", f"has other vertices than the {dag.n} of the DAG")
        if not (same_game(dag, found.dag) or (record.member and is_renumbered(dag, found.dag))):
            raise CertificateError("kind", "is of a program, and its text gives another DAG")
        nest = found.nest
    except (RedBlueError, ProgramError, NotReadError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError("member", f"names no text that is read: {error}") from None
    return nest, game.memory, game.rules, lambda words: words


def is_renumbered(dag: CDAG, target: CDAG) -> bool:
    """Whether a DAG is another one under other numbers, which are looked for."""
    try:
        recognised = recognise_as(dag, target, "the text").recognised
    except InvalidSpecError:
        return False
    vertex = None if recognised is None else recognised.vertex
    return vertex is not None and same_game(renumber(dag, vertex, keep_names=False), target)


def member_nest(nest: BoxNest, record: OfMember) -> BoxNest:
    """The nest of the member whose text a nest is, by other names (T2).

    Parameters
    ----------
    nest
        The nest.
    record
        The member.

    Raises
    ------
    CertificateError
        If it is no such member, or isl does not say so.
    """
    try:
        known = kin_of(nest, sizes_of(nest))
        spec = None if known is None else known.member.spec
        if known is None or member_of(record.member).spec != spec:
            raise CertificateError("member", f"is {shown(record.member)}, and the nest is {spec}")
    except (RedBlueError, NotReadError, NotCountedError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError("member", f"names no text that is read: {error}") from None
    return known.nest


def rounded(game: Game, record: Rounded) -> Other:
    """The game of whole units (M8)."""
    dag, unit = game.dag, record.unit
    if game.rules.recompute or game.rules.partial:
        raise CertificateError("kind", "is for values that are computed once, whole")
    small = rounded_dag(dag, unit)
    if small is None:
        raise CertificateError("unit", f"of {unit} words leaves nothing to compute")
    memory = game.memory // unit
    return small, memory, game.rules, lambda words: rounded_words(dag, small, unit, words)


def rounded_dag(dag: CDAG, unit: int) -> CDAG | None:
    """The values of a unit or more, in whole units; None where nothing is computed of any.

    A computed value without an operand among them is an input there.

    Parameters
    ----------
    dag
        The computation.
    unit
        Words.
    """
    sizes = dag.sizes // unit
    kept = np.flatnonzero(sizes)
    number = np.full(dag.n, -1, np.int64)
    number[kept] = np.arange(kept.size)
    results = _results(dag)
    both = (number[dag.pred_indices] >= 0) & (number[results] >= 0)
    if not both.any():
        return None
    count = np.bincount(number[results[both]], minlength=kept.size)
    outputs = number[dag.outputs]
    outputs = outputs[outputs >= 0]
    return CDAG(
        np.concatenate(([0], np.cumsum(count))),
        number[dag.pred_indices[both]],
        words=sizes[kept],
        outputs=outputs[count[outputs] > 0],
    )


def rounded_words(dag: CDAG, small: CDAG, unit: int, words: int) -> int:
    """The words of plays of a DAG, by units that plays of the rounded one move.

    Parameters
    ----------
    dag, small
        The DAG, and that of whole units.
    unit
        Words of a unit.
    words
        Lower bound on the units that a play of `small` moves.
    """
    return compulsory_words(dag) + unit * max(words - compulsory_words(small), 0)


def same_game(one: CDAG, other: CDAG) -> bool:
    """Whether two DAGs have the same edges, sizes and outputs, number by number."""
    return all(
        (left is None and right is None)
        or (left is not None and right is not None and np.array_equal(left, right))
        for left, right in (
            (one.pred_indptr, other.pred_indptr),
            (one.pred_indices, other.pred_indices),
            (one.words, other.words),
            (one.outputs, other.outputs),
        )
    )


def met(game: Game, record: Met) -> Other:
    """The game itself, and words that a play moves."""

    def moved(words: int) -> int:
        try:
            schedule = Schedule(record.op, record.vertex, record.operand)
            moves = play(game.dag, schedule, game.memory, rules=game.rules).io
        except (IllegalMoveError, InvalidScheduleError) as error:
            raise CertificateError("play", f"is illegal: {error}") from None
        if moves != words:
            message = f"moves {moves} words, but {words} are proved to be needed"
            raise CertificateError("play", message)
        return words

    return game.dag, game.memory, game.rules, moved


MAPS: dict[str, tuple[type[Any], Callable[[Game, Any], Other]]] = {
    RENUMBERED: (Renumbered, renumbered),
    THINNED: (Thinned, thinned),
    HELD: (Inner, held),
    PROGRAM: (OfProgram, instance),
    ROUNDED: (Rounded, rounded),
    OPTIMUM: (Met, met),
}
THEOREMS = {MEMBER: ("T2",), HELD: ("M1",), THINNED: ("M2",), PROGRAM: ("M7",), ROUNDED: ("M8",)}
OF_PARTIAL = (HELD, THINNED)  # of plays with partial computation alone


def words(
    kind: str,
    bound: Callable[[CDAG | BoxNest, int, Rules, Certificate], int],
    game: Game,
    record: Inner,
) -> int:
    """The words that a record proves.

    Parameters
    ----------
    kind
        A key of `MAPS`.
    bound
        Returns the words that a certificate proves of the other game.
    game, record
        The game, and the record of the kind.
    """
    if kind in OF_PARTIAL and not game.rules.partial:
        raise CertificateError("kind", "holds for partial computation alone")
    if record.kind in (kind, OPTIMUM):
        raise CertificateError("kind", f"is {record.kind}, which is no bound of its own")
    other, memory, rules, mapped = MAPS[kind][1](game, record)
    return mapped(bound(other, memory, rules, Certificate(record.kind, record.data)))


def member_words(game: nests.NestGame, record: OfMember) -> int:
    """The words that a record proves of a loop nest, by its member's.

    Parameters
    ----------
    game, record
        The game, and the record.
    """
    other = member_nest(game.nest, record)
    if record.kind == CLOSED:
        closed = MemberGame(member_of(record.member), game.memory, game.rules)
        return CLOSED_FORM.words(closed, record.data)
    return nests.proven(other, game.memory, game.rules, Certificate(record.kind, record.data))


def held_operands(dag: CDAG) -> int | None:
    """Return d - 1 of the theorem, None where it says nothing."""
    most = int(dag.indegree.max(initial=0))
    return None if dag.words is not None or most < 3 else most - 1


def shared_words(dag: CDAG, words: int, times: int) -> int:
    """The words of partial computation of which the theorem makes so many one-shot words.

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


def wrong_vertex(dag: CDAG, kept: Int64Array) -> int | None:
    """A computed vertex into which other edges are kept than may be, or None.

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
    """The DAG with some of its edges only; outputs stay outputs.

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
    """The words of D less those of S, of the theorem.

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
    """(m,) the result of each edge."""
    return np.repeat(np.arange(dag.n), dag.indegree)
