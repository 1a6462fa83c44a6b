"""Bounds for Fourier transforms: mass that leaves fast memory, and fronts that wait."""

from pebble import Budget, Game, Rules
from proofs.base import Bound, NotApplicableError, bound_method, require_one_shot
from proofs.bounds.thinned import as_generated, thinned
from proofs.certificates import Certificate, CertificateError
from proofs.lemmas.families.butterflies import ARGUMENTS, BUTTERFLY, Params


@bound_method
@thinned
@as_generated
def butterflies(game: Game, budget: Budget) -> Bound:
    """Lower bound for Fourier transforms of any size, by formulas.

    With few words by the values that words which leave can take along: for n points more than 2 n
    log2(n) / log2(e (M - 2)) words, and n log2(n) + 2 where M <= 4. With more words by the moments
    before the first value of some level is computed, in all blocks of rows: about 4 n words where a
    block of n / 2 rows is far too large. `proofs.lemmas.families.butterflies` has the proofs.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If the DAG is no Fourier transform, its values have sizes, or values may be computed again.

    Examples
    --------
    >>> from dags import fft
    >>> butterflies(fft(1024), 16).io
    4036
    """
    require_one_shot("butterflies", game.rules)
    dag = game.dag
    if dag.family != "fft":
        raise NotApplicableError(f"{dag!r} is not a Fourier transform")
    _, argument = butterfly_words(dag.params, game.memory, game.rules)
    data = {"params": dict(dag.params), "argument": argument}
    try:
        io = BUTTERFLY.words(game, data)
    except CertificateError as error:
        raise NotApplicableError(f"{dag!r} is not as it was generated: {error}") from None
    return Bound("butterflies", game.memory, io, game.rules, Certificate("butterfly", data))


def butterfly_words(params: Params, memory: int, rules: Rules) -> tuple[int, str]:
    """The most words that an argument proves of one-shot plays, and its name.

    It needs no DAG, which could not be built.

    Parameters
    ----------
    params
        "n" and "radix" of the transform.
    memory, rules
        Words of fast memory, and the rules.

    Examples
    --------
    >>> from pebble import ONE_SHOT
    >>> butterfly_words({"n": 2**40, "radix": 2}, 10**6 + 2, ONE_SHOT)
    (4398042511100, 'fronts')
    """
    words = rules.room_before(memory)
    return max((argument(params, words), name) for name, argument in ARGUMENTS.items())
