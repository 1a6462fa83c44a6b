"""Bounds on the words of several processors; `proofs.certificates.processors` has the theorems."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dags import CDAG
from pebble import ONE_SHOT, Budget, Game, Machine, Rules, compulsory_words
from proofs.base import BoundMethod, NotApplicableError
from proofs.bounds.compulsory import compulsory
from proofs.bounds.loops.projections import affine, projections
from proofs.bounds.loops.space_search import named_dag, verified_spaces
from proofs.bounds.loops.window_sizes import best_windows
from proofs.bounds.windows.segments import segments
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.processors import (
    BUSIEST,
    TOTAL,
    excess_of_sets,
    proven_words,
    update_terms,
    windowed,
)
from proofs.core.windows import Count
from proofs.lemmas.isoperimetry import TWO_SIDED
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.projections import SEGMENTS
from proofs.lemmas.loops.updates import holds
from proofs.lemmas.sets import known_counts

METHODS: tuple[BoundMethod, ...] = (compulsory, affine, projections, segments)


@dataclass(frozen=True)
class ParallelBound:
    """Lower bound on the words that several processors move, in any legal play.

    Parameters
    ----------
    method
        Name of the method that proved it.
    counts
        "total": the words of all processors together; "busiest": those of one, whichever moves
        most.
    words
        The bound.
    machine, rules
        For which it holds.
    certificate
        The proof, for `check_parallel`.
    """

    method: str
    counts: str
    words: int
    machine: Machine
    rules: Rules
    certificate: Certificate

    @property
    def busiest(self) -> int:
        """Least words of the processor that moves most."""
        return self.words if self.counts == BUSIEST else -(-self.words // self.machine.processors)


def check_parallel(dag: CDAG, bound: ParallelBound) -> None:
    """Verify, without the code that found it, that a bound holds.

    Raises
    ------
    CertificateError
        If the certificate proves another number than the bound says, or none.
    """
    counts, words = proven_words(dag, bound.machine, bound.rules, bound.certificate)
    if (counts, words) != (bound.counts, bound.words):
        raise CertificateError(
            "words", f"are {bound.words} ({bound.counts}), but {words} ({counts}) are proved"
        )


def parallel_bounds(dag: CDAG, machine: Machine, *, rules: Rules = ONE_SHOT) -> list[ParallelBound]:
    """The bounds that apply: at least one.

    Parameters
    ----------
    dag
        The computation.
    machine
        Processors and their memory.
    rules
        The rules of the game.
    """
    able = Game(dag, machine, rules).machine
    bounds = [
        *_of_one_processor(dag, able, rules),
        *_of_updates(dag, able, rules),
        *_of_sets(dag, able, rules),
    ]
    beyond = [bound for bound in bounds if bound.words > 0]
    # a DAG that nothing moves for has a bound, too: of no words
    return [replace(bound, machine=machine) for bound in beyond or bounds[:1]]


def best_busiest(bounds: Iterable[ParallelBound]) -> ParallelBound:
    """The bound that proves most of the busiest processor."""
    return max(bounds, key=lambda bound: bound.busiest)


def best_total(bounds: Iterable[ParallelBound]) -> ParallelBound:
    """The bound that proves most of all processors together.

    A bound on the busiest one is one on all of them together, too.
    """
    return max(bounds, key=lambda bound: bound.words)


def _of_one_processor(dag: CDAG, machine: Machine, rules: Rules) -> Iterator[ParallelBound]:
    """Yield bounds on one processor with the memory of all."""
    memory = machine.processors * machine.memory
    for method in METHODS:
        try:
            bound = method(dag, memory, rules=rules)
        except NotApplicableError:
            continue
        data = {"kind": bound.certificate.kind, "data": dict(bound.certificate.data)}
        proof = Certificate("one-processor", data)
        yield ParallelBound(bound.method, TOTAL, bound.io, machine, rules, proof)


def _of_updates(dag: CDAG, machine: Machine, rules: Rules) -> Iterator[ParallelBound]:
    """Yield the best bounds by windows of each processor's updates."""
    bounds = [
        bound
        for source in _sources(dag, rules)
        for bound in _of_source(dag, machine, rules, source)
    ]
    for counts in (BUSIEST, TOTAL):
        alike = [bound for bound in bounds if bound.counts == counts]
        yield from [max(alike, key=lambda bound: bound.words)] if alike else []


