"""Build hook: wheels with compiled kernels, where the environment of the build has Numba.

`pip wheel --no-deps --no-build-isolation .` in an environment with all dependencies makes one: for
this Python and platform, and processors with what `dags.compiled.PORTABLE` names. Without Numba, as
pip isolates builds, the wheel is for all platforms, and `redblue compile` compiles.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles kernels into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what the wheel is for."""
        if (
            version == "editable"
            or machine() not in ("x86_64", "AMD64")
            or not all(map(find_spec, ("numba", "ortools", "typer")))
        ):
            return
        self.folder = mkdtemp()
        self.compile(Path(self.folder))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"][str(Path(self.folder, "kernels"))] = "dags/kernels"

    def compile(self, folder: Path) -> None:
        """Compile all kernels into a folder."""
        sys.path.insert(0, self.root)
        from dags.compiled import PORTABLE

        name, features = PORTABLE
        settings = {
            "NUMBA_CACHE_DIR": str(folder),
            "NUMBA_CPU_NAME": name,
            "NUMBA_CPU_FEATURES": features,
            "PYTHONPATH": self.root,
        }
        command = [sys.executable, "-m", "redblue", "compile"]
        subprocess.run(command, cwd=self.root, env=os.environ | settings, check=True)
