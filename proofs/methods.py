"""The table of methods that prove lower bounds: all that is known of each, once.

The race reads how much of its time each takes, reports the argument and the literature, and all
commands the names.
"""

from dataclasses import dataclass

from proofs.base import BoundMethod
from proofs.bounds.compulsory import compulsory
from proofs.bounds.families.butterflies import butterflies
from proofs.bounds.families.dirac import dirac
from proofs.bounds.loops.nests import nests
from proofs.bounds.loops.projections import affine, attention, projections
from proofs.bounds.loops.uniform import uniform
from proofs.bounds.pieces.decomposition import decomposition
from proofs.bounds.pieces.exact_pieces import exact_pieces
from proofs.bounds.pieces.forests import forests
from proofs.bounds.pieces.ideals import ideals
from proofs.bounds.pieces.slices import slices
from proofs.bounds.pieces.wavefronts import wavefront
from proofs.bounds.windows.reload_windows import reload_windows
from proofs.bounds.windows.segments import dominators, segments
from proofs.bounds.windows.short_windows import reuse


@dataclass(frozen=True)
class Method:
    """A method of lower bounds.

    Parameters
    ----------
    name, run
        Its name, and the function that proves.
    argument
        Why a play moves so much, in a clause.
    sources
        Keys of the literature that its checker builds on, beside that of the game.
    once
        Whether it holds only where each value is computed once.
    share, again
        Of a method that searches, its share of the time that is left for it and those after it in
        the table: where values are computed once, and where they may be computed again. 0 where it
        is not in that race; a method that is in neither takes little time.
    grows
        The words that it has proved in a trial count so many times, as more time proves more.
    busy
        Share of its time that it needs where more time may prove more: one that begins nothing
        that would not end in time leaves much of it.
    """

    name: str
    run: BoundMethod
    argument: str
    sources: tuple[str, ...] = ()
    once: bool = False
    share: float = 0.0
    again: float = 0.0
    grows: float = 1.0
    busy: float = 0.7


# Those that search come first, in their turns: on DAGs of all kinds pieces prove most, and most of
# what others prove they prove soon; `ideals` takes no time where there are many steps.
_TABLE = (
    Method(
        "reload-windows", reload_windows, "what is computed after moments comes from so many "
        "values", again=0.45, grows=1.2, busy=0.2,
    ),
    Method(
        "exact-pieces", exact_pieces, "sums over pieces whose states are all searched",
        ("elango2014",), share=0.65, again=1.0,
    ),
    Method(
        "ideals", ideals, "a shortest path over all sets of steps that may be done first",
        once=True, share=0.6, grows=1.3,
    ),
    Method(
        "decomposition", decomposition, "sums over moments and pieces that share the values of "
        "the DAG", ("elango2014",), once=True, share=0.5, grows=1.05,
    ),
    Method(
        "reuse", reuse, "steps of short windows share few values, and longer stays take room",
        share=0.5, grows=1.3,
    ),
    Method(
        "wavefront", wavefront, "values that must wait at one moment", ("elango2014",),
        once=True, share=1.0,
    ),
    Method(
        "affine", affine, "windows of updates touch so many items, by the references of the "
        "program", ("loomis1949", "christ2013", "elango2015", "olivry2020"),
    ),
    Method("attention", attention, "rows of queries and keys must meet", ("saha2024",)),
    Method(
        "butterflies", butterflies, "what leaves fast memory takes along, and values that wait "
        "for a level", once=True,
    ),
    Method(
        "compulsory", compulsory, "inputs are read and outputs written, whatever the memory"
    ),
    Method(
        "dirac", dirac, "few sites of a lattice have few hops between them, few spinors little "
        "border", ("loomis1949",),
    ),
    Method("dominators", dominators, "windows of a play are computed from so many values"),
    Method("forests", forests, "the optimum of trees, by a recurrence", ("sethi1970",)),
    Method(
        "nests", nests, "windows of updates of the loop nest that the DAG is the instance of touch "
        "so many items", ("loomis1949", "irony2004", "christ2013"),
    ),
    Method(
        "projections", projections, "windows of updates of a loop nest touch so many words",
        ("loomis1949", "irony2004", "christ2013"),
    ),
    Method(
        "segments", segments, "sets of vertices exchange values, by an isoperimetric inequality",
        ("loomis1949",), once=True,
    ),
    Method(
        "slices", slices, "wavefronts over ranges of the outer loops", ("elango2014",), once=True
    ),
    Method(
        "uniform", uniform, "windows of values that are read at constant distances",
        ("loomis1949", "olivry2020"), once=True,
    ),
)  # fmt: skip
METHODS = {method.name: method for method in _TABLE}
BOUNDS: dict[str, BoundMethod] = {name: METHODS[name].run for name in sorted(METHODS)}
