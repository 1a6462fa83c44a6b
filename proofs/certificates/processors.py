"""Bounds on the words of several processors, with M words of fast memory each (M3).

All processors together load and store at least the bound for one with p M words. With windows of A
updates that touch x(A) words, U updates in all, u = ceil(U / p) of the busiest, and sets that
exchange least(A) values, where each value is computed once,

    all move    >= max(0, x(A) - carry) * ceil((U - p (A - 1)) / A) + besides - births,
    one moves   >= sum of x(A_i) - carry * (windows - 1) - births, the A_i together u,
    all move    >= compulsory + max(0, least(A) - 2 m) * ceil((n - p (A - 1)) / A) - waived.

The proof is M3 in docs/theory/games.md.

Source
------
D. Irony, S. Toledo and A. Tiskin, Communication lower bounds for distributed-memory matrix
multiplication, J. Parallel Distrib. Comput. 2004; G. Ballard, J. Demmel, O. Holtz, B. Lipshitz and
O. Schwartz, Brief announcement: strong scaling of matrix multiplication algorithms and
memory-independent communication lower bounds, SPAA 2012.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from dags import CDAG
from pebble import Game, Machine, Rules, compulsory_words
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.core.records import Integers, Natural, Positive, Within, read, shown, text
from proofs.core.windows import Count
from proofs.lemmas.isoperimetry import TWO_SIDED
from proofs.lemmas.loops.affine import described_space
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.kept_pairs import source_of
from proofs.lemmas.loops.projections import SEGMENTS
from proofs.lemmas.loops.updates import (
    MOST_SIZES,
    UpdateWindow,
    exponents_in,
    holds,
    updates_sum,
)
from proofs.lemmas.loops.window_gains import segment_terms
from proofs.lemmas.sets import known_counts, require_one_shot

TOTAL, BUSIEST = "total", "busiest"


@dataclass(frozen=True)
class OneProcessor:
    """A certificate for one processor with the memory of all."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Updates:
    """Windows of `size` updates of a source, and the exponents of its arrays."""

    source: Mapping[str, Any]
    size: Positive
    exponents: Mapping[str, Any]


@dataclass(frozen=True)
class Busiest:
    """Windows of the updates of the processor that has most."""

    source: Mapping[str, Any]
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]


@dataclass(frozen=True)
class SetsOfEach:
    """The sizes of sets in each piece of an alternative of a family's inequalities."""

    family: str
    params: Mapping[str, Any]
    alternative: Natural
    sizes: Integers


RECORDS: dict[str, type[Any]] = {
    "one-processor": OneProcessor,
    "updates": Updates,
    "busiest": Busiest,
    "sets": SetsOfEach,
}


def proven_words(
    dag: CDAG, machine: Machine, rules: Rules, certificate: Certificate
) -> tuple[str, int]:
    """Whether a number is proved for all processors together or the busiest; and the words.

    Parameters
    ----------
    dag
        The computation.
    machine
        Processors and their memory.
    rules
        The rules of the game.
    certificate
        Its kind is a key of `RECORDS`.

    Raises
    ------
    CertificateError
        If it proves nothing.
    """
    kind, machine = certificate.kind, Game(dag, machine, rules).machine
    if kind not in RECORDS:
        raise CertificateError("kind", f"is {shown(kind)}, which no processors are bounded by")
    record = read(RECORDS[kind], certificate.data)
    if isinstance(record, OneProcessor):
        inner = Certificate(record.kind, record.data)
        return TOTAL, proven_io(dag, machine.processors * machine.memory, rules, inner)
    if isinstance(record, SetsOfEach):
        return TOTAL, _words_of_sets(dag, machine, rules, record)
    shape, updates, besides, births = update_terms(dag, rules, record.source)
    held = rules.room_before(machine.memory)
    if isinstance(record, Busiest):
        share = -(-updates // machine.processors)
        return BUSIEST, updates_sum(shape, share, held, record.windows, -births).words
    gained = least_words(shape, record.size, exponents_in(shape, record.exponents)) - held
    return TOTAL, windowed(updates, machine.processors, record.size, gained) + besides - births


def _words_of_sets(dag: CDAG, machine: Machine, rules: Rules, record: SetsOfEach) -> int:
    """The words that sets of a processor's vertices prove."""
    game = Game.of(dag, machine.memory, rules)
    require_one_shot(game)
    known = known_counts(TWO_SIDED, dag, record.family, record.params)
    if record.alternative >= len(known):
        raise CertificateError("alternative", f"{record.alternative} is not below {len(known)}")
    pieces = known[record.alternative]
    if len(record.sizes) != len(pieces):
        raise CertificateError("sizes", f"are not those of {len(pieces)} pieces")
    moves = sum(
        excess_of_sets(piece, machine.processors, size, 2 * game.red)
        for piece, size in zip(pieces, record.sizes, strict=True)
    )
    return compulsory_words(dag) + game.word * moves


def excess_of_sets(piece: Count, processors: int, size: int, saved: int) -> int:
    """The moves beyond the compulsory ones on all copies of a piece, 0 or more.

    Parameters
    ----------
    piece
        The least boundaries of sets.
    processors
        Number of them.
    size
        Counted vertices in a set.
    saved
        Moves that are saved at each cut at most.
    """
    if not 1 <= size <= piece.reach:
        raise CertificateError("sizes", f"nothing is known of sets of {size}")
    moves = windowed(piece.vertices, processors, size, int(piece.least(size)) - saved)
    return piece.copies * max(0, moves - piece.waived)


def windowed(updates: int, processors: int, size: int, gained: int) -> int:
    """The words of all full windows, however updates are spread over processors.

    Parameters
    ----------
    updates, processors
        Numbers of them.
    size
        Updates in a window.
    gained
        Words that a window adds.
    """
    windows = -(-(updates - processors * (size - 1)) // size)
    return max(0, gained) * max(0, windows)


def update_terms(dag: CDAG, rules: Rules, source: Mapping[str, Any]) -> tuple[Shape, int, int, int]:
    """Arrays of updates, how many these are, words moved besides, words of births.

    Parameters
    ----------
    dag, rules
        The game.
    source
        Has a "family" and its "params", or the "space" of a program; and the "member" of a family
        whose points name the vertices (N5), where the DAG has none.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    if not holds(dag, rules, "segments"):
        raise CertificateError("kind", f"updates do not hold under {rules.name} rules")
    if "family" in source:
        family = text(source, "family")
        if family not in SEGMENTS:
            raise CertificateError(
                "family", f"is {shown(family)}, not one of {', '.join(SEGMENTS)}"
            )
        space = SEGMENTS[family](dag.n, source_of(source)["params"])
    else:
        space = described_space(dag, source_of(source))
    besides, births = segment_terms(dag, space)
    return space.shape, int(space.updates.size), besides, births
