"""Savings of the updates of a nest that keep values, by windows of all lengths (N11).

Two updates in a row that touch a value are a *pair* of it. With T moves of a value that has P
pairs, prices w(A) of several lengths A of windows and g of room, R the room of a play, Phi(A) the
most that the pairs in a window of A updates are worth, and floor the least that a kept pair uses of
both,

    excess >= sum over u of min(T, P floor) - g R
              - sum over A of ((N - A + 1) Phi(A) + 2 (Phi(1) + ... + Phi(A - 1))).

The proof is N11 in docs/theory/nests.md.

Source
------
The windows are those of `window_gains`, and so are their sources. That all lengths count at once,
and that room is asked for at every update, is proved here.
"""

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from dags import CDAG
from pebble import Rules, compulsory_words, min_memory
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, only, shown, text
from proofs.lemmas.loops.affine import described_space
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.layered_sets import REACH
from proofs.lemmas.loops.nest_pairs import Nest, Price, nest_of_space
from proofs.lemmas.loops.projections import family_space
from proofs.lemmas.single_use import is_single_use

DEAREST = 2**30  # of all prices, in parts of a word
MOST_WINDOWS = 16


def holds(dag: CDAG, rules: Rules) -> bool:
    """Return whether the argument holds: in one-shot plays, or where these are the best."""
    return not rules.partial and (not rules.recompute or is_single_use(dag))


# What has been verified, as long as the DAG is there: a curve asks at every memory size.
_verified: WeakKeyDictionary[CDAG, dict[Any, Nest]] = WeakKeyDictionary()


def nest(dag: CDAG, source: Mapping[str, Any], base: str, operands: tuple[str, ...]) -> Nest:
    """Return the pairs of a nest, verified on `dag`.

    Parameters
    ----------
    dag
        The DAG, its values of one word.
    source
        Has a "family" and its "params", or the "space" of a program.
    base, operands
        The arrays, as for `layers_of`.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, repr(source), base, operands
    if question not in known:
        known[question] = nest_of_space(dag, space_of(dag, source), base, operands)
    return known[question]


def space_of(dag: CDAG, source: Mapping[str, Any]) -> IterationSpace:
    """Return the updates that are named, not verified.

    Parameters
    ----------
    dag
        The DAG.
    source
        Has a "family" and its "params", or the "space" of a program.
    """
    return (family_space if "family" in source else described_space)(dag, source)


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "source" of the updates: a "family" and its "params" or the "space" of a program;
        the names of the "base" array and of the "operands"; a "denominator" of all prices, the
        price of "room", and "windows": a list with the "size" and the prices of pairs of
        an "operand", of a base "entry", and of a "link" where there are any.
    """
    only(data, ("source", "base", "operands", "denominator", "room", "windows"))
    if not holds(dag, rules):
        raise CertificateError("rules", f"are {rules.name}, under which values come back otherwise")
    if memory < min_memory(dag, rules=rules):
        raise CertificateError("memory", f"of {memory} words is too small to play at all")
    found = nest(dag, source_of(data), text(data, "base"), names_of(data))
    denominator, room = _price(data, "denominator", least=1), _price(data, "room")
    prices = _windows(data["windows"], found.updates)
    return compulsory_words(dag) + max(0, found.excess(memory, rules, denominator, room, prices))


def source_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the "source" of updates: a family and its parameters, or a space.

    Parameters
    ----------
    data
        Has it.
    """
    source = data["source"]
    if not isinstance(source, Mapping):
        raise CertificateError("source", f"is {shown(source)}, neither a family nor a space")
    only(source, ("space",) if "space" in source else ("family", "params"))
    return source


def names_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the arrays of "operands".

    Parameters
    ----------
    data
        Has them.
    """
    names = data["operands"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CertificateError("operands", "are no list of names")
    return tuple(names)


def _price(data: Mapping[str, Any], name: str, least: int = 0) -> int:
    value = integer(data, name, least=least)
    if value > DEAREST:
        raise CertificateError(name, f"is {value}, more than {DEAREST}")
    return value


def _windows(windows: Any, updates: int) -> list[Price]:
    """Return the size and the prices of each entry of "windows"."""
    if not isinstance(windows, list) or not 1 <= len(windows) <= MOST_WINDOWS:
        raise CertificateError("windows", f"are not from 1 to {MOST_WINDOWS} sizes with prices")
    found = []
    for entry in windows:
        if not isinstance(entry, Mapping):
            raise CertificateError("windows", "are no list of objects")
        only(entry, ("size", "operand", "entry", *(["link"] if "link" in entry else [])))
        size = integer(entry, "size", least=1)
        if size > min(REACH, updates):
            raise CertificateError("size", f"is {size}, more than {min(REACH, updates)}")
        link = _price(entry, "link") if "link" in entry else 0
        found.append((size, _price(entry, "operand"), _price(entry, "entry"), link))
    return found
