"""A law of a program: the largest of some terms, where in memory each rules, and all in words."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

from proofs.laws.leading_terms import leading_text, polynomial_latex
from proofs.laws.polynomials import Polynomial
from proofs.laws.program_law import ProgramLaw
from proofs.laws.programs import SOME_MEMORY
from proofs.laws.tiles import Tile
from redblue.laws.regimes.below import Below, above_compulsory
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table

if TYPE_CHECKING:
    from redblue.answers.results import IOCurve
    from redblue.laws.regimes.einsum import AnyOrder

Sizes = Mapping[str, int]

LARGE, SMALLER = 10**5, 100  # sizes at which terms are told apart
BEYOND = 1.4  # a bound of so many times the law shows that the law lacks a term
NEARLY = 1.25  # times compulsory words: a play of so few words nearly attains them
STEP = 1.5  # from memory to memory where terms are compared


@dataclass(frozen=True)
class Held:
    """A law at one size and one memory, beside the proved and played words there.

    Parameters
    ----------
    sizes, memory
        Where.
    told
        Words by the law.
    term
        The number of the term that rules; None for the compulsory words.
    proved, played
        The best bound, and the best play, that were found in a moment.
    """

    sizes: Sizes
    memory: int
    told: int
    term: int | None
    proved: int
    played: int


@dataclass(frozen=True)
class Term:
    """A term of a law, with all its lower terms.

    Parameters
    ----------
    law
        Its numbers.
    """

    law: ProgramLaw

    @cached_property
    def below(self) -> Below:
        """The memory up to which it is above the compulsory words."""
        return above_compulsory(self.law)

    def words(self, sizes: Sizes, memory: float) -> float:
        """The words of the formula at some sizes."""
        updates = float(self.law.updates(sizes))
        if self.law.room is not None:
            return updates - memory * float(self.law.room(sizes))
        power: float = memory ** float(self.law.exponent)
        return self.law.coefficient * updates * power + float(self.law.gain(sizes))

    def ends(self, sizes: Sizes) -> float:
        """The memory from which on it is no more than the compulsory words."""
        return self.below.at(sizes)


@dataclass(frozen=True, repr=False)
class RegimeLaw(Printed):
    """The words that a program moves, for all sizes: the largest of its terms.

    Parameters
    ----------
    compulsory
        The compulsory words, which are always a term.
    terms
        The others, of which plays are known that move words in proportion; the one that rules at
        the smallest memory first.
    unattained
        How many lower bounds are left out, for no play is known that moves in proportion.
    withdrawn
        Leading terms that a play contradicted, with where.
    held
        The evidence at a few sizes.
    outputs
        The arrays whose last values are outputs.
    chosen
        Whether the outputs were named.
    unfinished
        Why the search, or the plays, ended early; empty if they did not.
    program, sizes
        The name of the program, and the values of those sizes that are given.
    any_order
        Of an einsum: the words if sums may be taken in any order.
    """

    compulsory: ProgramLaw
    terms: tuple[Term, ...] = ()
    unattained: int = 0
    withdrawn: tuple[str, ...] = ()
    held: tuple[Held, ...] = ()
    outputs: tuple[str, ...] = ()
    chosen: bool = False
    unfinished: str = ""
    program: str = "the program"
    sizes: Mapping[str, int] = field(default_factory=dict)
    any_order: "AnyOrder | None" = None

    def __repr__(self) -> str:
        return f"<RegimeLaw: {leading(self)} words, {len(self.terms)} terms besides compulsory>"

    @property
    def title(self) -> str:
        """The name of the program, with the sizes that are given."""
        return f"{self.program} with {sizes_text(self.sizes)}" if self.sizes else self.program

    @property
    def itself(self) -> "RegimeLaw":
        """The law, as `redblue.law` returns it."""
        return self

    @property
    def curves(self) -> "tuple[IOCurve, ...]":
        """The curves that show the law: none, for it holds for all sizes."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {"law": _record(self)}

    def shown(self) -> tuple[str]:
        """The terms and what is known of them, a line each."""
        lines = sentences(self.title, self)
        lines += [] if self.any_order is None else self.any_order.sentences()
        return ("\n".join(lines),)

    def overview(self) -> tuple[Table]:
        """The terms with the memory at which each rules."""
        rows = [
            (formula(term.law, self.letter), range_)
            for term, range_ in zip(self.terms, ranges(self), strict=True)
        ]
        rows.append((str(self.compulsory.compulsory), "compulsory, at any memory"))
        return (table("law", "", rows, "words", "where"),)

    @property
    def letter(self) -> str:
        """The letter for words of fast memory in formulas."""
        return self.compulsory.letter

    def at(self, sizes: Sizes, memory: int) -> tuple[float, int | None]:
        """The words at some sizes, and the number of the term that rules, or None."""
        largest: tuple[float, int | None] = float(self.compulsory.compulsory(sizes)), None
        for number, term in enumerate(self.terms):
            if (words := term.words(sizes, memory)) > largest[0]:
                largest = words, number
        return largest

    @property
    def known(self) -> bool:
        """True where it is the law, as far as was seen: terms are attained and none is missing.

        Where compulsory words are all, plays attain them with a few times the least memory.
        """
        if self.terms or not self.held:
            return bool(self.held)
        latest = {
            tuple(held.sizes.values()): held for held in self.held
        }.values()  # the last of each
        return all(held.played <= NEARLY * held.told for held in latest)

    @property
    def more(self) -> Held | None:
        """The size at which a bound proves most beyond the law, if one does; None else."""
        beyond = [held for held in self.held if held.proved > BEYOND * held.told]
        return max(beyond, key=lambda held: held.proved / held.told, default=None)


