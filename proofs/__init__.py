"""Lower bounds on the I/O of any legal play, in words.

- `METHODS` is the table of methods, one file each in `bounds`; `BOUNDS` has those that prove alone;
  every `Bound` carries a `Certificate`; `best_bound` takes the largest.
- `core`, `lemmas` and `certificates` have the checkers, which import no method. `check` is the
  verdict.
- `save_bound` and `load_bound` keep bounds in files; `with_play` adds a play that meets a bound.
- `hbl` has the exponents of array references, `proofs.laws.programs.law` the law of a loop nest
  without sizes.
- `fixed_order` proves the cost of a given order, an `OrderBound`, and `check_order` verifies it.
"""

from dags import UnknownNameError
from dags.spec import called, offered, plugged
from proofs.base import Bound, BoundMethod, NotApplicableError
from proofs.best import best_bound, bounds_by
from proofs.bounds.compulsory import compulsory
from proofs.bounds.families.butterflies import butterflies
from proofs.bounds.families.dirac import dirac
from proofs.bounds.fixed_order import OrderBound, check_order, fixed_order
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
from proofs.certificates import Certificate, CertificateError
from proofs.core.records import GONE_BOUNDS
from proofs.files import is_of_nest, load_bound, save_bound
from proofs.laws import TRENDS, Trend
from proofs.laws.exponents import Exponents, hbl
from proofs.methods import BOUNDS, METHODS, Method
from proofs.verdict import (
    Claim,
    PluggedBound,
    carried,
    check,
    is_optimum,
    searched_bound,
    with_play,
)


def bound_named(name: str) -> BoundMethod:
    """The method called `name`, or one that a plug-in names (`dags.spec`).

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name in BOUNDS:
        return BOUNDS[name]
    function = plugged("bound", name)
    if function is None:
        known = [*BOUNDS, *offered("bound"), "MODULE:FUNCTION"]
        raise UnknownNameError("bound", name, known, gone=GONE_BOUNDS.get(name))
    return PluggedBound(name, function)


def as_bound(method: str | BoundMethod) -> BoundMethod:
    """A method by its name, or a function of one's own, whose answers are checked."""
    if isinstance(method, str):
        return bound_named(method)
    ours = isinstance(method, PluggedBound) or any(method is known for known in BOUNDS.values())
    return method if ours else PluggedBound(called(method), method)


__all__ = [
    "BOUNDS",
    "METHODS",
    "TRENDS",
    "Bound",
    "BoundMethod",
    "Certificate",
    "CertificateError",
    "Claim",
    "Exponents",
    "Method",
    "NotApplicableError",
    "OrderBound",
    "PluggedBound",
    "Trend",
    "affine",
    "as_bound",
    "attention",
    "best_bound",
    "bound_named",
    "bounds_by",
    "butterflies",
    "carried",
    "check",
    "check_order",
    "compulsory",
    "decomposition",
    "dirac",
    "dominators",
    "exact_pieces",
    "fixed_order",
    "forests",
    "hbl",
    "ideals",
    "is_of_nest",
    "is_optimum",
    "load_bound",
    "projections",
    "reload_windows",
    "reuse",
    "save_bound",
    "searched_bound",
    "segments",
    "slices",
    "uniform",
    "wavefront",
    "with_play",
]
