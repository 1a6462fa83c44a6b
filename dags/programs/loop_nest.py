"""Programs that lay out their own DAG, as the readers return them."""

from dataclasses import dataclass
from typing import Any

from dags.cdag.value import CDAG
from dags.programs.layout import OPTIONS, instantiate
from dags.programs.nest import Program


@dataclass(frozen=True)
class LoopNest(Program):
    """A `Program` that was read from text, and lays out its DAG."""

    def dag(self, /, **sizes_and_options: Any) -> CDAG:
        """Return the DAG at given sizes: ``nest.dag(N=24, live=["A"], level="operation")``.

        Parameters
        ----------
        sizes_and_options
            A value for each size; `level`, `live`, `constants` and `max_vertices` are arguments
            of `instantiate`, which also says what is raised.
        """
        options = {key: sizes_and_options.pop(key) for key in OPTIONS & sizes_and_options.keys()}
        return instantiate(self, sizes_and_options, **options)
