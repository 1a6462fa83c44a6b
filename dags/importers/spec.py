"""Graphs of other tools: objects, and files by one string, "model.onnx:batch=1,tile=8"."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from dags.cdag.files import require_path
from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidSpecError, one_line, shown
from dags.importers.dask_graphs import from_dask, is_dask
from dags.importers.fx_nodes import from_fx, is_fx
from dags.importers.jaxprs import from_jaxpr, is_jaxpr
from dags.importers.layout import tensor_dag
from dags.importers.onnx_models import from_onnx
from dags.importers.parts import Tile, parse_tile
from dags.importers.pt2_files import from_pt2
from dags.importers.saved import is_saved_graph, read_graph
from dags.importers.tensor_graph import ImportedGraphError, TensorGraph
from dags.spec.options import file_spec, whole, with_options

ELEMENTWISE: Final = "elementwise"  # the only value of the option in-place
KINDS = (
    "a DAG, a networkx.DiGraph, a jaxpr, a graph of torch.fx or torch.export, an ONNX model, a "
    "Dask collection or a dict of tasks"
)


def graph_of(source: Any, sizes: Mapping[str, int] | None = None) -> TensorGraph:
    """The tensor graph of an object of another tool.

    Parameters
    ----------
    source
        A jaxpr, a graph of PyTorch, an ONNX model, a Dask collection or a dict of tasks, or a
        tensor graph.
    sizes
        Values of symbolic dimensions.

    Raises
    ------
    ImportedGraphError
        If it is none of these, or cannot be read.
    """
    if isinstance(source, TensorGraph):
        return source
    if is_fx(source) and not is_dask(source):  # a delayed value of Dask has every attribute
        return from_fx(source, sizes)
    if _is_onnx(source) and not is_dask(source):
        return from_onnx(source, sizes)
    if sizes:
        raise ImportedGraphError(f"there is no dimension {next(iter(sizes))}: all have lengths")
    if is_dask(source):
        return from_dask(source)
    if is_jaxpr(source):
        return from_jaxpr(source)
    raise ImportedGraphError(f"{type(source).__name__} is no graph that is read: {KINDS}")


def object_dag(
    source: Any,
    *,
    sizes: Mapping[str, int] | None = None,
    tile: Tile = None,
    word: int | None = None,
    in_place: str | None = None,
) -> CDAG:
    """The DAG of an object of another tool.

    Parameters
    ----------
    source, sizes
        As `graph_of` has them.
    tile, word
        As `tensor_dag` has them.
    in_place
        "elementwise" where results of elementwise operators may take the place of an operand.

    Raises
    ------
    ImportedGraphError
        If it cannot be read, or has no DAG.
    InvalidSpecError
        If `in_place` is something else.
    """
    chosen = _in_place("the graph", in_place)
    return tensor_dag(graph_of(source, sizes), tile=tile, word=word, in_place=chosen)


def _in_place(spec: str, value: str | None) -> bool:
    """Whether elementwise operators work in place, as an option says."""
    if value not in (None, ELEMENTWISE):
        raise InvalidSpecError(f"{one_line(spec)}: in-place is {ELEMENTWISE}, not {shown(value)}")
    return value is not None


def _is_onnx(value: object) -> bool:
    graph = getattr(value, "graph", None)
    return hasattr(value, "opset_import") and hasattr(graph, "node")


def _saved(path: Path, sizes: Mapping[str, int]) -> TensorGraph:
    """A saved graph; its shapes are fixed."""
    if sizes:
        raise ImportedGraphError(f"there is no dimension {next(iter(sizes))}: all have lengths")
    return read_graph(path)


READERS: Final[Mapping[str, Callable[[Path, Mapping[str, int]], TensorGraph]]] = {
    ".dask": _saved,
    ".onnx": from_onnx,
    ".pt2": from_pt2,
}


@lru_cache(maxsize=1)  # asked for its word, and then for its DAG
def _read(path: Path, _changed: int, sizes: tuple[tuple[str, int], ...]) -> TensorGraph:
    """The graph in a file."""
    return READERS.get(path.suffix.lower(), _saved)(path, dict(sizes))


@dataclass(frozen=True)
class ImportSpec:
    """A graph of another tool, and the options of its DAG in a specification.

    Parameters
    ----------
    place
        The file.
    sizes
        Values of symbolic dimensions.
    tile, word, in_place
        As `tensor_dag` has them.
    """

    place: str
    sizes: Mapping[str, int]
    tile: Tile
    word: int | None
    in_place: bool = False

    def graph(self) -> TensorGraph:
        """The tensor graph.

        Raises
        ------
        FormatError
            If the file cannot be read, or holds no such graph.
        """
        path = Path(self.place)
        require_path(path)
        try:
            return _read(path, path.stat().st_mtime_ns, tuple(self.sizes.items()))
        except ImportedGraphError as error:
            raise FormatError(self.place, str(error)) from None
        except OSError as error:
            reason = error.strerror or error
            raise FormatError(self.place, f"cannot be read: {reason}") from None

    @property
    def word_bytes(self) -> int | None:
        """Bytes of a word: as it says, else of the graph's elements; None where none are known."""
        return self.word if self.word is not None else self.graph().word

    def dag(self) -> CDAG:
        """The DAG.

        Raises
        ------
        FormatError
            If the graph has none; the obstacle is named.
        """
        graph = self.graph()
        try:
            return tensor_dag(graph, tile=self.tile, word=self.word, in_place=self.in_place)
        except ImportedGraphError as error:
            raise FormatError(self.place, str(error)) from None


