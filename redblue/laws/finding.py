"""The law that a computation follows, at any size, and how far proofs bear a published one out."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dags import Computation
from pebble import ONE_SHOT, Rules
from proofs.laws import law_of, published_law
from redblue.answers.building import is_closed
from redblue.answers.counted.finite_sizes import halving_bias
from redblue.answers.counted.laws import counted_law, regimes
from redblue.answers.sources import Memories
from redblue.answers.words import memories_of
from redblue.laws.answer import FoundLaw, Over
from redblue.laws.fit import fit_dag
from redblue.laws.sandwich import (
    candidate,
    corridor_of_curve,
    demands_of,
    enclosed,
    held_against,
)
from schedulers import Scheduler


def found_law(
    computation: Computation,
    memories: Memories | None = None,
    *,
    schedulers: Iterable[str | Scheduler] | None = None,
    rules: Rules = ONE_SHOT,
    counted: bool = False,
    **options: Any,
) -> FoundLaw:
    """The law that schedules of a computation follow, beside the published one.

    Parameters
    ----------
    computation, memories
        The computation, and words of fast memory.
    schedulers, rules
        As for `redblue.fit_dag`.
    counted
        Whether no DAG is built if it is large.
    options
        Further ones of `redblue.fit_dag`: of no account where closed formulas answer.
    """
    if is_closed(computation, counted=counted, schedulers=schedulers):
        sizes = None if memories is None else memories_of(memories, computation.spec)
        fit, curve, sides = counted_law(computation, sizes, rules=rules)
        family, ranges = computation.family, tuple(regimes(curve, computation.compulsory))
        published = None if family is None else law_of(family, computation.params)
        over = Over(sides, None, computation.compulsory, ranges)
        return FoundLaw(curve, fit, published, None, over)
    fit, curve = fit_dag(computation.dag, memories, schedulers=schedulers, rules=rules, **options)
    return FoundLaw(curve, fit, published_law(computation.dag), None)


def held_to_proofs(
    law: FoundLaw, computation: Computation, *, rules: Rules = ONE_SHOT, jobs: int = 1, spec: str
) -> FoundLaw:
    """A law with what plays and proofs together say of the published one.

    Parameters
    ----------
    law, computation
        The law with a published one, and its computation.
    rules, jobs
        The rules of the game, and the number of methods that run side by side.
    spec
        Label of the DAG in results.
    """
    assert law.published is not None
    family, form = computation.family or "", candidate(law.published)
    if law.over is not None:
        corridor = corridor_of_curve(law.curve, law.fit.points.overhead)
        bias = halving_bias(computation, corridor, rules=rules)
        held = held_against(corridor, form, demands_of(family))
        return replace(law, held=held, over=law.over._replace(bias=bias))
    options: dict[str, Any] = {"rules": rules, "jobs": jobs, "spec": spec}
    corridor, curve = enclosed(computation.dag, law.fit, law.curve, **options)
    held = held_against(corridor, form, demands_of(computation.dag.family))
    return replace(law, curve=curve, held=held)
