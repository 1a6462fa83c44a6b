"""The DOT language of Graphviz: the subset that describes a DAG, read fast.

Read: one ``digraph``, chains ``a -> b -> c``, groups ``{a b} -> c``, subgraphs (flattened),
identifiers, numerals and quoted strings, comments (``//``, ``/* */``, ``#``), attributes in
brackets, and defaults set by ``node [...]``, which hold for the nodes that follow in the same
braces. The node attributes ``words``, ``work``, ``channel`` and ``output`` count, or another one
that is named for sizes; all others, those of edges and graphs, and ports are skipped. Not read:
strings joined by ``+``, and HTML as a name.

A name that is written like an integer is one, quoted or not.

Source
------
Graphviz, The DOT Language, graphviz.org/doc/info/lang.html.
"""

import re
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dags.cdag.border import Label
from dags.cdag.columns import may_hold_sizes, may_hold_times
from dags.cdag.exchange import USED, from_attributes
from dags.cdag.tensor_attributes import attributes_of
from dags.cdag.value import CDAG
from dags.errors import FormatError, shown
from dags.formats.text import names_of, parse_name, read_text, write_lines

MAX_DEPTH: Final = 100
MAX_GROUPED: Final = 1 << 22  # edges between groups: {100 names} -> {100 names} has 10,000
KEYWORDS: Final = frozenset({"strict", "graph", "digraph", "node", "edge", "subgraph"})
END: Final = ""

# No repetition of a group is possessive: Python before 3.11.5 gets those wrong. None needs to be,
# for no group can match in two ways.
_TOKEN: Final = re.compile(
    r"""
    (?: \s+ | //[^\n]* | /\*.*?\*/ | \#[^\n]* )*    # space and comments, skipped
    ( "(?:[^"\\]|\\.)*"                             # a quoted string
    | [^\W\d]\w*                                    # an identifier
    | (?:"|/\*).*                                   # either of them without its end
    | -> | --
    | -?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)            # a numeral
    | <(?:[^<>]|<[^<>]*>)*>                         # HTML, one level of tags
    | \S                                            # a sign, or an error
    | \Z )
    """,
    re.DOTALL | re.VERBOSE,
)
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPED: Final = re.compile(r'\\(["\\])')


def read(path: Path, words: str | None = None, work: str | None = None) -> CDAG:
    """The DAG of a DOT file; `words` and `work` name attributes of sizes and work.

    Raises
    ------
    FormatError
        If the file is not of this subset, or its graph is undirected.
    InvalidDAGError
        If the graph has a cycle, or an attribute does not fit.
    """
    parser = _Parser(path, read_text(path), frozenset(filter(None, (words, work))))
    parser.parse()
    return from_attributes(parser.names, parser.edges, parser.attributes, words=words, work=work)


def write(dag: CDAG, path: Path) -> None:
    """Write `dag` in DOT: its vertices in the order of their numbers, then its edges."""
    names = [_quoted(name) for name in names_of(dag)]
    arrays = {key: getattr(dag, key) for key in ("words", "work", "channel")}
    columns = {key: array.tolist() for key, array in arrays.items() if array is not None}
    outputs = set(dag.outputs.tolist())
    lines = ["digraph redblue {"]
    for v, name in enumerate(names):
        shown = [f"{key}={column[v]}" for key, column in columns.items()]
        attributes = attributes_of(dag, v)
        shown += [f"{key}={str(value).lower()}" for key, value in attributes.items()]
        shown += ["output=true"] if v in outputs else []
        lines.append(f"  {name} [{', '.join(shown)}];" if shown else f"  {name};")
    indptr, indices = dag.pred_indptr.tolist(), dag.pred_indices.tolist()
    for v, name in enumerate(names):
        lines += [f"  {names[u]} -> {name};" for u in indices[indptr[v] : indptr[v + 1]]]
    write_lines(path, [*lines, "}"])


