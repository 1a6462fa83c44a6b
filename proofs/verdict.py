"""The verdict on a bound."""

from dags import CDAG
from proofs.base import Bound
from proofs.certificates import CertificateError, proven_io


def check(dag: CDAG, memory: int, bound: Bound) -> None:
    """Verify, without the code that found it, that `bound` holds for `dag` and `memory`.

    Parameters
    ----------
    dag
        The computation.
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
    proven = proven_io(dag, bound.memory, bound.rules, bound.certificate)
    if proven != bound.io:
        raise CertificateError("io", f"is {bound.io}, but the certificate proves {proven}")
