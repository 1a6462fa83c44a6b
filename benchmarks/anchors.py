"""The public DAGs and what others reach on them: anchors.csv and the files that it names."""

import argparse
import csv
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

Anchor = dict[str, str]


def group_of(name: str) -> str:
    """The kind of an instance: "fine_CG", "coarse", "osp_tiny", ..."""
    folder, _, file = name.partition("/")
    parts = file.removesuffix(".hdag").split("_")
    return folder if folder == "osp_tiny" else "_".join(parts[: 1 + (parts[0] == "fine")])


def measured(
    document: str | None, measure: Callable[[Path, Anchor, float], Any]
) -> tuple[list[Any], bool]:
    """What `measure` gives for each anchor, and whether every row is to be printed.

    The command line says which: a folder, seconds for each row, jobs, and a text in their names.
    """
    parser = argparse.ArgumentParser(
        description=document, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rows", default="", help="only instances whose names contain this")
    parser.add_argument("--all", action="store_true", help="print every row")
    options = parser.parse_args()
    with (options.folder / "anchors.csv").open() as file:
        anchors = [row for row in csv.DictReader(file) if options.rows in row["instance"]]
    inputs = repeat(options.folder), anchors, repeat(options.seconds)
    if options.jobs == 1:
        return list(map(measure, *inputs)), options.all
    with ProcessPoolExecutor(options.jobs) as pool:
        return list(pool.map(measure, *inputs)), options.all
