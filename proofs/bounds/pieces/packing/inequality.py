"""One inequality on the excess of values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dags.arrays import Int64Array

Part = tuple[Int64Array, str, dict[str, Any]]  # vertices, kind of proof, its data


@dataclass(frozen=True)
class Inequality:
    """That values exceed the compulsory traffic by something; numbers are those of one piece.

    Parameters
    ----------
    vertices
        (u,) which values it uses.
    words
        (u,) how much of each: price times words is all.
    least
        By how many words they exceed, each counted in the share that is used.
    part
        Returns what a certificate says of it: vertices, the kind of proof, its data.
    """

    vertices: Int64Array
    words: Int64Array
    least: int
    part: Callable[[], Part]
