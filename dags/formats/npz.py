"""NumPy archives: the arrays of a DAG as they are. Fast, and everything is kept."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dags.cdag.border import Label
from dags.cdag.demands import Demands
from dags.cdag.files import read_arrays
from dags.cdag.value import CDAG
from dags.errors import FormatError, one_line
from dags.formats.origins import header, origin_from

FORMAT: Final = "redblue-dag"
VERSION: Final = 1
_HEAD: Final = ("format", "version")
_STRUCTURE: Final = ("pred_indptr", "pred_indices")
_ARRAYS: Final = ("words", "work", "outputs", "channel", "in_place")
_DEMANDS: Final = ("alignment", "address", "unspilled")
_ORIGIN: Final = ("origin", "made_by", "points")
_WIDTH: Final = 8  # bytes of an entry of most of these arrays, as a DAG keeps them


def read(path: Path) -> CDAG:
    """The DAG of an archive that `write` made.

    Raises
    ------
    FormatError
        If the file is no such archive.
    InvalidDAGError
        If its arrays describe no DAG.
    """
    known = (*_HEAD, *_STRUCTURE, *_ARRAYS, *_DEMANDS, *_ORIGIN)
    arrays = read_arrays(path, known, width=_WIDTH) | read_arrays(path, ("labels",))
    if "format" not in arrays or str(arrays["format"]) != FORMAT:
        raise FormatError(path, f"is no archive of format {FORMAT!r}")
    if str(arrays.get("version")) != str(VERSION):
        raise FormatError(
            path, f"has version {one_line(arrays.get('version'), 40)}; this reads {VERSION}"
        )
    for name in _STRUCTURE:
        if name not in arrays:
            raise FormatError(path, f"has no array {name}")
    labels = _labels(path, arrays["labels"]) if "labels" in arrays else None
    optional: dict[str, Any] = {name: arrays.get(name) for name in _ARRAYS}
    if all(name in arrays for name in _ORIGIN):
        data = _text(path, arrays["origin"], "origins")
        optional["origin"] = origin_from(path, data, arrays["made_by"], arrays["points"])
    if all(name in arrays for name in _DEMANDS):
        optional["demands"] = Demands(arrays["alignment"], arrays["address"], arrays["unspilled"])
    return CDAG(arrays["pred_indptr"], arrays["pred_indices"], labels=labels, **optional)


def write(dag: CDAG, path: Path) -> None:
    """Write the arrays of `dag` without compression, its labels as JSON text in UTF-8."""
    arrays: dict[str, npt.NDArray[Any]] = {
        "format": np.array(FORMAT),
        "version": np.array(VERSION),
        "pred_indptr": dag.pred_indptr,
        "pred_indices": dag.pred_indices,
    }
    arrays |= {name: getattr(dag, name) for name in _ARRAYS if getattr(dag, name) is not None}
    if dag.demands is not None:
        arrays |= {name: getattr(dag.demands, name) for name in _DEMANDS}
    if dag.origin is not None:
        arrays["origin"] = _bytes(header(dag.origin))
        arrays |= {"made_by": dag.origin.made_by, "points": dag.origin.points}
    elif dag.labels is not None:
        arrays["labels"] = _bytes(dag.labels)
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def _bytes(value: object) -> npt.NDArray[np.uint8]:
    """JSON text as an array."""
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def _text(path: Path, stored: npt.NDArray[Any], field: str) -> Any:
    """The value of JSON text in an array."""
    try:
        return json.loads(stored.tobytes().decode())
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"has {field} that are no JSON text: {one_line(error)}") from error


def _labels(path: Path, stored: npt.NDArray[Any]) -> list[Label]:
    labels = _text(path, stored, "labels")
    if not isinstance(labels, list) or not all(type(label) in (str, int) for label in labels):
        raise FormatError(path, "has labels that are no list of strings and integers")
    return labels
