"""What a plan of memory has to do for single tensors: alignment, addresses, no spills, and views.

They are demands of a compiler on addresses and stays. The game knows none of them: its bounds hold
for every plan, and so for those that do as demanded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dags.arrays import MAX_TOTAL, Int32Array, Int64Array, lock, locked
from dags.errors import InvalidDAGError


@dataclass(frozen=True, eq=False)
class Demands:
    """Demands on the stays and addresses of the values of a DAG.

    Parameters
    ----------
    alignment
        (n,) every address of a value is a multiple of this, in bytes, or in words where the size
        of a word is not known.
    address
        (n,) the only address at which a value may be, in the same unit; -1 for any.
    unspilled
        (n,) whether a value has one stay in fast memory: it is neither loaded again nor computed
        again.
    aliases
        Names of views, and the vertex of the tensor that each shows: they have its address.

    Raises
    ------
    InvalidDAGError
        If the arrays are none of these.
    """

    alignment: Int64Array
    address: Int64Array
    unspilled: np.typing.NDArray[np.bool_]
    aliases: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, minimum in (("alignment", 1), ("address", -1)):
            column = locked(getattr(self, name), np.int64, name)
            if column.size and not minimum <= column.min() <= column.max() <= MAX_TOTAL:
                raise InvalidDAGError(f"{name} must be from {minimum} to 2^62, for each value")
            object.__setattr__(self, name, column)
        marks = np.asarray(self.unspilled)
        if marks.dtype != np.bool_ or marks.shape != self.alignment.shape:
            raise InvalidDAGError(
                f"unspilled must be {self.alignment.size} of bool, not {marks.shape} {marks.dtype}"
            )
        if self.address.size != self.alignment.size:
            raise InvalidDAGError(
                f"address has {self.address.size} entries, and alignment {self.alignment.size}"
            )
        object.__setattr__(self, "unspilled", lock(marks.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Demands, (self.alignment, self.address, self.unspilled, dict(self.aliases))

    def moved(self, order: Int32Array) -> "Demands":
        """The demands where vertex ``order[i]`` is called i."""
        position = np.empty(order.size, np.int32)
        position[order] = np.arange(order.size, dtype=np.int32)
        return Demands(
            lock(self.alignment[order]),
            lock(self.address[order]),
            lock(self.unspilled[order]),
            {name: int(position[v]) for name, v in self.aliases.items()},
        )
