"""Bounds for the Dirac operator: few sites have few hops between them."""

from collections.abc import Mapping
from typing import Any

from dags import CDAG
from dags.dirac_numbers import FACES, DiracNumbers
from dags.lattice_qcd import LINK, SPINOR
from pebble import ONE_SHOT, Rules
from proofs.base import Bound, NotApplicableError
from proofs.bounds.renumbered import as_generated
from proofs.bounds.thinned import thinned
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.compulsory import compulsory_words
from proofs.certificates.families.dirac import carried, hops_and_rest, in_windows

NEARBY = 0.02  # relative: numbers of windows around the best that are all tried,
STEPS = 400  # and no more than so many on each side
GROWTH = 1.02  # from one number of windows to the next that is tried first


@thinned
@as_generated
def dirac(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bound:
    """Lower bound for the Dirac operator, by windows of so many hops each.

    In the leading term (120 + 36 (6 / M)^(1/3)) words a site to and from the node's own memory, and
    what is exchanged with neighbours, under all rules; `proofs.certificates.families.dirac` has the
    proof.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).

    Raises
    ------
    NotApplicableError
        If the DAG is not the Dirac operator.

    Examples
    --------
    >>> from dags import dirac as generate
    >>> dag = generate(4, 8)
    >>> dirac(dag, 90).io / 512, compulsory_words(dag) / 512
    (228.5859375, 192.0)
    """
    if dag.family != "dirac":
        raise NotApplicableError(f"{dag!r} is not the Dirac operator")
    try:
        hops, rest, ring = hops_and_rest(dag, dag.params)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    best, io = _best_windows(hops, carried(memory, rules), ring)
    io += rest
    data = {"params": dict(dag.params), "windows": best}
    if io <= (floor := compulsory_words(dag)):
        return Bound("dirac", memory, floor, rules, Certificate("compulsory", {}))
    return Bound("dirac", memory, io, rules, Certificate("dirac", data))


def dirac_words(params: Mapping[str, Any], memory: int, rules: Rules) -> int:
    """Return the words that `dirac` proves, without the DAG.

    All hops but those across faces have both ends on the node; what these do not touch are the
    links across faces, what comes in, and what is sent: (3 * 18 + 12 * 24) words for each site of
    a face, and 3 * 18 more where the node has copies of other nodes' links.

    Parameters
    ----------
    params
        All parameters of the family.
    memory, rules
        Words of fast memory, and the rules.
    """
    numbers = DiracNumbers(params["k"], params["n4"], params["wrap"], params.get("copies", False))
    n, face = numbers.sites, numbers.face
    hops = 8 * n - 2 * numbers.outer - 2 * FACES * face
    copied = FACES * face * LINK if numbers.copies else 0
    rest = FACES * face * (LINK + 4 * SPINOR) + copied
    ring = params["n4"] if params["wrap"] else None
    compulsory = (SPINOR + 4 * LINK + SPINOR) * n - LINK * numbers.outer + 4 * FACES * face * SPINOR
    compulsory += copied
    return max(compulsory, rest + _best_windows(hops, carried(memory, rules), ring)[1])


def _best_windows(hops: int, carry: int, ring: int | None) -> tuple[int, int]:
    """Return the number of windows that prove most, of those that are tried, and their words."""

    def words(windows: int) -> int:
        return in_windows(hops, windows, carry, ring)

    best = max(_numbers(hops), key=words)
    near = min(STEPS, int(NEARBY * best) + 1)
    best = max(range(max(1, best - near), min(hops, best + near) + 1), key=words)
    return best, words(best)


def _numbers(hops: int) -> list[int]:
    """Return numbers of windows from 1 to `hops`, in about equal ratios."""
    numbers = [1]
    while numbers[-1] < hops:
        numbers.append(min(hops, max(numbers[-1] + 1, int(GROWTH * numbers[-1]))))
    return numbers
