"""Files of a hierarchy: its table, its figure, a schedule, and a certificate for each boundary."""

import csv
import json
from pathlib import Path

from dags import CDAG, Computation
from dags.cdag.files import writing
from pebble import IllegalMoveError, Machine, play_on
from proofs import Bound, save_bound
from redblue.answers.hierarchies.crossing import nested_play
from redblue.answers.hierarchies.results import Levels
from redblue.show.drawing import save_figure
from schedulers import accesses

MOST_EDGES = 1 << 22  # of a DAG whose play is laid out


def save_levels(levels: Levels, computation: Computation, folder: Path) -> list[Path]:
    """Write everything about a hierarchy into a folder; return the files.

    The schedule is replayed on the whole hierarchy before it is written. There is none for a DAG of
    more than four million edges, nor where closed formulas count; these have no certificates.

    Parameters
    ----------
    levels, computation
        The hierarchy, and what is computed on it.
    folder
        Is made if it is not there.
    """
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    record, table = folder / "levels.json", folder / "levels.csv"
    with writing(record) as new:
        new.write_text(json.dumps(levels.to_dict(), indent=1) + "\n")
    rows = levels.rows()
    with writing(table) as new, new.open("w", newline="") as file:
        lines = csv.DictWriter(file, list(rows[0]))
        lines.writeheader()
        lines.writerows({name: row.get(name) for name in rows[0]} for row in rows)
    drawing = levels.plot().figure
    assert isinstance(drawing, Figure)
    files = [record, table, *save_figure(drawing, folder / "levels")]
    for place, bound in enumerate(levels.bounds, start=1):
        if isinstance(bound, Bound):
            files.append(folder / f"boundary-{place}.json")
            save_bound(bound, computation.dag, files[-1])
    if levels.best.order is not None and computation.dag.m <= MOST_EDGES:
        files.append(folder / "schedule.npz")
        _save_schedule(levels, computation.dag, files[-1])
    return files


def _save_schedule(levels: Levels, dag: CDAG, path: Path) -> None:
    """Write the best play, which the engine has replayed and which moves as many words."""
    best = levels.best
    assert best.order is not None
    layout = accesses(dag, best.order)
    made, machine = (
        nested_play(layout, best.policy, levels.memories),
        Machine.levels(levels.memories),
    )
    try:
        count = play_on(dag, made, machine)
    except IllegalMoveError:  # values of several sizes that do not nest
        first = [levels.memories[0]] * len(levels.memories)
        made = nested_play(layout, best.policy, first)
        count = play_on(dag, made, machine)
    assert count.words == best.words, (count, best)
    made.save(path)
