"""Names of vertices in a page."""

from dags import CDAG

LONGEST = 5  # characters that fit into a vertex
STRANGE = "\ufffd"
PREFIXES = "kMGTPE"
LETTERS = "abcdefghijklmnopqrstuvw"  # of levels between inputs x and outputs y


def names_of(dag: CDAG) -> tuple[str, ...]:
    """(n,) names: the labels of a file, else x0, x1, ... of inputs, y0, ... of outputs.

    All other vertices of a DAG without labels are called by their numbers; of a Fourier transform
    a0, a1, ... after its first level, b0, ... after the next. Its butterflies of neighbours come
    first, so that inputs stand in bit-reversed order and outputs in their own, as textbooks have
    it: x0 meets x(n/2) (J. W. Cooley, J. W. Tukey, 1965; decimation in time).

    Examples
    --------
    >>> from dags import load
    >>> names_of(load("fft:n=2"))
    ('x0', 'x1', 'y0', 'y1')
    >>> names_of(load("fft:n=4"))[:8]
    ('x0', 'x2', 'x1', 'x3', 'a0', 'a1', 'a2', 'a3')
    """
    if dag.labels is not None:
        return tuple(cleaned(str(label)) or STRANGE for label in dag.labels)
    if dag.family == "fft":
        return _of_butterflies(int(dag.params["n"]), int(dag.params["radix"]), dag.n)
    names = [*map(str, range(dag.n))]
    for letter, vertices in (("y", dag.outputs), ("x", dag.inputs)):
        for place, vertex in enumerate(vertices.tolist()):
            names[vertex] = f"{letter}{place}"
    return tuple(names)


def _of_butterflies(n: int, radix: int, vertices: int) -> tuple[str, ...]:
    """The names of the values of an n-point transform, level by level."""
    inner = LETTERS[: vertices // n - 2]
    rows = [[f"x{reversed_digits(i, n, radix)}" for i in range(n)]]
    rows += [[f"{letter}{i}" for i in range(n)] for letter in (*inner, "y")]
    return tuple(name for row in rows for name in row)


def reversed_digits(number: int, n: int, radix: int) -> int:
    """A number below n with its digits to a base in the other order.

    Parameters
    ----------
    number, n, radix
        The number, a power of the base, and the base.

    Examples
    --------
    >>> [reversed_digits(i, 8, 2) for i in range(8)]
    [0, 4, 2, 6, 1, 5, 3, 7]
    """
    reverse = 0
    while n > 1:
        number, digit = divmod(number, radix)
        reverse, n = reverse * radix + digit, n // radix
    return reverse


def cleaned(text: str) -> str:
    """`text` on one line, without characters that are invisible or illegal in a page.

    Control characters, lone surrogates, and marks that turn the direction of writing.
    """
    line = " ".join(text.split())
    return "".join(letter if letter.isprintable() else STRANGE for letter in line)


def short(name: str) -> str:
    """`name`, or its beginning and its end, to stand in a vertex."""
    return (
        name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}\N{HORIZONTAL ELLIPSIS}{name[-2:]}"
    )


def size(words: int) -> str:
    """The words of a value in at most four signs, to stand beside a vertex.

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
