"""Leaderboard: best schedules and best bounds of named instances, against those on record.

- `instances` names them: published DAGs in a folder, families and programs at stated sizes; and
  writes their schedules and certificates.
- `standings` solves each, has both sides judged, and collects them.
- `records` keeps the best words of either side that are known, holds results to them, and
  writes both as Markdown and CSV.
"""

from redblue.papers.records.instances import Case, cases_of
from redblue.papers.records.records import Change, Record, changes, load_records, save_records
from redblue.papers.records.standings import Standing, Standings, measure

__all__ = [
    "Case",
    "Change",
    "Record",
    "Standing",
    "Standings",
    "cases_of",
    "changes",
    "load_records",
    "measure",
    "save_records",
]
