"""The registry of file formats, and reading and writing by suffix."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dags.cdag.files import require_path, writing
from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidDAGError, UnknownNameError, one_line, shown
from dags.formats import (
    dot,
    edge_list,
    graphml,
    hyperdag,
    matrix_market,
    node_link,
    npz,
    vertex_lines,
)
from dags.formats.text import UnwritableLabelError

EVERYTHING = frozenset({"words", "work", "outputs", "channel", "labels", "in_place", "demands"})
PROGRAMS = EVERYTHING | {"origin"}


@dataclass(frozen=True)
class Format:
    """One file format: its reader, its writer and the parts of a DAG that it keeps.

    Attributes
    ----------
    read
        Returns the DAG that a file holds; takes the path.
    write
        Writes a DAG to a file.
    keeps
        Fields that survive writing and reading, besides the edges: "words", "work", "outputs"
        (those that have successors), "channel", "labels", "in_place", "demands", "origin".
    attributes
        Whether nodes have attributes by name: `read` takes, too, which of them hold sizes and work.
    """

    read: Callable[..., CDAG]
    write: Callable[[CDAG, Path], None]
    keeps: frozenset[str]
    attributes: bool = False


_HYPERDAG = Format(hyperdag.read, hyperdag.write, frozenset({"words", "work"}))

FORMATS: dict[str, Format] = {
    ".cdag": Format(vertex_lines.read, vertex_lines.write, frozenset({"words", "outputs"})),
    ".csv": Format(edge_list.read_csv, edge_list.write_csv, frozenset({"labels"})),
    ".dot": Format(dot.read, dot.write, EVERYTHING, attributes=True),
    ".edges": Format(edge_list.read_edges, edge_list.write_edges, frozenset({"labels"})),
    ".graphml": Format(graphml.read, graphml.write, EVERYTHING, attributes=True),
    ".hdag": _HYPERDAG,
    ".json": Format(node_link.read, node_link.write, PROGRAMS, attributes=True),
    ".mtx": Format(matrix_market.read, matrix_market.write, frozenset()),
    ".npz": Format(npz.read, npz.write, PROGRAMS),
    ".txt": _HYPERDAG,
}


def read(path: Path | str, *, words: str | None = None, work: str | None = None) -> CDAG:
    """The DAG that a file holds, in the format that its suffix names.

    Parameters
    ----------
    path
        The file.
    words
        Name of the node attribute that holds sizes in words, where the format has attributes; None
        where the format itself has a place.
    work
        Name of the one that holds operations or times, likewise.

    Raises
    ------
    UnknownNameError
        If no format has this suffix.
    FormatError
        If there is no such file, or it does not follow its format.
    InvalidDAGError
        If the file follows its format and describes no DAG.
    """
    path = Path(path)
    format_ = _format_of(path)
    require_path(path)
    columns = {"words": words, "work": work}
    named = {option: name for option, name in columns.items() if name is not None}
    if named and not format_.attributes:
        known = ", ".join(
            suffix for suffix, file_format in FORMATS.items() if file_format.attributes
        )
        name = shown(next(iter(named.values())))
        raise FormatError(
            path, f"has no attributes such as {name}: nodes have them in {known} files"
        )
    with reading(path):
        return format_.read(path, **named)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Read a file; errors that name no file get its name.

    Raises
    ------
    FormatError
        If it cannot be read, or is too large.
    InvalidDAGError
        If it describes no DAG.
    """
    require_path(path)
    try:
        with path.open("rb"):  # some libraries raise errors of their own for a missing file
            pass
        yield
    except OSError as error:
        raise FormatError(path, f"cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise FormatError(path, "is too large for the memory of this machine") from error
    except InvalidDAGError as error:
        raise InvalidDAGError(f"{one_line(path)}: {error}") from error


def save(dag: CDAG, path: Path | str) -> None:
    """Write `dag` to a file, whole or not at all, in the format that its suffix names.

    See `lost` for the parts that the format cannot keep.

    Raises
    ------
    UnknownNameError
        If no format has this suffix.
    FormatError
        If the file cannot be written, or a label cannot be written in this format.
    """
    path = Path(path)
    format_ = _format_of(path)
    try:
        with writing(path) as temporary:
            format_.write(dag, temporary)
    except UnwritableLabelError as error:
        raise FormatError(path, str(error)) from error


def lost(dag: CDAG, path: Path | str) -> tuple[str, ...]:
    """The parts of `dag` that a file of this name would lose: some of `PROGRAMS`, sorted.

    Raises
    ------
    UnknownNameError
        If no format has this suffix.
    """
    has = {
        name
        for name in ("words", "work", "channel", "labels", "in_place", "demands", "origin")
        if getattr(dag, name) is not None
    }
    if (dag.outdegree[dag.outputs] > 0).any():
        has.add("outputs")
    return tuple(sorted(has - _format_of(Path(path)).keeps))


def _format_of(path: Path) -> Format:
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UnknownNameError("file format", path.suffix or path.name, FORMATS)
    return FORMATS[suffix]
