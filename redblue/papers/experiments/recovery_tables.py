"""The tables and the figure of recovered laws, and the finite-size bias of these."""

from collections.abc import Sequence
from typing import Any

from redblue.counted.finite_sizes import bias, halved
from redblue.laws.sandwich import Seen, exponent_range, local_exponents
from redblue.papers.experiments.recoveries import Recovery, counted_corridor
from redblue.show.model import Axis, Figure, Series, Table
from redblue.show.rows import table

MEMORY = Axis("fast memory M [words]", base=10)
RATIO = Axis("operations per word", base=10)
CEILING = "no schedule has more"


def recovery_table(found: Sequence[Recovery], name: str = "recovered-laws") -> Table:
    """Return the table of laws that were held against plays and proofs, a line each."""
    return table(
        name, "Operations per word against memory M, as played and as proved: the exponents over "
        "every decade of M; words moved over words proved, at most, and its change a decade; the "
        "best rival law, and the exponent by which it misses more than the law does; and what the "
        "plays of generic orders alone would tell, at a small size.", map(_cells, found),
        "computation", "law", "M [words]", "played", "proved", "ratio", "a decade", "best rival",
        "verdict", "seen blindly",
    )  # fmt: skip


def _cells(one: Recovery) -> tuple[Any, ...]:
    found, corridor = one.finding, one.finding.corridor
    known = bool(corridor.memories.size)
    return (
        one.computation.name, found.law.name, memory_range(one),
        exponent_range(found.exponents.upper), exponent_range(found.exponents.lower),
        f"{found.largest_ratio:.2f}" if known else None,
        f"{corridor.trend:.3f}" if known else None,
        "-" if found.rival is None else f"{found.rival.name} {found.margin:+.3f}",
        found.status, seen_text(one.blind),
    )  # fmt: skip


def members_table(found: Sequence[Recovery], *, halves: bool) -> Table:
    """Return the table of the members whose laws were looked at.

    Parameters
    ----------
    found
        The computations.
    halves
        Whether to tell the finite-size bias, for which a member of half the size is counted too.
    """
    bias_told = " Finite size: the most that a local exponent, as played and as proved, changes "
    bias_told += "for a member with half the points along every side, or half the levels."
    return table(
        "laws-members",
        "The members: those whose words are counted by formulas, or replayed, and the small ones "
        f"that generic orders play.{bias_told if halves else ''}", found,
        ("computation", lambda one: one.computation.name), "member <- spec", "how <- how",
        ("decades", lambda one:
            f"{one.finding.corridor.decades:.1f} of {one.computation.decades:g}"),
        ("lacking", lambda one: "; ".join(one.finding.lacking) or "nothing"),
        ("small member", lambda one: one.computation.small),
        ("exponents", lambda one: f"{one.blind.low:.2f} to {one.blind.high:.2f}"),
        *([("finite size", lambda one: bias_text(finite_size_bias(one)))] if halves else []),
    )  # fmt: skip


def finite_size_bias(one: Recovery) -> tuple[float, float] | None:
    """Return the most that a local exponent, as played and as proved, moves in the halved member.

    None for a member that is played, whose memories are chosen for its size.
    """
    if one.how != "counted":
        return None
    small, _ = counted_corridor(one.computation, halved(one.spec))
    return bias(one.finding.exponents, local_exponents(small))


def bias_text(found: tuple[float, float] | None) -> str:
    """Return a finite-size bias as text."""
    return "-" if found is None else f"{found[0]:.3f}, {found[1]:.3f}"


def memory_range(one: Recovery) -> str:
    """Return the memories of a corridor as text."""
    memories = one.finding.corridor.memories
    if not memories.size:
        return "none"
    low, high = (f"{size:,.0f}" if size < 1e4 else f"{size:.0e}" for size in memories[[0, -1]])
    return f"{low} to {high}".replace("e+0", "e")


def seen_text(seen: Seen) -> str:
    """Return the law that plays alone show, as text."""
    if seen.law is not None:
        return seen.law.name
    return f"none ({seen.low:.2f} to {seen.high:.2f})" if seen.high else "none"


def recovery_figure(found: Sequence[Recovery], name: str, caption: str) -> Figure:
    """Return the figure of operations per word against memory: of plays, and what none exceeds.

    Parameters
    ----------
    found
        The computations; of several, the ceiling of each has its colour.
    name, caption
        Of the figure.
    """
    drawn = []
    for one in found:
        x = tuple(one.finding.corridor.memories.tolist())
        played, ceiling = (tuple(ratios.tolist()) for ratios in one.ratios)
        label = one.computation.name
        notes = tuple(
            f"{one.spec}: played within {ratio:.3f} of what is proved"
            for ratio in one.finding.corridor.ratios.tolist()
        )
        drawn.append(Series(label, x, played, "upper", notes))
        above = CEILING if len(found) == 1 else f"{label}: at most"
        drawn.append(Series(above, x, ceiling, "lower"))
    gap = (drawn[1].label, drawn[0].label) if len(found) == 1 else None
    return Figure(name, caption, MEMORY, RATIO, tuple(drawn), gap)
