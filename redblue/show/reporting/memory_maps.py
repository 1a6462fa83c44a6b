"""Pictures of memory over time: SVG for the page, a drawing of Matplotlib for files."""

from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from redblue.show.looks import INK, METHODS, RULE, STYLE
from redblue.show.model import MemoryMap, Span
from redblue.show.player.names import cleaned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 860, 420  # of the picture in the page, in units of its drawing
LEFT, BOTTOM, EDGE = 78, 20, 8
BAR = 3.0  # wide: the mark of what leaves to come back, or has come back
LETTER, LINE = 6.2, 12  # of a name in the page
TICKS = 6
KINDS = {
    "loaded": "loaded",
    "computed": "computed",
    "spilled": "leaves and comes back later (spilled)",
    "back": "has come back",
}
COLOURS = {
    kind: next(colour.light for colour in METHODS if colour.name == name)
    for kind, name in zip(KINDS, ("sky", "green", "orange", "violet"), strict=True)
}


def map_entry(shown: MemoryMap, number: int) -> dict[str, Any]:
    """The entry of a picture of memory in the page.

    Parameters
    ----------
    shown
        The picture as data.
    number
        Of the figure in the page.
    """
    return {
        "id": f"figure-{number}",
        "number": number,
        "caption": shown.caption,
        "unit": f" in {shown.unit}" if shown.unit else "",
        "legend": [(kind, KINDS[kind]) for kind in _kinds(shown)],
        "svg": map_svg(shown),
    }


def _kinds(shown: MemoryMap) -> list[str]:
    """The kinds of marks in a picture."""
    marks = {
        "loaded": any(span.loaded for span in shown.spans),
        "computed": any(not span.loaded for span in shown.spans),
        "spilled": any(span.spilled for span in shown.spans),
        "back": any(span.back for span in shown.spans),
    }
    return [kind for kind, is_present in marks.items() if is_present]


def map_svg(shown: MemoryMap) -> Markup:
    """A picture of memory as SVG; the style sheet of the page gives the colours."""
    scale = _Scale(shown)
    parts = [*scale.ticks()]
    for span in shown.spans:
        parts += scale.drawn(span, shown.unit)
    y = scale.y(shown.capacity)
    parts.append(f'<path class="end" d="M{LEFT} {y:.1f}H{WIDTH - EDGE}"/>')
    label = escape(shown.name)
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}"'
    return Markup(f"<svg {box}>{''.join(parts)}</svg>")


