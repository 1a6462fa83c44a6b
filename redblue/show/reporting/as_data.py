"""Experiments as plain JSON, and back: for stores, and for report.json."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from math import isfinite
from typing import Any

import numpy as np

from redblue.show.model import (
    Axis,
    Claim,
    Column,
    Experiment,
    Figure,
    Multiples,
    Panel,
    Passage,
    PlayerScene,
    Series,
    Table,
)
from redblue.show.player.names import cleaned


def to_data(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as plain JSON; numbers that JSON does not have are None.

    NumPy's numbers become Python's. A point of a series that is not finite is left out, and of
    texts what no page may hold.
    """
    scenes = tuple(replace(scene, dag=None) for scene in experiment.players)
    data: dict[str, Any] = _plain(asdict(replace(experiment, players=scenes)))
    for scene in data["players"]:
        del scene["dag"]
    for table in data["tables"]:
        del table["keys"], table["bold"]  # of terminals
    for passage, own in zip(data["passages"], experiment.passages, strict=True):
        passage["code"] = [_indented(line) for line in own.code]
    for figure in data["figures"]:
        del figure["floor"]
        for series in figure["series"]:
            _drop_gaps(series)
    for several in data["multiples"]:
        for panel in several["panels"]:
            for series in panel["series"]:
                _drop_gaps(series)
    return data


def _indented(line: str) -> str:
    """Return a line of code without what no page may hold, as far in as it was."""
    return " " * (len(line) - len(line.lstrip(" "))) + cleaned(line)


def _plain(value: Any) -> Any:
    """Return `value` of dictionaries, lists, texts and finite numbers alone."""
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
    """Return the experiment that `to_data` gave as `data`."""
    return Experiment(
        name=data["name"],
        title=data["title"],
        summary=data["summary"],
        claims=tuple(Claim(**claim) for claim in data["claims"]),
        tables=tuple(_table(table) for table in data["tables"]),
        figures=tuple(_figure(figure) for figure in data["figures"]),
        multiples=tuple(_multiples(several) for several in data["multiples"]),
        players=tuple(PlayerScene(**_tuples(scene)) for scene in data["players"]),
        passages=tuple(Passage(**_tuples(passage)) for passage in data["passages"]),
        command=data["command"],
        formula=data["formula"],
        references=tuple(data["references"]),
    )


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data` with tuples for its lists."""
    return {key: tuple(item) if isinstance(item, list) else item for key, item in data.items()}


def _table(data: Mapping[str, Any]) -> Table:
    return Table(
        data["name"],
        data["caption"],
        tuple(Column(**column) for column in data["columns"]),
        tuple(tuple(row) for row in data["rows"]),
        folded=data["folded"],
        formulas=data["formulas"],
    )


def _multiples(data: Mapping[str, Any]) -> Multiples:
    return Multiples(
        data["name"],
        data["caption"],
        Axis(**data["x"]),
        Axis(**data["y"]),
        tuple(
            Panel(
                panel["title"],
                panel["note"],
                tuple(Series(**_tuples(series)) for series in panel["series"]),
            )
            for panel in data["panels"]
        ),
        None if data["gap"] is None else (data["gap"][0], data["gap"][1]),
    )


def _figure(data: Mapping[str, Any]) -> Figure:
    return Figure(
        data["name"],
        data["caption"],
        Axis(**data["x"]),
        Axis(**data["y"]),
        tuple(Series(**_tuples(series)) for series in data["series"]),
        None if data["gap"] is None else (data["gap"][0], data["gap"][1]),
        folded=data["folded"],
    )
