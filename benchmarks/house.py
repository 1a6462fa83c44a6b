"""Lines, code, modules, rooms and arrows of the product, by package, in two commits and more.

    python benchmarks/house.py 1526d98 HEAD           a table
    python benchmarks/house.py 1526d98 HEAD --write   into docs/internals.md
    python benchmarks/house.py d070518f HEAD --answers   what stands between a computation and
                                                         one answer to a question

Code is lines without docstrings, comments and blanks. A room is a folder or a module at the first
level of a package, an arrow a pair of rooms of which one imports the other.

Of `--answers`: a **fork** is a module of the command line that imports what decides whether a DAG
is built, or closed formulas; a **lookup** of checkers is a function that takes one from a table by
its kind; a command **is the API's** if it imports the function of `redblue` of its name, or one
whose answer that returns; a **clock** is a module that reads the time.
"""

import argparse
import ast
import io
import subprocess
import tarfile
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "internals.md"
BEGIN, END = "<!-- house -->", "<!-- end of house -->"
PACKAGES = ("dags", "pebble", "schedulers", "proofs", "machines", "redblue")
BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
Sources = Mapping[PurePosixPath, str]


def sources_of(commit: str) -> Sources:
    """The texts of the Python files of a commit, by path."""
    archive = subprocess.run(
        ["git", "-C", ROOT, "archive", commit], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        return {
            PurePosixPath(file.name): files.extractfile(file).read().decode()  # type: ignore[union-attr]
            for file in files
            if file.isfile() and file.name.endswith(".py")
        }


def sources_here() -> Sources:
    """The texts of the Python files of the product as they are, by path."""
    paths = (path for package in PACKAGES for path in (ROOT / package).glob("**/*.py"))
    return {PurePosixPath(path.relative_to(ROOT).as_posix()): path.read_text() for path in paths}


def code_lines(text: str) -> int:
    """The number of lines that hold code, docstrings apart."""
    names_found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in BLANK:
            names_found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        text_alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text_alone and isinstance(node.value.value, str):
            names_found.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(names_found)


@cache
def tree_of(text: str) -> ast.Module:
    """The syntax tree of a text."""
    return ast.parse(text)


def imported(path: PurePosixPath, text: str) -> Iterator[str]:
    """Yield the names of modules that a file imports, from whatever part of it."""
    package = path.parent.parts
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*up, *(node.module or "").split("."))).strip(".")
            yield from (f"{module}.{name.name}" for name in node.names)


def rooms_of(sources: Sources, package: str) -> tuple[set[str], set[tuple[str, str]]]:
    """The rooms of a package and the arrows between them."""
    of = {path: path.parts[1].removesuffix(".py") for path in sources}
    rooms = set(of.values()) - {"__init__"}
    arrows = set()
    for path, text in sources.items():
        for name in imported(path, text):
            top, _, remaining = name.partition(".")
            arrows.add((of[path], remaining.split(".")[0] if top == package else ""))
    return rooms, {
        (first, second) for first, second in arrows if second in rooms - {first} and first in rooms
    }


FORKS = ("redblue.cli.counted_answers", "redblue.answers.building", "redblue.answers.counted")
CLOCKS = {"perf_counter", "monotonic", "process_time"}
GAME = {"dag", "memory", "rules"}
API = PurePosixPath("redblue/__init__.py")


def functions_of(text: str) -> Iterator[ast.FunctionDef]:
    """Yield the functions and methods of a module."""
    return (node for node in ast.walk(tree_of(text)) if isinstance(node, ast.FunctionDef))


