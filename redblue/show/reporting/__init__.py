"""The report: experiments, written as one HTML page or as files.

- `Report` holds the runs of experiments (`report`), with versions and settings, also as JSON
  (`as_data`).
- `report_page` makes the page, and `save_report` its file (`page`, `templates`): figures by Plotly
  (`charts`), and by Matplotlib where no script runs (`drawing`), alike in `axes`, `looks` and
  `colours`; plays by the player (`scenes`), and memory over time by `memory_maps`.
- `save_files` writes figures, tables (`tables`) and claims as files (`files`).
"""

from redblue.show.drawing import draw
from redblue.show.looks import looks
from redblue.show.reporting.files import save_files
from redblue.show.reporting.page import report_page, save_report
from redblue.show.reporting.report import Report, Run

__all__ = [
    "Report",
    "Run",
    "draw",
    "looks",
    "report_page",
    "save_files",
    "save_report",
]
