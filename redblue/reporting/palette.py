"""Looks of series: one colour a role or a method, the same in every figure of a report.

The colours themselves are in `redblue.looks`.
"""

from collections.abc import Iterable
from typing import Literal

from redblue.looks import COLOURS as COLOURS
from redblue.looks import COLOURS_OF, DASHES, PLAYED, Look, method_look
from redblue.show.model import Figure, Series


def looks(figures: Iterable[Figure]) -> tuple[tuple[Look, ...], ...]:
    """Return the look of every series of every figure.

    A method keeps the colour of the figure in which it was seen first, unless another one of the
    same figure has it; no colour comes twice in a figure of seven methods or less.
    """
    known: dict[str, int] = {}
    return tuple(_figure_looks(figure.series, known) for figure in figures)


def _figure_looks(series: tuple[Series, ...], known: dict[str, int]) -> tuple[Look, ...]:
    """Return the looks of one figure, and add to `known` the places of new methods."""
    sources = [_source(series, place) for place in range(len(series))]
    own = [one.label for one, source in zip(series, sources, strict=True) if source == "method"]
    places = _places(own, known)
    found: list[Look] = []
    for place, (one, source) in enumerate(zip(series, sources, strict=True)):
        if source == "neighbour":
            found.append(Look(found[place - 1].colour, DASHES[one.role], ""))
        elif source == "method":
            found.append(method_look(places[one.label], one.role))
        else:
            found.append(_line(one.role, _turn(series, place)))
    return tuple(found)


def _source(series: tuple[Series, ...], place: int) -> Literal["role", "method", "neighbour"]:
    """Return the origin of the colour of the series at `place`.

    Its role's own, where that is left; where a figure has several fits, each has the colour of
    the method that it stands behind.
    """
    role = series[place].role
    if role in PLAYED:
        return "method"
    several = [one.role for one in series].count(role) > len(COLOURS_OF[role])
    if several and place > 0 and series[place - 1].role in PLAYED:
        return "neighbour"
    return "role" if _turn(series, place) < len(COLOURS_OF[role]) else "method"


def _turn(series: tuple[Series, ...], place: int) -> int:
    """Return the number of series before `place` that have the same role."""
    return sum(one.role == series[place].role for one in series[:place])


def _places(labels: list[str], known: dict[str, int]) -> dict[str, int]:
    """Return the place in the palette of each label: its own where it is free."""
    places: dict[str, int] = {}
    for label in sorted(labels, key=lambda label: label not in known):
        taken = set(places.values())
        place = known.get(label, _free(taken))
        place = _free(taken) if place in taken else place
        places[label] = place
        known.setdefault(label, place)
    return places


def _free(taken: set[int]) -> int:
    """Return the first place that is not taken."""
    return next(place for place in range(len(taken) + 1) if place not in taken)


def _line(role: str, turn: int) -> Look:
    """Return the look of a bound, a theorem or a fit, of which `turn` came before it."""
    dash = DASHES[role] if turn == 0 else "dot"
    return Look(COLOURS_OF[role][turn], dash, "")
