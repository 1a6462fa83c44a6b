"""Readers of loop nests, which are never run: C text, Python text, and a library of them."""

from dags.programs.text.c_text import from_c
from dags.programs.text.python_text import from_python

__all__ = ["from_c", "from_python"]
