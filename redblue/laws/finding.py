"""The law that a computation follows, at any size, and how far proofs bear a published one out."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

from dags import Computation, FormatError, InvalidSpecError
from dags.errors import one_line
from dags.spec import leaves
from pebble import ONE_SHOT, Rules
from proofs.laws import law_of, published_law
from redblue.answers.building import is_closed
from redblue.answers.counted.finite_sizes import halving_bias
from redblue.answers.counted.laws import counted_law, regimes
from redblue.answers.sources import Memories, Source, label_of, load
from redblue.answers.words import memories_of
from redblue.laws.answer import FoundLaw, Over
from redblue.laws.dirac import DiracLaw, dirac_law
from redblue.laws.fit import fit_dag
from redblue.laws.sandwich import (
    candidate,
    corridor_of_curve,
    demands_of,
    enclosed,
    held_against,
)
from schedulers import Scheduler

if TYPE_CHECKING:
    from dags.programs.text.spec import ProgramSpec
    from redblue.laws.regimes import RegimeLaw

AnyLaw: TypeAlias = "FoundLaw | DiracLaw | RegimeLaw"
OF_A_DAG = {"counted", *signature(fit_dag).parameters}
OF_A_PROGRAM = ("seconds", "clock")
NO_RESULT = re.compile(r"[A-Za-z]+(,[A-Za-z]+)+")  # two operands or more, and nothing else


def law_of_source(
    source: Source,
    memories: Memories | None = None,
    *,
    spec: str = "",
    reading: Callable[[], Computation] | None = None,
    **options: Any,
) -> AnyLaw:
    """The law of whatever `redblue.law` takes.

    Parameters
    ----------
    source, memories
        The computation, and words of fast memory.
    spec
        Label of the DAG in results.
    reading
        Reads the computation, where it has all of its sizes; None for `load`.
    options
        Those of `found_law`; of a program without sizes, or not all, those of `law_of_program`.

    Raises
    ------
    InvalidSpecError
        If memory sizes are given of a program without sizes, or an einsum string does not say which
        indices its result has.
    """
    label = label_of(source, spec)
    if NO_RESULT.fullmatch(label):
        raise InvalidSpecError(_without_result(label))
    program = leaves.reader("programs").program_spec(label) if _is_text(label) else None
    if program is not None and program.leaves_sizes:
        if memories is not None:
            raise InvalidSpecError(f"memory sizes are for a DAG: {label} has no sizes, or not all")
        return _of_program(program, **_without(options, OF_A_DAG))
    options = _without(options, OF_A_PROGRAM)
    computation = (partial(load, source) if reading is None else reading)()
    if computation.family == "dirac" and options.get("schedulers") is None:
        return dirac_law(computation, memories, rules=options.get("rules", ONE_SHOT))
    return found_law(computation, memories, spec=label, **options)


def _is_text(label: str) -> bool:
    """Whether a computation is named by the text of a program."""
    return leaves.is_of("programs", label)


def _without(options: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The options of other names."""
    return {name: value for name, value in options.items() if name not in names}


def _of_program(program: "ProgramSpec", **options: Any) -> "RegimeLaw":
    """The law of a program, for all values of the sizes that are not given."""
    from dags.programs.einsum import is_einsum
    from dags.programs.nest import ProgramError
    from redblue.laws.regimes.einsum import in_any_order
    from redblue.laws.regimes.finding import law_of_program

    try:
        law = law_of_program(program.program, program.sizes, **options, **program.options)
    except ProgramError as error:
        raise FormatError(program.place, error.message, error.line) from None
    is_whole = is_einsum(program.place) and not program.sizes
    return replace(law, any_order=in_any_order(program.place) if is_whole else None)


def _without_result(text: str) -> str:
    """The sentence on an einsum string without a result, with the one NumPy would take."""
    letters = text.replace(",", "")
    result = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    return (
        f"the einsum string {one_line(text)} does not say which indices its result has: "
        f"write {one_line(text)}->{one_line(result)}, with those that are not summed over"
    )


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
        return FoundLaw(curve, fit, published, None, over, computation)
    fit, curve = fit_dag(computation.dag, memories, schedulers=schedulers, rules=rules, **options)
    return FoundLaw(curve, fit, published_law(computation.dag), None, computation=computation)


def held_to_proofs(
    law: AnyLaw, *, rules: Rules = ONE_SHOT, jobs: int = 1, spec: str = ""
) -> AnyLaw:
    """A law with what plays and proofs together say of the published one, if there is one.

    Parameters
    ----------
    law
        The law.
    rules, jobs
        The rules of the game, and the number of methods that run side by side.
    spec
        Label of the DAG in results.
    """
    if not isinstance(law, FoundLaw) or law.published is None or law.computation is None:
        return law
    computation = law.computation
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
