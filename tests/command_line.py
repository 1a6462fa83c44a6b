"""The command line, run inside this process."""

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from redblue.cli import run


@dataclass(frozen=True)
class Ending:
    """What a command left: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def sentence(self):
        """The one line that a failed command says, without the name of the program."""
        assert self.out == ""
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        program, _, sentence = self.err.strip().partition("redblue: ")
        assert not program
        assert sentence
        return sentence


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        """Return that it is one."""
        return True


def on_a_terminal(*arguments, columns=80):
    """Run ``redblue`` with `arguments` on a terminal of so many columns."""
    with patch.dict(os.environ, {"COLUMNS": str(columns), "TERM": "xterm"}):
        return run_redblue(*arguments, stream=Terminal)


def run_redblue(*arguments, stream=io.StringIO):
    """Run ``redblue`` with `arguments`; what it does not foresee is raised."""
    out, err = stream(), stream()
    argv = patch.object(sys, "argv", ["redblue", *map(str, arguments)])
    code = 0
    with argv, redirect_stdout(out), redirect_stderr(err):
        try:
            run()
        except SystemExit as exit_:
            code = exit_.code or 0
    return Ending(code, out.getvalue(), err.getvalue())
