"""Experiments as plain JSON, and back: for stores, and for report.json."""

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass, replace
from math import isfinite
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from redblue.show.model import Experiment
from redblue.show.player.names import cleaned


def to_data(experiment: Experiment) -> dict[str, Any]:
    """An experiment as plain JSON; numbers that JSON does not have are None.

    NumPy's numbers become Python's. A point of a series that is not finite is left out, and of
    texts the characters that no page may hold.
    """
    scenes = tuple(replace(scene, dag=None) for scene in experiment.players)
    data: dict[str, Any] = _plain(asdict(replace(experiment, players=scenes)))
    for scene in data["players"]:
        del scene["dag"]
    for table in data["tables"]:
        del table["keys"], table["bold"]  # of terminals
    for passage, texts in zip(data["passages"], experiment.passages, strict=True):
        passage["code"] = [_indented(line) for line in texts.code]
    for figure in data["figures"]:
        del figure["floor"]
        for series in figure["series"]:
            _drop_gaps(series)
    if not data["maps"]:
        del data["maps"]  # which stores of earlier versions do not know
    for several in data["multiples"]:
        for panel in several["panels"]:
            for series in panel["series"]:
                _drop_gaps(series)
    return data


def _indented(line: str) -> str:
    """A line of code without characters that no page may hold, as far in as it was."""
    return " " * (len(line) - len(line.lstrip(" "))) + cleaned(line)


def _plain(value: Any) -> Any:
    """`value` of dictionaries, lists, texts and finite numbers alone."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return "\n\n".join(map(cleaned, value.split("\n\n")))
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not isfinite(value) else value


def _drop_gaps(series: dict[str, Any]) -> None:
    """Leave out the points that have a coordinate None."""
    pairs = zip(series["x"], series["y"], strict=True)
    kept = [place for place, pair in enumerate(pairs) if None not in pair]
    for key in ("x", "y", "notes"):
        series[key] = [series[key][place] for place in kept] if series[key] else []


def from_data(data: Mapping[str, Any]) -> Experiment:
    """The experiment that `to_data` gave as `data`."""
    experiment: Experiment = _read(Experiment, data)
    return experiment


def _read(kind: Any, value: Any) -> Any:
    """The value in plain JSON, as the annotations of a type have it."""
    if is_dataclass(kind):
        kinds = get_type_hints(kind, localns={"CDAG": object})
        make: Any = kind
        return make(**{name: _read(kinds[name], value) for name, value in value.items()})
    if isinstance(value, list):
        known = [member for member in (kind, *get_args(kind)) if get_origin(member) is tuple]
        return tuple(_read(get_args(known[0])[0], entry) for entry in value)
    return value
