"""Certificates of lower bounds and their checkers, which import no method.

`CHECKERS` lists the kinds of certificate; each checker takes a DAG, a memory, rules and the
certificate's data, and returns the words that they prove. The theorem that a checker relies on has
a number and is proved in docs/theory (`theorems_of`). Each room has the name of the room in
`bounds` that finds.

- `compulsory`: inputs that are read are loaded, outputs are stored. `fixed_order` (M4): prices of
  room, for one order.
- `maps`: a bound of another game, under other numbers, of the sliding game with fewer edges or of
  the placed game with more memory; or of this one, met by a play. `partial_search` searches all
  states of partial computation.
- `pieces`: `ledger` (P5) has what moments and proofs on pieces add up to, by `piece` (P1) and
  `stages` (P2); `exhaustive` searches all states of a small piece.
- `windows`: `reload_windows` (W7), `reuse` (W8). `proofs.lemmas` has the kinds of windows of fixed
  sizes.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dags import CDAG
from pebble import Game, Rules, useful_memory
from proofs.certificates import compulsory, maps, partial_search
from proofs.certificates.pieces import forests, ledger
from proofs.certificates.windows import reload_windows, reuse
from proofs.core.certificate import Certificate, CertificateError, farewell
from proofs.core.fields import shown
from proofs.core.records import read
from proofs.lemmas import LEMMAS
from proofs.lemmas.loops import nests

Checker = Callable[[CDAG, int, Rules, Mapping[str, Any]], int]
# What kinds rest on that are no lemmas.
THEOREMS_OF: dict[str, tuple[str, ...]] = {
    "forest": ("P7",),
    "parts": ("P1", "P5"),
    "reload-windows": ("W7",),
    "reuse": ("W8",),
    "shares": ("P1", "P5"),
    "staged": ("P1", "P2", "P5"),
    **maps.THEOREMS,
    **nests.THEOREMS,
}
# Kinds that may hold for partial computation: all others suppose that a value is computed from
# operands that are in fast memory together.
PARTIAL_KINDS = (
    "affine",
    "compulsory",
    "held-operands",
    "optimum",
    "partial-search",
    "projections",
    "renumbered",
    "thinned",
)


def _mapped(kind: str, dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that are proved by plays of another game."""
    return maps.proven(kind, Game.of(dag, memory, rules), data, proven_io)


CHECKERS: dict[str, Checker] = {
    "compulsory": compulsory.proven,
    "forest": forests.proven,
    "partial-search": partial_search.proven,
    "parts": ledger.proven_parts,
    "reload-windows": reload_windows.proven,
    "reuse": reuse.proven,
    "shares": ledger.proven_shares,
    "staged": ledger.proven,
    **{kind: partial(_mapped, kind) for kind in maps.MAPS},
    **{kind: lemma.words for kind, lemma in LEMMAS.items()},
}


def proven_io(dag: CDAG, memory: int, rules: Rules, certificate: Certificate) -> int:
    """Return the lower bound on the I/O of any legal play of `dag`, in words, that is proved.

    What is proved for the memory that a play can use holds for any larger one: checkers see no
    more of it, so that none of their sums grows with a memory that nobody has.

    Parameters
    ----------
    dag, memory, rules
        The game.
    certificate
        Its kind is a key of `CHECKERS`.

    Raises
    ------
    CertificateError
        If it proves nothing.
    """
    if certificate.kind not in CHECKERS:
        kind, known = shown(certificate.kind), len(CHECKERS)
        unknown = f"is {kind}, not one of the {known} that can be checked"
        raise CertificateError("kind", farewell(certificate.kind) or unknown)
    if rules.partial and certificate.kind not in PARTIAL_KINDS:
        raise CertificateError("kind", f"{certificate.kind} proves nothing of partial computation")
    if not isinstance(certificate.data, Mapping):
        raise CertificateError("data", "is no object")
    return CHECKERS[certificate.kind](dag, useful_memory(dag, memory), rules, certificate.data)


def theorems_of(certificate: Certificate) -> tuple[str, ...]:
    """Return the numbers in docs/theory of what a certificate that holds rests on.

    What is a search or a renumbering is there by its name, with what is held inside.

    Parameters
    ----------
    certificate
        One that proves something.
    """
    kind, data = certificate.kind, certificate.data
    if kind in LEMMAS:
        return LEMMAS[kind].theorems(read(LEMMAS[kind].record, data))
    inside: dict[str, None] = {}
    if isinstance(data.get("kind"), str):
        inside = dict.fromkeys(theorems_of(Certificate(data["kind"], data["data"])))
    known = THEOREMS_OF.get(kind, (kind,))
    parts = (ledger.THEOREMS.get(part["proof"], part["proof"]) for part in data.get("parts", ()))
    return tuple(dict.fromkeys((*known, *inside, *parts)))


__all__ = [
    "CHECKERS",
    "PARTIAL_KINDS",
    "Certificate",
    "CertificateError",
    "Checker",
    "proven_io",
    "theorems_of",
]