def _quoted(name: Label) -> str:
    if isinstance(name, int):
        return str(name)
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Parser:
    """Recursive descent over the tokens of one file."""

    def __init__(self, path: Path, text: str, named: frozenset[str]) -> None:
        self.path = path
        self.counting: dict[str, bool] = dict.fromkeys({*USED, *named}, True)
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)
        self.at = 0  # index of the next token
        self.vertex: dict[str, int] = {}  # by token, so that a name is understood only once
        self.index: dict[Label, int] = {}  # by name: "a" and a are one
        self.names: list[Label] = []
        self.edges: list[tuple[int, int]] = []
        self.attributes: list[dict[str, Any]] = []
        self.defaults: dict[str, Any] = {}
        self.depth = 0
        self.grouped = 0  # edges between groups

    def parse(self) -> None:
        """Read the whole file."""
        if self._word() == "strict":
            self.at += 1
        if self._word() == "graph":
            raise self._error("an undirected graph; a digraph is needed")
        if self._word() != "digraph":
            raise self._unexpected("digraph")
        self.at += 1
        if self.tokens[self.at] != "{":
            self._name()
        self._braces()
        if self.tokens[self.at] != END:
            raise self._unexpected("the end of the file")

    def _braces(self) -> list[int]:
        """Read ``{...}``; return the vertices that it mentions."""
        if self.tokens[self.at] != "{":
            raise self._unexpected("{")
        if self.depth == MAX_DEPTH:
            raise self._error(f"braces are nested more than {MAX_DEPTH} deep")
        self.at += 1
        self.depth += 1
        outer_defaults = self.defaults
        mentioned: list[int] = []
        while self.tokens[self.at] != "}":
            self._statement(mentioned)
        self.defaults = outer_defaults
        self.depth -= 1
        self.at += 1
        return mentioned

    def _statement(self, mentioned: list[int]) -> None:
        tokens = self.tokens
        token = tokens[self.at]
        if token == ";":
            self.at += 1
        elif tokens[self.at + 1 : self.at + 2] == ["="]:
            self.at += 2
            self._name(html=True)
        elif token.lower() in ("node", "edge", "graph"):
            self.at += 1
            attributes = self._attribute_lists(required=True)
            if token.lower() == "node":
                self.defaults = self.defaults | attributes
        else:
            self._chain(mentioned)

    def _chain(self, mentioned: list[int]) -> None:
        """Read one end, or several with arrows between them, and their attributes."""
        ends = first = self._end()
        mentioned += ends
        while self.tokens[self.at] == "->":
            self.at += 1
            heads = self._end()
            mentioned += heads
            self._connect(ends, heads)
            ends = heads
        if self.tokens[self.at] == "--":
            raise self._error("an undirected edge '--'; '->' is needed")
        if self.tokens[self.at] == "[":
            attributes = self._attribute_lists()
            if ends is first and attributes:
                for vertex in ends:
                    self.attributes[vertex] = self.attributes[vertex] | attributes

    def _connect(self, tails: list[int], heads: list[int]) -> None:
        """Add an edge from each tail to each head."""
        count = len(tails) * len(heads)
        self.grouped += count if count > 1 else 0
        if self.grouped > MAX_GROUPED:
            raise self._error(f"groups are joined by more than {MAX_GROUPED} edges")
        self.edges += [(tail, head) for tail in tails for head in heads]

    def _end(self) -> list[int]:
        """Read a node or a group; return its vertices."""
        token = self.tokens[self.at]
        vertex = self.vertex.get(token)
        if vertex is None:
            if self._word() == "subgraph":
                self.at += 1
                if self.tokens[self.at] != "{":
                    self._name()
            if self.tokens[self.at] == "{":
                return list(dict.fromkeys(self._braces()))
            vertex = self._new_vertex(token)
        else:
            self.at += 1
        while self.tokens[self.at] == ":":  # a port, and perhaps a compass point
            self.at += 1
            self._name()
        return [vertex]

    def _new_vertex(self, token: str) -> int:
        name = parse_name(self._name())
        vertex = self.index.setdefault(name, len(self.names))
        if vertex == len(self.names):
            self.names.append(name)
            self.attributes.append(self.defaults)
        self.vertex[token] = vertex
        return vertex

    def _attribute_lists(self, *, required: bool = False) -> dict[str, Any]:
        """Read ``[key=value, ...]``, once or more; return the attributes that count."""
        if required and self.tokens[self.at] != "[":
            raise self._unexpected("[")
        attributes: dict[str, Any] = {}
        while self.tokens[self.at] == "[":
            self.at += 1
            while self.tokens[self.at] != "]":
                key = self._name()
                value = "true"
                if self.tokens[self.at] == "=":
                    self.at += 1
                    value = self._name(html=True)
                if self._counts(key):
                    attributes[key] = parse_name(value)
                if self.tokens[self.at] in (",", ";"):
                    self.at += 1
            self.at += 1
        return attributes

    def _counts(self, key: str) -> bool:
        """Whether an attribute is used, or may hold sizes or times."""
        if key not in self.counting:
            self.counting[key] = may_hold_sizes(key) or may_hold_times(key)
        return self.counting[key]

    def _name(self, *, html: bool = False) -> str:
        """Read an identifier, numeral or quoted string; return it without quotes."""
        token = self.tokens[self.at]
        first = token[:1]
        is_quoted = _QUOTED.fullmatch(token) is not None
        is_plain = first.isidentifier() or "0" <= first <= "9" or (first in "-." and len(token) > 1)
        is_html = html and first == "<" and len(token) > 1
        is_arrow = token in ("->", "--")
        if not (is_quoted or is_plain or is_html) or is_arrow or token.lower() in KEYWORDS:
            raise self._unexpected("a name")
        self.at += 1
        return _ESCAPED.sub(r"\1", token[1:-1]) if is_quoted else token

    def _word(self) -> str:
        """The next token in lower case, as keywords are compared."""
        return self.tokens[self.at].lower()

    def _unexpected(self, wanted: str) -> FormatError:
        token = self.tokens[self.at]
        is_unended = token[:2] == "/*" or (token[:1] == '"' and not _QUOTED.fullmatch(token))
        token_text = shown(token[:1] if is_unended else token) if token else "the end of the file"
        return self._error(f"{wanted} expected, not {token_text}")

    def _error(self, message: str) -> FormatError:
        """An error at the next token; its line is found only now."""
        match = next(islice(_TOKEN.finditer(self.text), self.at, None))
        line = 1 + self.text.count("\n", 0, match.start(1))
        return FormatError(self.path, message, line)
