"""Clauses that exclude segments without a way: as general as they can be made."""

from collections.abc import Iterator
from dataclasses import dataclass

from dags import CDAG
from pebble import Rules
from pebble.small import TooLargeError, small_game, whole_dag
from pebble.small.symmetry import swaps
from schedulers.exact.cpsat.recompute.free import FEW_STATES, UndecidedError, free_way
from schedulers.exact.cpsat.recompute.part import Part, bits, set_of

MOST_IMAGES = 1024

Image = dict[int, int]  # of all vertices


@dataclass(frozen=True)
class Clause:
    """From these red values alone, or fewer, there is no way without I/O to these others.

    Parameters
    ----------
    red
        What is red when a segment begins, at the most.
    target
        What is kept from it, at the least.
    fresh
        What is computed in it, at the least, for the first time and to be stored.
    """

    red: int
    target: int
    fresh: int


def explain(part: Part, clause: Clause) -> Clause:
    """Return a clause, true as this one is, of which no part can be left out.

    More red values are no way out if there is none from them, even with those that do not fit: a
    way from fewer would be one from more, of which some are deleted first.
    """
    red, target, fresh = clause.red, clause.target, clause.fresh
    for v in bits(clause.fresh):
        if _impossible(part, red, target, fresh & ~(1 << v)):
            fresh &= ~(1 << v)
    for v in bits(clause.target):
        if _impossible(part, red, target & ~(1 << v), fresh):
            target &= ~(1 << v)
    for u in part.values:
        if not (red | fresh) >> u & 1 and _impossible(part, red | 1 << u, target, fresh):
            red |= 1 << u
    return Clause(red, target, fresh)


def _impossible(part: Part, red: int, target: int, fresh: int) -> bool:
    """Return whether there is surely no way."""
    try:
        return free_way(part, red, target, fresh, most_states=FEW_STATES) is None
    except UndecidedError:
        return False


def symmetries(dag: CDAG, memory: int, rules: Rules) -> list[Image]:
    """Return automorphisms of a game, the identity first; it alone for large DAGs.

    What is impossible stays so if all vertices in it change their names like this.
    """
    same = {v: v for v in range(dag.n)}
    try:
        game = small_game(whole_dag(dag), memory, rules)
    except TooLargeError:
        return [same]
    steps, values = game.steps.tolist(), game.values.tolist()
    turns = [
        same
        | dict(zip(values, (values[r] for r in of_values.tolist()), strict=True))
        | dict(zip(steps, (steps[c] for c in of_steps.tolist()), strict=True))
        for of_steps, of_values in zip(*swaps(game, game.own), strict=True)
    ]
    found = [same]
    known = {tuple(same.values())}
    for image in found:  # grows
        for turn in turns:
            other = {v: turn[w] for v, w in image.items()}
            if len(found) < MOST_IMAGES and tuple(other.values()) not in known:
                known.add(tuple(other.values()))
                found.append(other)
    return found


def images(clause: Clause, symmetries: list[Image]) -> Iterator[Clause]:
    """Yield what a clause becomes under symmetries."""
    for image in symmetries:
        sets = (clause.red, clause.target, clause.fresh)
        yield Clause(*(set_of(image[v] for v in bits(members)) for members in sets))
