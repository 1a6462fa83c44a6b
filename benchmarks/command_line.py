"""Visible options of each command, and the sentences of its help that are longest.

python benchmarks/command_line.py
"""

import re
from collections.abc import Iterator
from typing import Any

from redblue.cli import command

LONGEST = 30  # words of a sentence
END = re.compile(r"(?<=[.;!?])\s+(?=[A-Z\"'-])|\n\n")


def commands(parsed: Any, path: str = "redblue") -> Iterator[tuple[str, Any]]:
    """Yield a command and all below it, with their names."""
    yield path, parsed
    for name, below in getattr(parsed, "commands", {}).items():
        yield from commands(below, f"{path} {name}")


def options(parsed: Any, *, hidden: bool = False) -> list[Any]:
    """The options of a command that its help shows, or those that it hides."""
    parameters = [param for param in parsed.params if param.param_type_name == "option"]
    return [option for option in parameters if bool(option.hidden) == hidden]


def sentences(parsed: Any) -> Iterator[str]:
    """Yield the sentences of the help of a command, of its arguments and of its options."""
    for text in (parsed.help, *(getattr(param, "help", None) for param in parsed.params)):
        yield from filter(None, END.split(text or ""))


def main() -> None:
    """Print a line for each command, and the sentences that are too long."""
    visible = hidden = 0
    long = []
    for path, parsed in commands(command()):
        shown, kept = len(options(parsed)), len(options(parsed, hidden=True))
        visible, hidden = visible + shown, hidden + kept
        print(f"{shown:4} {kept:4} {path}")
        long += [f"{path}: {text}" for text in sentences(parsed) if len(text.split()) > LONGEST]
    print(f"{visible:4} {hidden:4} visible and hidden options in all")
    print(f"{len(long)} sentences of more than {LONGEST} words", *long, sep="\n")


if __name__ == "__main__":
    main()
