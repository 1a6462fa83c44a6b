"""The lower-bound report of one's own DAG: what is played and proved, with the evidence.

- `gather` plays, proves and checks, and returns `Evidence`: at each memory size a schedule that
  was replayed, and a bound whose certificate was checked (`points`, `gathering`).
- `evidence_experiment` makes of it an experiment for the page (`findings`, `paragraphs`), with
  the literature of the methods that had a part in it (`literature`).
- `dag_report` is the report of DAGs (`reports`); `save_evidence` writes certificates and
  schedules as files (`files`).
"""

from redblue.evidence.files import save_evidence
from redblue.evidence.findings import evidence_experiment
from redblue.evidence.gathering import gather
from redblue.evidence.points import Evidence, Point
from redblue.evidence.reports import dag_report

__all__ = [
    "Evidence",
    "Point",
    "dag_report",
    "evidence_experiment",
    "gather",
    "save_evidence",
]
