"""Laws held against plays and bounds, at a few sizes and memories."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any, Final

from dags import CDAG
from dags.programs import Program, ProgramError, instantiate
from pebble import compulsory_words, min_memory, play
from proofs import BOUNDS, NotApplicableError, best_bound
from redblue.laws.regimes.laws import Held, RegimeLaw, Term
from schedulers import scheduler_named

BASES: Final = (64, 48, 36, 27, 20, 15, 11, 8, 6, 5, 4, 3)  # of the sizes that are tried
LONGER: Final = 4  # times as large as the others one size is, in turn
MOST_VERTICES: Final = 2500
PLAYERS: Final = ("natural+belady", "depth-first+belady-cost", "tiled")
PROVERS: Final = ("affine", "uniform", "slices")
SECONDS: Final = 0.4  # for each play, and for all bounds


def held_against_plays(
    law: RegimeLaw, program: Program, options: Mapping[str, Any]
) -> Iterator[RegimeLaw]:
    """Yield the law with what is seen of it, after each play; without terms that one contradicts.

    Parameters
    ----------
    law
        The law as it was found.
    program, options
        As for `proofs.programs.terms`.
    """
    for sizes in _some_sizes(program):
        dag = _largest(program, sizes, options)
        if dag is None:
            continue
        at = {name: dag.origin.sizes[name] for name in program.sizes} if dag.origin else {}
        for memory in _memories(dag, law.terms, at):
            told, term = law.at(at, memory)
            proved, played = _proved(dag, memory), _played(dag, memory)
            seen = Held(at, memory, ceil(told - 1e-9), term, proved, played)
            law = _without_contradicted(replace(law, held=(*law.held, seen)), seen)
            yield law


def _without_contradicted(law: RegimeLaw, seen: Held) -> RegimeLaw:
    """Return the law without the terms that are above a play."""
    false = [term for term in law.terms if floor(term.words(seen.sizes, seen.memory)) > seen.played]
    if not false:
        return law
    where = f"{sizes_text(seen.sizes)}, {law.letter}={seen.memory}"
    reasons = tuple(
        f"{term.law.leading_term(law.letter)}: a play moves {seen.played:,} words at {where}"
        for term in false
    )
    kept = tuple(term for term in law.terms if term not in false)
    # What the law told before is not what it tells now.
    again = tuple(replace(one, told=0, term=None) for one in law.held)
    law = replace(law, terms=kept, withdrawn=(*law.withdrawn, *reasons))
    held = []
    for one in again:
        told, number = law.at(one.sizes, one.memory)
        held.append(replace(one, told=ceil(told - 1e-9), term=number))
    return replace(law, held=tuple(held))


def sizes_text(sizes: Mapping[str, int]) -> str:
    """Return sizes as a specification has them."""
    return ",".join(f"{name}={value}" for name, value in sizes.items())


def _some_sizes(program: Program) -> Iterator[Mapping[str, int]]:
    """Yield proportions of the sizes: all alike, and each in turn longer than the others."""
    alike = dict.fromkeys(program.sizes, 1)
    yield alike
    if len(program.sizes) > 1:
        for name in program.sizes:
            yield {**alike, name: LONGER}


def _largest(program: Program, parts: Mapping[str, int], options: Mapping[str, Any]) -> CDAG | None:
    """Return the largest DAG of such proportions that is small, or None."""
    for base in BASES:
        sizes = {name: base * part for name, part in parts.items()}
        try:
            return instantiate(program, sizes, **options, max_vertices=MOST_VERTICES)
        except ProgramError:
            continue
    return None


def _memories(dag: CDAG, terms: Sequence[Term], sizes: Mapping[str, int]) -> list[int]:
    """Return the least memory and a few above it, where terms rule and where none does."""
    least = min_memory(dag)
    far = 1.2 * max([3.0 * least, *(end for term in terms if (end := term.ends(sizes)) < dag.n)])
    return sorted({least + 1, round((least * far) ** 0.5), round(far)})


def _played(dag: CDAG, memory: int) -> int:
    """Return the words of the best of a few plays."""
    best = None
    for name in PLAYERS:
        schedule = scheduler_named(name)(dag, memory, time_limit=SECONDS)
        io = play(dag, schedule, memory).io
        best = io if best is None else min(best, io)
    assert best is not None
    return best


def _proved(dag: CDAG, memory: int) -> int:
    """Return the words that the best of a few bounds proves."""
    try:
        methods = [BOUNDS[name] for name in PROVERS]
        return best_bound(methods, dag, memory, time_limit=SECONDS).io
    except NotApplicableError:
        return compulsory_words(dag)
