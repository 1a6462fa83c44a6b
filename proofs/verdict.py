"""The verdict on a bound; bounds of other packages are verified before they count."""

from dataclasses import dataclass, replace
from typing import Any

from dags import CDAG, InvalidSpecError
from dags.programs.box_nests import BoxNest
from dags.spec import Plugged
from pebble import ONE_SHOT, Rules
from proofs.base import Bound
from proofs.certificates import CertificateError, proven_io
from proofs.lemmas.loops import nests


@dataclass(frozen=True)
class PluggedBound(Plugged):
    """A method of another package whose bounds are checked by their certificates."""

    kind: type = Bound
    options: tuple[tuple[str, Any], ...] = (("rules", ONE_SHOT), ("seed", 0), ("time_limit", None))

    def __call__(self, dag: CDAG, memory: int, *, rules: Rules = ONE_SHOT, **options: Any) -> Bound:
        """Return the bound that the function proves, by its name, after a check of the certificate.

        Raises
        ------
        InvalidSpecError
            If it returns something else, or a bound for another game.
        CertificateError
            If its certificate does not prove it.
        """
        found: Bound = super().__call__(dag, memory, rules=rules, **options)
        if found.rules != rules:
            raise InvalidSpecError(
                f"{self.name} returned a bound for {found.rules.name} rules, not {rules.name}"
            )
        check(dag, memory, found)
        return replace(found, method=self.name)


def check(dag: CDAG | BoxNest, memory: int, bound: Bound) -> None:
    """Verify, without the code that found it, that `bound` holds for `dag` and `memory`.

    Parameters
    ----------
    dag
        The computation, or a nest that is not laid out.
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
    proven = nests.proven(dag, *game) if isinstance(dag, BoxNest) else proven_io(dag, *game)
    if proven != bound.io:
        raise CertificateError("io", f"is {bound.io}, but the certificate proves {proven}")
