"""Windows of the updates of a program, whichever it is (N2, with N5 for the updates).

`program_space` rebuilds the updates from a description and the points of the DAG; `window_gains`
verifies on the DAG the premises of its theorem, and `hbl` says how many items they touch.

Source
------
V. Elango, F. Rastello, L.-N. Pouchet, J. Ramanujam and P. Sadayappan, On characterizing the data
access complexity of programs, POPL 2015; A. Olivry, J. Langou, L.-N. Pouchet, P. Sadayappan and F.
Rastello, Automated derivation of parametric data movement lower bounds for affine programs, PLDI
2020: bounds from the references of a loop nest, as leading terms. The bounds here hold for the DAG
at hand, with all terms.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from dags import CDAG, RedBlueError
from dags.families.common.members import member_of
from dags.families.common.points import with_points_of
from pebble import Game
from proofs.core.records import CertificateError, Within, shown, text
from proofs.core.windows import Lemma, Sum
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.program_space import program_space
from proofs.lemmas.loops.updates import (
    GAINS,
    MOST_SIZES,
    Argument,
    Premises,
    UpdateWindow,
    gained,
)

# What has been verified, as long as the DAG is there: a curve asks at every memory size. Equal
# DAGs can have origins of their own, and the same description means something else in each.
_verified: WeakKeyDictionary[CDAG, dict[Any, Premises]] = WeakKeyDictionary()


@dataclass(frozen=True)
class ProgramWindows:
    """Windows of updates of a program, which are as `program_space` has them.

    The points of `member` of a family name the vertices; those of the DAG itself where it is empty.
    """

    argument: Argument
    space: Mapping[str, Any]
    windows: Annotated[tuple[UpdateWindow, ...], Within(entries=MOST_SIZES)]
    member: str = ""


def premises(dag: CDAG, argument: str, space: Any) -> Premises:
    """The projections, the number of updates, and the words to add; verified on `dag`.

    Parameters
    ----------
    dag
        A DAG with an origin.
    argument
        A key of `GAINS`.
    space
        The updates, as `program_space` takes them.

    Raises
    ------
    CertificateError
        If the DAG does not have these updates, or the argument does not hold for them.
    """
    known = _verified.setdefault(dag, {})
    question = dag.origin, argument, repr(space)
    if question not in known:
        program_premises = program_space(dag, space)
        known[question] = (
            program_premises.shape,
            program_premises.updates.size,
            GAINS[argument](dag, program_premises),
        )
    return known[question]


def named(dag: CDAG, member: str) -> CDAG:
    """A DAG whose vertices are named by the points of a family's member.

    Whether the DAG is what the generator makes does not matter: points are names (N5).

    Parameters
    ----------
    dag, member
        The DAG, and a specification of the member; empty for the points that the DAG has.

    Raises
    ------
    CertificateError
        If there are no such points.
    """
    if not member:
        return dag
    try:
        points = with_points_of(dag, member_of(member))
    except RedBlueError as error:
        raise CertificateError("member", f"is none of a family: {error}") from None
    if points is None:
        message = f"has no points of a DAG of {dag.n} vertices: {shown(member)}"
        raise CertificateError("member", message)
    return points


def described_space(dag: CDAG, source: Mapping[str, Any]) -> IterationSpace:
    """The updates of the "space" of a program, maybe a "member"; not verified on `dag` yet."""
    member = text(source, "member") if "member" in source else ""
    return program_space(named(dag, member), source["space"])


def program(game: Game, record: ProgramWindows) -> Sum:
    """The words that windows of the updates of a program touch."""
    premised = premises(named(game.dag, record.member), record.argument, record.space)
    return gained(game, record.argument, premised, game.room, record.windows)


RESTS = {"segments": "N2", "chains": "N2", "dominators": "N2", "aggregations": "N3"}


def _theorems(record: ProgramWindows) -> tuple[str, ...]:
    """The numbers of the theorems behind windows; those of symmetric arrays have one more."""
    symmetric = ("N4",) if record.space.get("symmetric") else ()
    return ("N1", RESTS[record.argument], *symmetric, "N5")


AFFINE = Lemma(ProgramWindows, program, _theorems)
