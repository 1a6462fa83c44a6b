"""Whether the DAG of a computation is built, or closed formulas alone answer."""

from typing import Final

from dags import Computation, InvalidSpecError, UnknownNameError
from dags.families import FAMILIES
from schedulers import COUNTED_PLAYS

LARGEST_NEST: Final = 1 << 16  # vertices of a program beyond which formulas answer sooner
LARGEST_MEMBER: Final = 1 << 22  # vertices and edges of a family's member with a loop nest


def is_closed(computation: Computation, *, counted: bool = False, **taken: object) -> bool:
    """Whether closed formulas answer alone, and the DAG is not built.

    The DAG is built unless it is too large for this machine, it is large and that is not wanted, or
    it is large and loops of the computation are known, whose formulas answer at once. Schedules of
    a small DAG move no more than formulas say, so it is built in any case; of a graph of operators
    and of a Dirac operator formulas count another DAG, and it is not built where not wanted.

    Parameters
    ----------
    computation
        The computation.
    counted
        Whether the DAG is not to be built if it is large.
    taken
        Arguments that need the DAG, by name; None and False for those that were not given.

    Raises
    ------
    InvalidSpecError
        If the DAG is not to be built, or too large, and an argument needs it.
    RedBlueError
        If it is not to be built and no formulas are known.
    """
    if counted:
        require_formulas(computation)
        counted = not _is_played(computation)
    if not _answers_alone(computation):
        return False
    why = "its DAG is not to be built"
    needing = [name for name, value in taken.items() if value is not None and value is not False]
    if not counted:
        if computation.is_given or computation.is_graph:
            return False
        why = "its sums may be made in any order"
        try:
            computation.require_room()
        except InvalidSpecError as error:
            why = str(error)
        else:
            is_large = _is_large(computation) and not needing
            if not (is_large or _has_free_order(computation)):
                return False
    if needing:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in needing)
        raise InvalidSpecError(f"{computation.spec}: {why}, and {names} would need the DAG")
    return True


def _answers_alone(computation: Computation) -> bool:
    """Whether closed formulas give schedules of a computation."""
    if computation.member is None:
        return False
    if computation.is_program:
        return True
    family = computation.family
    return family in COUNTED_PLAYS or (family is not None and FAMILIES[family].nest is not None)


def require_formulas(computation: Computation) -> None:
    """Raise RedBlueError, with the reason, if no formulas give schedules of a computation."""
    if _answers_alone(computation):
        return
    if computation.unread is not None:
        raise computation.unread
    raise UnknownNameError("family with formulas", computation.name, COUNTED_PLAYS)


def _is_played(computation: Computation) -> bool:
    """Whether a DAG is small, and is the one whose schedules formulas count."""
    play = COUNTED_PLAYS.get(computation.family or "")
    is_other = computation.is_graph or (play is not None and play.tiles is None)
    return not is_other and not _is_beyond(computation)


def _has_free_order(computation: Computation) -> bool:
    """Whether sums may be made in any order: no single DAG is the computation then."""
    return computation.is_program and computation.nest is not None and computation.nest.any_order


def _is_large(computation: Computation) -> bool:
    """Whether loops are known, and the DAG has more vertices than methods gain from."""
    return _is_beyond(computation) and computation.nest is not None


def _is_beyond(computation: Computation) -> bool:
    """Whether a DAG has more vertices than methods gain from.

    Of a text that is a member of a family whose answers are not from loops these are as many as of
    that member.
    """
    counts, kin = computation.sizes, computation.kin
    if computation.is_program and (kin is None or FAMILIES[kin.family].texts is None):
        return counts.vertices > LARGEST_NEST
    return counts.vertices + counts.edges > LARGEST_MEMBER


def is_known_by_formulas(computation: Computation) -> bool:
    """Whether a store knows a computation by its formulas, and its DAG need not be built.

    Whoever has the same specification decides alike, whether or not the DAG is at hand.

    Parameters
    ----------
    computation
        The computation.
    """
    if computation.is_given or computation.member is None:
        return False
    counts = computation.sizes
    return counts.vertices + counts.edges > LARGEST_MEMBER or is_closed(computation)


def closed_sentence(computation: Computation) -> str:
    """What the numbers are where the DAG is not built."""
    return (
        f"the DAG of {computation.sizes.vertices:,} vertices is not built: schedules are counted "
        f"by closed formulas, and bounds come from {computation.bounds_are}"
    )


def closed_notes(computation: Computation) -> tuple[str, ...]:
    """What is said beside numbers where the DAG is not built."""
    nest = computation.nest if computation.is_program else None
    ordered = () if nest is None or not nest.any_order else nest.sums_by_turns
    return (
        closed_sentence(computation),
        *computation.apart,
        *(
            f"sums=any has no effect on {array}, which statements in one loop change by turns: "
            "write one statement, or a loop for each"
            for array in ordered
        ),
    )