def ruling(terms: list[ProgramLaw], kernel: Collection[str] = ()) -> tuple[Term, ...]:
    """The terms that rule somewhere where all sizes are large, by the memory up to which.

    Parameters
    ----------
    terms
        Those that are known.
    kernel
        Sizes that are small beside the others, as those of a convolution's kernel.
    """
    far = [Term(law) for law in terms]
    sizes = {name: LARGE for law in terms for name in law.updates.variables}
    sizes |= dict.fromkeys(kernel, SMALLER)
    last = max((min(term.ends(sizes), float(LARGE) ** 4) for term in far), default=0.0)
    best: dict[int, float] = {}
    memory = float(SOME_MEMORY)
    while memory < last:
        ruling_terms = [term for term in far if term.ends(sizes) > memory]
        if ruling_terms:
            term = max(ruling_terms, key=lambda candidate: candidate.words(sizes, memory))
            best[far.index(term)] = memory
        memory *= STEP
    return tuple(
        far[number] for number in sorted(best, key=lambda candidate: best.get(candidate, inf))
    )


def sentences(name: str, law: RegimeLaw) -> list[str]:
    """The knowledge of a law, a line each.

    Parameters
    ----------
    name
        Of the program.
    law
        Its law.
    """
    lines = [_headline(name, law)]
    for number, range_ in enumerate(ranges(law)):
        lines += _term_lines(law, number, range_)
    lines += [_compulsory_line(law), *_honest_lines(law), _outputs_line(law)]
    lines += [f"LaTeX: {latex(law)}"]
    tiles = (term.law.tile for term in law.terms if term.law.tile is not None)
    lines += [f"LaTeX of the tiles: {tile.to_latex(law.letter)}" for tile in tiles]
    if law.unfinished:
        lines.append(f"The search ended {law.unfinished}: this is what it had found.")
    return lines


def leading(law: RegimeLaw) -> str:
    """The largest of the leading terms, on one line."""
    compulsory = _words(law.compulsory.compulsory.leading)
    if not law.terms:
        return compulsory
    terms = [_leading_term(term, law.letter) for term in law.terms]
    return f"max({', '.join([*terms, compulsory])})"


def latex(law: RegimeLaw) -> str:
    """The largest of the leading terms as LaTeX."""
    compulsory = polynomial_latex(law.compulsory.compulsory.leading)
    if not law.terms:
        return compulsory
    terms = [_leading_latex(term, law.letter) for term in law.terms]
    largest = r",\ ".join([*terms, compulsory])
    return rf"\max\left({largest}\right)"


