"""A lower bound with a certificate as papers cite it: a sentence in LaTeX, and an entry of BibTeX.

The entry has the SHA-256 of the certificate and of the computation, so that a reader can tell
whether a file is the one that was cited.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redblue.show.reporting.tables import latex
from redblue.version import __version__

if TYPE_CHECKING:
    from proofs import Bound

SHORT = 8  # digits of the digest in the key of the entry


@dataclass(frozen=True)
class Citation:
    """A citation of a certificate.

    Parameters
    ----------
    latex, bibtex
        The sentence and the entry.
    digest
        SHA-256 of the certificate's file.
    """

    latex: str
    bibtex: str
    digest: str

    def to_dict(self) -> dict[str, str]:
        """The object of `--json`."""
        return {"latex": self.latex, "bibtex": self.bibtex, "sha256": self.digest}


def citation(bound: "Bound", spec: str, file: Path, of_what: str, day: str) -> Citation:
    """The citation of a bound whose certificate has been verified.

    Parameters
    ----------
    bound, spec
        The bound, and the computation by its specification.
    file
        The certificate.
    of_what
        SHA-256 of the DAG, or of the loop nest that the certificate speaks of.
    day
        The day, "2026-05-01".
    """
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    key = f"redblue-{digest[:SHORT]}"
    name, game = latex(Path(spec).name), latex(bound.rules.name)
    sentence = (
        f"Every {game} schedule of \\texttt{{{name}}} with $M = {bound.memory}$ words of fast "
        f"memory moves at least {bound.io} words~\\cite{{{key}}}."
    )
    fields = {
        "author": "{The redblue authors}",
        "title": f"A lower bound of {bound.io} words on the {{I/O}} of \\texttt{{{name}}} with "
        f"{bound.memory} words of fast memory",
        "howpublished": f"Certificate ({latex(bound.method)}), verified by redblue {__version__}",
        "note": f"SHA-256 of the certificate: {digest}; of the computation: {of_what}",
        "year": day[:4],
    }
    lines = (f"  {field} = {{{value}}}," for field, value in fields.items())
    return Citation(sentence, "\n".join((f"@misc{{{key},", *lines, "}")), digest)
