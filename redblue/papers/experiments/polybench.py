"""The thirty kernels of PolyBench: laws beside published ones, bounds, schedules and gaps."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from dags import load
from pebble import play
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.polybench_kernels import Case, Row, cases, mean_ratio
from redblue.papers.experiments.polybench_tables import (
    curves,
    fault_table,
    finite_table,
    kinds,
    law_table,
    mean_table,
    passages,
    tile_table,
)
from redblue.show.model import Claim, Experiment, judged
from schedulers import scheduler_named

IOLB = "IOLB: A. Olivry et al., PLDI 2020"
SOAP = "SOAP: G. Kwasniewski et al., SPAA 2021"
NEAR = 1e-6
MOST = {"matrices": 2.0, "stencils": 4.0, "all": 2.5}  # geometric means
SYRK, SYRK_MEMORY = "syrk:n=144,k=144", 210  # moves less than SOAP's leading term
SYRK_TERM = 144**3 / SYRK_MEMORY**0.5
GRID, GRID_MEMORY = "polybench/seidel-2d:TSTEPS=6,N=6", 64
GRID_TERM = 4 * 6**2 * 6 / GRID_MEMORY**0.5


def experiment(bench: Bench) -> Experiment:
    """Experiment: lower bounds of the kernels of PolyBench, automatic and checked.

    Source
    ------
    `redblue.papers.experiments.polybench_kernels` has the published terms and where they are from.
    """
    cases_found = cases(bench)
    attained = bench.remembered(
        {"play": SYRK, "memory": SYRK_MEMORY}, partial(_played, SYRK, SYRK_MEMORY, "structured")
    )
    relaxed = bench.remembered(
        {"play": GRID, "memory": GRID_MEMORY}, partial(_played, GRID, GRID_MEMORY, "natural+belady")
    )
    return Experiment(
        name="polybench",
        title="The thirty kernels of PolyBench",
        summary=(
            "For each kernel: its text, its DAG, the leading term of its I/O beside those that "
            "IOLB and SOAP derive, and at a finite size the best schedule that was found, the "
            "best bound that was proved, and the gap. A leading term is a trend and no bound at a "
            "finite size. So bounds are proved on the DAG of each size, by methods that know "
            "nothing but the loops, and an independent checker accepts their "
            "certificates.\n\n"
            "All is for plays that compute each value once, one vertex an executed statement. S "
            "is the fast memory in words where a size is called M."
        ),
        claims=(
            _sound_claim(cases_found),
            _power_claim(cases_found),
            _factor_claim(cases_found),
            _attained_claim(cases_found),
            _syrk_claim(attained),
            _small_claim(relaxed),
            *(_false_claim(case) for case in cases_found if _is_false(case)),
            *(_mean_claim(*kind) for kind in kinds(cases_found).items() if kind[0] in MOST),
        ),
        tables=(
            law_table(cases_found),
            fault_table(cases_found),
            tile_table(cases_found),
            finite_table(cases_found),
            mean_table(cases_found),
        ),
        multiples=(curves(cases_found),),
        passages=passages(cases_found),
    )


def _played(spec: str, memory: int, scheduler: str) -> dict[str, Any]:
    """The words moved by a schedule."""
    dag = load(spec)
    count = play(dag, scheduler_named(scheduler)(dag, memory), memory)
    return {"io": count.io, "loads": count.loads}


def _sound_claim(cases: Sequence[Case]) -> Claim:
    rows = [row for case in cases for row in case.rows]
    below = sum(row.played < row.proved for row in rows)
    return Claim(
        "No schedule of a kernel moves less than a bound allows", "definition", "none",
        f"{below} of {len(rows)}", judged(below == 0),
    )  # fmt: skip


def _power_claim(cases: Sequence[Case]) -> Claim:
    """The claim that powers of sizes and memory are the published ones."""
    missed = [case.name for case in cases if not case.agrees]
    return Claim(
        "Leading terms found automatically have the powers that IOLB derives", IOLB,
        f"{len(cases)} of {len(cases)}", f"{len(cases) - len(missed)} of {len(cases)}",
        "undecided" if missed else "confirmed",
        f"not found here: {', '.join(missed)}" if missed else "",
    )  # fmt: skip


def _factor_claim(cases: Sequence[Case]) -> Claim:
    """The claim that coefficients are at least those of IOLB."""
    smaller = [case.name for case in cases if case.factor < case.published.iolb.factor - NEAR]
    open_ones = [
        case.name
        for case in cases
        if case.name in smaller and case.published.iolb.standing != "disputed"
    ]
    return Claim(
        "Coefficients found automatically are at least those of IOLB", IOLB,
        f"{len(cases)} of {len(cases)}", f"{len(cases) - len(smaller)} of {len(cases)}",
        "undecided" if open_ones else "confirmed",
        f"less: {', '.join(smaller)}; IOLB's for symm is disputed" if smaller else "",
    )  # fmt: skip


def _attained_claim(cases: Sequence[Case]) -> Claim:
    """The claim that no coefficient is above one that is attained."""
    known = [(case, case.published.tight) for case in cases if case.published.tight is not None]
    above = sum(case.factor > tight + NEAR for case, tight in known)
    equal = sum(abs(case.factor - tight) <= NEAR for case, tight in known)
    return Claim(
        "No coefficient is above one that is attained by schedules",
        "sources of the table of published terms", "none",
        f"{above} of {len(known)}; {equal} are equal", judged(above == 0),
    )  # fmt: skip


def _syrk_claim(attained: dict[str, Any]) -> Claim:
    """The claim on a schedule that moves less than a published leading term."""
    return Claim(
        "A product of a matrix and its transpose moves n^2 k / sqrt(S) words",
        SOAP,
        f"{SYRK_TERM:,.0f} words for {SYRK} with {SYRK_MEMORY}",
        f"{attained['io']:,} words, {attained['loads']:,} of them loaded",
        judged(attained["io"] < SYRK_TERM, "corrected"),
        "a schedule by triangle blocks (O. Beaumont et al., SPAA 2022), replayed, moves less; the "
        "corrected term is n^2 k / (sqrt(2) sqrt(S))",
    )


def _small_claim(relaxed: dict[str, Any]) -> Claim:
    """The claim that a leading term is no bound at a finite size."""
    return Claim(
        "Gauss-Seidel relaxation of an N x N grid moves 4 N^2 T / sqrt(S) words", SOAP,
        f"{GRID_TERM:.0f} words for {GRID} with {GRID_MEMORY}", f"{relaxed['io']} words",
        "confirmed" if relaxed["io"] >= GRID_TERM else "corrected",
        "a leading term holds for large sizes alone: it is a trend and no bound",
    )  # fmt: skip


def _is_false(case: Case) -> bool:
    return case.published.soap is not None and case.published.soap.standing == "false"


def _false_claim(case: Case) -> Claim:
    """The claim on a published term that is more than plays attain."""
    term, tight = case.published.soap, case.published.tight
    assert term is not None
    assert tight is not None
    return Claim(
        f"SOAP's leading term of {case.name}", SOAP, term.text, f"{case.law['term']} is proved",
        "corrected" if abs(case.factor - tight) <= NEAR else "undecided", case.published.remark,
    )  # fmt: skip


def _mean_claim(label: str, rows: list[Row]) -> Claim:
    """The claim on how far schedules and bounds of some kernels are apart."""
    mean = mean_ratio(rows)
    return Claim(
        f"Schedules over bounds of {label}: geometric mean", "this project",
        f"at most {MOST[label]:g}", f"{mean:.3f} over {len(rows)} cases",
        "confirmed" if mean <= MOST[label] else "undecided",
    )  # fmt: skip
