"""Bounds by a formula in a family's parameters."""

from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import ONE_SHOT, Rules
from proofs.base import Bound, NotApplicableError
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.families.closed_forms import FORMS, Params, form_words, parameters

_verified: WeakKeyDictionary[CDAG, bool] = WeakKeyDictionary()


@thinned
@as_generated
def closed_forms(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound: the largest of the closed forms of the family of `dag`.

    They are known at once for a DAG of any size; methods that choose windows and exponents for
    the instance prove as much or more. For matrices 2 K [m n k / ceil(K^(3/2))] + K words, for a
    Fourier transform the most that sub-butterflies of some depth p prove, and so on:
    `proofs.certificates.families.closed_forms` has the formulas, with ranges and proofs.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If the DAG's family has none, or its values have sizes.

    Examples
    --------
    >>> from dags import matmul
    >>> closed_forms(matmul(10), 17).io  # 2 * 16 * floor(1000 / 64) + 16
    496
    """
    if dag.family not in FORMS:
        raise NotApplicableError(f"no closed form is known for {dag!r}")
    if not _verified.get(dag, False):
        try:
            parameters(dag, dag.family, dag.params)
        except CertificateError as error:
            raise NotApplicableError(f"{dag!r} has no closed form: {error}") from None
        _verified[dag] = True
    io, number = largest_form(dag.family, dag.params, memory, rules)
    params = {k: list(v) if isinstance(v, tuple) else v for k, v in dag.params.items()}
    data = {"family": dag.family, "params": params, "form": number}
    return Bound("closed-forms", memory, io, rules, Certificate("closed-form", data))


def largest_form(family: str, params: Params, memory: int, rules: Rules) -> tuple[int, int]:
    """Return the most words that a form of a family proves, and the number of that form.

    It needs no DAG, which could not be built.

    Parameters
    ----------
    family, params
        A generator's name, and all of its parameters.
    memory, rules
        Words of fast memory, and the rules.

    Examples
    --------
    >>> largest_form("matmul", {"m": 10**6, "n": 10**6, "k": 10**6}, 10**8 + 1, ONE_SHOT)
    (200000100000000, 1)
    """
    found = ((form_words(form, params, memory, rules), i) for i, form in enumerate(FORMS[family]))
    return max((words, number) for words, number in found if words is not None)
