"""Literature of methods, as BibTeX: of those alone that had a part in a report."""

from collections.abc import Iterable

from proofs import METHODS
from redblue.evidence.points import Evidence
from redblue.show.literature import ENTRIES

GAME = "hong1981"
LAW = "kung1986"

EVICTIONS = {"belady": "belady1966", "lru": "mattson1970"}


def cited(evidence: Evidence) -> tuple[str, ...]:
    """Return the keys of the literature behind a report, the game's first, each once."""
    proofs = {bound.method for bound in evidence.bounds}
    plays = {point.upper.method for point in evidence.points}
    keys = [GAME]
    keys += [key for name in sorted(proofs) if name in METHODS for key in METHODS[name].sources]
    keys += [key for mark, key in EVICTIONS.items() if any(mark in name for name in plays)]
    if evidence.published is not None:
        keys.append(LAW)
    return tuple(dict.fromkeys(keys))


def bibtex(keys: Iterable[str]) -> str:
    """Return entries of BibTeX.

    Examples
    --------
    >>> print(bibtex(["kung1986"]))
    @inproceedings{kung1986,
      author = {Kung, H. T.},
      title = {Memory requirements for balanced computer architectures},
      booktitle = {Proceedings of the 13th Annual International Symposium on Computer Architecture},
      pages = {49--54},
      year = {1986},
      doi = {10.1145/17356.17362},
    }
    """
    return "\n\n".join(map(_entry, keys))


def _entry(key: str) -> str:
    """Return one entry."""
    kind, fields = ENTRIES[key]
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
