"""The report: experiments, run and written as one HTML page or as files.

- `run_experiments` runs them, several at once, and survives those that fail (`run`); `Report`
  holds what came out (`report`), with what it was made (`environment`), also as JSON (`as_data`).
- `report_page` writes the page (`page`, `templates`): figures by Plotly (`charts`), and by
  Matplotlib where no script runs (`drawing`), alike in `axes`, `looks` and `colours`; plays by the
  player (`scenes`).
- `save_files` writes figures, tables (`tables`) and claims as files (`files`).
"""

from lab.report.drawing import draw
from lab.report.files import report_json, save_files
from lab.report.looks import looks
from lab.report.page import report_page
from lab.report.report import Report
from lab.report.run import Run, run_experiments

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