def _sources(dag: CDAG, rules: Rules) -> Iterator[dict[str, Any]]:
    """Yield sources of updates of a DAG: a family, or spaces of the program that it is."""
    if dag.family in SEGMENTS:
        yield {"family": dag.family, "params": dict(dag.params)}
        return
    named = named_dag(dag)
    if named is not None and holds(dag, rules, "segments"):
        for space in verified_spaces(named.dag, rules, Budget(), ends=True):
            if space.argument == "segments":
                yield {"space": space.space, **named.member}


def _of_source(
    dag: CDAG, machine: Machine, rules: Rules, source: dict[str, Any]
) -> Iterator[ParallelBound]:
    """Yield bounds by windows of the updates of a source, of the busiest processor and of all."""
    try:
        shape, updates, besides, births = update_terms(dag, rules, source)
    except CertificateError:
        return
    if not updates:
        return
    held = rules.room_before(machine.memory)
    share = -(-updates // machine.processors)
    windows, exponents = best_windows(shape, share, held)
    powers = {name: str(value) for name, value in exponents.items()}
    entries = [{"size": size, "count": count, "exponents": powers} for size, count in windows]
    words = sum(count * least_words(shape, size, exponents) for size, count in windows)
    words -= held * (sum(count for _, count in windows) - 1) + births
    proof = Certificate("busiest", {"source": source, "windows": entries})
    yield ParallelBound("updates of the busiest", BUSIEST, words, machine, rules, proof)
    size = _best_size(shape, updates, machine.processors, held, exponents)
    gained = least_words(shape, size, exponents) - held
    total = windowed(updates, machine.processors, size, gained) + besides - births
    proof = Certificate("updates", {"source": source, "size": size, "exponents": powers})
    yield ParallelBound("updates of all", TOTAL, total, machine, rules, proof)


def _best_size(
    shape: Shape, updates: int, processors: int, held: int, exponents: Mapping[str, Fraction]
) -> int:
    """The size of windows that proves most, of sizes a twentieth apart."""

    def proved(size: int) -> int:
        return windowed(updates, processors, size, least_words(shape, size, exponents) - held)

    return max(_sizes_up_to(updates), key=proved)


def _sizes_up_to(limit: int) -> list[int]:
    """Sizes up to `limit`, a twentieth apart."""
    sizes, size = {1, limit}, 1.0
    while size < limit:
        sizes.add(int(size))
        size *= 1.05
    return sorted(sizes)


def _of_sets(dag: CDAG, machine: Machine, rules: Rules) -> Iterator[ParallelBound]:
    """Yield bounds by sets of each processor's vertices."""
    if rules.recompute or dag.family not in TWO_SIDED:
        return
    params = {k: list(v) if isinstance(v, tuple) else v for k, v in dag.params.items()}
    try:
        known = known_counts(TWO_SIDED, dag, dag.family, params)
    except CertificateError:
        return
    game, p = Game.of(dag, machine.memory, rules), machine.processors
    saved = 2 * game.red
    best: tuple[int, int, list[int]] = (0, 0, [])
    for number, pieces in enumerate(known):
        sizes = [_best_set(piece, p, saved) for piece in pieces]
        pairs = zip(pieces, sizes, strict=True)
        moves = sum(excess_of_sets(piece, p, size, saved) for piece, size in pairs)
        best = max(best, (moves, number, sizes))
    moves, number, sizes = best
    if moves:
        words = compulsory_words(dag) + game.word * moves
        data = {"family": dag.family, "params": params, "alternative": number, "sizes": sizes}
        yield ParallelBound("sets", TOTAL, words, machine, rules, Certificate("sets", data))


def _best_set(piece: Count, processors: int, saved: int) -> int:
    """The size of sets that proves most, of sizes a twentieth apart."""

    def proved(size: int) -> int:
        return excess_of_sets(piece, processors, size, saved)

    return max(_sizes_up_to(min(piece.vertices, piece.reach)), key=proved)
