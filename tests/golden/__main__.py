"""Compare golden answers with what is said now, or keep what is said now.

    python -m tests.golden [--write] [NAME ...]

NAME is a file of this folder; all, unless some are named. `--prove` finds the certificates anew.
"""

import argparse
import sys
import time

from tests.golden import files
from tests.golden.certificates import NAME, proved
from tests.golden.subjects import SUBJECTS


def main() -> int:
    """Compare or write; return how many subjects differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*SUBJECTS, []])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--prove", action="store_true")
    options = parser.parse_args()
    different = 0
    for name in options.names or SUBJECTS:
        began = time.process_time()
        anew = options.prove and name == NAME
        answers = dict(proved() if anew else SUBJECTS[name]())
        if options.write:
            files.keep(name, answers)
        result = list(files.differences(files.kept(name), answers))
        different += bool(result)
        seconds = time.process_time() - began
        lines = [f"{name}: {len(answers)} answers in {seconds:.1f} CPU seconds", *result]
        sys.stdout.write("\n  ".join(lines) + "\n")
    return different


if __name__ == "__main__":
    sys.exit(main())
