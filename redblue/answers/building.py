"""Whether the DAG of a computation is built, or closed formulas alone answer."""

from typing import Final

from dags import Computation, InvalidSpecError, UnknownNameError
from dags.families import FAMILIES
from schedulers import COUNTED_PLAYS

LARGEST_NEST: Final = 1 << 16  # vertices of a program beyond which formulas answer sooner
LARGEST_MEMBER: Final = 1 << 22  # vertices and edges of a family's member with a loop nest


def is_closed(computation: Computation, *, counted: bool = False, **taken: object) -> bool:
    """Return whether closed formulas answer alone, and the DAG is not built.

    The DAG is built unless that is not wanted, it is too large for this machine, or it is large and
    loops of the computation are known, whose formulas answer at once.

    Parameters
    ----------
    computation
        The computation.
    counted
        Whether the DAG is not to be built, whatever its size.
    taken
        Arguments that need the DAG, by name; None and False for those that were not given.

    Raises
    ------
    InvalidSpecError
        If the DAG is not to be built, or too large, and an argument needs it.
    RedBlueError
        If it is not to be built and no formulas are known.
    """
    if not _answers_alone(computation):
        if counted:
            _raise_unread(computation)
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
    """Return whether closed formulas give schedules of a computation."""
    if computation.member is None:
        return False
    if computation.is_program:
        return True
    family = computation.family
    return family in COUNTED_PLAYS or (family is not None and FAMILIES[family].nest is not None)


def _raise_unread(computation: Computation) -> None:
    """Raise the reason for which no formulas are known."""
    if computation.unread is not None:
        raise computation.unread
    raise UnknownNameError("family with formulas", computation.name, COUNTED_PLAYS)


def _has_free_order(computation: Computation) -> bool:
    """Return whether sums may be made in any order: no single DAG is the computation then."""
    return computation.is_program and computation.nest is not None and computation.nest.any_order


def _is_large(computation: Computation) -> bool:
    """Return whether loops are known, and the DAG has more vertices than methods gain from."""
    counts = computation.sizes
    if computation.is_program:
        return counts.vertices > LARGEST_NEST
    return counts.vertices + counts.edges > LARGEST_MEMBER and computation.nest is not None


def is_known_by_formulas(computation: Computation) -> bool:
    """Return whether a store knows a computation by its formulas, and its DAG need not be built.

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
    """Return what the numbers are where the DAG is not built."""
    return (
        f"the DAG of {computation.sizes.vertices:,} vertices is not built: schedules are counted "
        f"by closed formulas, and bounds are {computation.bounds_are}"
    )
