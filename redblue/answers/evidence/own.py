"""The report of one's own computations, of any size: evidence on DAGs, and closed formulas."""

import time
from collections.abc import Callable, Sequence

from dags import Computation
from dags.errors import one_line
from pebble import Rules
from redblue.answers.building import is_closed, require_formulas
from redblue.answers.counted.operators import operator, operator_experiment
from redblue.answers.evidence.points import Evidence
from redblue.answers.evidence.reports import names_of, run_of
from redblue.answers.hardware import machine_named
from redblue.answers.sources import Memories
from redblue.answers.words import WORD_BYTES, memories_of, own_word
from redblue.show.player.names import cleaned
from redblue.show.reporting import Report, Run


def own_report(
    computations: Sequence[Computation],
    memories: Memories | None,
    day: str,
    *,
    rules: Rules,
    machine: str | None = None,
    gathered: Callable[[int], Evidence],
) -> tuple[Report, dict[int, Evidence]]:
    """The report of computations, and the evidence on those whose DAGs are built, by place.

    Parameters
    ----------
    computations, memories, rules
        As `redblue.report` takes them.
    day
        The date of the page.
    machine
        A machine whose memories the report is about, from closed formulas alone; None for none.
    gathered
        Returns the evidence on the computation at a place.
    """
    evidence: dict[int, Evidence] = {}
    runs: dict[int, Run] = {}
    for place, known in enumerate(computations):
        if machine is not None:
            require_formulas(known)
        if machine is not None or is_closed(known):
            runs[place] = _closed_run(known, memories, rules, machine)
        else:
            evidence[place] = gathered(place)
    names = names_of([answer.spec for answer in evidence.values()])
    for (place, answer), name in zip(evidence.items(), names, strict=True):
        runs[place] = run_of(answer, name)
    ordered = tuple(runs[place] for place in range(len(computations)))
    title = cleaned(f"Lower bounds on the I/O of {', '.join(run.name for run in ordered)}")
    seed = next((answer.seed for answer in evidence.values()), 0)
    return Report(ordered, day, seed=seed, title=title, own=True), evidence


def _closed_run(
    known: Computation, memories: Memories | None, rules: Rules, machine: str | None
) -> Run:
    """The run of a computation whose DAG is not built."""
    began = time.perf_counter()
    sizes = None if memories is None else memories_of(memories, known)
    word = own_word(known) or (None if memories is None else WORD_BYTES)
    where = None if machine is None else machine_named(machine)
    answer = operator(known, sizes, machine=where, word_bytes=word, rules=rules)
    made = operator_experiment(answer, one_line(known.spec))
    return Run(made.name, made, "", time.perf_counter() - began)
