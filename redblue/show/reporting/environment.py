"""Environment of a report: versions and the machine, without its name."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from redblue.version import __version__

PACKAGES = ("numpy", "numba", "scipy", "ortools", "networkx", "matplotlib", "plotly")


def environment() -> dict[str, str]:
    """Return versions of Python and of the packages that compute, and the kind of machine."""
    return {
        "machine": f"{os.cpu_count() or 1} cores, {platform.machine()}, {platform.system()}",
        "Python": platform.python_version(),
        "redblue": __version__,
        **{name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
