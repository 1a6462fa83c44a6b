"""The table of all refusals of loop nests: `docs/details/refusals.md`, made from the tests' texts.

`python -m tests.refusals` says whether the page is as the texts have it, and `--write` writes it.
Each text of the tests of readers and of emitted code is read anew; its row has the line and the
sentence. `places_unmet` lists the places in the code that refuse and that no text gets to.
"""

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from dags.errors import RedBlueError
from dags.programs.text import from_c, from_python
from dags.programs.text.library import polybench
from tests.test_dags.programs.test_refusals import (
    AT_SIZES,
    IN_C,
    IN_PYTHON,
    OF_FUNCTIONS,
    OUT_OF_RANGE,
)
from tests.test_redblue.emission.refused import EMITTED, SPECIFIED, emitted, specified

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "details" / "refusals.md"
LONGEST: Final = 160  # characters of a text that is shown
READERS: Final = ("text", "layout.py", "survey.py", "loop_table.py", "einsum.py")
EMISSION: Final = ("emission.py", "expressions.py", "source.py", "statements.py", "search.py")
TAKEN_BACK: Final = ("SplitNeededError", "ValueError")  # readers split loops, or read no table
HEAD: Final = """# What is refused, and what to write instead

The readers of loop nests never run a text, and never guess. What they do not read they refuse, in
one sentence with the line; commands then end with exit code 2. Each row is a text of the tests with
what is said of it. The page is made by `python -m tests.refusals --write`, and a test holds it
against the texts.
"""


@dataclass(frozen=True)
class Refusal:
    """A text that is refused.

    Parameters
    ----------
    text
        What is written.
    line, message
        The line that is named, if one is, and the sentence.
    places
        The places in the code that refuse it: files and lines.
    """

    text: str
    line: int | None
    message: str
    places: frozenset[tuple[str, int]]


def refusal(text: str, read: Callable[[], object]) -> Refusal:
    """How a text is refused; AssertionError if it is read."""
    try:
        read()
    except RedBlueError as error:
        places = frozenset(_places(error))
        line = getattr(error, "line", None)
        return Refusal(text, line, getattr(error, "message", str(error)), places)
    raise AssertionError(f"is read: {text[:200]}")


def _places(error: BaseException | None) -> Iterator[tuple[str, int]]:
    """Yield the places of the product where an error, and those behind it, come from."""
    while error is not None:
        place = _last(error.__traceback__)
        if place is not None:
            yield place
        error = error.__cause__ or error.__context__


def _last(trace: TracebackType | None) -> tuple[str, int] | None:
    place = None
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.is_relative_to(ROOT):
            place = (path.relative_to(ROOT).as_posix(), trace.tb_lineno)
        trace = trace.tb_next
    return place


def groups() -> dict[str, list[Refusal]]:
    """All refusals of the tests, by the headings of the page."""
    return {
        "C": [
            *(refusal(text, lambda text=text: from_c(text)) for text in IN_C),
            *(refusal(text, lambda text=text: from_c(text, "f")) for text in OF_FUNCTIONS),
            *(refusal(text, lambda text=text: from_c(text).dag()) for text, _ in OUT_OF_RANGE),
        ],
        "Python": [
            refusal(text, lambda text=text: from_python(text, "f"))
            for text in (f"def f(A, x, y, n, m):\n {body}" for body in IN_PYTHON)
        ],
        "Sizes and options": [
            *(
                refusal(
                    _given(options), lambda options=options: polybench("trisolv").dag(**options)
                )
                for options, _ in AT_SIZES
            ),
            *(refusal(spec, lambda spec=spec: specified(spec)) for spec in SPECIFIED),
        ],
        "Emitted code": [
            refusal(_called(case.text, case.options), lambda case=case: emitted(case))
            for case in EMITTED
        ],
    }


def _given(options: Mapping[str, Any]) -> str:
    """The arguments of a call of `polybench("trisolv").dag`."""
    return f"trisolv.dag({', '.join(f'{name}={value!r}' for name, value in options.items())})"


def _called(text: str, options: Mapping[str, Any]) -> str:
    """A text, and the options of `emit` that are beside it."""
    shown = ", ".join(f"{name}={value}" for name, value in options.items())
    return f"{text}\n[{shown}]" if options else text


def page() -> str:
    """The page."""
    tables = [
        _table(heading, [row for row in refusals if _is_shown(row)])
        for heading, refusals in groups().items()
    ]
    return "\n".join([HEAD, *tables])


def _is_shown(row: Refusal) -> bool:
    """Whether a text is short, and of characters that are printed."""
    return len(row.text) <= LONGEST and row.text.replace("\n", "").isprintable()


def _table(heading: str, rows: list[Refusal]) -> str:
    lines = [f"## {heading}\n", "| text | line | what is said |", "|---|---|---|"]
    lines += [f"| {_code(row.text)} | {row.line or ''} | {_prose(row.message)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """A text as code in a cell, a line below the other."""
    blank = "\u00a0"
    rows = [row or blank for row in text.split("\n")]
    spaces = [len(row) - len(row.lstrip(" ")) for row in rows]
    shown = [blank * count + row.lstrip(" ") for count, row in zip(spaces, rows, strict=True)]
    return "<br>".join(f"`{_cell(row)}`" for row in shown)


def _prose(text: str) -> str:
    """A sentence in a cell, where `A[i][j]` would be a link."""
    return _cell(text).replace("][", "]&#91;")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _is_refusal(raised: ast.expr | None) -> bool:
    """Whether what is raised is told to the user, and not taken back by a reader."""
    return isinstance(raised, ast.Call) and ast.unparse(raised.func) not in TAKEN_BACK


def places() -> dict[tuple[str, int, int], str]:
    """The places that refuse in readers and in emitted code: file, lines, and the function."""
    folders = [(ROOT / "dags" / "programs", READERS), (ROOT / "redblue" / "emission", EMISSION)]
    files = [
        file
        for folder, names in folders
        for name in names
        for file in (sorted((folder / name).glob("*.py")) or [folder / name])
    ]
    refusing: dict[tuple[str, int, int], str] = {}
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            for inner in ast.walk(node):
                if isinstance(inner, ast.Raise) and _is_refusal(inner.exc):
                    refusing[name, inner.lineno, inner.end_lineno or inner.lineno] = node.name
    return refusing


def places_unmet() -> dict[str, list[str]]:
    """Functions with a place that refuses and that no text gets to, and what it would say."""
    met = [place for rows in groups().values() for row in rows for place in row.places]
    unmet: dict[str, list[str]] = {}
    for (file, first, last), function in places().items():
        if not any(name == file and first <= line <= last for name, line in met):
            text = (ROOT / file).read_text(encoding="utf-8").splitlines()[first - 1 : last]
            key = f"{Path(file).stem}.{function}"
            unmet.setdefault(key, []).append(" ".join(row.strip() for row in text))
    return unmet


def main(arguments: list[str]) -> int:
    """Print whether the page is as the texts have it, or write it."""
    made = page()
    if "--write" in arguments:
        PAGE.write_text(made, encoding="utf-8")
    is_same = PAGE.read_text(encoding="utf-8") == made
    sys.stdout.write("the page is as the texts have it\n" if is_same else "the page differs\n")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
