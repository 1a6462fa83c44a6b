"""Names that are pronouns or fillers, among the names that the code stores, by package.

    python benchmarks/names.py                      a table, and the words that are stored most
    python benchmarks/names.py --list dags pebble   where they are

A stored name is one that is assigned to, by a loop or a comprehension too, and a parameter. A
reader who meets `each` or `found` has to look for the thing that it is; a noun says it.
"""

import argparse
import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("dags", "pebble", "schedulers", "proofs", "redblue", "tests", "benchmarks")
MOST_SHARE = 0.03
PRONOUNS = """each every some one ones other others another mine own same such both all any none
it its this that these those which what who whom whose how where when whole rest"""
ADVERBS = "here there now then again away apart alone along gone by at"
PARTICIPLES = "found given made told said taken most least more less many much few"
PLACEHOLDERS = "thing things stuff foo tmp temp"
FILLERS = frozenset(" ".join((PRONOUNS, ADVERBS, PARTICIPLES, PLACEHOLDERS)).split())


def stored(tree: ast.Module) -> Iterator[ast.Name | ast.arg]:
    """The places where a file stores a name."""
    for node in ast.walk(tree):
        is_parameter = isinstance(node, ast.arg) and node.arg not in ("self", "cls")
        if is_parameter or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            yield node


def name_of(node: ast.Name | ast.arg) -> str:
    """The name that is stored."""
    return node.id if isinstance(node, ast.Name) else node.arg


def places(folder: str) -> Iterator[tuple[str, int, str]]:
    """Path, line and name of each place of a folder that stores a name."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in stored(ast.parse(path.read_text())):
            yield str(path.relative_to(ROOT)), node.lineno, name_of(node)


def shares() -> dict[str, tuple[int, int]]:
    """The number of stored names of each folder, and of those that are fillers."""
    counts = {}
    for folder in FOLDERS:
        names = [name for _, _, name in places(folder)]
        counts[folder] = len(names), sum(name in FILLERS for name in names)
    return counts


def main() -> None:
    """Print a table of folders, and the fillers by how often they are stored."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", nargs="+", metavar="FOLDER", help="print where they are")
    arguments = parser.parse_args()
    if arguments.list:
        for folder in arguments.list:
            for path, line, name in places(folder):
                if name in FILLERS:
                    print(f"{path}:{line}: {name}")
        return
    counts = shares()
    total = tuple(map(sum, zip(*counts.values(), strict=True)))
    for folder, (names, fillers) in [*counts.items(), ("all", total)]:
        print(f"{folder:12}{names:8,} stored names{fillers:8,} fillers{fillers / names:8.1%}")
    words = Counter(name for folder in FOLDERS for _, _, name in places(folder) if name in FILLERS)
    print(", ".join(f"{name} {count}" for name, count in words.most_common()))


if __name__ == "__main__":
    main()
