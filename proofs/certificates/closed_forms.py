"""Formulas of members of families, of which no DAG is built (C1, C2, F1 to F4).

A certificate names the member and the formula; the checker evaluates it, in whole numbers. That a
loop nest is the text of the member is verified by the kind `nest-member` (T2), which has one of
this kind inside.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from dags import RedBlueError
from dags.families.common.dirac_numbers import SPINOR
from dags.families.common.members import Member, member_of
from pebble import Rules
from proofs.core.records import CertificateError, Positive, shown
from proofs.core.windows import Lemma
from proofs.laws.closed_forms import FORMS, ClosedForm, form_words
from proofs.lemmas.families.dirac import closed_words, hops_of, numbers_of

CLOSED: Final = "closed-form"
HOPS: Final = "windows of hops"  # of the Dirac operator: its form, with their number
DIRAC: Final = "dirac"


class MemberGame(NamedTuple):
    """A family's member with a memory and rules.

    Attributes
    ----------
    member
        The member.
    memory, rules
        Words of fast memory, and the rules.
    """

    member: Member
    memory: int
    rules: Rules


@dataclass(frozen=True, kw_only=True)
class OfForm:
    """The member as a specification, its formula as `redblue bound` prints it, and windows."""

    member: str
    form: str
    windows: Positive | None = None


def member_words(game: MemberGame, record: OfForm) -> int:
    """The words that a formula proves of a member.

    Parameters
    ----------
    game, record
        The game, and the member and its formula.

    Raises
    ------
    CertificateError
        If the record is of another member, or the formula does not hold.
    """
    member = game.member
    named = member_named(record.member)
    if (named.family, dict(named.params)) != (member.family, dict(member.params)):
        raise CertificateError("member", f"is {shown(record.member)}, not {shown(member.spec)}")
    if game.rules.partial:
        raise CertificateError("rules", "closed forms prove nothing of partial computation")
    if member.family == DIRAC:
        return _hops(game, record)
    if record.windows is not None:
        raise CertificateError("windows", f"does not belong to {member.family}")
    form = _form(member.family, record.form)
    words = form_words(form, member.params, game.memory, game.rules)
    if words is None:
        why = f"holds for: {form.holds}; not with {game.memory} words, {game.rules.name}"
        raise CertificateError("form", why)
    return max(words, 0)


def member_named(spec: str) -> Member:
    """The member that a certificate names.

    Raises
    ------
    CertificateError
        If there is none.
    """
    try:
        return member_of(spec)
    except RedBlueError as error:
        raise CertificateError("member", f"names no member of a family: {error}") from None


def _hops(game: MemberGame, record: OfForm) -> int:
    """The words of windows of hops of the Dirac operator (F2, F3)."""
    numbers = numbers_of(game.member.params)
    hops = hops_of(numbers)
    if record.form != HOPS or record.windows is None:
        raise CertificateError("form", f"is {shown(record.form)}, not {HOPS} with their number")
    if record.windows > hops:
        raise CertificateError("windows", f"are {record.windows}, but there are {hops} hops")
    carry = game.rules.room_before(game.memory, SPINOR)
    return closed_words(numbers, record.windows, carry)


def _form(family: str, formula: str) -> ClosedForm:
    """The form of a family that a formula names."""
    for form in FORMS.get(family, ()):
        if form.formula == formula:
            return form
    raise CertificateError("form", f"is {shown(formula)}, no closed form of {family}")


def theorems(record: OfForm) -> tuple[str, ...]:
    """The numbers of theorems behind a formula."""
    family = member_named(record.member).family
    return ("F2", "F3") if family == DIRAC else (_form(family, record.form).theorem,)


CLOSED_FORM = Lemma(OfForm, member_words, theorems)
