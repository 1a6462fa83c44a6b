"""Checks bounds on what several processors move, with M words of fast memory each.

What a processor moves is what it loads and stores, and what it receives and sends over links.

**One processor** ("one-processor"). One processor with p M words can make the moves of all p, one
after another, leaving out those that bring a value that it has, and those that let go of one of
several copies; what comes over links costs it nothing. So all processors together load and store
at least what is proved for one processor with p M words; values may be computed again if they may
in that proof.

**Updates** ("updates"), where each value is computed once. Let processor q compute U_q of the U
updates of a loop nest. The proof of `loops.window_gains` for one-shot plays speaks of one fast
memory, of what comes into it and of what leaves it: of values that its windows read and that are
not computed in them, and of values that are computed in them and needed later or elsewhere. So it
holds for each processor, with windows of its own updates, and its births: with windows of A
updates, of which it has floor(U_q / A), and a last one of what is left,

    words of q >= floor(U_q / A) (x(A) - carry) - births of q.

Each birth is one of one processor, and the floors add up to at least (U - p (A - 1)) / A. Inputs
that no update reads as an item are loaded besides, by some processor, and outputs that belong to
no outgoing item stored. So all processors together move at least

    max(0, x(A) - carry) * ceil((U - p (A - 1)) / A) + besides - births.

**The busiest** ("busiest"), likewise. Some processor computes at least u = ceil(U / p) updates. Its
play is cut into windows of A_1, A_2, ... updates, u in all, and the last window goes on to the end
of the play, with what more it computes; that touches no less. So for any sizes

    its words >= sum of x(A_i) - carry * (windows - 1) - births.

With one window nothing is subtracted: that is the bound which no size of memory can escape. Where
each value has one use (`single_use`), both hold for all plays: of the computations of an update one
is needed, and without the others nothing more is moved, by any processor.

**Sets** ("sets"), where each value is computed once. The proof of `windows.segments` holds for
each processor, too, with sets of what it computes: of sets of A counted vertices of a piece,
processor q has floor(n_q / A), each of which exchanges least(A) values, of which a cut on either
side saves m. So beyond the compulsory moves there are, for each piece, at least

    max(0, least(A) - 2 m) * ceil((n - p (A - 1)) / A) - waived.

If all processors together move w words, the busiest one moves at least w / p.

Source
------
D. Irony, S. Toledo and A. Tiskin, Communication lower bounds for distributed-memory matrix
multiplication, J. Parallel Distrib. Comput. 2004; G. Ballard, J. Demmel, O. Holtz, B. Lipshitz and
O. Schwartz, Brief announcement: strong scaling of matrix multiplication algorithms and
memory-independent communication lower bounds, SPAA 2012. The argument is complete as it stands.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dags import CDAG
from pebble import Rules, compulsory_words, useful_memory
from pebble.parallel import Machine
from proofs.certificates import Certificate, CertificateError, proven_io
from proofs.core.fields import integer, integers, only, shown, text
from proofs.lemmas.isoperimetry import TWO_SIDED, Boundary
from proofs.lemmas.isoperimetry.set_sums import (
    known_boundaries,
    red_values,
    value_words,
)
from proofs.lemmas.loops.hbl import Shape, least_words
from proofs.lemmas.loops.projections import SEGMENTS, holds
from proofs.lemmas.loops.window_gains import segment_terms
from proofs.lemmas.loops.window_sums import fraction, words_of_windows

TOTAL, BUSIEST = "total", "busiest"


def proven_words(
    dag: CDAG, machine: Machine, rules: Rules, certificate: Certificate
) -> tuple[str, int]:
    """Return whether a number is proved for all processors together or the busiest; and the words.

    Parameters
    ----------
    dag
        The computation.
    machine
        Processors and their memory.
    rules
        The rules of the game.
    certificate
        Its kind is "one-processor", "updates", "busiest" or "sets".

    Raises
    ------
    CertificateError
        If it proves nothing.
    """
    kind, data = certificate.kind, certificate.data
    machine = with_useful_memory(dag, machine)
    if kind == "one-processor":
        only(data, ("kind", "data"))
        inner = Certificate(text(data, "kind"), _object(data, "data"))
        memory = machine.processors * machine.memory
        return TOTAL, proven_io(dag, memory, rules, inner)
    if kind == "sets":
        return TOTAL, _words_of_sets(dag, machine, rules, data)
    if kind not in ("updates", "busiest"):
        raise CertificateError("kind", f"is {shown(kind)}, which no processors are bounded by")
    shape, updates, besides, births = update_terms(
        dag, rules, text(data, "family"), _object(data, "params")
    )
    held = rules.room_before(machine.memory)
    if kind == "busiest":
        only(data, ("family", "params", "windows"))
        most = -(-updates // machine.processors)
        return BUSIEST, words_of_windows(shape, most, held, data["windows"]) - births
    only(data, ("family", "params", "size", "exponents"))
    size, exponents = integer(data, "size", least=1), _object(data, "exponents")
    only(exponents, [measure.name for measure in shape.partial])
    gained = (
        least_words(shape, size, {name: fraction(exponents, name) for name in exponents}) - held
    )
    return TOTAL, windowed(updates, machine.processors, size, gained) + besides - births


def with_useful_memory(dag: CDAG, machine: Machine) -> Machine:
    """Return a machine with as much memory as a processor can use, on which plays are the same."""
    return replace(machine, memory=useful_memory(dag, machine.memory))


def _words_of_sets(dag: CDAG, machine: Machine, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that sets of a processor's vertices prove.

    `data` has the "family" and "params" that make the DAG, which "alternative" of the inequalities
    is meant, and the "sizes" of the sets of each of its pieces.
    """
    only(data, ("family", "params", "alternative", "sizes"))
    if rules.recompute:
        raise CertificateError("rules", "sets exchange values only if none is computed again")
    family, params = text(data, "family"), _object(data, "params")
    alternatives = known_boundaries(TWO_SIDED, dag, family, params)
    number = integer(data, "alternative", least=0)
    if number >= len(alternatives):
        raise CertificateError("alternative", f"{number} is not below {len(alternatives)}")
    pieces, sizes = alternatives[number], integers(data, "sizes").tolist()
    if len(sizes) != len(pieces):
        raise CertificateError("sizes", f"are not those of {len(pieces)} pieces")
    saved = 2 * red_values(dag, machine.memory, rules)
    moves = sum(
        excess_of_sets(piece, machine.processors, size, saved)
        for piece, size in zip(pieces, sizes, strict=True)
    )
    return compulsory_words(dag) + value_words(dag) * moves


