"""Loop nests of users as DAGs: C text, Python text, and a library of them.

- `from_c` and `from_python` read text, which is never run, to a `Program` (`nest`).
- `instantiate` lays out the DAG of a program at given sizes; `survey` counts it without that.
"""

from dags.programs.c_text import from_c
from dags.programs.layout import instantiate
from dags.programs.nest import Program, ProgramError
from dags.programs.python_text import from_python

__all__ = ["Program", "ProgramError", "from_c", "from_python", "instantiate"]
