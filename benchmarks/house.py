"""Lines, code, modules, rooms and arrows of the product, by package, in two commits and more.

    python benchmarks/house.py 1526d98 HEAD           a table
    python benchmarks/house.py 1526d98 HEAD --write   into docs/internals.md

Code is lines without docstrings, comments and blanks. A room is a folder or a module at the first
level of a package, an arrow a pair of rooms of which one imports the other.
"""

import argparse
import ast
import io
import subprocess
import tarfile
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "internals.md"
BEGIN, END = "<!-- house -->", "<!-- end of house -->"
PACKAGES = ("dags", "pebble", "schedulers", "proofs", "machines", "redblue")
BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
Sources = Mapping[PurePosixPath, str]


def sources_of(commit: str) -> Sources:
    """Return the texts of the Python files of a commit, by path."""
    archive = subprocess.run(
        ["git", "-C", ROOT, "archive", commit], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        return {
            PurePosixPath(each.name): files.extractfile(each).read().decode()  # type: ignore[union-attr]
            for each in files
            if each.isfile() and each.name.endswith(".py")
        }


def code_lines(text: str) -> int:
    """Return the number of lines that hold code, docstrings apart."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in BLANK:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        text_alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text_alone and isinstance(node.value.value, str):
            found.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(found)


def imported(path: PurePosixPath, text: str) -> Iterator[str]:
    """Yield the names of modules that a file imports, from whatever part of it."""
    package = path.parent.parts
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*up, *(node.module or "").split("."))).strip(".")
            yield from (f"{module}.{each.name}" for each in node.names)


def rooms_of(sources: Sources, package: str) -> tuple[set[str], set[tuple[str, str]]]:
    """Return the rooms of a package and the arrows between them."""
    of = {path: path.parts[1].removesuffix(".py") for path in sources}
    rooms = set(of.values()) - {"__init__"}
    arrows = set()
    for path, text in sources.items():
        for name in imported(path, text):
            top, _, rest = name.partition(".")
            arrows.add((of[path], rest.split(".")[0] if top == package else ""))
    return rooms, {(one, other) for one, other in arrows if other in rooms - {one} and one in rooms}


def rows(commits: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| package | commit | modules | lines | code | rooms | arrows |"
    yield "|---|---|---|---|---|---|---|"
    trees = {commit: sources_of(commit) for commit in commits}
    for package in (*PACKAGES, "all"):
        for commit, sources in trees.items():
            some = {p: t for p, t in sources.items() if p.parts[0] == package}
            if package == "all":
                some = {p: t for p, t in sources.items() if p.parts[0] in PACKAGES}
            if not some:
                continue
            numbers = [len(some), sum(len(t.splitlines()) for t in some.values())]
            numbers.append(sum(map(code_lines, some.values())))
            ends = ["", ""] if package == "all" else map(len, rooms_of(some, package))
            cells = (package, commit, *(f"{each:,}" for each in numbers), *ends)
            yield f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print a table of the product at some commits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commits", nargs="+")
    parser.add_argument("--write", action="store_true", help="in place of the table of the page")
    arguments = parser.parse_args()
    table = "\n".join(rows(arguments.commits))
    print(table)
    if arguments.write:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
