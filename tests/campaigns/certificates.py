"""Mutated certificates: each is refused, or what it proves is no more than the optimum.

A case takes a certificate that a method found for a small DAG, changes it by field or by meaning,
seals it anew and reads it from a file, as `redblue check` does. Whatever is raised but
`CertificateError` and `FormatError`, whatever is proved beyond the words that some legal play
moves, and whatever takes longer than `SECONDS`
(`SEARCH`, where a piece is searched) is a failure.
"""

import json
import random
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import dags
from dags import CDAG, FormatError, recognise
from pebble import ONE_SHOT, RULES, MemoryTooSmallError, Rules, Schedule, min_memory, play
from proofs import (
    BOUNDS,
    Bound,
    CertificateError,
    NotApplicableError,
    load_bound,
    save_bound,
    with_play,
)
from proofs.certificates import proven_io
from proofs.files import _seal, fingerprint
from schedulers import scheduler_named
from tests.campaigns.extremes import huge_sizes
from tests.campaigns.mutations import MEANINGS, changed_field, changed_text
from tests.campaigns.outcomes import Failure, Outcomes
from tests.campaigns.recognition import permuted
from tests.oracles import optimum

SECONDS = 10.0
SEARCH = 120.0  # where a piece is searched, in up to 2^24 states
OF_FAMILIES = (
    "attention",
    "butterflies",
    "dominators",
    "forests",
    "projections",
    "segments",
)
RULESETS = ONE_SHOT, RULES["recompute"], RULES["one-shot-sliding"]
SEARCHED = 9  # vertices up to which the oracle searches; of larger DAGs a legal play is the limit


@dataclass(frozen=True)
class Origin:
    """A DAG and the record of an honest certificate for it."""

    dag: CDAG
    record: dict[str, Any]


