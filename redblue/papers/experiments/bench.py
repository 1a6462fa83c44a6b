"""The bench of an experiment: its size, seed, workers and store."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from dags import load
from pebble import ONE_SHOT, Rules
from redblue.answers.curves.curve import io_curve
from redblue.answers.results import IOCurve
from redblue.progress import Message, silent
from redblue.store import Store, remembered
from redblue.store.cells import FAILURES
from redblue.sweeps import SweepError, SweepOptions

T = TypeVar("T")


@dataclass(frozen=True)
class Bench:
    """Size, seed and workers of an experiment, and the store of its results.

    Parameters
    ----------
    quick
        Small sizes: all experiments about the papers in two minutes on two cores.
    seed
        Seed of whatever draws at random.
    jobs
        Number of cells of a curve that are computed side by side.
    progress
        Called with the work at hand.
    store
        File where results are kept, to be read when they are asked for again; None for none.
    effort
        How hard curves are searched where their methods leave a gap: one of the efforts of
        `redblue.io_curve`.
    time_limit
        Seconds for searches at one memory of one DAG, where an experiment searches; None for its
        own.
    """

    quick: bool = False
    seed: int = 0
    jobs: int = 1
    progress: Message = field(default=silent, compare=False)
    store: Path | None = None
    effort: str = "quick"
    time_limit: float | None = None

    def pick(self, quick: T, full: T) -> T:
        """Return `quick` in a quick run, otherwise `full`."""
        return quick if self.quick else full

    def curve(
        self,
        spec: str,
        memories: Iterable[int],
        *,
        schedulers: Iterable[str] | None = None,
        bounds: Iterable[str] | None = None,
        rules: Rules = ONE_SHOT,
    ) -> IOCurve:
        """Return the I/O curve of a DAG; results that the store has are not computed again.

        Parameters
        ----------
        spec
            Specification of the DAG.
        memories
            Sizes of fast memory, in words.
        schedulers, bounds
            Names of methods; by default those of `io_curve`.
        rules
            The rules of the game.

        Raises
        ------
        SweepError
            If a cell of a stored sweep failed.
        """
        self.progress(spec)
        dag = load(spec)
        play = partial(
            io_curve,
            dag,
            memories,
            schedulers=schedulers,
            bounds=bounds,
            rules=rules,
            seed=self.seed,
            spec=spec,
            effort=self.effort,
        )
        if self.store is None:
            return play(jobs=self.jobs)
        with Store(self.store) as store:
            curve = play(sweep=SweepOptions(store=store, retry=True))
        failed = [row for row in curve.rows if row.status in FAILURES]
        if failed:
            raise SweepError(f"{failed[0].method} of {spec} at M = {failed[0].memory} failed")
        return curve

    def remembered(self, configuration: Mapping[str, Any], compute: Callable[[], Any]) -> Any:
        """Return the result of `compute` as plain JSON, from the store if it is there.

        Tuples become lists and all keys text. `configuration`, plain JSON too, has all that the
        result depends on except the code.
        """
        self.progress(" ".join(map(str, configuration.values())))
        if self.store is None:
            return json.loads(json.dumps(compute()))
        with Store(self.store) as store:
            return remembered(store, {**configuration, "redblue": sources()}, compute)


@cache
def sources() -> str:
    """Return a digest of the source of `redblue`, which makes the keys of stored results."""
    home = Path(__file__).resolve().parents[2]
    state = hashlib.sha256()
    for path in sorted(home.rglob("*.py")):
        state.update(f"{path.relative_to(home).as_posix()}:".encode() + path.read_bytes())
    return state.hexdigest()[:8]
