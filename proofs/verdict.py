"""Verdicts on bounds, of other packages too; optima that a search proves or a play meets."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from numbers import Integral, Real
from typing import Any

from dags import CDAG, InvalidSpecError
from dags.errors import shown
from dags.families.common.members import Member
from dags.programs.box_nests import BoxNest
from dags.spec import Plugged
from pebble import MOST_WORDS, ONE_SHOT, Rules, Schedule, compulsory_words
from proofs.base import Bound
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.certificates.maps import OPTIMUM, RENUMBERED, THINNED
from proofs.certificates.pieces.exhaustive import KIND as PARTIAL_KIND

# Kinds of certificates that may prove something with more memory, too.
READ_ANEW = ("reuse", "shares", "staged")


@dataclass(frozen=True)
class Claim:
    """A lower bound that somebody claims, without a certificate.

    Parameters
    ----------
    method
        The function that claims it.
    memory, io
        Words of fast memory, and words that are claimed to move at least.
    """

    method: str
    memory: int
    io: int

    @classmethod
    def of(cls, method: str, memory: int, words: Real) -> "Claim":
        """The claim of a number of words, the next whole one if it has a fraction.

        Parameters
        ----------
        method, memory
            As of the claim.
        words
            The number.

        Raises
        ------
        InvalidSpecError
            If it is negative, infinite, or none.
        """
        number = int(words) if isinstance(words, Integral) else float(words)
        if not 0 <= number < MOST_WORDS:
            raise InvalidSpecError(f"{method} claims {shown(words)} words, which is no lower bound")
        return cls(method, memory, ceil(number))

    def __str__(self) -> str:
        return f"{self.method} claims at least {self.io:,} words with M = {self.memory:,}"


@dataclass(frozen=True)
class PluggedBound(Plugged):
    """A method of one's own, whose bounds are checked by their certificates.

    A plain number is a claim: it is shown beside what is proved, and counts for nothing.
    """

    kind: type = Bound
    options: tuple[tuple[str, Any], ...] = (("rules", ONE_SHOT), ("seed", 0), ("time_limit", None))

    def __call__(self, dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, **options: Any) -> Bound:
        """The bound that the function proves, by its name, after a check of the certificate.

        Raises
        ------
        InvalidSpecError
            If it returns something else, a number too, or a bound for another game.
        CertificateError
            If its certificate does not prove it.
        """
        found = self.answer(dag, memory, rules=rules, **options)
        if isinstance(found, Claim):
            raise InvalidSpecError(f"{found} without a certificate, and so proves nothing")
        return found

    def answer(
        self, dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, **options: Any
    ) -> "Bound | Claim":
        """The bound that the function proves, as a call does, or the number that it claims.

        Parameters
        ----------
        dag, memory, rules, options
            As for every bound.

        Raises
        ------
        InvalidSpecError, CertificateError
            As by a call, but for numbers that are not negative.
        """
        found = self.returned(dag, memory, rules=rules, **options)
        if isinstance(found, Real) and not isinstance(found, bool):
            return Claim.of(self.name, memory, found)
        if not isinstance(found, Bound):
            what = f"{self.name} returned {shown(found)}"
            raise InvalidSpecError(f"{what}, which is no Bound and no number of words")
        if found.rules != rules:
            raise InvalidSpecError(
                f"{self.name} returned a bound for {found.rules.name} rules, not {rules.name}"
            )
        check(dag, memory, found)
        return replace(found, method=self.name)


def check(dag: CDAG | BoxNest | Member, memory: int, bound: Bound) -> None:
    """Verify, without the code that found it, that `bound` holds for `dag` and `memory`.

    Parameters
    ----------
    dag
        The computation, or a nest or a family's member whose DAG is not built.
    memory
        Words of fast memory; the bound may be for more.
    bound
        The bound, its certificate included.

    Raises
    ------
    CertificateError
        If the certificate proves another number than the bound says, or none.

    Examples
    --------
    >>> from dags import fft
    >>> from proofs import compulsory
    >>> check(fft(8), 4, compulsory(fft(8), 4))
    """
    if memory > bound.memory:
        raise CertificateError("memory", f"the bound is for {bound.memory} words, not {memory}")
    game = bound.memory, bound.rules, bound.certificate
    proven = proven_io(dag, *game)
    if proven != bound.io:
        raise CertificateError("io", f"is {bound.io}, but the certificate proves {proven}")


def carried(dag: CDAG, memory: int, bound: Bound) -> Bound | None:
    """What a bound proves with another memory; None for nothing.

    It holds for less memory as it is; for more, and where it is larger for less, it is what the
    checker reads in the certificate.

    Parameters
    ----------
    dag, memory
        The computation, and words of fast memory.
    bound
        A bound on playing it.

    Examples
    --------
    >>> from dags import grid
    >>> from proofs import decomposition
    >>> dag = grid((8, 8))
    >>> bound = decomposition(dag, 4)
    >>> bound.io > carried(dag, 5, bound).io > carried(dag, 6, bound).io >= 2  # compulsory words
    True
    """
    known = bound if memory <= bound.memory else None
    if memory == bound.memory or not _is_read_anew(bound.certificate.kind, bound.certificate.data):
        return known
    try:
        io = proven_io(dag, memory, bound.rules, bound.certificate)
    except CertificateError:
        return known
    return known if known is not None and io < known.io else replace(bound, memory=memory, io=io)


def _is_read_anew(kind: str, data: Mapping[str, Any]) -> bool:
    """Whether a checker may prove something with another memory, without a search."""
    if kind in (RENUMBERED, THINNED):
        return _is_read_anew(data["kind"], data["data"])
    return kind in READ_ANEW and all(part["proof"] != "exact" for part in data.get("parts", ()))


def searched_bound(
    dag: CDAG, memory: int, *, rules: Rules, io: int, states: int | None = None
) -> Bound:
    """A bound that a search of all states of a small DAG has proved.

    Parameters
    ----------
    dag, memory, rules
        The game.
    io
        Lower bound on the I/O of any legal schedule, in words, at least the compulsory ones; the
        checker repeats the search for it.
    states
        States that the search kept, by which the checker knows when to give up; None for unknown.
    """
    excess = io - compulsory_words(dag)
    if rules.partial:
        searched = Certificate(PARTIAL_KIND, {"excess": excess})
        return Bound("exact", memory, io, rules, searched)
    kept = {} if states is None else {"states": states}
    whole = {"vertices": "all", "proof": "exact", "data": {"excess": excess, **kept}}
    certificate = Certificate("parts", {"parts": [whole] if excess else []})
    return Bound("exact", memory, io, rules, certificate)


def with_play(bound: Bound, schedule: Schedule) -> Bound:
    """A bound with a play that meets it: a certificate of the optimum.

    Parameters
    ----------
    bound
        A bound with its certificate.
    schedule
        A legal play, with the bound's memory and rules, that moves as many words.
    """
    inner = bound.certificate
    data = {
        "kind": inner.kind,
        "data": inner.data,
        "op": schedule.op.astype("int64"),
        "vertex": schedule.vertex.astype("int64"),
    }
    if schedule.operand is not None:
        data["operand"] = schedule.operand.astype("int64")
    return replace(bound, certificate=Certificate(OPTIMUM, data))


def is_optimum(bound: Bound) -> bool:
    """Whether a bound claims that a play meets it, which `check` verifies, too."""
    return bound.certificate.kind == OPTIMUM
