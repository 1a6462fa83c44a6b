"""Certificates of lower bounds and their checkers, which import no method.

`CHECKERS` lists the kinds of certificate, lemmas among them: the record that is read of the data,
the words that it proves of a game, and the numbers of theorems in docs/theory on which that rests
(`theorems_of`). Each room has the name of the room in `bounds` that finds.

- `closed_forms` (C1, C2, F1 to F4): formulas of members of families.
- `fixed_order` (M4): prices of room, for one order.
- `maps`: a bound of another game, under other numbers, of the sliding game with fewer edges or of
  the placed game with more memory; or of this one, met by a play.
- `pieces`: `ledger` (P5) has the sum of moments and proofs on pieces, by `piece` (P1) and `stages`
  (P2); `exhaustive` searches all states of a small piece.
- `windows`: `reload_windows` (W7), `reuse` (W8). `proofs.lemmas` has the kinds of windows of fixed
  sizes.
"""

from functools import partial
from typing import Any

from dags import CDAG
from dags.families.common.members import Member
from dags.programs.box_nests import BoxNest
from pebble import ONE_SHOT, Game, Rules
from proofs.certificates import maps
from proofs.certificates.closed_forms import CLOSED, CLOSED_FORM, MemberGame
from proofs.certificates.pieces.exhaustive import PARTIAL
from proofs.certificates.pieces.forests import FOREST
from proofs.certificates.pieces.ledger import PARTS, SHARES, STAGED_PARTS
from proofs.certificates.windows.reload_windows import RELOADS
from proofs.certificates.windows.reuse import REUSE
from proofs.core.records import Certificate, CertificateError, Nothing, farewell, read, shown
from proofs.core.windows import Lemma
from proofs.lemmas import LEMMAS
from proofs.lemmas.loops import nests

# Kinds that may hold for partial computation: all others suppose that a value is computed from
# operands that are in fast memory together.
PARTIAL_KINDS = (
    "affine",
    "compulsory",
    "held-operands",
    "optimum",
    "partial-search",
    "projections",
    maps.MEMBER,
    maps.PROGRAM,
    "renumbered",
    "thinned",
    nests.COMPULSORY,
    nests.WINDOWS,
    nests.LABELLED,
    nests.SUM,
)


OF_SAME_RULES = (maps.RENUMBERED, maps.PROGRAM, maps.MEMBER, maps.OPTIMUM)  # maps of one game


def proven_io(
    dag: CDAG | BoxNest | Member, memory: int, rules: Rules, certificate: Certificate
) -> int:
    """The lower bound on the I/O of any legal play of `dag`, in words, that is proved.

    A bound for the memory that a play can use holds for any larger one: checkers see no more of it,
    so that none of their sums grows with a memory that nobody has.

    Parameters
    ----------
    dag, memory, rules
        The game: a DAG, a loop nest at its sizes, or a family's member of which no DAG is built.
    certificate
        Its kind is a key of `CHECKERS`: of a nest one of `OF_NESTS`, of a member `closed-form`.

    Raises
    ------
    CertificateError
        If it proves nothing.
    """
    kind = certificate.kind
    if isinstance(dag, Member):
        if kind != CLOSED:
            raise CertificateError("kind", f"is {shown(kind)}, none of a family's member")
        return CHECKERS[kind].words(MemberGame(dag, memory, rules), certificate.data)
    if isinstance(dag, BoxNest):
        if kind not in OF_NESTS:
            raise CertificateError("kind", f"is {shown(kind)}, none of a nest")
        _require_partial(kind, rules)
        return CHECKERS[kind].words(nests.NestGame(dag, memory, rules), certificate.data)
    if kind not in CHECKERS or kind in (*OF_NESTS, CLOSED):
        known = len(CHECKERS) - len(OF_NESTS) - 1
        unknown = f"is {shown(kind)}, not one of the {known} that can be checked"
        raise CertificateError("kind", farewell(kind) or unknown)
    _require_partial(kind, rules)
    return CHECKERS[kind].words(Game.of(dag, memory, rules), certificate.data)


def _require_partial(kind: str, rules: Rules) -> None:
    """Raise CertificateError where a kind says nothing of partial computation, and rules ask it."""
    if rules.partial and kind not in PARTIAL_KINDS:
        raise CertificateError("kind", f"{kind} proves nothing of partial computation")


def theorems_of(certificate: Certificate, rules: Rules = ONE_SHOT) -> tuple[str, ...]:
    """The numbers in docs/theory of the theorems behind a certificate that holds.

    A search or a renumbering is there by its name, with the kinds held inside.

    Parameters
    ----------
    certificate
        One that proves something.
    rules
        The rules under which it does: windows of nests rest on N3 for partial computation.
    """
    lemma = CHECKERS[certificate.kind]
    numbers = lemma.theorems(read(lemma.record, certificate.data))
    inner = certificate
    while inner.kind in OF_SAME_RULES:
        inner = Certificate(inner.data["kind"], inner.data["data"])
    in_part = rules.partial and inner.kind in (nests.WINDOWS, nests.LABELLED, nests.SUM)
    return (*numbers, "N3") if in_part else numbers


def _inside(kind: str, record: maps.Inner) -> tuple[str, ...]:
    """The theorems of a map, and of the proof for the other game."""
    own = maps.THEOREMS.get(kind, (kind,))
    return tuple(dict.fromkeys((*own, *theorems_of(Certificate(record.kind, record.data)))))


def _map(kind: str) -> Lemma[Any]:
    """The lemma of a kind of proof by plays of another game."""
    says = partial(maps.words, kind, proven_io)
    return Lemma(maps.MAPS[kind][0], says, partial(_inside, kind))


# The kinds of certificates.
CHECKERS: dict[str, Lemma[Any]] = {
    CLOSED: CLOSED_FORM,
    "compulsory": Lemma(Nothing, lambda game, _: game.compulsory, lambda _: ("compulsory",)),
    "forest": FOREST,
    "partial-search": PARTIAL,
    "parts": PARTS,
    "reload-windows": RELOADS,
    "reuse": REUSE,
    "shares": SHARES,
    "staged": STAGED_PARTS,
    **{kind: _map(kind) for kind in maps.MAPS},
    **LEMMAS,
    **nests.NESTS,
    maps.MEMBER: Lemma(maps.OfMember, maps.member_words, partial(_inside, maps.MEMBER)),
}
OF_NESTS = frozenset((*nests.NESTS, maps.MEMBER))  # kinds that are of loop nests

__all__ = [
    "CHECKERS",
    "CLOSED",
    "OF_NESTS",
    "PARTIAL_KINDS",
    "Certificate",
    "CertificateError",
    "proven_io",
    "theorems_of",
]
