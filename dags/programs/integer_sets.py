"""The library of integer sets, where the extra `affine` is installed; `isl` is None elsewhere."""

from collections.abc import Sequence
from typing import Any

try:
    import islpy
except ImportError:
    islpy = None

isl: Any = islpy


def parameters(count: int) -> str:
    """Return the list of sizes n0, n1, ... with which relations begin."""
    return f"[{','.join(f'n{place}' for place in range(count))}]"


def sizes_from(least: Sequence[int]) -> Any:
    """Return the set of all sizes that are at least so large each."""
    limits = " and ".join(f"n{place} >= {value}" for place, value in enumerate(least)) or "0 = 0"
    return isl.Set(f"{parameters(len(least))} -> {{ : {limits} }}")
