"""Windows of the updates of members of families; see `updates`, and N4 for symmetric arrays."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Game
from proofs.core.certificate import CertificateError
from proofs.core.records import LARGEST, Within, shown, text
from proofs.core.windows import Lemma, Sum
from proofs.lemmas.loops import affine_families as affine
from proofs.lemmas.loops import factorization_families as factorizations
from proofs.lemmas.loops.affine import RESTS
from proofs.lemmas.loops.affine_families import Params
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.updates import (
    GAINS,
    MOST_SIZES,
    Argument,
    Premises,
    UpdateWindow,
    gained,
)

Builder = Callable[[int, Params], IterationSpace]

SEGMENTS: dict[str, Builder] = {
    "attention": affine.attention,
    "cholesky": factorizations.cholesky,
    "convolution": affine.convolution,
    "lu": factorizations.lu,
    "matmul": affine.product,
    "matvec": affine.matvec,
    "qr_givens": factorizations.qr_givens,
    "syrk": affine.syrk,
    "triangular_solve": factorizations.triangular_solve,
}
FINISHED: dict[str, Callable[..., IterationSpace]] = {
    "cholesky": factorizations.cholesky,
    "lu": factorizations.lu,
    "qr_givens": factorizations.qr_givens,
    "triangular_solve": factorizations.triangular_solve,
}
CHAINS: dict[str, Builder] = {"attention": affine.attention_scores}
DOMINATORS: dict[str, Builder] = {
    "cholesky": factorizations.cholesky_places,
    "lu": factorizations.lu_places,
    "qr_givens": factorizations.qr_givens_places,
    "triangular_solve": factorizations.triangular_solve_places,
}
ARGUMENTS = {
    "segments": SEGMENTS,
    "aggregations": SEGMENTS,
    "chains": CHAINS,
    "dominators": DOMINATORS,
}

# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, Premises]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Nest:
    """Windows of updates of a family: the argument, a generator's name and its arguments."""

    argument: Argument
    family: str
    params: Mapping[str, Any]
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]


def premises(dag: CDAG, argument: str, family: str, params: Mapping[str, int | str]) -> Premises:
    """Return the projections, the number of updates, and the words to add; verified on `dag`.

    Parameters
    ----------
    dag
        The DAG.
    argument
        A key of `ARGUMENTS`.
    family, params
        A generator's name, and all of its parameters.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    known = _verified.setdefault(dag, {})
    question = argument, family, tuple(sorted(params.items()))
    if question not in known:
        known[question] = _premises(dag, argument, family, params)
    return known[question]


def _premises(dag: CDAG, argument: str, family: str, params: Params) -> Premises:
    builders = ARGUMENTS[argument]
    if family not in builders:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(builders)}")
    space = builders[family](dag.n, params)
    return space.shape, space.updates.size, GAINS[argument](dag, space)


def _check_params(params: Any) -> None:
    """Raise CertificateError unless these are names with strings or numbers."""
    if not isinstance(params, Mapping) or not all(
        isinstance(key, str)
        and (type(value) is str or (type(value) is int and abs(value) <= LARGEST))
        for key, value in params.items()
    ):
        raise CertificateError("params", "are no names with numbers")


def family_space(dag: CDAG, source: Mapping[str, Any]) -> IterationSpace:
    """Return the updates of a "family" with its "params", and what finishes entries; not verified.

    Parameters
    ----------
    dag
        The DAG.
    source
        Has the two fields.
    """
    family, params = text(source, "family"), source["params"]
    _check_params(params)
    if family in FINISHED:
        return FINISHED[family](dag.n, params, finished=True)
    if family not in SEGMENTS:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(SEGMENTS)}")
    return SEGMENTS[family](dag.n, params)


def nest(game: Game, record: Nest) -> Sum:
    """Return what windows of the updates of a member touch."""
    _check_params(record.params)
    found = premises(game.dag, record.argument, record.family, record.params)
    held = game.room
    return gained(game, record.argument, found, held, record.windows)


PROJECTIONS = Lemma(Nest, nest, lambda record: ("N1", RESTS[record.argument], "N4"))
