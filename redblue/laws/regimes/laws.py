"""A law of a program: the largest of some terms, and the range of memory in which each rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, inf, lcm

from proofs.laws.leading_terms import leading_text, power_text
from proofs.laws.polynomials import Polynomial
from proofs.laws.program_law import ProgramLaw
from proofs.laws.programs import SOME_MEMORY
from redblue.show.model import Table
from redblue.show.printed import Printed
from redblue.show.rows import table

MOST_DENOMINATOR = 1000
NEAR = 1e-9


@dataclass(frozen=True)
class Below:
    """The memory up to which c times one polynomial over M^p is above another one.

    Parameters
    ----------
    coefficient, above, power
        Of the term: c, the polynomial, and p.
    under
        The other polynomial. Of both, only leading terms count.
    """

    coefficient: float
    above: Polynomial
    power: Fraction
    under: Polynomial

    def at(self, sizes: Mapping[str, int]) -> float:
        """Return the words of memory at some sizes."""
        under = float(self.under.leading(sizes))
        if under <= 0:
            return inf
        ratio = self.coefficient * float(self.above.leading(sizes)) / under
        return float(max(ratio, 0.0) ** (1 / float(self.power)))

    @property
    def text(self) -> str:
        """The formula on one line."""
        above, under = self.above.leading, self.under.leading
        outer = 1 / self.power
        if len(above.terms) == len(under.terms) == 1:
            return self._monomial(above, under, outer)
        above, under, content = _reduced(above, under)
        top = leading_text(self.coefficient / float(content), above, Fraction(0), "M")
        low = f"({under})" if len(under.terms) > 1 else f"{under}"
        ratio = top if low == "1" else f"{top} / {low}"
        return ratio if outer == 1 else power_text(outer, f"({ratio})")

    def _monomial(self, above: Polynomial, under: Polynomial, outer: Fraction) -> str:
        """Return the formula where each side has one term."""
        ((high, factor),) = above.terms.items()
        ((low, other),) = under.terms.items()
        value = (self.coefficient * float(factor / other)) ** float(outer)
        number = Fraction(value).limit_denominator(MOST_DENOMINATOR)
        exact = abs(float(number) - value) <= NEAR * value
        powers = [(a - b) * outer for a, b in zip(high, low, strict=True)]
        names = [*zip(above.variables, powers, strict=True)]
        top = [power_text(x, name) for name, x in names if x > 0]
        bottom = [power_text(-x, name) for name, x in names if x < 0]
        if not exact:
            top.insert(0, f"{value:.3g}")
        elif number.numerator != 1 or not top:
            top.insert(0, str(number.numerator))
        if exact and number.denominator != 1:
            bottom.insert(0, str(number.denominator))
        divided = f"({' '.join(bottom)})" if len(bottom) > 1 else "".join(bottom)
        return " ".join(top) + (f" / {divided}" if bottom else "")


def above_compulsory(law: ProgramLaw) -> Below:
    """Return the memory up to which a term is above the compulsory words."""
    if law.room is not None:
        return Below(1.0, law.updates.minus(law.compulsory), Fraction(1), law.room)
    under = law.compulsory.minus(law.gain)
    return Below(law.coefficient, law.updates, -law.exponent, under)


def _reduced(above: Polynomial, under: Polynomial) -> tuple[Polynomial, Polynomial, Fraction]:
    """Return two polynomials without the sizes that divide all terms of both.

    The second one has whole coefficients without a common factor; that factor comes third.
    """
    numbers = under.terms.values()
    content = Fraction(gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers)))
    powers = [*above.terms, *under.terms]
    common = [min(column) for column in zip(*powers, strict=True)]

    def divided(some: Polynomial, by: Fraction) -> Polynomial:
        return Polynomial(
            some.variables,
            {
                tuple(a - b for a, b in zip(at, common, strict=True)): x / by
                for at, x in some.terms.items()
            },
        )

    return divided(above, Fraction(1)), divided(under, content), content


Sizes = Mapping[str, int]

LARGE, SMALLER = 10**5, 100  # sizes at which terms are told apart
BEYOND = 1.4  # times a law: a bound of so many words shows that more rules
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
        """Return the words of the formula at some sizes."""
        updates = float(self.law.updates(sizes))
        if self.law.room is not None:
            return updates - memory * float(self.law.room(sizes))
        power: float = memory ** float(self.law.exponent)
        return self.law.coefficient * updates * power + float(self.law.gain(sizes))

    def ends(self, sizes: Sizes) -> float:
        """Return the memory from which on it is no more than the compulsory words."""
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
    """

    compulsory: ProgramLaw
    terms: tuple[Term, ...] = ()
    unattained: int = 0
    withdrawn: tuple[str, ...] = ()
    held: tuple[Held, ...] = ()
    outputs: tuple[str, ...] = ()
    chosen: bool = False
    unfinished: str = ""

    def __repr__(self) -> str:
        from redblue.laws.regimes.sentences import leading

        return f"<RegimeLaw: {leading(self)} words, {len(self.terms)} terms besides compulsory>"

    def shown(self) -> tuple[Table, str]:
        """Return the terms with the memory at which each rules, and what is known of them."""
        from redblue.laws.regimes.sentences import formula, ranges, sentences

        rows = [
            (formula(term.law, self.letter), where)
            for term, where in zip(self.terms, ranges(self), strict=True)
        ]
        rows.append((str(self.compulsory.compulsory), "compulsory, at any memory"))
        return table("law", "", rows, "words", "where"), "\n".join(sentences("the program", self))

    @property
    def letter(self) -> str:
        """The letter for words of fast memory in formulas."""
        return self.compulsory.letter

    def at(self, sizes: Sizes, memory: int) -> tuple[float, int | None]:
        """Return the words at some sizes, and the number of the term that rules, or None."""
        found: tuple[float, int | None] = float(self.compulsory.compulsory(sizes)), None
        for number, term in enumerate(self.terms):
            if (words := term.words(sizes, memory)) > found[0]:
                found = words, number
        return found

    @property
    def known(self) -> bool:
        """True where it is the law, as far as was seen: terms are attained and none is missing.

        Where compulsory words are all, plays attain them with a few times the least memory.
        """
        if self.terms or not self.held:
            return bool(self.held)
        most = {tuple(one.sizes.values()): one for one in self.held}.values()  # the last of each
        return all(one.played <= NEARLY * one.told for one in most)

    @property
    def more(self) -> Held | None:
        """The size at which a bound proves most beyond the law, if one does; None else."""
        beyond = [one for one in self.held if one.proved > BEYOND * one.told]
        return max(beyond, key=lambda one: one.proved / one.told, default=None)


def ruling(terms: list[ProgramLaw], kernel: Collection[str] = ()) -> tuple[Term, ...]:
    """Return the terms that rule somewhere where all sizes are large, by the memory up to which.

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
        some = [term for term in far if term.ends(sizes) > memory]
        if some:
            term = max(some, key=lambda one: one.words(sizes, memory))
            best[far.index(term)] = memory
        memory *= STEP
    return tuple(far[number] for number in sorted(best, key=lambda one: best.get(one, inf)))
