"""Bounds for the Dirac operator: few sites have few hops between them."""

from collections.abc import Mapping
from typing import Any

from dags.families.common.dirac_numbers import SPINOR, DiracNumbers
from pebble import Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method, require_one_shot
from proofs.bounds.room_for_all import compulsory_bound
from proofs.bounds.thinned import as_generated, thinned
from proofs.certificates import Certificate, CertificateError
from proofs.lemmas.families.dirac import (
    closed_words,
    hops_and_rest,
    hops_of,
    in_windows,
    numbers_of,
    spinor_words,
    verified,
)
from proofs.lemmas.families.dirac_borders import in_borders, inner_hops

NEARBY = 0.02  # relative: numbers of windows around the best that are all tried,
STEPS = 400  # and no more than so many on each side
FEW = 12  # numbers of windows that are all tried
AROUND = 60  # numbers of windows on either side of those that are best for large balls
LARGE = 6 * (2 / 3) ** 0.25 * 4  # words that are red at a cut for t^(3/4), t points a part
GROWTH = 1.02  # from one number of windows to the next that is tried first
COARSE, REFINED = 1.5, 21  # the same of MANY hops or more, and numbers of windows tried next
MANY = 10**9


@bound_method
@thinned
@as_generated
def dirac(game: Game, budget: Budget) -> Bound:
    """Lower bound for the Dirac operator, once or in many steps, by windows of a play.

    In windows of so many hops each, in the leading term (120 + 36 (6 / M)^(1/3)) words a site to
    and from the node's own memory, and words to and from neighbours, under all rules:
    `proofs.lemmas.families.dirac` has the proof. Where the lattice is large against windows, 181 /
    M^(1/3) words beyond 120, by `proofs.lemmas.families.dirac_borders`, which also proves more
    where windows are halves of it. Of `dags.dirac_steps` windows exchange spinors and read links:
    336 / M^(1/4) words a site and step in four dimensions, in one-shot plays
    (`proofs.lemmas.families.dirac`).

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If the DAG is not the Dirac operator.

    Examples
    --------
    >>> from dags import dirac as generate
    >>> from pebble import compulsory_words
    >>> dag = generate(4, 8)
    >>> dirac(dag, 90).io / 512, compulsory_words(dag) / 512
    (228.5859375, 192.0)
    """
    dag = game.dag
    if dag.family == "dirac_steps":
        return _iterated(game)
    if dag.family != "dirac":
        raise NotApplicableError(f"{dag!r} is not the Dirac operator")
    try:
        hops, rest, ring = hops_and_rest(dag, dag.params)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    numbers, carry = numbers_of(dag.params), game.rules.room_before(game.memory, SPINOR)
    floor = game.compulsory
    best, io = _best_windows(hops, carry, ring)
    shared, beyond = _best_borders(numbers, carry)
    best, io = max((io + rest, best), (floor + beyond, shared))[::-1]
    if io <= floor:
        return compulsory_bound("dirac", game)
    certificate = Certificate("dirac", {"params": dict(dag.params), "windows": best})
    return Bound("dirac", game.memory, io, game.rules, certificate)


def _iterated(game: Game) -> Bound:
    """The bound for the operator in many steps."""
    require_one_shot("dirac", game.rules)
    dag = game.dag
    try:
        params = verified(dag, dag.params)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    words = spinor_words(params, game.rules.room_before(game.memory)) or 0
    if words <= game.compulsory:
        return compulsory_bound("dirac", game)
    certificate = Certificate("spinors", {"params": {**params, "shape": list(params["shape"])}})
    return Bound("dirac", game.memory, words, game.rules, certificate)


def dirac_words(params: Mapping[str, Any], memory: int, rules: Rules) -> int:
    """The words that `dirac` proves, without the DAG.

    Parameters
    ----------
    params
        All parameters of the family.
    memory, rules
        Words of fast memory, and the rules.
    """
    return dirac_windows(params, memory, rules)[0]


def dirac_windows(params: Mapping[str, Any], memory: int, rules: Rules) -> tuple[int, int]:
    """The words that `dirac` proves, and the number of windows that prove them.

    Parameters
    ----------
    params, memory, rules
        As for `dirac_words`.
    """
    numbers, carry = numbers_of(params), rules.room_before(memory, SPINOR)
    ring = numbers.n4 if numbers.wrap else None
    tried = _best_borders(numbers, carry)[0], _best_windows(hops_of(numbers), carry, ring)[0]
    return max((closed_words(numbers, windows, carry), windows) for windows in tried)


def _best_borders(numbers: DiracNumbers, carry: int) -> tuple[int, int]:
    """The number of windows whose borders prove most, of some around the best, and that."""
    hops = inner_hops(numbers)
    middle = hops / (8 * max(1.0, carry / LARGE) ** (4 / 3))
    tried = {min(hops, max(1, int(middle * GROWTH**step))) for step in range(-AROUND, AROUND + 1)}
    tried |= set(range(2, min(hops, FEW) + 1))
    found = {windows: in_borders(numbers, windows, carry) for windows in tried}
    best = max(found, key=lambda windows: found[windows])
    return best, found[best]


def _best_windows(hops: int, carry: int, ring: int | None) -> tuple[int, int]:
    """The number of windows that prove most, of those that are tried, and their words."""

    def words(windows: int) -> int:
        return in_windows(hops, windows, carry, ring)

    if hops < MANY:
        best = max(_numbers(hops, GROWTH), key=words)
        near = min(STEPS, int(NEARBY * best) + 1)
        best = max(range(max(1, best - near), min(hops, best + near) + 1), key=words)
    else:
        best = max(_numbers(hops, COARSE), key=words)
        fine = (int(best * GROWTH**step) for step in range(-REFINED, REFINED + 1))
        best = max((min(hops, max(1, windows)) for windows in fine), key=words)
    return best, words(best)


def _numbers(hops: int, growth: float) -> list[int]:
    """Numbers of windows from 1 to `hops`, in about equal ratios."""
    numbers = [1]
    while numbers[-1] < hops:
        numbers.append(min(hops, max(numbers[-1] + 1, int(growth * numbers[-1]))))
    return numbers
