"""The bytes of a word: those of a computation's own values, where these say anything."""

import re
from pathlib import Path
from typing import Any

OF_BYTES = re.compile(r"\d\s*([kmgt]?)(i?)b\b", re.IGNORECASE)
WORD_BYTES = 8  # as `redblue.answers.memories` has it
BYTES = "bytes"  # of an attribute of a file's nodes: a word is a byte


def own_word(source: Any, attribute: str | None = None) -> int | None:
    """Return the bytes of a word of a computation; None where it does not say.

    Those of a graph of another tool are the bytes of the elements that it has most of.

    Parameters
    ----------
    source
        A computation, as `redblue.load` takes it.
    attribute
        Attribute of a file's nodes that holds their sizes; a word is a byte if it is "bytes", as
        in the specification "graph.json:words=bytes".
    """
    from dags import RedBlueError
    from dags.cdag.value import CDAG
    from dags.spec import leaves
    from dags.spec.options import file_spec

    said = file_spec(str(source)) if isinstance(source, str | Path) else None
    if BYTES in (attribute, said and said.words):
        return 1
    if said is not None:
        graph = leaves.is_of("graphs", said.spec)
        return leaves.reader("graphs").import_spec(str(source)).word_bytes if graph else said.word
    if isinstance(source, CDAG):
        return None
    try:
        word: int | None = leaves.reader("graphs").graph_of(source).word
    except RedBlueError:
        return None
    return word


def word_in(source: Any, memory: object) -> int:
    """Return the bytes of a word for a memory that may be a text with bytes."""
    of_bytes = isinstance(memory, str) and OF_BYTES.search(memory)
    return (own_word(source) if of_bytes else None) or WORD_BYTES


def word_sentence(word: int, why: str, *texts: str) -> str:
    """Return which word and which units were taken for sizes in bytes, in a sentence.

    Parameters
    ----------
    word, why
        Bytes of a word, and where they come from.
    texts
        Sizes as they were given.
    """
    found = [(one[1].upper(), bool(one[2])) for text in texts for one in OF_BYTES.finditer(text)]
    units = dict.fromkeys((prefix, binary) for prefix, binary in found if prefix)
    told = ["; " + _unit(prefix, binary) for prefix, binary in units]
    return f"a word is {word} byte{'s' * (word != 1)}, {why}{''.join(told)}"


def _unit(prefix: str, binary: bool) -> str:
    power = 1 + "KMGT".index(prefix)
    if binary:
        return f"{prefix}iB is {1024**power:,} bytes"
    other = f"{prefix}iB, as sizes of caches mostly mean, {1024**power:,}"
    return f"{prefix}B is {1000**power:,} bytes ({other})"
