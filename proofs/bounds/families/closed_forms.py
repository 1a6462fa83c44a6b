"""Closed forms as bounds, with certificates: of family members, and of nests that are members."""

from dags.families.common.members import Member
from dags.programs.box_nests import BoxNest
from dags.programs.instances import NotReadError
from dags.programs.members import sizes_of
from dags.programs.recognition import kin_of
from dags.programs.tied_loops import NotCountedError
from pebble import Rules
from proofs.base import Bound
from proofs.bounds.families.dirac import dirac_windows
from proofs.certificates import Certificate
from proofs.certificates.closed_forms import CLOSED, DIRAC, HOPS
from proofs.certificates.maps import MEMBER
from proofs.laws.closed_forms import FORMS, best_form

METHOD = "closed-forms"


def form_bound(member: Member, memory: int, rules: Rules) -> Bound | None:
    """The bound by the best formula of a member's family; None where there is none.

    Parameters
    ----------
    member
        The member.
    memory, rules
        Words of fast memory, and the rules.

    Examples
    --------
    >>> from dags.families.common.members import member_of
    >>> from pebble import ONE_SHOT
    >>> form_bound(member_of("fft:n=1048576"), 10**4, ONE_SHOT).io
    4154308
    """
    if rules.partial:
        return None
    if member.family == DIRAC:
        words, windows = dirac_windows(member.params, memory, rules)
        data = {"member": member.spec, "form": HOPS, "windows": windows}
    elif member.family in FORMS:
        words, form = best_form(member.family, member.params, memory, rules)
        data = {"member": member.spec, "form": form.formula}
    else:
        return None
    return Bound(METHOD, memory, words, rules, Certificate(CLOSED, data))


def form_bound_of_nest(nest: BoxNest, memory: int, rules: Rules) -> Bound | None:
    """The bound by a formula of the member whose text a nest is; None where there is none.

    Parameters
    ----------
    nest
        The nest at its sizes.
    memory, rules
        Words of fast memory, and the rules.
    """
    try:
        kin = kin_of(nest, sizes_of(nest))
    except (NotReadError, NotCountedError):
        return None
    bound = None if kin is None else form_bound(kin.member, memory, rules)
    if kin is None or bound is None:
        return None
    inner = {"kind": CLOSED, "data": bound.certificate.data}
    certificate = Certificate(MEMBER, {"member": kin.member.spec, **inner})
    return Bound(METHOD, memory, bound.io, rules, certificate)
