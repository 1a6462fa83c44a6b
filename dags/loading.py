"""The table of generators, and the DAG of a specification or of an object of another tool."""

import sys
from pathlib import Path
from typing import Any

from dags.cdag.exchange import from_networkx
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families import FAMILIES
from dags.spec import Generator, build, leaves

GENERATORS: dict[str, Generator] = {name: FAMILIES[name].make for name in sorted(FAMILIES)}

# A specification of each that is small enough to look at.
EXAMPLES = {name: f"{name}:{FAMILIES[name].example}" for name in GENERATORS}


def load(
    source: Any,
    *,
    words: str | None = None,
    work: str | None = None,
    recognise: bool = True,
    family: str | None = None,
    **options: Any,
) -> CDAG:
    """The DAG that a specification names, or that an object of another tool is.

    A DAG of another origin is compared with those of generators: `CDAG.recognised` says which one
    it is up to the numbering.

    Parameters
    ----------
    source
        A generator with parameters, a program, or a file, in one string; or a DAG, a
        `networkx.DiGraph`, a jaxpr, a graph of torch.fx or torch.export, an ONNX model, a Dask
        collection or a dict of tasks.
    words, work, recognise, family
        Of strings, as `dags.spec.build` has them; a graph of networkx takes the first three.
    options
        Of objects of other tools: `tile`, `word` and `sizes`, as `dags.importers.object_dag` has
        them. A specification has its options in the string.

    Raises
    ------
    InvalidSpecError
        If there are options, and none are taken.
    RedBlueError
        Errors of `dags.spec.build` and `dags.importers.object_dag`.

    Examples
    --------
    >>> load("matmul:m=1,n=2,k=3").n
    15
    """
    nx = sys.modules.get("networkx")  # whoever has a graph of it has imported it
    is_graph = nx is not None and isinstance(source, nx.Graph)
    if options and (is_graph or isinstance(source, str | Path | CDAG)):
        raise InvalidSpecError(f"{', '.join(options)}: only objects of other tools have options")
    if isinstance(source, str | Path):
        named: dict[str, Any] = {"words": words, "work": work, "family": family}
        return build(str(source), GENERATORS, recognise=recognise, **named)
    if isinstance(source, CDAG):
        return source
    if is_graph:
        return from_networkx(source, words=words, work=work, recognise=recognise)
    dag: CDAG = leaves.reader("graphs").object_dag(source, **options)
    return dag
