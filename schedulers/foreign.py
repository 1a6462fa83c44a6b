"""Schedulers of other packages."""

from dataclasses import dataclass

from dags import CDAG, InvalidSpecError
from dags.errors import shown
from dags.spec import Function, taken
from pebble import ONE_SHOT, Rules, Schedule


@dataclass(frozen=True)
class PluggedScheduler:
    """A scheduler of another package; what it returns is replayed like any schedule.

    Parameters
    ----------
    name
        What a user calls it.
    function
        Takes the DAG and the words of fast memory, and those of the keywords `rules`, `seed` and
        `time_limit` that it has.
    """

    name: str
    function: Function

    def __call__(
        self,
        dag: CDAG,
        memory: int,
        *,
        rules: Rules = ONE_SHOT,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Schedule:
        """Return the schedule that the function makes.

        Raises
        ------
        InvalidSpecError
            If it makes something else.
        """
        options = {"rules": rules, "seed": seed, "time_limit": time_limit}
        made = self.function(dag, memory, **taken(self.function, options))
        if not isinstance(made, Schedule):
            raise InvalidSpecError(f"{self.name} returned {shown(made)}, which is no Schedule")
        return made
