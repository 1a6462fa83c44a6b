"""Evidence as files: certificates that `redblue check` verifies, and schedules."""

from pathlib import Path

from proofs import save_bound
from redblue.evidence.points import Evidence

MOST = 1 << 18  # vertices and edges of a DAG whose schedules are laid out and written


def save_evidence(evidence: Evidence, folder: Path) -> list[Path]:
    """Write certificates and, unless the DAG is large, schedules to `folder`; return the files.

    Each stands for the memory size in its name, "certificates/M64.json" or "schedules/M64.npz",
    and holds for larger memories (schedules) or smaller ones (certificates) too.
    """
    certificates, schedules = folder / "certificates", folder / "schedules"
    certificates.mkdir(parents=True, exist_ok=True)
    written = []
    for bound in evidence.bounds:
        written.append(certificates / f"M{bound.memory}.json")
        save_bound(bound, evidence.dag, written[-1])
    if evidence.dag.n + evidence.dag.m > MOST:
        return written
    schedules.mkdir(exist_ok=True)
    for point in {one.upper.memory: one for one in evidence.points}.values():
        written.append(schedules / f"M{point.upper.memory}.npz")
        evidence.moves(point).save(written[-1], evidence.dag)
    return written
