"""The verdict on a bound."""

from dags import CDAG
from dags.programs.box_nests import BoxNest
from proofs.base import Bound
from proofs.certificates import CertificateError, proven_io
from proofs.lemmas.loops import nests


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
