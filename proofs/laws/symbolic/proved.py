"""Finite forms of laws that are proved for all sizes, by integer sets with sizes in their bounds.

The numbers of a law are counted without any DAG, and the premises of its theorem are verified, for
all sizes from some on: the finite form is a bound for each of these sizes.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from dags.programs import Program
from dags.programs.dataflow import Dataflow, dataflow
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import bounded_isl, isl, sizes_from
from proofs.base import NotApplicableError
from proofs.laws.polynomials import Polynomial
from proofs.laws.symbolic.counts import Terms, points_of, polynomial_of
from proofs.laws.symbolic.spaces import OperandReader, Premises, Space, premises_for_all
from proofs.lemmas.loops.program_space import STATEMENT

LEAST: Final = (1, 2, 3, 4, 6, 8)  # sizes from which on something is tried to be proved
KNOWN: Final = {"live", "constants"}  # options that a proof knows


@dataclass(frozen=True)
class Form:
    """The numbers of a finite form.

    Parameters
    ----------
    compulsory
        Inputs that are read, and outputs.
    space
        The space of updates at the sizes `found_at`; None where compulsory words are all.
    found_at
        Those sizes.
    updates, gain, ranges
        Of the space.
    """

    compulsory: Polynomial
    space: Space | None = None
    found_at: Mapping[str, int] | None = None
    updates: Polynomial | None = None
    gain: Polynomial | None = None
    ranges: Mapping[str, Polynomial] | None = None


@dataclass(frozen=True)
class Proved:
    """A finite form that is a bound for all sizes from some on.

    Parameters
    ----------
    least
        The least value of each size.
    space, premises
        The space of updates as it was found, and the proof for it; None for compulsory words.
    """

    least: int
    space: Space | None = None
    premises: Premises | None = None

    def space_at(self, sizes: tuple[int, ...]) -> dict[str, Any] | None:
        """The space of a DAG, as its certificate has it; `sizes` as the program has them."""
        if self.space is None or self.premises is None:
            return None
        return self.premises.space_at(self.space, sizes)


class Counting:
    """Numbers of one program that are counted for all sizes, without any DAG.

    Parameters
    ----------
    program, options
        As for `proofs.laws.programs.law`.
    """

    def __init__(self, program: Program, options: Mapping[str, Any]) -> None:
        self.program = program
        self.options = {name: value for name, value in options.items() if name in KNOWN}
        self.able = isl is not None and options.get("level", "statement") == "statement"
        self._flows: dict[int, tuple[Any, Dataflow, Polynomial] | None] = {}

    def forms(
        self, space: Space | None = None, found_at: Mapping[str, int] | None = None
    ) -> Iterator[tuple[Form, Proved]]:
        """Yield finite forms with their proofs, for all sizes from ever larger ones on.

        Parameters
        ----------
        space
            A space of updates of the DAG of the sizes `found_at`; None for compulsory words.
        found_at
            Those sizes.
        """
        for minimum in LEAST if self.able else ():
            with suppress(NotApplicableError, NotReadError):
                if (flow := self._flow(minimum)) is not None:
                    yield self._form(minimum, *flow, space, found_at)

    @bounded_isl()
    def _flow(self, minimum: int) -> tuple[Any, Dataflow, Polynomial] | None:
        """Sizes, the dataflow and the compulsory words of all sizes from `minimum` on."""
        if minimum not in self._flows:
            self._flows[minimum] = None  # unless the next lines end well
            asked = sizes_from([minimum] * len(self.program.sizes))
            flow = dataflow(self.program, asked, **self.options)
            words = polynomial_of(points_of(flow.inputs) + points_of(flow.outputs), asked)
            self._flows[minimum] = asked, flow, self._polynomial(words)
        return self._flows[minimum]

    def _polynomial(self, terms: Terms) -> Polynomial:
        return Polynomial(self.program.sizes, dict(terms.items()))

    @bounded_isl()
    def _form(
        self,
        minimum: int,
        asked: Any,
        flow: Dataflow,
        compulsory: Polynomial,
        space: Space | None,
        found_at: Mapping[str, int] | None,
    ) -> tuple[Form, Proved]:
        """Return the form for all sizes from `minimum` on, or raise NotApplicableError."""
        if space is None or found_at is None:
            return Form(compulsory), Proved(minimum)
        reader = OperandReader(flow, tuple(found_at[name] for name in self.program.sizes), asked)
        premises = premises_for_all(reader, space)
        ranges = {index: self._polynomial(terms) for index, terms in premises.ranges.items()}
        form = Form(
            compulsory,
            space,
            found_at,
            self._polynomial(premises.updates),
            self._polynomial(premises.gain),
            ranges,
        )
        return form, Proved(minimum, space, premises)


def proved(program: Program, options: Mapping[str, Any], form: Form) -> Proved | None:
    """Return from which sizes on a finite form is proved; None if it is not.

    Parameters
    ----------
    program, options
        As for `proofs.laws.programs.law`.
    form
        The numbers to prove.
    """
    counted = Counting(program, options).forms(form.space, form.found_at)
    return next((proof for known, proof in counted if _same(form, known)), None)


def _same(stated: Form, counted: Form) -> bool:
    """Whether all numbers of a form are those that were counted."""
    numbers = ("compulsory", "updates", "gain")
    return all(getattr(stated, name) == getattr(counted, name) for name in numbers) and all(
        (counted.ranges or {}).get(index) == polynomial
        for index, polynomial in (stated.ranges or {}).items()
        if index != STATEMENT
    )
