"""How long a command takes, said before it does, where that can be estimated."""

from typing import TYPE_CHECKING

from redblue.cli import console

if TYPE_CHECKING:
    from dags import Computation

LONG = 10.0  # seconds that pass unannounced
MINUTE = 60.0
# Seconds for each vertex and edge: of a scheduler at a size of memory, at all sizes in one pass,
# and of all plays of a hierarchy. `natural+lru` of a product of 100 takes 4 s at a size and 32 s at
# all; `levels` of an FFT of 2^17 points takes 9 s.
A_SIZE, A_RANGE, A_HIERARCHY = 8e-7, 8e-6, 1.3e-6


def say_how_long(computation: "Computation", rate: float) -> None:
    """Say about how long it takes to play a large DAG; nothing where that is soon, or unknown.

    Parameters
    ----------
    computation
        The computation.
    rate
        Seconds for each vertex and edge.
    """
    from dags import InvalidSpecError

    try:
        computation.require_room()
    except InvalidSpecError:  # which whoever builds it says
        return
    counts = computation.sizes
    seconds = rate * (counts.vertices + counts.edges)
    if seconds > LONG:
        long = f"{seconds / MINUTE:.0f} minutes" if seconds > 2 * MINUTE else f"{seconds:.0f} s"
        console.say(
            f"note: {counts.vertices:,} vertices and {counts.edges:,} edges: this takes about "
            f"{long}"
        )
