"""Checks window proofs for a DAG of no family: what each window must load is computed.

Take any play, and the order in which the counted vertices are computed for the first time. Window
i begins just before number a_i + 1 of them is computed first (the first one may begin with the
play: a = 0) and ends just before number b_i + 1 is, or with the play; windows do not overlap,
b_i <= a_(i+1). Let B be what has been computed before window i and V what is computed for the
first time in it. Both B and B with V are closed under operands, B has a_i counted vertices, and V
has b_i - a_i of them. Let R be what is red when the window begins and L what is loaded in it.

*Every path from an input to V meets a value in R or L that is an input or in B.* Take the last
vertex x of the path outside V; its successor there is in V. When that is computed for the first
time, in the window, x is red, and so an input or in B. Going back in time, x was red when the
window began, or was loaded in it, or was computed again in it. In the last case its predecessor
on the path was red then, and is an input or in B, for B is closed: go on from there. Inputs are
never computed, so this ends in R or L.

*R has at most m words.* Nothing is red when a = 0. Otherwise a counted vertex v is computed next:
with the other values it takes M words at most, so m is M less the words of v; if it may slide onto
an operand, M less what it is larger than the largest of them. The least such v counts.

*Loads and stores.* Let windows with a_i > 0 have shares s_i >= 0 with a sum of at most 1. Let a
value v that is loaded in window i cost c_i(v) = words(v), but (1 + s_i) words(v) if it is computed
and no output. Such a v has been stored once at least, and it is loaded as often as there are
windows that load it; so it moves words(v) times (1 + the number of these windows), no less than
the sum of c_i(v) over them. (What the first window loads of R or L is an input if a = 0.) Hence

    I/O >= words of the outputs + sum over i of c_i(L_i).

`placements` bounds c_i(L) for all B and V that there can be.

Source
------
J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981 (dominators), with
windows between numbers of first computations. The argument is complete as it stands here.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from pebble import Rules, compulsory_words
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import integer, only, shown, text, vertices
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.pieces.wavefronts import extra_words
from proofs.certificates.windows.placements import Placements, Window, least_cost


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "counted" vertices ("all" that are computed, or a rising list), a "denominator",
        and "windows", one after the other: each with its "first" and "last", the "share" of the
        denominator, and a "tree" for `placements.least_cost`.
    """
    only(data, ("counted", "denominator", "windows"))
    denominator = integer(data, "denominator", least=1)
    if not isinstance(data["windows"], list) or not all(
        isinstance(each, Mapping) for each in data["windows"]
    ):
        raise CertificateError("windows", "is no list of objects")
    counted = _counted(dag, data)
    placements = Placements(dag, counted)
    red = red_words(dag, counted, memory, rules)
    total = end = shares = 0
    for number, each in enumerate(data["windows"]):
        try:
            only(each, ("first", "last", "share", "tree"))
            share = integer(each, "share", least=0)
            first = integer(each, "first", least=end)
            end = integer(each, "last", least=first + 1)
            shares += share
            if end > counted.size or (share and not first) or shares > denominator:
                raise CertificateError("last", "or the shares are more than there are")
            if not isinstance(each["tree"], list):
                raise CertificateError("tree", "is no list")
            window = Window(first, end, red if first else 0, costs(dag, denominator, share))
            total += least_cost(placements, window, each["tree"])
        except CertificateError as error:
            raise CertificateError(f"windows {number}, {error.field}", error.message) from None
    return words_proven(dag, denominator, total)


def words_proven(dag: CDAG, denominator: int, total: int) -> int:
    """Return the words that windows prove whose costs sum to so many parts of a word.

    All that is moved is a multiple of what all sizes are multiples of.

    Parameters
    ----------
    dag
        The DAG.
    denominator
        Parts of a word.
    total
        Sum of the windows' costs, in such parts.
    """
    unit = int(np.gcd.reduce(dag.sizes))
    moved = dag.words_of(dag.outputs) - (-total // (denominator * unit)) * unit
    return max(compulsory_words(dag), moved)


def red_words(
    dag: CDAG, counted: np.ndarray[Any, np.dtype[np.integer[Any]]], memory: int, rules: Rules
) -> int:
    """Return the words that can be red just before a counted vertex is computed first.

    No more than all values have: a larger memory, times a price, could wrap.

    Parameters
    ----------
    dag, memory, rules
        The game.
    counted
        (c,) vertices by which windows are cut.
    """
    extra = extra_words(Cutter(dag).whole(), rules)[counted]
    every = int(dag.sizes.sum())
    return max(0, min(memory - int(extra.min(initial=memory)), every))


def costs(dag: CDAG, denominator: int, share: int) -> Int64Array:
    """Return (n,) what loading each value costs, in parts of a word.

    Parameters
    ----------
    dag
        The DAG.
    denominator, share
        Parts of a word, and how many of them a window has of the store of what it loads.
    """
    stored = dag.is_computed.copy()
    stored[dag.outputs] = False
    if (denominator + share) * int(dag.sizes.max()) > 2**62 // dag.n:
        raise CertificateError("denominator", f"is {denominator}, too large to be checked")
    return dag.sizes * np.where(stored, denominator + share, denominator)


def _counted(dag: CDAG, data: Mapping[str, Any]) -> Int64Array:
    """Return the counted vertices."""
    if isinstance(data["counted"], str):
        if text(data, "counted") != "all":
            raise CertificateError("counted", f"is {shown(data['counted'])}, not all")
        return dag.computed.astype(np.int64)
    counted = vertices(data, "counted", dag.n)
    if not dag.is_computed[counted].all():
        raise CertificateError("counted", "has an input")
    return counted
