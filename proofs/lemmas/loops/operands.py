"""Operands of the updates of a program, named by the points of the updates that made them.

`dag.origin` says of each vertex which operator made it, or of which array it is an input, and at
which point. A `Reference` names one operand of an update by these. Nothing of it is believed: an
operand that is found is one that the update does read in the DAG, and points are names, whichever
they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from dags.cdag.origin import Origin
from proofs.core.records import CertificateError, integer, integers, only
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.iteration_space import HEAD, Vertices

FARTHEST = 2**31  # largest distance between the coordinates of a value and of its reader
NO_LOOP = -1
MOST = 16  # of whatever a certificate lists: references of a slot, statements, arrays


@dataclass(frozen=True)
class Reference:
    """The operand whose coordinates are coordinates of the reader, or constants, plus an offset.

    Parameters
    ----------
    made_by
        Its maker, as in `Origin.made_by`: an operator, or -1 - a for an input in array a.
    loops
        For each of its coordinates, the loop of the reader that it follows; -1 for none.
    offsets
        The constant.
    """

    made_by: int
    loops: tuple[int, ...]
    offsets: tuple[int, ...]

    def described(self) -> dict[str, Any]:
        """The reference as a certificate has it."""
        return {
            "made_by": self.made_by,
            "loops": list(self.loops),
            "offsets": list(self.offsets),
        }


def require_origin(dag: CDAG) -> Origin:
    """The origin of a DAG; raises CertificateError if it has none that fits."""
    origin = dag.origin
    if origin is None:
        raise CertificateError("origin", "is missing: this DAG has no points of a program")
    width = origin.points.shape[1] if origin.points.ndim == 2 else -1
    deepest = [len(operator.variables) for operator in origin.operators]
    widest = max(deepest + [indices for _, indices in origin.arrays], default=0)
    if origin.made_by.shape != (dag.n,) or origin.points.shape[:1] != (dag.n,) or width < widest:
        raise CertificateError("origin", "does not fit this DAG")
    return origin


def coordinates_of(origin: Origin, made_by: int) -> int:
    """How many coordinates the points have of an operator's or array's values.

    Raises
    ------
    CertificateError
        If there is no such operator or array.
    """
    if 0 <= made_by < len(origin.operators):
        return len(origin.operators[made_by].variables)
    if 0 <= -1 - made_by < len(origin.arrays):
        return origin.arrays[-1 - made_by][1]
    raise CertificateError("made_by", f"{made_by} is no operator and no array of this DAG")


def reference_from(origin: Origin, operator: int, data: Any) -> Reference:
    """The reference of a certificate.

    Parameters
    ----------
    origin, operator
        Where the points are, and whose operand it is.
    data
        Has "made_by", "loops" and "offsets".
    """
    if not isinstance(data, Mapping):
        raise CertificateError("slots", "have a reference that is no object")
    only(data, ("made_by", "loops", "offsets"))
    made_by = integer(data, "made_by")
    loops: list[int] = integers(data, "loops").tolist()
    offsets: list[int] = integers(data, "offsets").tolist()
    sides, depth = coordinates_of(origin, made_by), coordinates_of(origin, operator)
    if len(loops) != sides or len(offsets) != sides:
        raise CertificateError("loops", f"and offsets are not {sides}, as its points have")
    if any(not NO_LOOP <= loop < depth for loop in loops):
        raise CertificateError("loops", f"are not from -1 to {depth - 1}")
    if any(abs(offset) > FARTHEST for offset in offsets):
        raise CertificateError("offsets", f"are beyond {FARTHEST}")
    return Reference(made_by, tuple(loops), tuple(offsets))


def references_from(dag: CDAG, operator: int, slot: Any, limit: int) -> list[Reference]:
    """The references of a slot.

    Parameters
    ----------
    dag, operator
        A DAG with an origin, and whose operand it is.
    slot
        A list of references of a certificate.
    limit
        How many there may be.
    """
    if not isinstance(slot, list) or not 1 <= len(slot) <= limit:
        raise CertificateError("slots", f"are no lists of 1 to {limit} references")
    return [reference_from(require_origin(dag), operator, reference) for reference in slot]


def operands(dag: CDAG, updates: Int32Array, references: list[Reference]) -> Vertices:
    """(u,) the operand of each update that one of the references names, or `HEAD`.

    Parameters
    ----------
    dag
        A DAG with an origin.
    updates
        (u,) vertices.
    references
        Which operand is meant; the first that an update has.
    """
    origin = require_origin(dag)
    operands_found = np.full(updates.size, HEAD, np.int32)
    for reference in references:
        _kernels.find_operands(
            dag.pred_indptr,
            dag.pred_indices,
            origin.made_by,
            origin.points,
            updates,
            reference.made_by,
            np.array(reference.loops, np.int64),
            np.array(reference.offsets, np.int64),
            operands_found,
        )
    return operands_found
