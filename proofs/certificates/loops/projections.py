"""Checks sums over windows of what their updates touch; see `window_gains` and `hbl`."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Rules
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import LARGEST, integer, only, shown, text
from proofs.certificates.loops import affine_families as affine
from proofs.certificates.loops import factorization_families as factorizations
from proofs.certificates.loops import rotation_families as rotations
from proofs.certificates.loops.affine_families import Params
from proofs.certificates.loops.hbl import Shape, least_words
from proofs.certificates.loops.iteration_space import IterationSpace
from proofs.certificates.loops.window_gains import chain_gain, dominator_gain, segment_gain
from proofs.certificates.single_use import is_single_use

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
CHAINS: dict[str, Builder] = {"attention": affine.attention_scores}
DOMINATORS: dict[str, Builder] = {
    "cholesky": factorizations.cholesky_places,
    "lu": factorizations.lu_places,
    "qr_givens": rotations.qr_givens_places,
    "triangular_solve": factorizations.triangular_solve_places,
}
ARGUMENTS = {
    "segments": (SEGMENTS, segment_gain),
    "chains": (CHAINS, chain_gain),
    "dominators": (DOMINATORS, dominator_gain),
}

# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, tuple[Shape, int, int]]] = WeakKeyDictionary()

MOST_COMMON = 5040  # the largest denominator of exponents that is worth exact arithmetic
MOST_EXPONENT = 4
FRACTION = re.compile(r"([0-9]{1,6})(?:/([0-9]{1,6}))?")
MOST_SIZES = 16  # of windows: two are enough for windows that are as equal as can be


def carry(memory: int, rules: Rules) -> int:
    """Return the words that can be red just before a word is computed."""
    return memory if rules.sliding else memory - 1


def holds(dag: CDAG, rules: Rules, argument: str) -> bool:
    """Return whether an argument holds under `rules`: segments need one-shot plays.

    Parameters
    ----------
    dag, rules
        The game.
    argument
        A key of `ARGUMENTS`.
    """
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


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "argument" ("segments", "chains" or "dominators"), the "family" and its "params"
        as the generator takes them, and "windows": a list with the "size" in updates, the
        "count", and the "exponents" of the arrays as fractions in a string, "1/2".
    """
    only(data, ("argument", "family", "params", "windows"))
    argument, params = text(data, "argument"), data["params"]
    if not holds(dag, rules, argument):
        raise CertificateError("argument", f"{argument} do not hold under {rules.name} rules")
    if not isinstance(params, Mapping) or not all(
        isinstance(key, str)
        and (type(value) is str or (type(value) is int and abs(value) <= LARGEST))
        for key, value in params.items()
    ):
        raise CertificateError("params", "are no names with numbers")
    shape, updates, gain = premises(dag, argument, text(data, "family"), params)
    windows = _windows(shape, data["windows"])
    if sum(size * count for size, count, _ in windows) != updates:
        raise CertificateError("windows", f"do not hold the {updates} updates")
    touched = sum(count * least_words(shape, size, powers) for size, count, powers in windows)
    cuts = sum(count for _, count, _ in windows) - 1
    return touched - carry(memory, rules) * cuts + gain


def _windows(shape: Shape, windows: Any) -> list[tuple[int, int, dict[str, Fraction]]]:
    """Return the size, the count and the exponents of each entry of "windows"."""
    if not isinstance(windows, list) or not 1 <= len(windows) <= MOST_SIZES:
        raise CertificateError("windows", f"are not from 1 to {MOST_SIZES} sizes with counts")
    found = []
    for entry in windows:
        if not isinstance(entry, Mapping):
            raise CertificateError("windows", "are no list of objects")
        only(entry, ("size", "count", "exponents"))
        size, count = integer(entry, "size", least=1), integer(entry, "count", least=1)
        found.append((size, count, _exponents(shape, entry["exponents"])))
    return found


def _exponents(shape: Shape, exponents: Any) -> dict[str, Fraction]:
    """Return the exponent of each array of which several updates share an item."""
    if not isinstance(exponents, Mapping):
        raise CertificateError("exponents", "are no names with fractions")
    only(exponents, [measure.name for measure in shape.partial])
    return {name: _fraction(exponents, name) for name in exponents}


def _fraction(exponents: Mapping[str, Any], name: str) -> Fraction:
    written = FRACTION.fullmatch(text(exponents, name))
    if written is None or not int(written[2] or 1):
        raise CertificateError(name, f"is {shown(exponents[name])}, no fraction")
    value = Fraction(int(written[1]), int(written[2] or 1))
    if not 0 <= value <= MOST_EXPONENT or MOST_COMMON % value.denominator:
        raise CertificateError(name, f"is {value}, not n/{MOST_COMMON} up to {MOST_EXPONENT}")
    return value
