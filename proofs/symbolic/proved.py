"""Finite forms of laws that are proved for all sizes, by integer sets with sizes in their bounds.

The polynomials of a law were interpolated. Here the same numbers are counted without any DAG, and
the premises of the theorem are verified, for all sizes from some on; where they are the same
polynomials, the finite form is a bound for each of these sizes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from dags.programs import Program
from dags.programs.dataflow import dataflow
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import isl, sizes_from
from proofs.base import NotApplicableError
from proofs.certificates.loops.program_space import STATEMENT
from proofs.polynomials import Polynomial
from proofs.symbolic.counts import Terms, points_of, polynomial_of
from proofs.symbolic.references import Reader
from proofs.symbolic.spaces import Premises, Space, premises_for_all

LEAST: Final = (1, 2, 3, 4, 6, 8)  # sizes from which on something is tried to be proved
KNOWN: Final = {"live", "constants"}  # options that a proof knows


@dataclass(frozen=True)
class Form:
    """The numbers of a finite form, as they were interpolated.

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
        The space of updates as it was found, and what holds for it; None for compulsory words.
    """

    least: int
    space: Space | None = None
    premises: Premises | None = None

    def space_at(self, sizes: tuple[int, ...]) -> dict[str, Any] | None:
        """Return the space of a DAG, as its certificate has it; `sizes` as the program has them."""
        if self.space is None or self.premises is None:
            return None
        return self.premises.space_at(self.space, sizes)


def proved(program: Program, options: Mapping[str, Any], form: Form) -> Proved | None:
    """Return from which sizes on a finite form is proved; None if it is not.

    Parameters
    ----------
    program, options
        As for `proofs.programs.law`.
    form
        The numbers to prove.
    """
    if isl is None or options.get("level", "statement") != "statement":
        return None
    for least in LEAST:
        try:
            return _from(least, program, options, form)
        except (NotApplicableError, NotReadError, isl.Error):
            continue
    return None


def _from(least: int, program: Program, options: Mapping[str, Any], form: Form) -> Proved:
    """Return the proof for all sizes from `least` on, or raise NotApplicableError."""
    asked = sizes_from([least] * len(program.sizes))
    known = {name: value for name, value in options.items() if name in KNOWN}
    found = dataflow(program, asked, **known)
    _require(
        form.compulsory, polynomial_of(points_of(found.inputs) + points_of(found.outputs), asked)
    )
    if form.space is None or form.found_at is None:
        return Proved(least)
    reader = Reader(found, tuple(form.found_at[name] for name in program.sizes), asked)
    premises = premises_for_all(reader, form.space)
    _require(form.updates, premises.updates)
    _require(form.gain, premises.gain)
    for index, polynomial in (form.ranges or {}).items():
        if index == STATEMENT:
            continue
        if index not in premises.ranges:
            raise NotApplicableError(f"the range of index {index} is no polynomial")
        _require(polynomial, premises.ranges[index])
    return Proved(least, form.space, premises)


def _require(told: Polynomial | None, counted: Terms) -> None:
    """Raise NotApplicableError unless a polynomial is the one that was counted."""
    if told is None or dict(told.terms) != counted:
        raise NotApplicableError("a number is another polynomial than at small sizes")
