"""What commands cost and answer where nothing is compiled, the next time, and after `compile`.

    python benchmarks/cold_start.py                          the commands below
    python benchmarks/cold_start.py curve fft:n=1024         any command of redblue
    python benchmarks/cold_start.py --before ../old          with columns of another checkout

Each command runs in processes of its own: with an empty cache of compiled kernels, then with the
cache that the first run left; those below then with the cache that `redblue compile` filled once
for all of them, where a checkout has it. CPU seconds are those of
the process and its children, so that a machine shared with others tells much the same; a limit on
time is one of the clock, and on a busy machine more is left undone.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (
    "solve fft:n=8 --memory 4",
    "solve fft:n=64 --memory 16 --time-limit 10",
    "solve matmul:n=8 --memory 24 --time-limit 10",
    "solve random_layered:n=300 --memory 24 --time-limit 10",
    "plan fft:n=8 --io-at-most 22",
    "curve fft:n=65536 --memory 16:4096 --out out",
)
MAIN = "from redblue.cli import main; main()"
WORDS = re.compile(r"^([\d,]+) words of I/O", re.MULTILINE)
BOUND = re.compile(r"(optimal), proved|at least ([\d,]+) are|fewer than ([\d,]+) words")


@dataclass(frozen=True)
class Start:
    """What one run of a command cost, what it compiled, and what it answered."""

    cpu: float
    elapsed: float
    kernels: int
    answer: str

    def __str__(self) -> str:
        return f"{self.cpu:.1f} ({self.elapsed:.1f}), {self.kernels}{self.answer}"


def run(root: Path, command: str, room: Path) -> Start:
    """Run a redblue command of a checkout in `room`, with the compiled kernels that are there."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(room / "cache"), "PYTHONPATH": str(root)}
    before, began = compiled(room), os.times()
    ending = subprocess.run(
        [sys.executable, "-c", MAIN, *command.split()],
        cwd=room,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    ended = os.times()
    if ending.returncode:
        sys.exit(f"redblue {command} ended with {ending.returncode}: {ending.stderr}")
    cpu = ended.children_user + ended.children_system - began.children_user - began.children_system
    answer = answered(ending.stdout) if command.startswith("solve") else ""
    return Start(cpu, ended.elapsed - began.elapsed, compiled(room) - before, answer)


def answered(text: str) -> str:
    """The words and the bound that `solve` tells."""
    words, bound = WORDS.search(text), BOUND.search(text)
    assert words is not None
    printed = "?" if bound is None else next(filter(None, bound.groups()))
    return f": {words[1]} / {printed}"


def compiled(room: Path) -> int:
    """How many kernels the cache has, one for each combination of argument types."""
    names = (path for path in room.joinpath("cache").rglob("*") if path.is_file())
    return sum(path.suffix != ".nbi" for path in names)


def starts(root: Path, commands: list[str], *, ready: bool) -> list[list[str]]:
    """The columns of one checkout, a cell a command; a third where it is to be ready."""
    cold, warm = [], []
    for command in commands:
        with tempfile.TemporaryDirectory() as folder:
            cold.append(str(run(root, command, Path(folder))))
            warm.append(str(run(root, command, Path(folder))))
    if not ready or not (root / "redblue" / "cli" / "compile_command.py").exists():
        return [cold, warm]
    with tempfile.TemporaryDirectory() as folder:
        print(f"redblue compile: {run(root, 'compile', Path(folder))}\n")
        return [cold, warm, [str(run(root, command, Path(folder))) for command in commands]]


def main() -> None:
    arguments = sys.argv[1:]
    roots = {"": ROOT}
    if arguments[:1] == ["--before"]:
        roots = {" before": Path(arguments[1]).resolve(), "": ROOT}
        arguments = arguments[2:]
    commands = [" ".join(arguments)] if arguments else list(COMMANDS)
    columns, names = [commands], ["command"]
    for time, root in roots.items():
        result = starts(root, commands, ready=not arguments)
        columns += result
        names += [f"{name}{time}" for name in ("cold", "warm", "compiled")[: len(result)]]
    print("CPU seconds (elapsed), kernels that were compiled: words / bound\n")
    print("| " + " | ".join(names) + " |\n|" + "---|" * len(names))
    for row in zip(*columns, strict=True):
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