def called(tree: ast.AST) -> Iterator[str]:
    """Yield the last names of what is called in a tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", getattr(node.func, "id", ""))


def has_lookup(function: ast.AST) -> bool:
    """Whether a function takes a checker from a table, and asks it for words."""
    attributes = (node for node in ast.walk(function) if isinstance(node, ast.Attribute))
    return any(
        node.attr == "words"
        and isinstance(node.value, ast.Subscript)
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id.isupper()
        for node in attributes
    )


def answered_by(text: str) -> dict[str, set[str]]:
    """The functions of the API, with the names of those whose answers they return."""
    return {
        function.name: {function.name}
        | {
            name
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value is not None
            for name in called(node.value)
        }
        for function in functions_of(text)
    }


def answers(sources: Sources) -> dict[str, int]:
    """The numbers of what stands between a computation and one answer."""
    product = {path: text for path, text in sources.items() if path.parts[0] in PACKAGES}
    line = {path: text for path, text in product.items() if path.parts[:2] == ("redblue", "cli")}
    public = (PurePosixPath(*name.split(".")) for name in imported(API, product.get(API, "")))
    by_module: dict[str, set[str]] = {}
    for path in public:
        functions_there = answered_by(product.get(path.parent.with_suffix(".py"), ""))
        by_module |= {path.name: functions_there[path.name]} if path.name in functions_there else {}
    commands = {
        path.stem.removesuffix("_command"): {
            name.rpartition(".")[2] for name in imported(path, text) if name.startswith("redblue.")
        }
        for path, text in line.items()
        if path.stem.removesuffix("_command") in by_module
    }
    functions = [
        (path.parts[0], function)
        for path, text in product.items()
        for function in functions_of(text)
    ]
    takers = (
        {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
        for _, function in functions
    )
    return {
        "forks, in modules of the command line": sum(
            any(name.startswith(FORKS) for name in imported(path, text))
            for path, text in line.items()
        ),
        "modules of answers by closed formulas": sum(
            "counted" in path.parts or path.stem == "counted_answers"
            for path in product
            if path.parts[0] == "redblue"
        ),
        "lookups of checkers": sum(
            has_lookup(function) for package, function in functions if package == "proofs"
        ),
        "commands with a function of the API": len(commands),
        "commands that are the API's": sum(
            bool(names & by_module[command]) for command, names in commands.items()
        ),
        "functions that take dag, memory and rules": sum(names >= GAME for names in takers),
        "modules with a clock": sum(
            not CLOCKS.isdisjoint(called(tree_of(text))) for text in product.values()
        ),
    }


def answer_rows(commits: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the table of `answers`."""
    counts = {commit: answers(sources_of(commit)) for commit in commits}
    yield f"| what | {' | '.join(counts)} |"
    yield "|---" * (len(counts) + 1) + "|"
    for name in next(iter(counts.values())):
        yield f"| {name} | {' | '.join(str(numbers[name]) for numbers in counts.values())} |"


def rows(commits: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| package | commit | modules | lines | code | rooms | arrows |"
    yield "|---|---|---|---|---|---|---|"
    trees = {commit: sources_of(commit) for commit in commits}
    for package in (*PACKAGES, "all"):
        for commit, sources in trees.items():
            chosen = {p: t for p, t in sources.items() if p.parts[0] == package}
            if package == "all":
                chosen = {p: t for p, t in sources.items() if p.parts[0] in PACKAGES}
            if not chosen:
                continue
            numbers = [len(chosen), sum(len(t.splitlines()) for t in chosen.values())]
            numbers.append(sum(map(code_lines, chosen.values())))
            ends = ["", ""] if package == "all" else map(len, rooms_of(chosen, package))
            cells = (package, commit, *(f"{number:,}" for number in numbers), *ends)
            yield f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print a table of the product at some commits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commits", nargs="+")
    parser.add_argument("--write", action="store_true", help="in place of the table of the page")
    parser.add_argument("--answers", action="store_true", help="the second table")
    arguments = parser.parse_args()
    if arguments.answers:
        print("\n".join(answer_rows(arguments.commits)))
        return
    table = "\n".join(rows(arguments.commits))
    print(table)
    if arguments.write:
        before, remaining = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{remaining.split(END)[1]}")


if __name__ == "__main__":
    main()
