"""Names of vertices in a page."""

from dags import CDAG

LONGEST = 5  # characters that fit into a vertex
STRANGE = "\ufffd"
PREFIXES = "kMGTPE"


def names_of(dag: CDAG) -> tuple[str, ...]:
    """Return (n,) names: the labels of a file, else x0, x1, ... of inputs, y0, ... of outputs.

    All other vertices of a DAG without labels are called by their numbers.

    Examples
    --------
    >>> from dags import load
    >>> names_of(load("fft:n=2"))
    ('x0', 'x1', 'y0', 'y1')
    """
    if dag.labels is not None:
        return tuple(cleaned(str(label)) or STRANGE for label in dag.labels)
    names = [*map(str, range(dag.n))]
    for letter, vertices in (("y", dag.outputs), ("x", dag.inputs)):
        for place, vertex in enumerate(vertices.tolist()):
            names[vertex] = f"{letter}{place}"
    return tuple(names)


def cleaned(text: str) -> str:
    """Return `text` on one line, without characters that are invisible or illegal in a page.

    Control characters, lone surrogates, and marks that turn the direction of writing.
    """
    line = " ".join(text.split())
    return "".join(letter if letter.isprintable() else STRANGE for letter in line)


def short(name: str) -> str:
    """Return `name`, or its beginning and its end, to stand in a vertex."""
    return (
        name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}\N{HORIZONTAL ELLIPSIS}{name[-2:]}"
    )


def size(words: int) -> str:
    """Return the words of a value in at most four signs, to stand beside a vertex.

    Examples
    --------
    >>> size(2), size(999), size(4_194_304), size(999_999), size(2**62)
    ('2w', '999w', '4.2M', '1.0M', '4.6E')
    """
    if words < 1000:
        return f"{words}w"
    scaled, place = words / 1000, 0
    while scaled >= 999.5:
        scaled, place = scaled / 1000, place + 1
    return f"{scaled:.{int(scaled < 9.95)}f}{PREFIXES[place]}"
