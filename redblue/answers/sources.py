"""The border of ``import redblue``: computations, sizes of memory and rules, as users write them.

Every public function makes of them what engines and methods take by `load` and `rules_of` here, and
by `words_of` and `memories_of` in `words`; `dags.arguments.checked` refuses wrong types.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from dags import CDAG
from dags import load as load_dag
from dags.arguments import checked
from pebble import Rules, rules_named

# A DAG, a specification, a path, a NetworkX graph, or a graph of another tool.
Source: TypeAlias = Any
# Words of fast memory, or a text like "64", "64KB", "2MiB".
Memory: TypeAlias = int | str
# Several of them, one, or a text like "8:512".
Memories: TypeAlias = str | int | Iterable[int | str]
# Rules, or their name: "one-shot", "recompute", "one-shot-sliding", ...
RulesLike: TypeAlias = Rules | str


@checked
def load(source: Source, **options: Any) -> CDAG:
    """Return the DAG that `source` names or is.

    Parameters
    ----------
    source
        A DAG, a specification like "fft:n=64", a path, a NetworkX graph, or a graph of another
        tool, as `dags.load` takes them.
    options
        Those of `dags.load`.

    Examples
    --------
    >>> load("matmul:m=1,n=2,k=3").n
    15
    """
    return load_dag(str(source) if isinstance(source, Path) else source, **options)


def label_of(source: Source, spec: str = "") -> str:
    """Return the label of a DAG in results: `spec`, or the specification or path it comes from."""
    return spec or (str(source) if isinstance(source, str | Path) else "")


def rules_of(rules: RulesLike) -> Rules:
    """Return rules by their name, or as they are.

    Raises
    ------
    UnknownNameError
        If there are none of this name.
    """
    return rules_named(rules) if isinstance(rules, str) else rules