def run(cases: int, seed: int) -> Outcomes:
    """What `cases` mutated certificates came to."""
    outcomes = Outcomes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bound.json"
        known = origins(path, random.Random(seed), cases // 4)
        kinds = by_argument(known)
        for case in range(cases):
            rng = random.Random(f"{seed} {case}")
            kind, dag, content = mutated(rng, rng.choice(kinds), known)
            path.write_bytes(content)
            outcome, seconds = timed(path, dag)
            if seconds > SECONDS:  # once more: kernels may have been compiled
                outcome, seconds = timed(path, dag)
            outcomes.slowest = max(outcomes.slowest, seconds)
            if seconds > (SEARCH if b'"exact"' in content else SECONDS):
                outcome = f"failed: {seconds:.1f} seconds ({outcome})"
            outcomes.counts[kind, outcome.partition(":")[0]] += 1
            if outcome.startswith("failed"):
                kept = Path(tempfile.gettempdir()) / f"campaign-{seed}-{case}.json"
                kept.write_bytes(content)
                outcomes.failures.append(Failure(case, kind, f"{outcome}; {dag!r}, {kept}"))
    return outcomes


def mutated(
    rng: random.Random, alike: list[Origin], known: list[Origin]
) -> tuple[str, CDAG, bytes]:
    """The kind of mutation, the DAG that is checked, and the content of the file."""
    origin = rng.choice(alike)
    record, dag = json.loads(json.dumps(origin.record)), origin.dag
    kind = rng.choice(["field", "fields", "text", *MEANINGS])
    if kind in MEANINGS:
        dag = MEANINGS[kind](rng, record, dag, [second.record for second in known]) or dag
    for _ in range({"field": 1, "fields": rng.randint(2, 4)}.get(kind, rng.random() < 0.3)):
        changed_field(rng, record)
    if not isinstance(record.get("dag"), str) or rng.random() < 0.98:
        record["dag"] = fingerprint(dag)
    record.pop("seal", None)
    content = json.dumps({**record, "seal": _seal(record)}).encode()
    return kind, dag, changed_text(rng, content) if kind == "text" else content


def timed(path: Path, dag: CDAG) -> tuple[str, float]:
    """The verdict, and the seconds that it took."""
    began = time.perf_counter()
    return verdict(path, dag), time.perf_counter() - began


def verdict(path: Path, dag: CDAG) -> str:
    """Return "refused", "sound", "unplayable", or "failed: ..." and why."""
    try:
        bound = load_bound(path, dag)
        proven = proven_io(dag, bound.memory, bound.rules, bound.certificate)
    except (CertificateError, FormatError) as error:
        full = str(error)
        good = full.isprintable() and len(full) < 1000
        return "refused" if good else f"failed: message {full[:200]!r}"
    except Exception as error:
        return f"failed: {type(error).__name__}: {str(error)[:200]}"
    if bound.memory < min_memory(dag, rules=bound.rules):
        return "unplayable"
    minimum = words_of_some_play(dag, min(bound.memory, int(dag.sizes.sum())), bound.rules)
    return "sound" if proven <= minimum else f"failed: proved {proven}, but a play moves {minimum}"


@cache
def words_of_some_play(dag: CDAG, memory: int, rules: Rules) -> int:
    """The optimum of a tiny DAG, and what some legal play of a larger one moves."""
    if dag.n <= SEARCHED:
        result = optimum(dag, memory, rules)
        assert result is not None
        return result
    return min(play(dag, moves, memory, rules=rules).io for moves in plays(dag, memory, rules))


def origins(path: Path, rng: random.Random, games: int) -> list[Origin]:
    """Honest certificates of all kinds, of so many games with DAGs of many families."""
    results: dict[str, Origin] = {}
    proved = [
        *((dag, extra, list(BOUNDS)) for dag in small_dags() for extra in (0, 2)),
        *((dag, 4, list(OF_FAMILIES)) for dag in (*larger_dags(), *recognised_dags())),
        *((huge_sizes(rng, dag), 4, list(BOUNDS)) for dag in small_dags()[::3]),
    ]
    played = list(product(proved, RULESETS))
    for (dag, extra, methods), rules in rng.sample(played, min(games, len(played))):
        memory = min_memory(dag, rules=rules) + extra
        for name in methods:
            try:
                bound = BOUNDS[name](dag, memory, rules=rules, time_limit=0.05)
            except NotApplicableError:
                continue
            for entry in (bound, *of_optimum(dag, bound)):
                save_bound(entry, dag, path)
                record = json.loads(path.read_text())
                results.setdefault(f"{name} {record['data']} {record['dag']}", Origin(dag, record))
    return list(results.values())


def of_optimum(dag: CDAG, bound: Bound) -> list[Bound]:
    """The bound with a play that meets it, if some scheduler makes one."""
    for schedule in plays(dag, bound.memory, bound.rules):
        if play(dag, schedule, bound.memory, rules=bound.rules).io == bound.io:
            return [with_play(bound, schedule)]
    return []


@cache
def plays(dag: CDAG, memory: int, rules: Rules) -> tuple[Schedule, ...]:
    """The plays of a few schedulers."""
    built = []
    for name in ("structured", "natural+belady", "depth-first+belady"):
        with suppress(MemoryTooSmallError):
            built.append(scheduler_named(name)(dag, memory, rules=rules))
    return tuple(built)


def by_argument(known: list[Origin]) -> list[list[Origin]]:
    """The certificates in groups of the same kind, with the same kinds of proofs."""
    groups: dict[str, list[Origin]] = {}
    for origin in known:
        data = origin.record["data"]
        proofs = {part["proof"] for part in data.get("parts", ())} or {data.get("argument", "")}
        groups.setdefault(f"{origin.record['kind']} {sorted(proofs)}", []).append(origin)
    return list(groups.values())


def small_dags() -> list[CDAG]:
    """A member of each family about which something is known, and others without one."""
    with_families = [
        dags.attention(2, 1),
        dags.binomial(3),
        dags.bitonic_sort(4),
        dags.chain(5),
        dags.cholesky(3),
        dags.convolution(3, 3, kernel=2),
        dags.dirac(1, 3),
        dags.fft(4),
        dags.fft(8),
        dags.fft(9, radix=3),
        dags.grid((3, 3)),
        dags.hypercube(3),
        dags.lu(3),
        dags.matmul(2),
        dags.matmul(3),
        dags.matvec(2),
        dags.odd_even_merge_sort(4),
        dags.prefix_scan(4),
        dags.pyramid(2),
        dags.pyramid(4),
        dags.qr_givens(3),
        dags.stencil((4,), 2),
        dags.sweep((5,)),
        dags.syrk(3, 2),
        dags.tree(2),
        dags.triangular_solve(3),
    ]
    programs = [
        dags.load(f"polybench/{spec}")
        for spec in (
            "atax:M=5,N=5",
            "cholesky:N=8",
            "durbin:N=8",
            "gemm:NI=4,NJ=4,NK=4",
            "jacobi-1d:TSTEPS=8,N=20",
            "symm:M=6,N=6",
            "syr2k:M=6,N=6",
            "trmm:M=6,N=6",
        )
    ]
    return [*with_families, *programs, *(random_dag(seed) for seed in range(12))]


def larger_dags() -> list[CDAG]:
    """Members of families that are large enough for windows of them to prove something."""
    return [
        dags.attention(8, 4),
        dags.cholesky(8),
        dags.convolution(8, 8, kernel=3),
        dags.fft(64),
        dags.grid((12, 12)),
        dags.hypercube(7),
        dags.lu(7),
        dags.matmul(6),
        dags.prefix_scan(64),
        dags.pyramid(16),
        dags.qr_givens(6),
        dags.stencil((24,), 8, periodic=True),
        dags.sweep((24, 6)),
        dags.syrk(8, 4),
        dags.triangular_solve(8, 4),
    ]


def recognised_dags() -> list[CDAG]:
    """Members of families under random numbers, as files have them."""
    shuffled = (recognise(permuted(dag, seed=i)) for i, dag in enumerate(larger_dags()))
    return [dag for dag in shuffled if dag.recognised is not None]


def random_dag(seed: int) -> CDAG:
    """A DAG of up to nine vertices, some with sizes, some with outputs that are read."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, SEARCHED + 1))
    rows = [
        sorted(rng.choice(v, min(v, int(rng.integers(0, 3))), replace=False)) if v else []
        for v in range(n)
    ]
    computed = [v for v in range(n) if rows[v]]
    return CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        words=rng.integers(1, 4, n) if seed % 2 else None,
        outputs=computed[:1] if seed % 3 == 0 else [],
    )
