"""GraphML through networkx.

Node attributes ``words``, ``work``, ``channel`` and ``output`` are kept. GraphML names nodes by
strings: a name that is written like an integer becomes one.
"""

import re
import warnings
from pathlib import Path
from typing import Final

from dags.cdag.exchange import from_networkx, to_networkx
from dags.cdag.value import CDAG
from dags.errors import FormatError, one_line
from dags.formats.text import names_of, parse_name

# XML 1.0, section 2.2; a parser may turn carriage returns into line feeds
_CHARACTERS: Final = re.compile(r"[\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


def read(path: Path, words: str | None = None, work: str | None = None) -> CDAG:
    """The DAG of a GraphML file; `words` and `work` name attributes of sizes and work.

    Raises
    ------
    FormatError
        If the file is no GraphML or its graph is undirected.
    InvalidDAGError
        If the graph has a cycle, or an attribute does not fit.
    """
    import networkx as nx

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of attributes and tags that do not count here
            graph = nx.read_graphml(path, node_type=parse_name)
    except Exception as error:  # networkx promises no kind of error for a bad file
        raise FormatError(
            path, f"is no GraphML: {one_line(error) or type(error).__name__}"
        ) from error
    if not graph.is_directed():
        raise FormatError(path, "is undirected: edges must lead from operand to result")
    return from_networkx(graph, words=words, work=work, recognise=False)


def write(dag: CDAG, path: Path) -> None:
    """Write `dag` as GraphML."""
    import networkx as nx

    names_of(dag, lambda label: _CHARACTERS.fullmatch(label) is not None)
    nx.write_graphml_xml(to_networkx(dag), path)
