"""The DAGs of a sweep: what they are called, which they are, and how workers get them."""

from collections.abc import Iterable, Mapping

from dags import CDAG, GENERATORS, load
from redblue.store.keys import identity


def identified(
    names: Iterable[str], given: Mapping[str, CDAG]
) -> tuple[dict[str, str], dict[str, CDAG]]:
    """Return the identity of each DAG, and the DAGs to keep: the given ones and those from files.

    What a generator makes is not kept: it may be large, and it is made again where it is needed.

    Parameters
    ----------
    names
        Specifications, or names in `given`.
    given
        DAGs by name.
    """
    known: dict[str, str] = {}
    kept = dict(given)
    for name in dict.fromkeys(names):
        dag = given[name] if name in given else load(name)
        known[name] = identity(dag)
        if not _generated(name, dag):
            kept[name] = dag
    return known, kept


def to_send(kept: Mapping[str, CDAG]) -> dict[str, CDAG]:
    """Return the DAGs that workers cannot make: those that are called by no generator."""
    return {name: dag for name, dag in kept.items() if not _generated(name, dag)}


def _generated(name: str, dag: CDAG) -> bool:
    """Return whether workers make the DAG by its name; they check that it is the same one."""
    family = name.partition(":")[0]
    return family in GENERATORS and dag.family == family