def excess_of_sets(piece: Boundary, processors: int, size: int, saved: int) -> int:
    """Return the moves beyond the compulsory ones on all copies of a piece, 0 or more.

    Parameters
    ----------
    piece
        The least boundaries of sets.
    processors
        Number of them.
    size
        Counted vertices in a set.
    saved
        Moves that are saved at each cut at most.
    """
    if not 1 <= size <= piece.reach:
        raise CertificateError("sizes", f"nothing is known of sets of {size}")
    moves = windowed(piece.vertices, processors, size, int(piece.least(size)) - saved)
    return piece.copies * max(0, moves - piece.waived)


def windowed(updates: int, processors: int, size: int, gained: int) -> int:
    """Return the words of all full windows, however updates are spread over processors.

    Parameters
    ----------
    updates, processors
        Numbers of them.
    size
        Updates in a window.
    gained
        Words that a window adds.
    """
    windows = -(-(updates - processors * (size - 1)) // size)
    return max(0, gained) * max(0, windows)


def update_terms(
    dag: CDAG, rules: Rules, family: str, params: Mapping[str, Any]
) -> tuple[Shape, int, int, int]:
    """Return what updates touch, how many there are, words moved besides, and words of births.

    Parameters
    ----------
    dag, rules
        The game.
    family, params
        A generator's name, and all of its parameters.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    if not holds(dag, rules, "segments"):
        raise CertificateError("kind", f"updates do not hold under {rules.name} rules")
    if family not in SEGMENTS:
        raise CertificateError("family", f"is {shown(family)}, not one of {', '.join(SEGMENTS)}")
    space = SEGMENTS[family](dag.n, params)
    besides, births = segment_terms(dag, space)
    return space.shape, int(space.updates.size), besides, births


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a field that is an object."""
    found = data.get(name)
    if not isinstance(found, Mapping):
        raise CertificateError(name, "is no object")
    return found
