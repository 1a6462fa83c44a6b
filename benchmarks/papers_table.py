"""The tables of docs/papers.md: items of the five papers, each with its command and its check.

python benchmarks/papers_table.py [DIR]   runs all commands, and writes the tables between their
                                          marks; what they print is kept in DIR, and read from it

Items are in benchmarks/papers/, a file for each paper. An item is checked by a claim of the report,
whose verdict becomes its status, or by a text that its command must print.
"""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

HOME = Path(__file__).resolve().parents[1]
PAGE = HOME / "docs" / "papers.md"
BEGIN, END = "<!-- papers_table -->", "<!-- end -->"
PAPERS = ("kung", "many_core", "glasser_zukowski", "moreira", "bilardi")
STATUSES = ("recovered", "played", "proved", "corrected, played", "corrected", "recomputed")


@dataclass(frozen=True)
class Item:
    """An item of a paper: an equation, a theorem, a table or a statement.

    Parameters
    ----------
    where, what
        Its place in the paper, and what it says.
    command
        Checks it.
    claim
        How a claim of the report begins that the command makes; empty where `says` is looked for.
    says, status
        A text that the command prints, and what kind of check that is.
    note
        What a reader must know beside it.
    """

    where: str
    what: str
    command: str
    claim: str = ""
    says: str = ""
    status: str = ""
    note: str = ""


def papers() -> dict[str, tuple[Item, ...]]:
    """The items of each paper, by its title."""
    files = [
        tomllib.loads((HOME / "benchmarks/papers" / f"{name}.toml").read_text()) for name in PAPERS
    ]
    return {file["paper"]: tuple(Item(**item) for item in file["item"]) for file in files}


def output(command: str) -> str:
    """What a command prints; of a report, its data."""
    arguments = [sys.executable, "-m", "redblue", *shlex.split(command)[1:]]
    with TemporaryDirectory() as folder:
        if "report" in arguments:
            arguments += ["--json", "--out", f"{folder}/report.html"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout


def kept_output(command: str, kept: Path | None) -> str:
    """What a command prints, from the folder where that is kept if it is there."""
    if kept is None:
        return output(command)
    file = kept / f"{re.sub(r'[^a-z0-9]+', '-', command)}.txt"
    if not file.exists():
        file.write_text(output(command))
    return file.read_text()


def checked(item: Item, printed: str) -> tuple[str, str]:
    """The status of an item and what was found.

    Parameters
    ----------
    item
        The item.
    printed
        What its command printed.

    Raises
    ------
    LookupError
        If the claim is not made, or the text not printed.
    """
    if not item.claim:
        if item.says not in printed:
            raise LookupError(f"{item.command} does not print {item.says!r}")
        return item.status, f"prints “{item.says}”"
    claims = [claim for run in json.loads(printed)["runs"] for claim in run["experiment"]["claims"]]
    results = [claim for claim in claims if claim["statement"].startswith(item.claim)]
    if len(results) != 1:
        raise LookupError(f"{item.command} makes {len(results)} claims {item.claim!r}")
    return status_of(results[0]["verdict"], results[0]["kind"]), results[0]["measured"]


def status_of(verdict: str, kind: str) -> str:
    """The status of an item from the verdict on a claim, and where its numbers come from."""
    if verdict == "corrected":
        return "corrected, played" if kind == "plays" else "corrected"
    return {"confirmed": "proved" if kind == "proof" else "played"}.get(verdict, verdict)


def main() -> None:
    """Run all commands, and write the tables."""
    items = papers()
    commands = sorted({item.command for of_paper in items.values() for item in of_paper})
    kept = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    printed = {command: kept_output(command, kept) for command in commands}
    results = {
        paper: [checked(item, printed[item.command]) for item in of_paper]
        for paper, of_paper in items.items()
    }
    text = "\n\n".join([summary(results), *(table(p, items[p], results[p]) for p in items)])
    page = PAGE.read_text()
    before, remaining = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{remaining.split(END)[1]}")


def summary(result: dict[str, list[tuple[str, str]]]) -> str:
    """The table of how many items have which status."""
    rows = []
    for paper, of_paper in result.items():
        counts = Counter(status for status, _ in of_paper)
        rows.append([paper.split(",")[0], *(counts[status] for status in STATUSES), len(of_paper)])
    rows.append(
        ["all", *(sum(row[position] for row in rows) for position in range(1, len(STATUSES) + 2))]
    )
    return lines([["paper", *STATUSES, "items"], ["---"] * (len(STATUSES) + 2), *rows])


def table(paper: str, of_paper: tuple[Item, ...], result: list[tuple[str, str]]) -> str:
    """The items of a paper under its title."""
    rows = [
        [item.where, item.what, status, f"`{item.command}`", told(item, measured)]
        for item, (status, measured) in zip(of_paper, result, strict=True)
    ]
    heads = ["where", "item", "status", "command", "found"]
    return f"## {paper}\n\n" + lines([heads, ["---"] * len(heads), *rows])


def told(item: Item, measured: str) -> str:
    """What was found and the note, without what a table would take for its own."""
    return "; ".join(filter(None, (measured, item.note))).replace("|", "\\|")


def lines(rows: list[list[object]]) -> str:
    """Rows as Markdown."""
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


if __name__ == "__main__":
    main()
