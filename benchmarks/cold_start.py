"""What the first curve costs where Numba has compiled nothing yet, and what the next one costs.

    python benchmarks/cold_start.py                        the first curve of the README
    python benchmarks/cold_start.py curve fft:n=1024       any command of redblue

The command runs in processes of its own: first with an empty cache of compiled kernels, then
with the cache that the first left. CPU seconds are those of the process and its children, so that
a machine shared with others tells the same. Kernels and their variants (one for each combination
of argument types) are counted in the cache.
"""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README_CURVE = ["curve", "fft:n=65536", "--memory", "16:4096", "--out", "out"]
MAIN = "from redblue.cli import main; main()"


@dataclass(frozen=True)
class Start:
    """What one run of a command cost: CPU and elapsed seconds."""

    name: str
    cpu: float
    elapsed: float


def run(name: str, arguments: list[str], room: Path) -> Start:
    """Run a redblue command in `room`, with the compiled kernels that are there."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(room / "kernels"),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
    }
    began = os.times().elapsed
    child = os.fork()
    if child == 0:
        os.chdir(room)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.execve(sys.executable, [sys.executable, "-c", MAIN, *arguments], environment)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"redblue {' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return Start(name, usage.ru_utime + usage.ru_stime, os.times().elapsed - began)


def compiled(room: Path) -> tuple[int, int]:
    """Return how many kernels the cache has, and how many variants of them."""
    kernels = len(list((room / "kernels").rglob("*.nbi")))
    return kernels, len(list((room / "kernels").rglob("*.nbc")))


def main() -> None:
    arguments = sys.argv[1:] or README_CURVE
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        starts = [run("cold", arguments, room), run("warm", arguments, room)]
        kernels, variants = compiled(room)
    print(f"redblue {' '.join(arguments)}\n")
    print("| kernels compiled | CPU seconds | elapsed |\n|---|---|---|")
    for start in starts:
        print(f"| {start.name} | {start.cpu:.1f} | {start.elapsed:.1f} |")
    cold, warm = starts
    print(
        f"\n{kernels} kernels in {variants} variants; {cold.cpu - warm.cpu:.1f} s to compile them"
    )


if __name__ == "__main__":
    main()