def formula(law: ProgramLaw, letter: str) -> str:
    """A term with all its lower terms."""
    if law.room is not None:
        return f"{law.updates} - {letter} ({law.room})"
    if not law.exponent:
        return str(law.compulsory)
    words = leading_text(law.coefficient, law.updates, law.exponent, letter)
    gain = str(law.gain)
    if gain == "0":
        return words
    return f"{words} - {gain[1:]}" if gain.startswith("-") else f"{words} + {gain}"


def ranges(law: RegimeLaw) -> list[str]:
    """Return for each term the memory at which it rules, in words."""
    if not law.terms:
        return []
    letter, texts = law.letter, []
    for term, following in pairwise(law.terms):
        p, q = -term.law.exponent, -following.law.exponent
        if p > q and following.law.room is None:
            factor = term.law.coefficient / following.law.coefficient
            below = Below(factor, term.law.updates, p - q, following.law.updates)
            texts.append(f"{letter} < about {below.text}")
        else:
            texts.append(f"{letter} < about {term.below.text}, if it is above the next")
    return [*texts, f"{letter} < about {law.terms[-1].below.text}"]


def _headline(name: str, law: RegimeLaw) -> str:
    """The law in leading terms; compulsory words are one only where plays reach them."""
    words, memory = leading(law), f"with {law.letter} words of fast memory"
    start = f"{name}, for large sizes: "
    if law.terms or law.known:
        return f"{start}{words} words ({law.compulsory.rules}), {memory}."
    return f"{start}at least {words} words ({law.compulsory.rules}), the compulsory ones, {memory}."


def _term_lines(found: RegimeLaw, number: int, range_: str) -> Iterator[str]:
    """Yield lines on a term: its range, its lower terms, its tiles, its standing."""
    law, letter = found.terms[number].law, found.letter
    yield f"While {range_}: at least {formula(law, letter)} words. {_standing(law)}"
    if law.room is None:
        yield f"  Updates: {law.updates}; windows of them touch, or exchange, these words."
    else:
        yield "  These are words that wait in iterations of outer loops, and compulsory ones."
    if law.tile is not None:
        ratio = law.tiled_ratio
        moved = "" if ratio is None else f"; for large sizes they move {ratio:.2f} times this term"
        yield f"  Tiles that attain the power: {law.tile.text(letter)}{moved}."
    if (seen := _last(found, number)) is not None:
        yield f"  {evidence(seen, letter)}"


def _compulsory_line(law: RegimeLaw) -> str:
    """A line on the compulsory words."""
    start = "From there on" if law.terms else "At any memory"
    words, letter = law.compulsory.compulsory, law.letter
    line = f"{start}: at least {words} words, which are compulsory. {_standing(law.compulsory)}"
    reached = [held for held in law.held if held.term is None and held.played == held.told]
    if reached:
        smallest = min(reached, key=lambda seen: seen.memory)
        return (
            f"{line} A schedule attains them at {sizes_text(smallest.sizes)}, "
            f"{letter}={smallest.memory}."
        )
    return line


def _honest_lines(law: RegimeLaw) -> Iterator[str]:
    """Yield the open questions, and terms that were not confirmed."""
    if not law.terms:
        if law.known:
            yield (
                "Schedules move little more with a few times the least memory: "
                "no other term matters."
            )
        else:
            yield "No more is known: this is no law where M is small compared with the sizes."
    if law.unattained and not law.known:
        yield (
            "Larger lower bounds hold, but dependences forbid the tiles that would attain them: "
            "they are not part of the law. 'redblue bound' with sizes proves them."
        )
    if law.more is not None:
        yield f"Bounds prove more than this at some sizes. {evidence(law.more, law.letter)}"
    for term in law.withdrawn:
        yield f"Withdrawn, because a schedule contradicts it: {term}."
    if not law.held:
        yield "It was not compared with schedules."


def _outputs_line(law: RegimeLaw) -> str:
    """Which arrays count as outputs."""
    names = ", ".join(law.outputs)
    if law.chosen:
        return f"Outputs: the last values of {names}, as live= says."
    return f"Outputs: the last values of {names}; live=NAME+NAME makes them fewer."


