"""Lower bounds: numbers of words that no legal play can do without. `BOUNDS` lists the methods."""

from dags import UnknownNameError
from proofs.base import Bound, BoundMethod
from proofs.compulsory import compulsory

BOUNDS: dict[str, BoundMethod] = {
    "compulsory": compulsory,
}


def bound_named(name: str) -> BoundMethod:
    """Return the method called `name`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name not in BOUNDS:
        raise UnknownNameError("bound", name, BOUNDS)
    return BOUNDS[name]


__all__ = ["BOUNDS", "Bound", "BoundMethod", "bound_named", "compulsory"]
