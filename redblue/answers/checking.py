"""The check of a certificate, by independent checkers."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeGuard

from dags import CDAG, Computation
from pebble.schedule import SUFFIXES
from proofs import Bound, CertificateError, check, is_of_nest, load_bound
from proofs.certificates import CLOSED
from proofs.files import kind_of

if TYPE_CHECKING:
    from dags.families.common.members import Member
    from dags.programs.box_nests import BoxNest

Judged: TypeAlias = "CDAG | BoxNest | Member"


class CheckedBound(NamedTuple):
    """A bound that is proved, and what it is about.

    Attributes
    ----------
    bound
        The bound.
    judged
        The DAG, the loop nest or the member of a family that its certificate speaks of.
    """

    bound: Bound
    judged: Judged


def checked_bound(
    computation: Computation,
    bound: Bound | str | Path,
    *,
    verified: bool = False,
    seconds: Callable[[], float | None] = lambda: None,
) -> CheckedBound:
    """A bound, or that of a file, once its certificate is verified.

    Parameters
    ----------
    computation
        The computation.
    bound
        The bound, or its file.
    verified
        Whether the checker that is proved correct in Coq also verifies it.
    seconds
        Says how long that one may take; None for no limit.

    Raises
    ------
    CertificateError
        If it does not hold.
    """
    judged = judged_in(computation, bound)
    claimed = bound if isinstance(bound, Bound) else load_bound(bound, judged)
    check(judged, claimed.memory, claimed)
    if verified:
        from proofs.verified import verify

        verify(judged, claimed, seconds=seconds())
    return CheckedBound(claimed, judged)


def is_schedule(file: object) -> TypeGuard[str | Path]:
    """Whether the name of a file says that it is a schedule."""
    return isinstance(file, str | Path) and Path(file).suffix in SUFFIXES


def judged_in(computation: Computation, bound: Bound | str | Path) -> Judged:
    """The DAG, or the loop nest or member that the certificate of a bound speaks of.

    Raises
    ------
    CertificateError
        If it speaks of a nest or a member, and the computation is none.
    """
    if kind_of(bound) == CLOSED:
        if computation.member is None or computation.is_program:
            raise CertificateError("kind", f"is of a family, and {computation!r} is no member")
        return computation.member
    if not is_of_nest(bound):
        return computation.dag
    if computation.nest is None:
        raise CertificateError("kind", f"is of a loop nest, and {computation!r} is none")
    return computation.nest