def evidence(held: Held, letter: str) -> str:
    """The sentence on the evidence at a size; no law is told below what is proved there."""
    place = f"At {sizes_text(held.sizes)}, {letter}={held.memory}"
    ending = f"{held.proved:,} proved, {held.played:,} by a schedule."
    if held.told >= held.proved:
        return f"{place}: {held.told:,} words by this law, {ending}"
    times = f"{held.proved / held.told:.2f} times as many as" if held.told > 0 else "more than"
    words = f"{held.proved:,} words proved, {times} this law says"
    return f"{place}: {words}; {held.played:,} by a schedule."


def _last(law: RegimeLaw, number: int) -> Held | None:
    """The last of the sizes at which a term rules."""
    return next((held for held in reversed(law.held) if held.term == number), None)


def _standing(law: ProgramLaw) -> str:
    """The sentence on the proof."""
    if law.proved is not None:
        return f"Proved for all sizes from {law.proved} on."
    return "A trend: 'redblue bound' with sizes proves it for a DAG."


def _words(polynomial: Polynomial) -> str:
    return leading_text(1.0, polynomial, Fraction(0), "M")


def _leading_term(term: Term, letter: str) -> str:
    """A leading term, less the terms subtracted from it."""
    return term.law.leading_term(letter) + _less(term, str, f"{letter} ")


def _leading_latex(term: Term, letter: str) -> str:
    return term.law.to_latex(letter) + _less(term, polynomial_latex, rf"{letter}\,")


def _less(term: Term, written: Callable[[Polynomial], str], memory: str) -> str:
    """The leading words that are subtracted from a term: they may end its range.

    Parameters
    ----------
    term
        The term.
    written
        Writes a polynomial.
    memory
        The memory as a factor: of the words that do not wait.
    """
    room, gain = term.law.room, term.law.gain
    if room is not None:
        lost, factor = room.leading, memory
    elif gain.at_equal_sizes < 0:
        lost, factor = Polynomial(gain.variables, {}).minus(gain.leading), ""
    else:
        return ""
    words = written(lost)
    return f" - {factor}{words}" if len(lost.terms) == 1 else f" - {factor}({words})"


def sizes_text(sizes: Mapping[str, int]) -> str:
    """Sizes as a specification has them."""
    return ",".join(f"{name}={value}" for name, value in sizes.items())


def _record(law: RegimeLaw) -> dict[str, Any]:
    """The law for `--json`: the numbers of the first term, and all terms."""
    first = law.terms[0].law if law.terms else law.compulsory
    return {
        "program": law.program,
        "sizes": dict(law.sizes),
        "rules": first.rules,
        **_numbers(first),
        "compulsory": str(law.compulsory.compulsory),
        "latex": first.to_latex(),
        "largest": leading(law),
        "terms": _terms(law),
        "known": law.known,
        "unattained": law.unattained,
        "withdrawn": list(law.withdrawn),
        "held": [asdict(held) for held in law.held],
        "outputs": list(law.outputs),
        "unfinished": law.unfinished or None,
        **({} if law.any_order is None else law.any_order.to_dict()),
    }


def _terms(law: RegimeLaw) -> list[dict[str, Any]]:
    """All terms for `--json`, each with the memory up to which it is above the next."""
    return [
        {**_numbers(term.law), "words": formula(term.law, law.letter), "where": range_}
        for term, range_ in zip(law.terms, ranges(law), strict=True)
    ]


def _numbers(law: ProgramLaw) -> dict[str, Any]:
    """The numbers of a term for `--json`."""
    return {
        "exponent": str(law.exponent),
        "degree": int(law.degree) if law.degree % 1 == 0 else float(law.degree),
        "coefficient": law.coefficient,
        "leading": law.leading,
        "updates": str(law.updates),
        "gain": str(law.gain),
        "form": law.form,
        "tile": None if law.tile is None else _tile_record(law.tile, law),
        "proved_from": law.proved,
    }


def _tile_record(tile: Tile, law: ProgramLaw) -> dict[str, Any]:
    """The tile for `--json`."""
    return {
        "sides": {index: str(side) for index, side in tile.sides.items()},
        "along": tile.along,
        "leaning": {index: dict(factors) for index, factors in tile.leaning.items()},
        "staying": tile.staying,
        "ratio": law.tiled_ratio,
        "text": tile.text(law.letter),
        "latex": tile.to_latex(law.letter),
    }
