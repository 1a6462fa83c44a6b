"""The law that a computation follows, as plays and proofs tell it, for readers and for `--json`."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from dags import Computation
from proofs.laws import Law
from redblue.answers.counted.laws import Regime, Sides
from redblue.answers.references import problem_sentences
from redblue.answers.results import IOCurve
from redblue.laws.fit import Fit, against
from redblue.laws.fit.choice import law_sentence
from redblue.laws.fit.verdict import verdict_sentence
from redblue.laws.sandwich import Finding, finding_record, finding_sentences
from redblue.show.answer import Part
from redblue.show.rows import table

ALPHA = 2.0  # growth of the arithmetic that the memory is asked for


class Over(NamedTuple):
    """Findings that formulas add, of a member that is not laid out.

    Attributes
    ----------
    sides
        The exponents of both sides over the whole range, which local ones do not tell.
    bias
        How far exponents, as played and as proved, may be from those of a member without end.
    compulsory
        Words that are moved with any memory.
    ranges
        What proves most in which range of memory.
    """

    sides: Sides | None
    bias: tuple[float, float] | None
    compulsory: int
    ranges: tuple[Regime, ...]


@dataclass(frozen=True)
class FoundLaw:
    """The law of a computation, and what it means for memory.

    Parameters
    ----------
    curve
        What was played, and proved.
    fit
        The law that the plays follow.
    published
        The law of the literature, if the family has one.
    held
        What plays and proofs together say of that one.
    over
        Of a member that is not laid out: what formulas tell besides.
    computation
        The computation.
    """

    curve: IOCurve
    fit: Fit
    published: Law | None
    held: Finding | None
    over: Over | None = None
    computation: Computation | None = field(default=None, compare=False)

    @property
    def itself(self) -> Fit:
        """The law, as `redblue.law` returns it."""
        return self.fit

    @property
    def curves(self) -> tuple[IOCurve]:
        """The curve that shows the law."""
        return (self.curve,)

    @property
    def needed(self) -> tuple[int, float] | None:
        """The largest size that shows the law, and the memory for `ALPHA` times the work."""
        if self.fit.law is None:
            return None
        memory = int(self.fit.points.memories[-1])
        return memory, self.fit.law.rebalance(ALPHA, memory)

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints; numbers that are infinite or unknown are null."""
        fit_, told, needed = self.fit, self.fit.law, self.needed
        over = self.over
        besides: dict[str, Any] = {}
        if over is not None:
            sides = None if over.sides is None else over.sides._asdict()
            besides = {"sides": sides, "finite_size": over.bias, "compulsory": over.compulsory}
            besides["regimes"] = [range_._asdict() for range_ in over.ranges]
        law = {
            **{name: getattr(told, name, None) for name in ("name", "kind", "exponent")},
            "coefficient": getattr(told, "coefficient", None),
            "interval": None if fit_.interval is None else [number(end) for end in fit_.interval],
            "slope": fit_.slope,
            "reason": fit_.reason if fit_.trend is None else law_sentence(fit_),
            **({} if fit_.trend is None else {"trend": asdict(fit_.trend)}),
            "published": None if self.published is None else self.published.name,
            "verdict": against(fit_, self.published),
            "sandwich": None if self.held is None else finding_record(self.held),
            "alpha": ALPHA,
            "memory": None if needed is None else needed[0],
            "rebalanced": None if needed is None else number(needed[1]),
            "exponents": dict(fit_.exponents),
            "models": [
                {key: number(value) for key, value in asdict(model).items()}
                for model in fit_.models.values()
            ],
            "growths": [asdict(growth) for growth in fit_.growths],
            "points": [int(memory) for memory in fit_.points.memories],
        }
        return {**self.curve.to_dict(), "law": law | besides}

    def shown(self) -> Iterator[Part]:
        """Yield the table, and the sentences, a line each."""
        fit_, played = self.fit, self.curve.envelope("upper")
        floor = dict(self.curve.envelope("lower"))
        telling = {int(memory) for memory in fit_.points.memories}
        work = fit_.points.work
        yield table(
            "law", f"{self.curve.title}: {work:,} operations", played, "M", "I/O",
            ("at least", lambda point: floor.get(point[0])),
            ("R = operations/word", lambda point: f"{work / point[1]:.4g}" if point[1] else "-"),
            ("counts", lambda point: "yes" if point[0] in telling else ""),
        )  # fmt: skip
        yield "\n".join(
            (
                law_sentence(fit_),
                *_evidence(fit_),
                verdict_sentence(fit_, self.published),
                *(() if self.held is None else finding_sentences(self.held)),
                *self._memory(),
                *problem_sentences(self.curve.references, played),
                *(() if self.over is None else _over(self.over)),
            )
        )

    def _memory(self) -> Iterator[str]:
        """Yield the sentence on the memory of a machine that computes faster."""
        if self.needed is None:
            return
        memory, words = self.needed
        start = f"{ALPHA:g} times the arithmetic per word of I/O needs"
        if words == float("inf"):
            yield f"{start} a faster link: no memory is enough."
        else:
            yield f"{start} M = {words:,.0f} words instead of {memory:,}{_range(self.fit)}."


def number(value: float | str) -> float | str | None:
    """`value`, or None for an infinity, which JSON does not have."""
    return None if value in (float("inf"), float("-inf")) else value


def _evidence(fitted: Fit) -> Iterator[str]:
    """Yield the sentences on the exponents, and on the growth of R by the law from end to end."""
    if fitted.exponents:
        read = ", ".join(f"{value:.3f} ({name})" for name, value in fitted.exponents.items())
        yield f"Exponents of a power through these points: {read}."
    if fitted.models:
        shares = ", ".join(
            f"{model.kind} {model.r_squared:.4f}" for model in fitted.models.values()
        )
        yield f"R^2 of log R: {shares}."
    for growth in fitted.growths:
        yield (
            f"Four times the memory from M = {growth.memory:,.0f} on: R times "
            f"{growth.counted:.3f}, by the law {growth.by_law:.3f}."
        )


def _range(fitted: Fit) -> str:
    """The growth of a power's memory over the interval of its exponent, as text."""
    if fitted.law is None or fitted.law.kind != "power" or fitted.interval is None:
        return ""
    low, high = fitted.interval
    upper = f"to {ALPHA ** (1 / low):.3g}" if low > 0.05 else "or more"
    return f", {ALPHA ** (1 / high):.3g} {upper} times as much"


def _over(over: Over) -> Iterator[str]:
    """Yield what formulas tell besides."""
    yield from (_regime(range_, over.compulsory) for range_ in over.ranges)
    if (sides := over.sides) is not None:
        yield (
            f"From M = {sides.first:,} to {sides.last:,} without compulsory I/O: "
            f"exponent {sides.played:.4f} of schedules, {sides.proved:.4f} of lower bounds."
        )
    if over.bias is not None:
        yield (
            f"At half the size, local exponents differ from these by up to {over.bias[0]:.3f} for "
            f"schedules, and by up to {over.bias[1]:.3f} for lower bounds."
        )


def _regime(regime: Regime, compulsory: int) -> str:
    """What rules in a range of memory."""
    ends = f"M = {regime.first:,}" + f" to {regime.last:,}" * (regime.last > regime.first)
    played = "no schedule is known"
    if regime.gap is not None:
        played = f"schedules move at most {regime.gap:.3g} times that"
    if regime.by == "compulsory":
        return f"{ends}: only the {compulsory:,} compulsory words are proved; {played}."
    falls = "" if regime.exponent is None else f", words in M^{regime.exponent:.3f}"
    return f"{ends}: proved by {regime.by}{falls}; {played}."
