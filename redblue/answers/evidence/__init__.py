"""The lower-bound report of one's own DAG: plays and proofs, with the evidence.

- `gather` plays, proves and checks, and returns `Evidence`: at each memory size a schedule that
  was replayed, and a bound whose certificate was checked (`points`, `gathering`).
- `evidence_experiment` makes of it an experiment for the page (`reports`, `paragraphs`), with the
  literature of the methods that had a part in it.
- `own_report` is the report of computations of any size (`own`);
  `save_evidence` writes certificates and schedules as files.
"""

from redblue.answers.evidence.gathering import gather
from redblue.answers.evidence.own import own_report
from redblue.answers.evidence.points import Evidence, Point, save_evidence
from redblue.answers.evidence.reports import evidence_experiment

__all__ = [
    "Evidence",
    "Point",
    "evidence_experiment",
    "gather",
    "own_report",
    "save_evidence",
]
