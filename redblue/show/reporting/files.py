"""A report as files: figures, tables, claims, and everything as data."""

import json
import re
from collections import Counter
from pathlib import Path

from dags.cdag.files import writing
from redblue.show.drawing import draw, save_figure
from redblue.show.looks import looks
from redblue.show.reporting.memory_maps import draw_map
from redblue.show.reporting.multiples import draw_multiples
from redblue.show.reporting.report import Report
from redblue.show.reporting.tables import claims_csv, table_csv, table_latex


def file_names(names: list[str]) -> list[str]:
    """File names, all different, for the names of figures or of tables.

    Examples
    --------
    >>> file_names(["io-curve", "I/O", "I O"])
    ['io-curve', 'i-o', 'i-o-2']
    """
    names_found: list[str] = []
    seen: Counter[str] = Counter()
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unnamed"
        seen[plain] += 1
        names_found.append(plain if seen[plain] == 1 else f"{plain}-{seen[plain]}")
    return names_found


def save_files(report: Report, folder: Path) -> list[Path]:
    """Write the files of a report to `folder`, each whole or not at all; return them.

    A folder for each experiment holds its figures as PNG, SVG and PDF, its tables as CSV and LaTeX,
    and its listings; beside them are report.json, which holds everything, and claims.csv, unless it
    is about DAGs of one's own.

    Raises
    ------
    FormatError
        If a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = [_write(folder / "report.json", report_json(report))]
    if not report.own:
        written.append(_write(folder / "claims.csv", claims_csv(report.claims)))
    for save in (_save_figures, _save_tables, _save_listings):
        written += save(report, folder)
    return written


def report_json(report: Report) -> str:
    """All contents of a report as JSON."""
    return json.dumps(report.to_dict(), indent=1, allow_nan=False) + "\n"


def _save_figures(report: Report, folder: Path) -> list[Path]:
    """Write every figure, in the colours that it has in the page."""
    written = []
    all_looks = looks(figure for experiment in report.experiments for figure in experiment.figures)
    styles = iter(all_looks)
    for experiment in report.experiments:
        home = _home(folder, experiment.name)
        names = file_names([figure.name for figure in experiment.figures])
        for figure, name in zip(experiment.figures, names, strict=True):
            written += save_figure(draw(figure, next(styles)), home / name)
        for several in experiment.multiples:
            name = file_names([several.name])[0]
            written += save_figure(draw_multiples(several), home / name)
        for shown in experiment.maps:
            written += save_figure(draw_map(shown), home / file_names([shown.name])[0])
    return written


def _save_tables(report: Report, folder: Path) -> list[Path]:
    """Write every table."""
    written = []
    for experiment in report.experiments:
        home = _home(folder, experiment.name)
        names = file_names([table.name for table in experiment.tables])
        for table, name in zip(experiment.tables, names, strict=True):
            written.append(_write(home / f"{name}.csv", table_csv(table)))
            latex = table_latex(table, f"{home.name}-{name}")
            written.append(_write(home / f"{name}.tex", latex))
    return written


def _save_listings(report: Report, folder: Path) -> list[Path]:
    """Write the lines of those passages that have a file."""
    return [
        _write(_home(folder, experiment.name) / passage.file, "\n".join(passage.code) + "\n")
        for experiment in report.experiments
        for passage in experiment.passages
        if passage.file
    ]


def _home(folder: Path, name: str) -> Path:
    """The folder of an experiment, which is there."""
    home: Path = folder / file_names([name])[0]
    home.mkdir(exist_ok=True)
    return home


def _write(path: Path, text: str) -> Path:
    """Write a text file whole or not at all; return it."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")
    return path
