"""Bounds of other packages, each verified before it counts."""

from dataclasses import dataclass, replace

from dags import CDAG, InvalidSpecError
from dags.errors import shown
from dags.spec import Function, taken
from pebble import ONE_SHOT, Rules
from proofs.base import Bound
from proofs.verdict import check


@dataclass(frozen=True)
class PluggedBound:
    """A method of another package whose bounds are checked by their certificates.

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
    ) -> Bound:
        """Return the bound that the function proves, by its name, after a check of the certificate.

        Raises
        ------
        InvalidSpecError
            If it returns something else, or a bound for another game.
        CertificateError
            If its certificate does not prove it.
        """
        options = {"rules": rules, "seed": seed, "time_limit": time_limit}
        found = self.function(dag, memory, **taken(self.function, options))
        if not isinstance(found, Bound):
            raise InvalidSpecError(f"{self.name} returned {shown(found)}, which is no Bound")
        if found.rules != rules:
            raise InvalidSpecError(
                f"{self.name} returned a bound for {found.rules.name} rules, not {rules.name}"
            )
        check(dag, memory, found)
        return replace(found, method=self.name)
