"""The colours of a page and the keys of its legends."""

from markupsafe import Markup

from redblue.show.looks import COLOURS, Look

# Name: on a light ground, on a dark one. Texts have a contrast of 4.5 or more on both.
GROUNDS = {
    "ground": ("#ffffff", "#14181e"),
    "panel": ("#f5f6f8", "#1e242c"),
    "ink": ("#1c232d", "#e6eaf0"),
    "soft": ("#57606d", "#a3adb9"),
    "rule": ("#e1e5ea", "#343c47"),
    "line": ("#b4bcc7", "#566270"),
    "link": ("#1a5fb4", "#7db8ff"),
    "gap": ("#7f8b99", "#8d99a8"),
    "recovered": ("#0f7640", "#55cf93"),
    "consistent": ("#4a6a2f", "#b5cf8a"),
    "proved": ("#1a5fb4", "#7db8ff"),
    "recomputed": ("#5b5273", "#bdb2d6"),
    "confirmed": ("#0f7640", "#55cf93"),
    "corrected": ("#8a5600", "#ecb552"),
    "refuted": ("#bd1f2d", "#ff8080"),
    "undecided": ("#59626f", "#a9b2be"),
}
SHAPES = {
    "circle": "M13 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "square": "M13.4 3.4h7.2v7.2h-7.2z",
    "diamond": "M17 2.2l4.8 4.8l-4.8 4.8l-4.8-4.8z",
    "triangle-up": "M17 2.4l4.6 8h-9.2z",
    "triangle-down": "M17 11.6l4.6-8h-9.2z",
    "cross": "M15.4 2.6h3.2v2.8h2.8v3.2h-2.8v2.8h-3.2v-2.8h-2.8v-3.2h2.8z",
    "x": "M14 2.6l3 3l3-3l1.4 1.4l-3 3l3 3l-1.4 1.4l-3-3l-3 3l-1.4-1.4l3-3l-3-3z",
}
DASHES = {
    "solid": "",
    "dash": "6 4",
    "dot": "2 3",
    "dashdot": "7 3 2 3",
    "longdash": "11 4",
}


def colour_sheet() -> str:
    """The style sheet that gives every colour its name, on light and dark grounds."""
    light = {name: pair[0] for name, pair in GROUNDS.items()}
    dark = {name: pair[1] for name, pair in GROUNDS.items()}
    light |= {colour.name: colour.light for colour in COLOURS}
    dark |= {colour.name: colour.dark for colour in COLOURS}
    return (
        f":root {{ color-scheme: light; {_variables(light)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{\n"
        f":root {{ color-scheme: dark; {_variables(dark)} }}\n}}"
    )


def _variables(values: dict[str, str]) -> str:
    """Variables of a style sheet."""
    return " ".join(f"--{name}: {value};" for name, value in values.items())


def swatch(look: Look) -> Markup:
    """The piece of line that a legend shows for a series."""
    shape = Markup('<path d="{}" style="fill: var(--{})"/>').format(
        SHAPES.get(look.symbol, ""), look.colour.name
    )
    return Markup(
        '<svg viewBox="0 0 34 14" aria-hidden="true"><path d="M0 7h34" style="fill: none; '
        'stroke: var(--{}); stroke-width: 2.2; stroke-dasharray: {}"/>{}</svg>'
    ).format(look.colour.name, DASHES[look.dash] or "none", shape if look.symbol else "")
