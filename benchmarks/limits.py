"""How far commands go beyond their time limits.

    python benchmarks/limits.py            every command, size and limit
    python benchmarks/limits.py --quick    the small sizes at a limit of a second
    python benchmarks/limits.py --only curve,plan

A command's time is that of its process less that of one which only starts: it imports what the
command imports. Each has a DAG of 10^2, of 5 x 10^3 and of 10^6 vertices (`play` takes small ones
alone). A command that is done before its limit is below it. A machine that is shared makes what is
beyond larger.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

DAGS = {
    "10^2": "fft:n=16",
    "5 x 10^3": "random_layered:n=5000,seed=1",
    "10^6": "random_layered:n=1000000,seed=1",
}
COMMANDS = {
    "solve": ["solve", "{spec}", "--memory", "64"],
    "solve, recompute": ["solve", "{spec}", "--memory", "64", "--rules", "recompute"],
    "bound": ["bound", "{spec}", "--memory", "64"],
    "curve": ["curve", "{spec}", "--memory", "64,128"],
    "curve, search": [
        "curve",
        "{spec}",
        "--memory",
        "64",
        "--schedulers",
        "search",
        "--bounds=wavefront",
    ],
    "compare": ["compare", "{spec}", "fft:n=1024", "--memory", "64"],
    "plan": ["plan", "{spec}", "--memory", "64"],
    "law": ["law", "{spec}"],
    "report": ["report", "{spec}", "--memory", "64,128", "--out", "{page}"],
    "play": ["play", "{spec}", "--memory", "8", "--out", "{page}"],
}
SMALL = ("play",)  # commands that take no other DAGs
STARTS = {
    "solve": "import redblue.cli.solve_command, redblue.racing.solving",
    "bound": "import proofs, redblue.answers.results",
    "curve": "import redblue.answers.curves.curve",
    "compare": "import redblue.answers.comparison.compare",
    "plan": "import redblue.answers.planning.plans",
    "law": "import redblue.laws.fit",
    "report": "import redblue.answers.evidence",
    "play": "import redblue.racing.solving, redblue.show.player",
}
LIMITS = (1.0, 5.0, 20.0)


def seconds_of(command: Sequence[str]) -> tuple[float, float, int]:
    """The seconds by the clock, those of the processor, and the exit code of a command."""
    before, began = _processor(), time.monotonic()
    code = subprocess.run(command, capture_output=True, check=False).returncode
    return time.monotonic() - began, _processor() - before, code


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print a line for each command, size and limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", metavar="NAMES", help="commands, with commas")
    arguments = parser.parse_args()
    quick, only = arguments.quick, arguments.only
    chosen = COMMANDS if only is None else {name: COMMANDS[name] for name in only.split(",")}
    sizes = list(DAGS)[: 2 if quick else 3]
    print(f"{'command':18}{'vertices':>10}{'limit':>7}{'starts':>8}{'took':>8}{'over':>8}"
          f"{'allowed':>9}{'processor':>11}{'code':>6}")  # fmt: skip
    worst = 0.0
    page = str(Path(tempfile.mkdtemp()) / "page.html")
    for name, template in chosen.items():
        start = [sys.executable, "-c", STARTS[template[0]]]
        for size in sizes[: 1 if name in SMALL else 3]:
            for limit in LIMITS[: 1 if quick else 3]:
                parts = [part.format(spec=DAGS[size], page=page) for part in template]
                command = [sys.executable, "-m", "redblue", *parts, "--time-limit", f"{limit}"]
                starts = seconds_of(start)[0]
                took, used, code = seconds_of(command)
                over, allowed = took - starts - limit, 1 + 0.05 * limit
                worst = max(worst, over - allowed)
                print(f"{name:18}{size:>10}{limit:>7g}{starts:>8.2f}{took:>8.2f}{over:>+8.2f}"
                      f"{allowed:>9.2f}{used:>11.2f}{code:>6}", flush=True)  # fmt: skip
    print(f"beyond what is allowed, at the most: {max(worst, 0):.2f} s")


if __name__ == "__main__":
    main()
