"""Checks what the updates of a loop nest can save by keeping values, by windows of all lengths.

Number the N updates of a one-shot play by their order. Every update has an item of each array
(`iteration_space`). A value *belongs* to an item if all updates that read it have that item; if
the update that makes it has it, too, then that one *touches* the value, as all readers do. Take
the updates that touch a value u in the order of play: each two in a row are a *pair* of u, of
*length* l, the difference of their numbers; P(u) is how many there are. A pair is *kept* if u
stays in fast memory from one to the other. Otherwise u is loaded in between, which is no first load
of an input; and if it is neither input nor output, it was stored, too. So u moves, beside words
that are compulsory, where kept(u) of its pairs are kept,

    excess(u) >= T - kept(u) T / P,    T = P, or P + 1 of what is neither input nor output.

*Pairs in a window.* Let the updates that touch the values of one item be joined value by value,
all those of a value with each other, and let no join be one too many (the joins are a forest; the
checker makes them). Then the pairs in a window of consecutive updates, of values of an item that x
of these have, are at most x - 1; of an array with a role for each of the items of an update, at
most roles times A less the items that the A updates have in all. `layered_sets` has the least
number of items, so that with prices w for the pairs of each array the pairs in a window of A
updates are worth at most Phi(A) = max over sets of sum over arrays of w (roles A - items). There
are N + A - 1 windows of up to A consecutive updates, at both ends shorter ones, and a pair of
length l < A is in A - l of them.

Values of operands that updates of base items make have a pair more each, a *link*, with a price
of its own: `linked_items` has what sets of updates are worth with these.

*Room.* While update y is computed, its operands are in fast memory, and its result (not yet,
where it slides). A kept pair of u that begins before y and ends after it has u there besides, for
y does not touch u and so does not read it; of each value there is one such pair at most. So the sum
of l - 1 over all kept pairs is at most R = sum over updates of M - operands - 1 (or M - operands).
At both ends of a play there is less to keep. The pairs around update y are of different values,
and an update begins at most a pair of each value that it reads or makes, and ends at most one of
each that it reads, for a value is made before it is read. Where updates read D values at most, and
make one, the pairs around update y are (D + 1)(y - 1) at most, and D (N - y); with D the room of
every update is M - D - 1 at least, and what that is more than either number is not in R.

*Together.* For prices w(A) >= 0 of several lengths A of windows, and a price g >= 0 of room, let

    floor = min over l of sum over A of w(A) max(0, A - l) + g (l - 1)

of each array; the sum bends at l = A only, and grows at last, so that l = 1 and l = A are enough.
A kept pair of u is worth at most what it uses of windows and of room, and max(0, T / P - floor).
Hence

    excess >= sum over u of min(T, P floor) - g R
              - sum over A of ((N - A + 1) Phi(A) + 2 (Phi(1) + ... + Phi(A - 1))).

*Twins.* Two updates are twins if they read the same vertices, of which two, v and w, are read by
nobody else; rotations compute such values. Where all updates at one point are twins or alone, twins
count as one update, which makes two values. For any play can be changed so that the second twin
is computed at once behind the first one: its result takes the room that v or w takes until it was
computed before. From the first moment at which neither is in fast memory, it is stored instead,
and loaded when it was computed before: that is a store and a load more, and two loads less, for
both must come back. What is output of v and w is stored at once, if it was stored later. Only
while both results are made, a word more than M may be taken; beside the operands and both results
M less the operands and one, as above. At the ends of a play twins begin D + 2 pairs at most. Other
plays are not asked for, so all holds for these.

It is the argument of `windows.reuse` with sets of updates that are known by formulas.

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