def takes(spec: str) -> bool:
    """Whether a specification names a graph of another tool."""
    path = Path(spec.partition(":")[0])
    suffix = path.suffix.lower()
    return suffix in READERS or (suffix == ".json" and is_saved_graph(path))


def import_spec(spec: str) -> ImportSpec:
    """The parts of a specification: a file, and after a colon sizes and options.

    With words=bytes a word is a byte; with in-place=elementwise results of elementwise operators
    may take the place of an operand.

    Raises
    ------
    InvalidSpecError
        If a part of it is no size or option.
    """
    file = file_spec(spec)
    if file.words not in (None, "bytes"):
        raise InvalidSpecError(
            f"{one_line(spec)}: words of a graph of tensors are its elements, or bytes"
        )
    place, _, text = file.spec.partition(":")
    values: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise InvalidSpecError(f"{one_line(spec)}: {part[:40]!r} is no size, like batch=1")
        if key in values:
            raise InvalidSpecError(f"{one_line(spec)}: {key} is given twice")
        values[key] = value
    try:
        tile = parse_tile(values.pop("tile")) if "tile" in values else None
    except ImportedGraphError as error:
        raise InvalidSpecError(f"{one_line(spec)}: {error}") from None
    in_place = _in_place(spec, values.pop("in-place", None))
    word = 1 if file.words else file.word
    sizes = {key: whole(spec, f"a dimension {key}", value) for key, value in values.items()}
    return ImportSpec(place, sizes, tile, word, in_place)


def dag(spec: str) -> CDAG:
    """The DAG that a specification names; raises as `import_spec` and `ImportSpec.dag`."""
    return import_spec(spec).dag()


def with_tile(spec: str, tile: str | None) -> str:
    """A specification with the value of the option `--tile`.

    Raises
    ------
    InvalidSpecError
        If the specification names no graph of another tool, or has a tile.
    """
    if tile is None:
        return spec
    if not takes(spec):
        raise InvalidSpecError(
            f"{one_line(spec)}: a tile cuts the operators of an imported graph, as model.onnx, "
            "and this is none"
        )
    joined = with_options(spec, tile=tile)
    import_spec(joined)
    return joined
