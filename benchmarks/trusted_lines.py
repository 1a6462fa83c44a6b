"""What verdicts on certificates rest on: lines of the checker, kinds, theorems, tables of kinds.

    python benchmarks/trusted_lines.py [--json]

Of each kind, the lines that all of its certificates rest on, beside proofs inside them
(`proofs.trusted`; `redblue check --lines` has those of one certificate). Lines are all lines of the
files: code, docstrings and comments.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import proofs
from proofs.certificates import CHECKERS, OF_NESTS
from proofs.certificates.pieces.piece import PieceLemma
from proofs.core.windows import Lemma
from proofs.lemmas.theorems import THEOREMS
from proofs.trusted import lines_of, places_of_kind

ROOT = Path(proofs.__file__).parent
CHECKER = "core", "lemmas", "certificates"  # folders


def tables() -> list[str]:
    """The tables of kinds: dictionaries of lemmas in modules of the checker."""
    results: dict[int, str] = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith(tuple(f"proofs.{folder}" for folder in CHECKER)):
            for entry, value in vars(module).items():
                lemmas = isinstance(value, dict) and [*value.values()]
                if lemmas and all(isinstance(lemma, Lemma | PieceLemma) for lemma in lemmas):
                    results.setdefault(id(value), f"{name}.{entry}")
    return sorted(results.values())


def record() -> dict[str, Any]:
    """All numbers."""
    files = [file for folder in CHECKER for file in (ROOT / folder).rglob("*.py")]
    kinds = {kind: lines_of(places_of_kind(kind)) for kind in sorted(CHECKERS)}
    everything = frozenset(place for kind in CHECKERS for place in places_of_kind(kind))
    return {
        "lines": sum(len(file.read_text().splitlines()) for file in files),
        "reached": lines_of(everything),
        "modules": len(files),
        "kinds": len(CHECKERS),
        "kinds_of_nests": len(OF_NESTS),
        "theorems": len(THEOREMS),
        "tables": tables(),
        "lines_of_kind": kinds,
    }


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    result = record()
    if parser.parse_args().json:
        print(json.dumps(result, indent=1))
        return
    print(
        f"{result['lines']:,} lines in {result['modules']} modules of {', '.join(CHECKER)}, ",
        end="",
    )
    print(f"{result['reached']:,} of them in what some kind leads to;")
    print(f"{result['kinds']} kinds, {result['kinds_of_nests']} of them of nests; ", end="")
    print(f"{result['theorems']} theorems; tables of kinds: {', '.join(result['tables'])}\n")
    print("| kind | lines |\n|---|--:|")
    for kind, lines in sorted(result["lines_of_kind"].items(), key=lambda first: -first[1]):
        print(f"| `{kind}` | {lines:,} |")


if __name__ == "__main__":
    main()
