"""Checks sums over windows of what their updates touch; see `window_gains` and `hbl`."""

from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Rules
from proofs.core.certificate import CertificateError
from proofs.core.fields import LARGEST, only, shown, text
from proofs.lemmas.loops import affine_families as affine
from proofs.lemmas.loops import factorization_families as factorizations
from proofs.lemmas.loops import rotation_families as rotations
from proofs.lemmas.loops.affine_families import Params
from proofs.lemmas.loops.aggregations import aggregation_gain, compact_words
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.window_gains import chain_gain, dominator_gain, segment_gain
from proofs.lemmas.loops.window_sums import words_of_windows
from proofs.lemmas.single_use import is_single_use

Builder = Callable[[int, Params], IterationSpace]

SEGMENTS: dict[str, Builder] = {
    "attention": affine.attention,
    "cholesky": factorizations.cholesky,
    "convolution": affine.convolution,
    "lu": factorizations.lu,
    "matmul": affine.product,
    "matvec": affine.matvec,
    "qr_givens": rotations.qr_givens,
    "syrk": affine.syrk,
    "triangular_solve": factorizations.triangular_solve,
}
FINISHED: dict[str, Callable[..., IterationSpace]] = {
    "cholesky": factorizations.cholesky,
    "lu": factorizations.lu,
    "qr_givens": rotations.qr_givens,
    "triangular_solve": factorizations.triangular_solve,
}
CHAINS: dict[str, Builder] = {"attention": affine.attention_scores}
DOMINATORS: dict[str, Builder] = {
    "cholesky": factorizations.cholesky_places,
    "lu": factorizations.lu_places,
    "qr_givens": rotations.qr_givens_places,
    "triangular_solve": factorizations.triangular_solve_places,
}
ARGUMENTS = {
    "segments": (SEGMENTS, segment_gain),
    "aggregations": (SEGMENTS, aggregation_gain),
    "chains": (CHAINS, chain_gain),
    "dominators": (DOMINATORS, dominator_gain),
}

# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, tuple[Shape, int, int]]] = WeakKeyDictionary()


def holds(dag: CDAG, rules: Rules, argument: str) -> bool:
    """Return whether an argument holds under `rules`.

    Segments need one-shot plays, and aggregations are of partial computation alone.

    Parameters
    ----------
    dag, rules
        The game.
    argument
        A key of `ARGUMENTS`.
    """
    if rules.partial or argument == "aggregations":
        return rules.partial and argument == "aggregations"
    return argument != "segments" or not rules.recompute or is_single_use(dag)


def premises(
    dag: CDAG, argument: str, family: str, params: Mapping[str, int | str]
) -> tuple[Shape, int, int]:
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


def _premises(dag: CDAG, argument: str, family: str, params: Params) -> tuple[Shape, int, int]:
    if argument not in ARGUMENTS:
        raise CertificateError(
            "argument", f"is {shown(argument)}, not one of {', '.join(ARGUMENTS)}"
        )
    builders, gain = ARGUMENTS[argument]
    if family not in builders:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(builders)}")
    space = builders[family](dag.n, params)
    return space.shape, space.updates.size, gain(dag, space)


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


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "argument" (a key of `ARGUMENTS`), the "family" and its "params"
        as the generator takes them, and "windows": a list with the "size" in updates, the
        "count", and the "exponents" of the arrays as fractions in a string, "1/2".
    """
    only(data, ("argument", "family", "params", "windows"))
    argument, params = text(data, "argument"), data["params"]
    if not holds(dag, rules, argument):
        raise CertificateError("argument", f"{argument} do not hold under {rules.name} rules")
    _check_params(params)
    shape, updates, gain = premises(dag, argument, text(data, "family"), params)
    held, words = rules.room_before(memory), compact_words if rules.partial else least_words
    return words_of_windows(shape, updates, held, data["windows"], words) + gain
