"""Loop nests that are not laid out: plays by tiles, looked for once and counted.

A nest has several **forms**, whose DAGs are the same or a refinement of its own: without its
temporaries, with the first links of sums in these, with loops cut at the steps in which others
read, and in the order of loops in which its family is published. Plays are looked for on all of
them, and the best one counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple
from weakref import WeakKeyDictionary

from dags import Computation
from dags.programs.box_nests import BoxNest
from redblue.answers.memories import grid
from schedulers import COUNTED_PLAYS
from schedulers.tilings.hierarchies import Cost, hierarchy_plays
from schedulers.tilings.holds import Found, thinned
from schedulers.tilings.links import linked
from schedulers.tilings.parts import in_turn
from schedulers.tilings.search import best_tilings
from schedulers.tilings.strides import at_strides

FEW, FEWER = 24, 8  # sizes of memory for which plays are looked for, where none are named;
MANY = 6  # of more assignments than these, the second
EACH = 1.0  # seconds for each of them


class Form(NamedTuple):
    """A nest whose plays are plays of a computation.

    Attributes
    ----------
    nest
        The nest.
    less
        Words of fast memory that its plays have less.
    """

    nest: BoxNest
    less: int = 0


# A plan asks at many sizes of memory.
_found: WeakKeyDictionary[BoxNest, list[Found]] = WeakKeyDictionary()
_forms: WeakKeyDictionary[BoxNest, tuple[Form, ...]] = WeakKeyDictionary()


def forms_of(known: Computation) -> tuple[Form, ...]:
    """The forms of a computation: its nest, and others; none where it has no nest.

    Parameters
    ----------
    known
        The member.
    """
    nest = known.nest
    if nest is None:
        return ()
    if nest not in _forms:
        _forms[nest] = tuple(_made(known, nest))
    return _forms[nest]


def _made(known: Computation, nest: BoxNest) -> Iterator[Form]:
    """Yield the forms of a nest."""
    forms = [Form(nest)]
    if nest.merged is not None:
        forms.append(Form(nest.merged.nest, nest.merged.count))
    kin = known.kin_nest
    if kin is not None and len(kin.assignments) < len(nest.assignments):
        forms.append(Form(kin))
    for form in forms:
        yield form
        for rewritten in (linked(form.nest), at_strides(form.nest)):
            if rewritten is not None:
                yield Form(rewritten, form.less)


def look_for_plays(
    known: Computation,
    memories: Iterable[int] | None = None,
    *,
    more: bool = False,
    levels: bool = False,
    seconds: float | None = None,
) -> None:
    """Look for plays of a nest at some sizes of memory; of other programs, for none.

    Parameters
    ----------
    known
        The member.
    memories
        Words of fast memory; None for some over all of the range.
    more
        Whether those that were found before stay known; otherwise an answer depends on nothing
        that was asked before.
    levels
        Whether plays of a hierarchy are wanted, for which no family has formulas.
    seconds
        After which nothing new is begun; None for as long as each named size takes alone, and for a
        second each where none are named.
    """
    if known.nest is None or (known.family in COUNTED_PLAYS and not levels and _is_beaten(known)):
        return
    least = known.min_memory()
    few = FEWER if is_large(known) else FEW
    sizes = grid(least, known.sizes.vertices + 1, few) if memories is None else [*memories]
    if memories is None and seconds is None:
        seconds = EACH * len(sizes)
    for nest, less in forms_of(known):
        room = [size - less for size in sizes if size - less >= least]
        found = best_tilings(nest, room, seconds=seconds)
        _found[nest] = thinned([*(_found.get(nest, []) if more else []), *found])


def _is_beaten(known: Computation) -> bool:
    """Whether the counted play of the family moves less than tiles that are looked for.

    So it is for factorizations, whose assignments read later ones: tiles of bands of LU and
    Cholesky move more words at all sizes of memory.
    """
    nest = known.nest
    return nest is not None and not in_turn(nest)


def is_large(known: Computation) -> bool:
    """Whether a member is a nest of many assignments, of which little is tried."""
    nest = known.nest
    return nest is not None and len(nest.assignments) > MANY


def best_play(known: Computation, memory: int) -> tuple[BoxNest, Found] | None:
    """The best play that was found for so much memory, and of which nest; None if none was.

    Parameters
    ----------
    known
        The member, of which plays were looked for.
    memory
        Words of fast memory.
    """
    plays = [
        (nest, enough[-1])
        for nest, less in forms_of(known)
        if (enough := [each for each in _found.get(nest, []) if each.moved.words <= memory - less])
    ]
    return min(plays, key=lambda play: play[1].io, default=None)


def plays_of_levels(
    known: Computation, memories: Sequence[int], prices: Sequence[Fraction] = ()
) -> tuple[BoxNest, tuple[Found, ...]] | None:
    """Plays that are a play of a hierarchy together, and of which nest; None if none fits.

    Parameters
    ----------
    known
        The member, of which plays were looked for at these sizes.
    memories
        Words of each level but the last, rising.
    prices
        Of a word across each boundary; () for 1 at all.
    """
    plays = [
        (nest, tiles)
        for nest, less in forms_of(known)
        if not less
        and any(each.moved.words <= memories[0] for each in _found.get(nest, []))
        and (tiles := hierarchy_plays(nest, memories, _found[nest], prices))
    ]
    return min(plays, key=lambda play: Cost(prices)(play[1]), default=None)
