"""The page: one self-contained HTML file."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from latex2mathml.converter import convert
from markupsafe import Markup

from dags.cdag.files import writing
from redblue.show.axes import shown
from redblue.show.drawing import inline_svg
from redblue.show.literature import references
from redblue.show.looks import Look, looks
from redblue.show.model import Cell, Claim, Figure, Table
from redblue.show.player import player_script, player_style
from redblue.show.reporting.charts import chart, library, packed
from redblue.show.reporting.colours import colour_sheet, swatch
from redblue.show.reporting.files import file_names
from redblue.show.reporting.memory_maps import map_entry
from redblue.show.reporting.multiples import multiples_entry
from redblue.show.reporting.report import VERDICTS, Report, Run, duration
from redblue.show.reporting.scenes import scene_player
from redblue.show.rows import cell_text, exact, numeric

SIGNS = {
    "recovered": "\N{CHECK MARK}",
    "consistent": "\N{ALMOST EQUAL TO}",
    "proved": "\N{BLACK SQUARE}",
    "recomputed": "=",
    "confirmed": "\N{CHECK MARK}",
    "corrected": "\N{LOWER RIGHT PENCIL}",
    "refuted": "\N{BALLOT X}",
    "undecided": "?",
    "failed": "!",
}

# The groups of claims, in the order of the page.
GROUPS = {
    "plays": "Recovered from plays",
    "proof": "Proved here",
    "formulas": "Recomputed from the papers' formulas",
    "corrected": "Corrected",
}
LONG = 12  # lines of code that are set in two columns on paper


def save_report(report: Report, out: str | Path | None) -> Report:
    """A report, whose page is written to a file, whole or not at all, if there is one."""
    if out is not None:
        with writing(out) as temporary:
            temporary.write_text(report_page(report), encoding="utf-8", newline="")
    return report


def report_page(report: Report) -> str:
    """A report as one HTML page that fetches nothing."""
    charts, players = _has(report, "figures"), _has(report, "players")
    script = _text("report.js")
    plotly, version = library() if charts else ("", "")
    player = player_script() if players else ""
    style = (
        _templates()
        .get_template("report.css")
        .render(colours=Markup(colour_sheet()), verdicts=VERDICTS)
    )
    scripts = [text for text in (script, plotly, player) if text]
    ids = [f"exp-{name}" for name in file_names([run.name for run in report.runs])]
    return (
        _templates()
        .get_template("report.html")
        .render(
            report=report,
            sections=_sections(report, ids),
            groups=_groups(report, ids),
            brief=_brief(report, ids),
            cited=references(
                key for experiment in report.experiments for key in experiment.references
            ),
            failed=sum(run.experiment is None for run in report.runs),
            signs=SIGNS,
            headings=GROUPS,
            count=_count,
            duration=duration,
            style=Markup(style + (player_style() if players else "")),
            script=Markup(script),
            player_script=Markup(player),
            script_hashes=Markup(" ".join(map(_digest, scripts))),
            library=packed(plotly) if charts else "",
            library_version=version,
        )
    )


def _has(report: Report, part: str) -> bool:
    """Whether any experiment has parts of a kind, such as figures."""
    return any(getattr(experiment, part) for experiment in report.experiments)


def _text(name: str) -> str:
    """A text of our own for the page, not escaped."""
    return str(_templates().get_template(name).render())


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("redblue.show.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _digest(text: str) -> str:
    """The entry of a script in the page's security policy."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _count(number: int, noun: str) -> str:
    """Return "1 claim" or "2 claims"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def group_of(claim: Claim) -> str:
    """The group of `GROUPS` in which a claim is shown."""
    return "corrected" if claim.verdict == "corrected" else claim.kind


def _groups(report: Report, ids: list[str]) -> list[tuple[str, str, list[tuple[str, Claim]]]]:
    """The claims by group: name, heading, and each claim with where it stands."""
    placed = [
        (f"{key}-claim-{number}", claim)
        for run, key in zip(report.runs, ids, strict=True)
        for number, (_, claim) in enumerate(_claims(run), 1)
    ]
    groups = (
        (name, heading, [entry for entry in placed if group_of(entry[1]) == name])
        for name, heading in GROUPS.items()
    )
    return [group for group in groups if group[2]]


def _brief(report: Report, ids: list[str]) -> list[tuple[str, Claim]]:
    """The claims of the summary, each with the place of its section."""
    if report.own:
        return []
    places = {
        run.experiment.name: key
        for run, key in zip(report.runs, ids, strict=True)
        if run.experiment
    }
    return [(places[name], claim) for name, claim in report.summary]


def _claims(run: Run) -> list[tuple[str, Claim]]:
    """The claims of an experiment with their groups, group by group."""
    claims = () if run.experiment is None else run.experiment.claims
    names = list(GROUPS)
    return sorted(
        ((group_of(claim), claim) for claim in claims), key=lambda pair: names.index(pair[0])
    )


def _sections(report: Report, ids: list[str]) -> list[dict[str, Any]]:
    """The sections of the page, one an experiment; figures and tables are numbered."""
    styles = iter(
        looks(figure for experiment in report.experiments for figure in experiment.figures)
    )
    figures, tables = count(1), count(1)
    return [
        _section(report, run, key, styles, figures, tables)
        for run, key in zip(report.runs, ids, strict=True)
    ]


def _section(
    report: Report,
    run: Run,
    key: str,
    styles: Iterator[tuple[Look, ...]],
    figures: Iterator[int],
    tables: Iterator[int],
) -> dict[str, Any]:
    """The section of an experiment in the page."""
    experiment = run.experiment
    drawn = [
        _figure_entry(figure, next(styles), next(figures))
        for figure in (() if experiment is None else experiment.figures)
    ]
    several = [
        multiples_entry(multiple, next(figures))
        for multiple in (() if experiment is None else experiment.multiples)
    ]
    maps = [
        map_entry(memory_map, next(figures))
        for memory_map in (() if experiment is None else experiment.maps)
    ]
    entries = [
        _table_entry(table, next(tables))
        for table in (() if experiment is None else experiment.tables)
    ]
    return {
        "id": key,
        "title": run.name if experiment is None else experiment.title,
        "problem": run.problem,
        "alarms": _alarms(run),
        "seconds": run.seconds,
        "command": report.command(run.name),
        "paragraphs": [] if experiment is None else experiment.summary.split("\n\n"),
        "formula": typeset(experiment.formula)
        if experiment is not None and experiment.formula
        else "",
        "claims": _claims(run),
        "figures": [entry for entry in drawn if not entry["folded"]],
        "tables": [entry for entry in entries if not entry["folded"]],
        "more_figures": [entry for entry in drawn if entry["folded"]],
        "more_tables": [entry for entry in entries if entry["folded"]],
        "multiples": several,
        "maps": maps,
        "passages": _passages(run),
        "players": [
            scene_player(scene) for scene in (() if experiment is None else experiment.players)
        ],
    }


def _passages(run: Run) -> list[dict[str, Any]]:
    """The passages of an experiment: heading, paragraphs, and lines as they are."""
    return [
        {
            "title": passage.title,
            "formula": typeset(passage.formula) if passage.formula else "",
            "paragraphs": list(filter(None, passage.text.split("\n\n"))),
            "code": "\n".join(passage.code),
            "long": len(passage.code) > LONG,
        }
        for passage in (() if run.experiment is None else run.experiment.passages)
    ]


def _alarms(run: Run) -> list[tuple[str, str, int]]:
    """Sign, word and number of each warning in the table of contents."""
    if run.experiment is None:
        return [(SIGNS["failed"], "failed", 1)]
    return [(SIGNS["refuted"], "refuted", run.refuted)] if run.refuted else []


def _figure_entry(figure: Figure, styles: tuple[Look, ...], number: int) -> dict[str, Any]:
    """The entry of a figure in the page."""
    drawn = chart(figure, styles)
    first = len(drawn["data"]) - len(figure.series)  # after the gap, where there is one
    return {
        "id": f"figure-{number}",
        "number": number,
        "caption": figure.caption,
        "folded": figure.folded,
        "gap": first > 0,
        "chart": drawn,
        "svg": Markup(inline_svg(figure, styles, f"f{number}")),
        "legend": [
            {"label": series.label, "trace": trace, "swatch": swatch(look)}
            for trace, (series, look) in enumerate(zip(figure.series, styles, strict=True), first)
        ],
        "x": figure.x.label,
        "y": figure.y.label,
        "points": [
            (series.label, exact(x), exact(y), note)
            for series in figure.series
            for x, y, note in shown(series, figure.x, figure.y)
        ],
    }


def _table_entry(table: Table, number: int) -> dict[str, Any]:
    """The entry of a table in the page; columns of numbers are right-aligned."""
    sides = [Markup(' class="right"') if right else "" for right in numeric(table)]
    return {
        "id": f"table-{number}",
        "number": number,
        "caption": table.caption,
        "folded": table.folded,
        "columns": list(zip(table.columns, sides, strict=True)),
        "rows": [
            [(_shown_cell(table, cell), side) for cell, side in zip(row, sides, strict=True)]
            for row in table.rows
        ],
    }


def _shown_cell(table: Table, cell: Cell) -> str:
    """A cell as the page shows it: formulas typeset."""
    text = cell_text(cell)
    return typeset(table.formulas[text], display="inline") if text in table.formulas else text


def typeset(latex: str, display: str = "block") -> Markup:
    """A formula as MathML, whose text is that of the formula.

    Parameters
    ----------
    latex
        The formula.
    display
        "block", or "inline" within text.

    Examples
    --------
    >>> typeset("R = M^{1/2}").startswith("<math")
    True
    """
    markup = convert(latex, display=display)
    # \sim comes as an identifier, without the space on both sides of a relation
    return Markup(markup.replace("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"))
