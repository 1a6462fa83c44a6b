"""The report: experiments, run and written as one HTML page or as files.

- `run_experiments` runs them, several at once, and survives those that fail (`run`); `Report`
  holds what came out (`report`), with what it was made (`environment`), also as JSON (`as_data`).
- `report_page` writes the page (`page`, `templates`): figures by Plotly (`charts`), and by
  Matplotlib where no script runs (`drawing`), alike in `axes`, `looks` and `colours`; plays by the
  player (`scenes`).
- `save_files` writes figures, tables (`tables`) and claims as files (`files`).
"""

from redblue.reporting.drawing import draw
from redblue.reporting.files import report_json, save_files
from redblue.reporting.page import report_page
from redblue.reporting.palette import looks
from redblue.reporting.report import Report
from redblue.reporting.run import Run, run_experiments

__all__ = [
    "Report",
    "Run",
    "draw",
    "looks",
    "report_json",
    "report_page",
    "run_experiments",
    "save_files",
]
