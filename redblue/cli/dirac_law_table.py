"""The law of a Dirac operator, as ``redblue law`` prints it."""

from typing import TYPE_CHECKING

from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pebble import Rules
    from redblue.answers.counted.dirac_law import DiracLaw, DiracLawPoint


def dirac_answer(spec: str, memories: "Sequence[int] | None", rules: "Rules") -> Facts:
    """Return the words of theorem 1 for a Dirac operator beside counted plays and proved bounds."""
    from dags import member
    from redblue.answers.counted.dirac_law import dirac_law

    found = dirac_law(member(spec), memories, rules=rules)
    listed = table(
        "dirac", f"{found.curve.title}: words a site to and from the node's own memory",
        found.points, "M <- memory", ("s", lambda point: str(point.s or "-")),
        ("theorem 1", lambda point: _words(point.published)),
        ("counted", lambda point: _words(point.counted)),
        ("proved", lambda point: _words(point.proved)), ("counted / proved", _ratio),
    )  # fmt: skip
    return Facts(found.to_dict(), (listed, "\n".join(sentences(found))))


def _words(words: float | None) -> str:
    return "-" if words is None else f"{words:,.2f}"


def _ratio(point: "DiracLawPoint") -> str:
    return "-" if point.counted is None else f"{point.counted / point.proved:.3f}"


def sentences(found: "DiracLaw") -> list[str]:
    """Return the findings of a table of words a site, a line each."""
    shown = {
        name: "not seen" if p is None else f"M^-{p:.3f}" for name, p in found.exponents.items()
    }
    return [
        "Published (Bilardi et al., 2005, theorem 1): 120 + 66/s words a site, and 132 k^2, with "
        "M = 96 k^2 s + 288 k s for 1 <= s <= k; 120 with 96 k^3 + 432 k^2.",
        f"Beyond 120 words a site falls as {shown['published']} by the theorem, as "
        f"{shown['counted']} in counted plays, as {shown['proved']} where it is proved: "
        "at least 36 (6/M)^(1/3) in the leading term, and 181/M^(1/3) in a lattice without end.",
        f"One application does {found.operations:,.0f} operations a site, "
        f"{found.operations / 120:.3g} a word at most, with any memory.",
    ]
