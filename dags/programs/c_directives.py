"""The preprocessor of C: which lines count, and what is defined.

Conditions on what the text itself defines are decided (``#ifdef``, ``#if 0``, ``#if
defined(N)``); lines behind any other condition are refused where they matter.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from dags.programs.c_macros import Macro
from dags.programs.c_tokens import Token, row_tokens
from dags.programs.errors import ProgramError

_DIRECTIVE: Final = re.compile(r"\s*#\s*(\w*)\s*(.*?)\s*$", re.DOTALL)
_DEFINE: Final = re.compile(r"([A-Za-z_]\w*)(\(([^)]*)\))?(.*)", re.DOTALL)
_DEFINED: Final = re.compile(r"(!?)\s*defined\s*(?:\(\s*(\w+)\s*\)|(\w+))")


@dataclass
class Directives:
    """The state of the preprocessor.

    Parameters
    ----------
    macros
        What is defined.
    """

    macros: dict[str, Macro] = field(default_factory=dict)
    _counts: list[bool | None] = field(default_factory=list)  # of each open condition
    _before: list[bool | None] = field(default_factory=list)  # whether a branch before did

    @property
    def counts(self) -> bool | None:
        """True if lines here are compiled, False if not; None if that is not known."""
        if False in self._counts:
            return False
        return None if None in self._counts else True

    def row(self, row: str, line: int) -> None:
        """Follow one line that begins with ``#``."""
        found = _DIRECTIVE.match(row)
        word, rest = found.groups() if found else ("", "")
        if word in ("if", "ifdef", "ifndef"):
            self._open(self._decided(word, rest))
        elif word in ("elif", "else", "endif"):
            if not self._counts:
                raise ProgramError(f"#{word} has no #if before it", line)
            self._next(word, rest)
        elif word == "define" and self.counts is not False:
            self._define(rest, line)
        elif word == "undef" and self.counts is not False and rest in self.macros:
            self._refuse(rest, f"{rest} is defined only in a part of the text")

    def end(self, line: int) -> None:
        """Raise ProgramError if a condition is open at the end of the text."""
        if self._counts:
            raise ProgramError("an #if is not closed by #endif", line)

    def _open(self, holds: bool | None) -> None:
        self._counts.append(holds)
        self._before.append(holds)

    def _next(self, word: str, rest: str) -> None:
        """Close the innermost branch, and open the next one unless it was the last."""
        self._counts.pop()
        before = self._before.pop()
        if word == "endif":
            return
        holds = True if word == "else" else self._decided("if", rest)
        if before is not False:
            holds = False if before or holds is False else None
        self._counts.append(holds)
        self._before.append(True if before or holds else _either(before, holds))

    def _decided(self, word: str, rest: str) -> bool | None:
        """Return whether a condition holds; None if that is not known."""
        if word != "if":
            return (rest in self.macros) == (word == "ifdef")
        found = _DEFINED.fullmatch(rest)
        if found:
            return ((found[2] or found[3]) in self.macros) != bool(found[1])
        return bool(int(rest)) if rest.isdecimal() and len(rest) < 10 else None

    def _define(self, rest: str, line: int) -> None:
        found = _DEFINE.match(rest)
        if found is None:
            return
        name, has_parameters, inside, body = found.groups()
        names = tuple(part.strip() for part in (inside or "").split(",") if part.strip())
        try:
            tokens = tuple(row_tokens(body, line))
        except ProgramError:
            tokens = ()
            self._refuse(name, f"what {name} is defined as in line {line} is not read")
            return
        macro = Macro(names if has_parameters else None, tokens)
        known = self.macros.get(name)
        if any(not each.isidentifier() for each in names):
            self._refuse(name, f"what {name} is defined as in line {line} is not read")
        elif self.counts is None:
            self._refuse(name, f"whether line {line} defines {name} is not known")
        elif known is not None and known.meaning != macro.meaning:
            self._refuse(name, f"{name} is defined twice")
        else:
            self.macros[name] = macro

    def _refuse(self, name: str, reason: str) -> None:
        self.macros[name] = Macro(None, (Token("name", name, 0),), reason)


def _either(one: bool | None, other: bool | None) -> bool | None:
    return None if one is None or other is None else one or other
