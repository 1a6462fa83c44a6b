"""Loop nests of users as DAGs.

- A `Program` (`nest`) is the result of readers in `text` of C, Python and a library.
- `instantiate` lays out the DAG of a program at given sizes; `survey` counts it without that.
"""

from dags.programs.layout import instantiate
from dags.programs.nest import Program, ProgramError

__all__ = ["Program", "ProgramError", "instantiate"]
