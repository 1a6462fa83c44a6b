"""The border of ``import redblue``: computations, sizes of memory and rules, as users write them.

Every public function makes of them what engines and methods take by `load` and `rules_of` here, and
by `words_of` and `memories_of` in `words`; `dags.arguments.checked` refuses wrong types.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from dags import Computation
from dags.arguments import checked
from pebble import Rules, rules_named

# A computation, a specification, a path, a DAG, a NetworkX graph, or a graph of another tool.
Source: TypeAlias = Any
# Words of fast memory, or a text like "64", "64KB", "2MiB".
Memory: TypeAlias = int | str
# Several of them, one, or a text like "8:512".
Memories: TypeAlias = str | int | Iterable[int | str]
# Rules, or their name: "one-shot", "recompute", "one-shot-sliding", ...
RulesLike: TypeAlias = Rules | str


@checked
def load(source: Source, **options: Any) -> Computation:
    """The computation that `source` names or is.

    Its sizes are exact at any size; its DAG is built when it is first asked for.

    Parameters
    ----------
    source
        A specification like "fft:n=64" or "gemm.c:N=1024", a path, a DAG, a NetworkX graph, or a
        graph of another tool, as `dags.load` takes them.
    options
        Those of `dags.load`.

    Examples
    --------
    >>> load("matmul:n=100000").sizes.vertices
    1000020000000000
    >>> load("matmul:m=1,n=2,k=3").dag.n
    15
    """
    return Computation.of(source, **options)


def label_of(source: Source, spec: str = "") -> str:
    """The label in results: `spec`, or the specification or path of the computation."""
    if isinstance(source, Computation):
        return spec or source.spec
    return spec or (str(source) if isinstance(source, str | Path) else "")


def rules_of(rules: RulesLike) -> Rules:
    """Rules by their name, or as they are.

    Raises
    ------
    UnknownNameError
        If there are none of this name.
    """
    return rules_named(rules) if isinstance(rules, str) else rules
