"""Terms from the bounds of nests, held against counted plays of a large member."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from math import ceil
from typing import Any, Final

from dags.programs import Program
from dags.programs.box_nests import BoxNest
from dags.programs.box_reader import box_nest
from proofs.bounds.loops.nests import nest_bound
from proofs.laws.nest_terms import NestReader, kernel_sizes, nest_terms
from redblue.laws.regimes.laws import NEARLY, Held, RegimeLaw, ruling
from schedulers.tilings.holds import Found
from schedulers.tilings.search import best_tilings

UPDATES: Final = 1e8  # of the member that is played, about, beside those of a kernel
LEAST, MOST, KERNEL = 12, 4096, 16  # sizes of it
SECONDS: Final = 2.0  # for its plays
FIRST, STEP = 16, 2  # sizes of memory that are looked at
CLEARLY: Final = 1.25  # times all others: where a term rules without doubt
ATTAINED: Final = 5.0  # times a term that plays may move
STEADY: Final = 1.6  # times the least ratio: plays that move in proportion move no more
LITTLE = [16, 64, 256, 1024]  # words, that may be enough for compulsory words


def with_nest_terms(
    law: RegimeLaw, program: Program, options: Mapping[str, Any], reader: NestReader | None
) -> RegimeLaw:
    """The law with the terms of its nest that counted plays attain.

    Parameters
    ----------
    law
        The terms so far.
    program, options
        As for `proofs.laws.nest_terms.nest_reader`.
    reader
        What that returns.

    Raises
    ------
    NotReadError, NotCountedError
        If a large member is not run on boxes, or has words that no formula counts.
    """
    small = set() if reader is None else kernel_sizes(reader)
    nest = _member(program, small, options)
    laws = [term.law for term in law.terms]
    new = [] if reader is None else [*nest_terms(reader, law.compulsory.compulsory)]
    ruling_terms = ruling([*laws, *new], small)
    law_now = replace(law, terms=ruling_terms)
    if not ruling_terms:
        return replace(law, held=tuple(_compulsory(law_now, nest)))
    places = [number for number, term in enumerate(ruling_terms) if term.law in new]
    if not places:
        return law
    held = _held_at(law_now, nest, places)
    if small and (left := [number for number in places if not held[number]]):
        held |= _held_at(law_now, _member(program, (), options), left)
    out = [ruling_terms[number].law for number in places if not _is_attained(held[number])]
    kept = [term.law for term in ruling_terms if term.law not in out]
    law = replace(law, terms=ruling(kept, small), unattained=law.unattained + len(out))
    seen = [
        evidence
        for number in places
        if ruling_terms[number].law in kept
        for evidence in held[number]
    ]
    terms = [law.at(evidence.sizes, evidence.memory)[1] for evidence in seen]
    pairs = zip(seen, terms, strict=True)
    return replace(law, held=tuple(replace(evidence, term=number) for evidence, number in pairs))


def _held_at(law: RegimeLaw, nest: BoxNest, places: list[int]) -> dict[int, list[Held]]:
    """The evidence on some terms where they rule at one member."""
    memories_of_term = {number: _memories(law, number, nest) for number in places}
    asked = {memory for memories in memories_of_term.values() for memory in memories}
    tilings = best_tilings(nest, asked, seconds=SECONDS) if asked else []
    return {
        number: _held(law, nest, tilings, memories) for number, memories in memories_of_term.items()
    }


def _member(program: Program, small: Collection[str], options: Mapping[str, Any]) -> BoxNest:
    """A large member, whose sizes are alike but for those of a kernel."""
    depth = max(len(loops) for _, loops in program.statements) - len(small)
    size = min(MOST, max(LEAST, round(UPDATES ** (1 / max(1, depth)))))
    sizes = dict.fromkeys(program.sizes, size) | dict.fromkeys(small, KERNEL)
    return box_nest(program, sizes, **options)


def _compulsory(law: RegimeLaw, nest: BoxNest) -> Iterator[Held]:
    """Yield the size of memory, if it is small, at which a play moves little more than it must."""
    tilings = best_tilings(nest, LITTLE, seconds=SECONDS)
    for held in _held(law, nest, tilings, LITTLE):
        if held.played <= NEARLY * held.told:
            yield held
            return


def _memories(law: RegimeLaw, number: int, nest: BoxNest) -> list[int]:
    """The first, the middle and the last size of memory at which a term clearly rules."""
    memories, memory = [], FIRST
    compulsory = float(law.compulsory.compulsory(nest.sizes))
    while memory < nest.updates:
        words = [term.words(nest.sizes, memory) for term in law.terms]
        other_words = [compulsory, *words[:number], *words[number + 1 :]]
        if words[number] > CLEARLY * max(other_words):
            memories.append(memory)
        memory *= STEP
    return sorted({memories[0], memories[len(memories) // 2], memories[-1]}) if memories else []


def _held(law: RegimeLaw, nest: BoxNest, plays: list[Found], memories: list[int]) -> list[Held]:
    """Bounds and plays at some sizes of memory, where a play is known."""
    held = []
    for memory in memories:
        fitting = [play.io for play in plays if play.moved.words <= memory]
        if fitting:
            words, proved = ceil(law.at(nest.sizes, memory)[0]), nest_bound(nest, memory).io
            held.append(Held(nest.sizes, memory, words, None, proved, min(fitting)))
    return held


def _is_attained(held: list[Held]) -> bool:
    """Whether plays move words in proportion to a term."""
    ratios = [evidence.played / evidence.told for evidence in held]
    return bool(ratios) and ratios[-1] <= min(ATTAINED, STEADY * min(ratios))