class _Scale:
    """Where moments and addresses are drawn."""

    def __init__(self, shown: MemoryMap) -> None:
        self.first = min((span.begin for span in shown.spans), default=0)
        self.last = max((span.end for span in shown.spans), default=1)
        self.top = max(shown.capacity, *(span.high for span in shown.spans), 1) * 1.02

    def x(self, moment: float) -> float:
        """How far right a moment is drawn."""
        share = (moment - self.first) / max(self.last - self.first, 1)
        return LEFT + share * (WIDTH - LEFT - EDGE)

    def y(self, address: float) -> float:
        """How far down an address is drawn."""
        return HEIGHT - BOTTOM - address / self.top * (HEIGHT - BOTTOM - EDGE)

    def ticks(self) -> list[str]:
        """The numbers beside the axes."""
        parts = []
        step = max(-(-(self.last - self.first) // TICKS), 1)
        for moment in range(self.first, self.last + 1, step):
            x = self.x(moment)
            parts.append(f'<path d="M{x:.1f} {EDGE}V{HEIGHT - BOTTOM}"/>')
            parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 5}" class="across">{moment:,}</text>')
        for place in range(TICKS):
            address = int(self.top / 1.02 * place / (TICKS - 1))
            y = self.y(address)
            parts.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" class="up">{address:,}</text>')
        return parts

    def drawn(self, span: Span, unit: str) -> list[str]:
        """A rectangle with its marks, and its name where there is room for that."""
        name, left, right = cleaned(span.label), self.x(span.begin), self.x(span.end)
        top, height = self.y(span.high), self.y(span.low) - self.y(span.high)
        place = f'y="{top:.1f}" height="{height:.1f}"'
        size = f"{span.high - span.low:,} {unit}".strip()
        tooltip = escape(f"{name}: {size} at {span.low:,}, moves {span.begin:,} to {span.end:,}")
        kind = "loaded" if span.loaded else "computed"
        parts = [
            f'<rect x="{left:.1f}" width="{right - left:.1f}" {place} class="{kind}">'
            f"<title>{tooltip}</title></rect>"
        ]
        bar = min(BAR, (right - left) / 2)
        if span.back:
            parts.append(f'<rect x="{left:.1f}" width="{bar:.1f}" {place} class="back"/>')
        if span.spilled:
            x = right - bar
            parts.append(f'<rect x="{x:.1f}" width="{bar:.1f}" {place} class="spilled"/>')
        letters = int((right - left - 2 * BAR) / LETTER)
        if height >= LINE and letters >= min(len(name), 4):
            text = name if len(name) <= letters else f"{name[: letters - 1]}\u2026"
            middle, line = (left + right) / 2, top + height / 2 + 4
            parts.append(
                f'<text x="{middle:.1f}" y="{line:.1f}" class="inside">{escape(text)}</text>'
            )
        return parts


def draw_map(shown: MemoryMap, title: str = "") -> "Figure":
    """A picture of memory drawn by Matplotlib.

    Parameters
    ----------
    shown
        The picture as data.
    title
        A heading; empty for none.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as MatplotlibFigure
    from matplotlib.patches import Patch

    scale = _Scale(shown)
    with rc_context(STYLE):
        drawing = MatplotlibFigure(figsize=(9, 5), layout="constrained")
        axes = drawing.add_subplot()
        axes.set_xlim(scale.first, scale.last)
        axes.set_ylim(0, scale.top)
        for span in shown.spans:
            _rectangle(axes, span, scale)
        axes.axhline(shown.capacity, color=INK, linewidth=1.0, linestyle="--")
        axes.grid(visible=True, axis="x", color=RULE, linewidth=0.5)
        axes.set_axisbelow(True)
        axes.set_xlabel("moment")
        axes.set_ylabel(f"address, {shown.unit}" if shown.unit else "address")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set_title(title.replace("$", r"\$"), fontsize=10)
        patches = [
            Patch(facecolor=COLOURS[kind], alpha=_strength(kind), label=KINDS[kind])
            for kind in _kinds(shown)
        ]
        drawing.legend(handles=patches, loc="outside lower center", ncols=4, fontsize=8)
    return drawing


def _strength(kind: str) -> float:
    """How strong a colour is: that of marks is whole."""
    return {"loaded": 0.28, "computed": 0.2}.get(kind, 1.0)


def _rectangle(axes: "Axes", span: Span, scale: _Scale) -> None:
    """Draw a rectangle with its marks, and its name where there is room for that."""
    from matplotlib.patches import Rectangle

    kind = "loaded" if span.loaded else "computed"
    width, height = span.end - span.begin, span.high - span.low
    corner = (span.begin, span.low)
    face: dict[str, Any] = {"facecolor": COLOURS[kind], "alpha": _strength(kind), "linewidth": 0}
    axes.add_patch(Rectangle(corner, width, height, **face))
    edge: dict[str, Any] = {"facecolor": "none", "edgecolor": COLOURS[kind], "linewidth": 0.6}
    axes.add_patch(Rectangle(corner, width, height, **edge))
    bar = min(BAR / (WIDTH - LEFT - EDGE) * max(scale.last - scale.first, 1), width / 2)
    for marked, name, left in (
        (span.back, "back", span.begin),
        (span.spilled, "spilled", span.end - bar),
    ):
        if marked:
            mark = Rectangle((left, span.low), bar, height, facecolor=COLOURS[name], linewidth=0)
            axes.add_patch(mark)
    room = scale.x(span.end) - scale.x(span.begin) - 2 * BAR
    if scale.y(span.low) - scale.y(span.high) >= LINE and len(span.label) * LETTER <= room:
        middle = (span.begin + span.end) / 2, (span.low + span.high) / 2
        text = cleaned(span.label).replace("$", r"\$")
        axes.text(*middle, text, ha="center", va="center", fontsize=7, color=INK)
