"""Looks: the colours, dashes and symbols of figures, and Matplotlib's names for them.

The colours are told apart with the common kinds of colour blindness; symbols and dashes tell
them apart without any colour. A role or a method has one colour in all figures of a report.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from redblue.show.model import Figure, Series


@dataclass(frozen=True)
class Colour:
    """A colour: the name that style sheets call it by, on a light and on a dark ground."""

    name: str
    light: str
    dark: str


@dataclass(frozen=True)
class Look:
    """Colour, line and symbol of a series.

    Parameters
    ----------
    colour
        Of line and symbols.
    dash
        "solid", "dash", "dot", "dashdot" or "longdash", as Plotly calls them.
    symbol
        "circle", "square", ... as Plotly calls them, or "" for a line alone.
    """

    colour: Colour
    dash: str
    symbol: str


METHODS = (
    Colour("blue", "#1668b8", "#6cb6ff"),
    Colour("orange", "#cf5a00", "#ff9d57"),
    Colour("green", "#0b7d5b", "#3fd0a0"),
    Colour("violet", "#6d4ac4", "#b9a3ff"),
    Colour("sky", "#2199c4", "#8fe1fb"),
    Colour("brown", "#7d5130", "#d3a67e"),
    Colour("grey", "#6a7280", "#a8b0bb"),
)
# A role has these in a figure, in this order; further series of the role have methods' colours.
COLOURS_OF = {
    "lower": (Colour("bound", "#20262e", "#e9edf2"), Colour("bound-2", "#767f8b", "#98a2ae")),
    "theorem": (Colour("theorem", "#b3256e", "#ff86bd"),),
    "claim": (Colour("claim", "#8a6d3b", "#d9b878"),),
    "fit": (Colour("fit", "#a67c00", "#f0cb4b"),),
}
PLAYED = ("upper", "measured")
COLOURS = (*METHODS, *(colour for colours in COLOURS_OF.values() for colour in colours))
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "x")
DASHES = {"lower": "dash", "theorem": "dot", "claim": "longdash", "fit": "dashdot"}
LINES: dict[str, str | tuple[int, tuple[float, ...]]] = {
    "solid": "-",
    "dash": (0, (5, 3)),
    "dot": (0, (1.2, 2)),
    "dashdot": (0, (6, 2.5, 1.2, 2.5)),
    "longdash": (0, (9, 3)),
}
MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "cross": "P",
    "x": "X",
    "": "",
}
INK, RULE, GAP = "#20262f", "#dfe3e8", "#8c96a3"
GAP_STRENGTH = 0.16
SANS = ["DejaVu Sans"]
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def method_look(place: int, role: str = "upper") -> Look:
    """The look of a method; after the last colour the first comes again, dashed.

    Parameters
    ----------
    place
        Place of the method among those of the figure.
    role
        Its role in the figure.
    """
    round_, colour = divmod(place, len(METHODS))
    if role in COLOURS_OF:
        return Look(METHODS[colour], DASHES[role], "")
    symbol = SYMBOLS[(colour + 3 * round_) % len(SYMBOLS)]
    return Look(METHODS[colour], "solid" if round_ == 0 else "dash", symbol)


def looks(figures: Iterable[Figure]) -> tuple[tuple[Look, ...], ...]:
    """The look of every series of every figure.

    A method keeps the colour of the figure in which it was seen first, unless another one of the
    same figure has it; no colour comes twice in a figure of seven methods or less.
    """
    known: dict[str, int] = {}
    return tuple(_figure_looks(figure.series, known) for figure in figures)


def _figure_looks(series: tuple[Series, ...], known: dict[str, int]) -> tuple[Look, ...]:
    """Return the looks of one figure, and add to `known` the places of new methods."""
    sources = [_source(series, place) for place in range(len(series))]
    labels = [
        entry.label for entry, source in zip(series, sources, strict=True) if source == "method"
    ]
    places = _places(labels, known)
    looks: list[Look] = []
    for place, (entry, source) in enumerate(zip(series, sources, strict=True)):
        if source == "neighbour":
            looks.append(Look(looks[place - 1].colour, DASHES[entry.role], ""))
        elif source == "method":
            looks.append(method_look(places[entry.label], entry.role))
        else:
            looks.append(_line(entry.role, _turn(series, place)))
    return tuple(looks)


def _source(series: tuple[Series, ...], place: int) -> Literal["role", "method", "neighbour"]:
    """The origin of the colour of the series at `place`.

    Its role's own, where that is left; where a figure has several fits, each has the colour of
    the method that it stands behind.
    """
    role = series[place].role
    if role in PLAYED:
        return "method"
    several = [entry.role for entry in series].count(role) > len(COLOURS_OF[role])
    if several and place > 0 and series[place - 1].role in PLAYED:
        return "neighbour"
    return "role" if _turn(series, place) < len(COLOURS_OF[role]) else "method"


def _turn(series: tuple[Series, ...], place: int) -> int:
    """The number of series before `place` that have the same role."""
    return sum(entry.role == series[place].role for entry in series[:place])


def _places(labels: list[str], known: dict[str, int]) -> dict[str, int]:
    """The place in the palette of each label: its own where it is free."""
    places: dict[str, int] = {}
    for label in sorted(labels, key=lambda label: label not in known):
        used = set(places.values())
        place = known.get(label, _free(used))
        place = _free(used) if place in used else place
        places[label] = place
        known.setdefault(label, place)
    return places


def _free(used: set[int]) -> int:
    """The first place that is not taken."""
    return next(place for place in range(len(used) + 1) if place not in used)


def _line(role: str, turn: int) -> Look:
    """The look of a bound, a theorem or a fit, of which `turn` came before it."""
    dash = DASHES[role] if turn == 0 else "dot"
    return Look(COLOURS_OF[role][turn], dash, "")
